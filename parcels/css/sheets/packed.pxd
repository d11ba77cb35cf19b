cdef frozenset _OBJECTS


cdef class PackedValues:
    cdef readonly dict values, own
    cdef readonly list deferred, columns, numbers
    cdef readonly Py_ssize_t count
