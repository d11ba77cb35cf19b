"""What `parcels.css.numbering_plain.Numbering` is, as a table in C."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.string cimport memset

cdef enum:
    FIRST_ROOM = 256  # a power of two
    EMPTY = -1  # as a number


cdef class Numbering:
    """Which number a pair of numbers was given."""

    def __cinit__(self):
        self.mask = FIRST_ROOM - 1
        self.pairs = <Pair*> PyMem_Malloc(FIRST_ROOM * sizeof(Pair))
        if self.pairs is NULL:
            raise MemoryError
        memset(self.pairs, 255, FIRST_ROOM * sizeof(Pair))  # all of it EMPTY

    def __dealloc__(self):
        PyMem_Free(self.pairs)

    cpdef int find(self, int first, int second):
        """The number of a pair; -1 where it has none."""
        return self.place(first, second).number

    cpdef put(self, int first, int second, int number):
        """Give a pair that has none a number."""
        cdef Pair* place
        if 2 * self.count > self.mask:
            self.grow()
        place = self.place(first, second)
        place.first, place.second, place.number = first, second, number
        self.count += 1

    cdef Pair* place(self, int first, int second) noexcept:
        """Where a pair is, or would be: never far, since pairs are counted through and not chosen by a page."""
        cdef unsigned long long mixed = <unsigned long long> <unsigned int> first << 32 | <unsigned int> second
        cdef size_t at
        mixed *= 0x9E3779B97F4A7C15ULL
        at = <size_t> (mixed >> 32) & self.mask
        while self.pairs[at].number != EMPTY and (self.pairs[at].first != first or self.pairs[at].second != second):
            at = (at + 1) & self.mask
        return &self.pairs[at]

    cdef grow(self):
        """Make room for as many again."""
        cdef Pair* old = self.pairs
        cdef size_t at, room = self.mask + 1
        cdef Pair* made = <Pair*> PyMem_Malloc(2 * room * sizeof(Pair))
        if made is NULL:
            raise MemoryError
        memset(made, 255, 2 * room * sizeof(Pair))
        self.pairs, self.mask = made, 2 * room - 1
        for at in range(room):
            if old[at].number != EMPTY:
                self.place(old[at].first, old[at].second)[0] = old[at]
        PyMem_Free(old)
