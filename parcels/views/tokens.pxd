cdef class _Around:
    cdef list _parent
    cdef object _attributes
    cdef dict _words, _above
    cpdef list parts(self, Py_ssize_t container)
    cpdef set above(self, Py_ssize_t container)
    cpdef tuple _bare(self, Py_ssize_t row)
    cpdef list _marked(self, Py_ssize_t row, str mark)
