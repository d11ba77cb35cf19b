cimport cython
from parcels.css.rules cimport Sheet

cdef class _Level:
    cdef public bint is_active, is_rules
    cdef public str layer, selectors

cdef class _Reader:
    cdef object screen, limits
    cdef bint is_quirky, is_spoilt
    cdef Sheet sheet
    cdef list levels
    cdef int skipped, anonymous
    @cython.locals(prelude=str, body=str, brace=str, sheet=Sheet, max_rules=cython.Py_ssize_t)
    cpdef Sheet read(self, str text)
    @cython.locals(level=_Level)
    cdef str before(self, str prelude)
    @cython.locals(level=_Level, inner=_Level)
    cdef leaf(self, str prelude, str body)
    @cython.locals(level=_Level, inner=_Level)
    cdef open(self, str prelude)
    @cython.locals(level=_Level)
    cdef close(self, str prelude)
    @cython.locals(level=_Level)
    cdef _Level level_of(self, str name, str condition)
    cdef str new_layer(self)
    cdef name_layer(self, str layer)
    cdef str selectors(self, str prelude)
    cdef add(self, str selectors, str body, str layer)
