from cpython.object cimport PyObject

ctypedef long long Int


cdef struct Known:
    Py_hash_t hash
    PyObject* key
    Int column


cdef class Table:
    cdef int* slots  # the number of an entry, -1 for none
    cdef Known* entries
    cdef Py_ssize_t mask
    cdef dict vocabulary

    cdef int look(self, Int* words, Py_ssize_t count) except -1
