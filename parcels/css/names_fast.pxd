from cpython.object cimport PyObject

cdef struct Slot:
    PyObject* name
    unsigned int hashed

cdef class Names:
    cdef readonly frozenset all
    cdef Slot* slots
    cdef size_t mask
    cdef str find(self, str text, int kind, void* data, Py_ssize_t start, Py_ssize_t end, bint is_tag)
