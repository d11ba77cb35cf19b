cimport cython
from parcels.css.sheets.rules cimport Sheet

cdef bint _is_blank(str text, Py_ssize_t start, Py_ssize_t end)

cdef class _Level:
    cdef public bint is_active, is_rules
    cdef public str layer, selectors

cdef class _Reader:
    cdef object screen, limits
    cdef bint is_quirky, has_extra_brace
    cdef Sheet sheet
    cdef list levels
    cdef dict media
    cdef int skipped, anonymous
    cdef Py_ssize_t max_selector, max_block, max_depth
    @cython.locals(
        sheet=Sheet, max_rules=cython.Py_ssize_t, braces="int[::1]", at=cython.Py_ssize_t, start=cython.Py_ssize_t,
        stop=cython.Py_ssize_t, number=cython.Py_ssize_t, count=cython.Py_ssize_t, opened=cython.Py_ssize_t,
        missing=cython.Py_ssize_t, is_open=bint, is_leaf=bint
    )
    cpdef Sheet read(self, str text)
    @cython.locals(level=_Level)
    cdef str handle_statements(self, str prelude)
    @cython.locals(level=_Level, inner=_Level, body=str)
    cdef handle_simple_block(self, str prelude, str text, Py_ssize_t start, Py_ssize_t end)
    @cython.locals(level=_Level, inner=_Level)
    cdef open(self, str prelude)
    @cython.locals(level=_Level)
    cdef close(self, str prelude)
    @cython.locals(level=_Level)
    cdef _Level at_rule_level(self, str name, str condition)
    cdef str new_layer(self)
    cdef declare_layer(self, str layer)
    @cython.locals(level=_Level)
    cdef str selectors(self, str prelude)
    cdef add(self, str selectors, str body, str layer)
