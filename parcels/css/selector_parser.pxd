cimport cython
from parcels.css.selectors cimport Selector

cdef class _Parser:
    cdef str text, tag, ident
    cdef int depth
    cdef list compounds, combinators, classes, tests
    cdef long long specificity
    cdef bint is_never, is_positional, is_open
    cdef set inner_names, attributes
    cdef start(self)
    cdef finish(self)
    @cython.locals(at=cython.Py_ssize_t, text=str, kind=str)
    cdef Selector parse(self)
    @cython.locals(ident=str, name=str, value=str, ignores=bint)
    cdef Py_ssize_t simple(self, object token, str kind, Py_ssize_t at) except -1
    cdef ask(self, object test)
    cdef Py_ssize_t closing(self, Py_ssize_t at) except -1
    cdef pseudo(self, str name, str inside, bint is_call)
    cdef inner(self, str name, str inside)
    cdef Selector result(self)
