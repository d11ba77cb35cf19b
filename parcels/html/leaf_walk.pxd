cimport cython

cdef bytes _IS_LEAF, _IS_OPAQUE, _IS_BREAKING, _IS_LINK

cdef class LeafWalk:
    cdef object tree
    cdef bint shows_hidden, is_spaced
    cdef public unsigned char[::1] is_visible, spaced
    cdef public int[::1] link, first_leaf, end_leaf, owners, opened
    cdef str blank
    cdef public list styled, kinds, texts

    @cython.locals(
        texts=list, tails=list, comment_tails=list, hiding_rows=list, leaf_texts=list,
        number="short[::1]", parent="int[::1]", link="int[::1]", first_leaf="int[::1]",
        is_visible="unsigned char[::1]", end_leaf="int[::1]",
        is_leaf="const unsigned char*", is_opaque="const unsigned char*", is_breaking="const unsigned char*",
        is_link="const unsigned char*",
        count=int, comment=int, comments=int, before=int, hiding=int, hiding_count=int, next_hiding_row=int, above=int, row=int,
        owner=int, kind=int, is_shown=bint, text=str,
    )
    cpdef run(self)
    @cython.locals(text=str)
    cdef int close(self, int row, int opened, int owner, int kind, list tails) except -1
    @cython.locals(style=str, lowered=str)
    cdef bint is_shown(self, int row, dict attributes) except -1
    @cython.locals(sign=Py_UCS4, begins_spaced=bint)
    cdef text(self, str text, int owner, int opened)
    cdef leaf(self, int row, str tag, dict attributes, str inside)
    @cython.locals(at=Py_ssize_t)
    cdef add(self, str kind, str text, int owner, int opened, bint is_spaced)
