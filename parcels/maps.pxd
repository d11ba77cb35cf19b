cimport cython

cdef unsigned long long ALL_BITS, LOW_BITS, MULTIPLIER, SEED


@cython.final
cdef class IntMap:
    cdef readonly Py_ssize_t count
    cdef Py_ssize_t mask
    cdef unsigned long long[::1] keys
    cdef int[::1] numbers  # -1 in a free slot

    @cython.locals(number=int)
    cpdef int find(self, unsigned long long key) noexcept
    @cython.locals(slot=Py_ssize_t, old=int)
    cpdef int put(self, unsigned long long key, int number) except -1
    @cython.locals(slot=Py_ssize_t, old=int)
    cpdef int replace(self, unsigned long long key, int number) except -2
    @cython.locals(mixed=cython.ulonglong, slot=Py_ssize_t)
    cdef Py_ssize_t _slot(self, unsigned long long key) noexcept
    @cython.locals(keys=cython.ulonglong[::1], numbers=cython.int[::1], old=Py_ssize_t, slot=Py_ssize_t, mask=Py_ssize_t)
    cdef int _grow(self) except -1


@cython.final
cdef class StringMap:
    cdef readonly Py_ssize_t count
    cdef IntMap map
    cdef int[::1] ends  # of each text in `letters`
    cdef unsigned int[::1] letters

    @cython.locals(key=cython.ulonglong, number=int)
    cpdef int find(self, str text, Py_ssize_t first, Py_ssize_t end) noexcept
    @cython.locals(key=cython.ulonglong, number=int, begin=Py_ssize_t, at=Py_ssize_t)
    cpdef int put(self, str text, Py_ssize_t first, Py_ssize_t end) except -1
    @cython.locals(begin=Py_ssize_t, at=Py_ssize_t)
    cdef bint _is_text(self, int number, str text, Py_ssize_t first, Py_ssize_t end) noexcept


@cython.locals(mixed=cython.ulonglong, at=Py_ssize_t)
cpdef unsigned long long hash_of(str text, Py_ssize_t first, Py_ssize_t end) noexcept

cpdef unsigned long long pair_key(long long first, long long second) noexcept
