# Compiled as it is: columns that are taken are bits of numbers of any size, which C has not.

cdef double MAX_PX

cdef class GridArea:
    cdef readonly object column, row
    cdef public object columns, rows
