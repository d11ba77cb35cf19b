cdef struct Pair:
    int first, second, number


cdef class Numbering:
    cdef Pair* pairs
    cdef size_t mask
    cdef size_t count
    cpdef int find(self, int first, int second)
    cpdef put(self, int first, int second, int number)
    cdef Pair* place(self, int first, int second) noexcept
    cdef grow(self)
