cimport cython

cdef class Joint:
    cdef public list prior
    cdef const double[:, ::1] table
    @cython.locals(topics=int, topic=int, place=int, count=double, sums="double[::1]", row="const double[::1]", is_known=bint, counted=dict)
    cpdef object of(self, object words, dict vocabulary)
