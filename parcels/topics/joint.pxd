cimport cython

cdef class Joint:
    cdef public list prior
    cdef const double[::1] table
    @cython.locals(topics=int, topic=int, place=Py_ssize_t, count=double, sums="double[::1]", is_known=bint, counted=dict)
    cpdef object of(self, object words, dict vocabulary)
