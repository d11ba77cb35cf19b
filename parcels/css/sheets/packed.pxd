cdef frozenset _OBJECTS


cdef class Packed:
    cdef readonly dict values, own
    cdef readonly list rest, columns, numbers
    cdef readonly Py_ssize_t count
