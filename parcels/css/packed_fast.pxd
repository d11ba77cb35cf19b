cdef class Packed:
    cdef readonly dict values, own
    cdef readonly list rest
    cdef readonly int count
    cdef int* columns
    cdef double* numbers
