cimport cython

from parcels.maps cimport IntMap, hash_of


cdef class _ClaimedWords:
    cdef IntMap words
    cdef int[::1] last_place  # by word
    cdef int[::1] claim, place_before  # by place

    @cython.locals(claim=Py_ssize_t, number=Py_ssize_t, place=Py_ssize_t, of_claim=frozenset, word=str)
    cdef int _fill(self, list claims) except -1


@cython.locals(claimed=_ClaimedWords, words=IntMap, last_block=int[::1], text=str, letter=Py_UCS4,
               has_any_digit=cython.bint, block=Py_ssize_t, at=Py_ssize_t, size=Py_ssize_t, begin=Py_ssize_t,
               count=Py_ssize_t, claims_words=Py_ssize_t, number=Py_ssize_t, place=Py_ssize_t, most=Py_ssize_t)
cpdef int count_shared(list texts, list claims, int[::1] sizes, unsigned char[::1] has_digit,
                       int[:, ::1] common) except -1


@cython.locals(block=Py_ssize_t, claim=Py_ssize_t, best=double, shared=double, larger=double)  # C divides ints to an int
cpdef int best_shares(int[:, ::1] common, int[::1] sizes, int[::1] claims, float[::1] best_of) except -1
