cimport cython
from parcels.css.selectors.scan cimport plain_start, selector_list
from parcels.css.selectors.compound cimport Compound, Selector, build_selector, plain_selector

cpdef Selector selector(str text, int depth=*)

cdef bint IS_COMPILED
cdef Py_ssize_t _end_of_name(str text, Py_ssize_t at) except -2
cdef Py_ssize_t _end_of_space(str text, Py_ssize_t at) except -2

cdef class _Parser:
    cdef str text, tag, ident
    cdef int depth
    cdef list compounds, combinators, classes, tests
    cdef long long specificity
    cdef bint is_never, is_positional, is_open
    cdef set inner_names, attributes
    cdef start(self)
    cdef finish(self)
    @cython.locals(at=cython.Py_ssize_t, text=str, after=cython.Py_ssize_t)
    cdef Selector parse(self)
    cdef Py_ssize_t token(self, Py_ssize_t at) except -2
    @cython.locals(
        text=str, sign=cython.Py_UCS4, start=cython.Py_ssize_t, end=cython.Py_ssize_t, name=str, inside=str,
        is_call=bint
    )
    cdef Py_ssize_t plain(self, Py_ssize_t at) except -2
    @cython.locals(
        text=str, operator=str, value=str, flag=str, start=cython.Py_ssize_t, end=cython.Py_ssize_t, name=str
    )
    cdef Py_ssize_t plain_attribute(self, Py_ssize_t at) except -2
    cdef combine(self, str sign)
    cdef name_tag(self, str tag)
    cdef identify(self, str ident)
    @cython.locals(ignores=bint)
    cdef ask_attribute(self, str name, str operator, str value, str flag)
    @cython.locals(value=str)
    cdef Py_ssize_t simple(self, object token, str kind, Py_ssize_t at) except -1
    cdef ask(self, object test)
    cdef Py_ssize_t closing(self, Py_ssize_t at) except -1
    cdef pseudo(self, str name, str inside, bint is_call)
    cdef inner(self, str name, str inside)
    cdef Selector result(self)
