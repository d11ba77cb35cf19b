# Compiled as it is: columns that are taken are bits of numbers of any size, which C has not.

cdef double MOST_PX

cdef class Place:
    cdef readonly object column, row
    cdef public object columns, rows
