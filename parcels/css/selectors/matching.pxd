cimport cython
from parcels.css.selectors.compound cimport AttributeTest, Compound, Selector

cdef class SelectorMatcher:
    cdef public object page
    cdef public bint is_quirky
    cdef public int[::1] parent, group
    cdef public list tag, ident, hashed, classes, groups, attributes
    cdef public bytes is_inside
    cdef public long long tests_left
    cdef public int scope
    cdef dict _siblings, _place
    cpdef bint matches(self, Selector selector, int row) except -1
    @cython.locals(combinator=str, compound=Compound, is_last=bint, before=list)
    cdef object _continues(self, Selector selector, int at, int row)
    @cython.locals(classes=tuple, name=str, holds=bint)
    cdef bint is_compound(self, Compound compound, int row) except -1
    @cython.locals(attributes=dict, value=str, sign=cython.Py_UCS4, wanted=str)
    cpdef bint has(self, AttributeTest test, int row) except -1
    cdef bint _matches_logical(self, object test, int row) except -1
    cpdef bint holds_pseudo_class(self, object test, int row) except -1
    cdef str _language(self, int row)
    cdef bint _is_nth(self, object test, int row) except -1
    cpdef list siblings_before(self, int row)
    cdef tuple _places(self, int row)
    cdef list _children(self, int above)
