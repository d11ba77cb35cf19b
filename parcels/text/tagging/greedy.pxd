cimport cython

cdef int START, START2, END, END2, MIXED, FIRST, CAPITALS, SMALL, TITLES


@cython.final
cdef class Greedy:
    cdef bint is_small
    cdef short[:, ::1] small  # the weights, or those of `large`
    cdef int[:, ::1] large, both, label_lists
    cdef Py_ssize_t[::1] places
    cdef Py_ssize_t first, width, labels

    @cython.locals(
        words=Py_ssize_t[::1], labels=Py_ssize_t[::1], is_first=cython.uchar[::1], around=Py_ssize_t[::1],
        rows=Py_ssize_t[::1], total=cython.int[::1], count=Py_ssize_t, tables=Py_ssize_t, more=Py_ssize_t,
        token=Py_ssize_t, previous=Py_ssize_t, second=Py_ssize_t, used=Py_ssize_t, begin=Py_ssize_t, at=Py_ssize_t, most=int,
        best=Py_ssize_t, last=Py_ssize_t,
    )
    cpdef decode(self, Tokens tokens, int[:, ::1] keys, int[:, ::1] beside, on_tie)
    @cython.locals(
        is_small=bint, at=Py_ssize_t, n=Py_ssize_t, at_row=Py_ssize_t, one=Py_ssize_t, two=Py_ssize_t, three=Py_ssize_t, four=Py_ssize_t,
        most=int,
    )
    cdef int _add(self, int[::1] total, Py_ssize_t[::1] rows, Py_ssize_t count, Py_ssize_t pair) noexcept


cdef class Tokens:
    cdef Py_ssize_t[::1] words, labels
    cdef unsigned char[::1] is_first, is_open
    cdef int[::1] lists


@cython.locals(at=Py_ssize_t)
cpdef mark_starts(
    unsigned int[::1] flags, Py_ssize_t[::1] text_of, unsigned int ends, unsigned int closes, unsigned int small,
    unsigned char[::1] is_start,
)


cdef class CaseRules:
    cdef Py_ssize_t upper, title, lower
    cdef double title_share


@cython.locals(
    count=Py_ssize_t, begin=Py_ssize_t, end=Py_ssize_t, at=Py_ssize_t, case=Py_ssize_t, capitals=Py_ssize_t,
    small=Py_ssize_t, titles=Py_ssize_t, words=Py_ssize_t, long_words=Py_ssize_t, long_titles=Py_ssize_t,
)
cpdef mark_cases(
    Py_ssize_t[::1] shapes, unsigned char[::1] is_long, unsigned char[::1] is_first, CaseRules rules,
    Py_ssize_t[::1] cases,
)


cdef class ContextRows:
    cdef Py_ssize_t case, phrase, tag_shape, tag, left, right, shapes, edge

    @cython.locals(
        shape=Py_ssize_t[::1], case=Py_ssize_t[::1], phrase=Py_ssize_t[::1], tag=Py_ssize_t[::1], count=Py_ssize_t,
        at=Py_ssize_t,
    )
    cpdef fill(self, context, unsigned char[::1] is_first, int[:, ::1] rows)
