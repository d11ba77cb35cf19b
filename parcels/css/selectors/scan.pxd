cimport cython
from parcels.css.selectors.names cimport Names

cdef int _PASSED_OVER, _PLAIN_LIST, _OTHER_LIST, _UNLIKELY, _LIKELY, _UNKNOWN, _UNCLEAR, MAX_DEPTH

cdef bint is_word(Py_UCS4 sign) noexcept
cdef Py_ssize_t _behind_name(str text, Py_ssize_t at) noexcept
cdef Py_ssize_t _behind_space(str text, Py_ssize_t at) noexcept
@cython.locals(at=Py_ssize_t, start=Py_ssize_t, length=Py_ssize_t, sign=cython.Py_UCS4)
cpdef bint has_seen(str text, Names seen) except -1
@cython.locals(
    at=Py_ssize_t, start=Py_ssize_t, length=Py_ssize_t, sign=cython.Py_UCS4, is_single=bint, is_plain=bint, is_seen=bint
)
cpdef int fate(str selectors, Names seen) except -1
@cython.locals(at=Py_ssize_t, cut=Py_ssize_t, length=Py_ssize_t, sign=cython.Py_UCS4)
cpdef Py_ssize_t plain_start(str text) except -2
@cython.locals(
    at=Py_ssize_t, start=Py_ssize_t, cut=Py_ssize_t, length=Py_ssize_t, sign=cython.Py_UCS4, is_whole=bint,
    is_tag=bint, own=list, above=list, name=str
)
cpdef tuple plain_parts(str text, Names seen)
@cython.locals(
    at=Py_ssize_t, start=Py_ssize_t, length=Py_ssize_t, sign=cython.Py_UCS4, is_seen=bint, has_name=bint,
    is_joined=bint, is_element=bint, is_call=bint, is_tag=bint, name=str
)
cpdef int likelihood(str text, Names seen, frozenset never, frozenset known) except -1
@cython.locals(sign=cython.Py_UCS4, quote=cython.Py_UCS4)
cdef Py_ssize_t _behind_square(str text, Py_ssize_t at) noexcept
@cython.locals(sign=cython.Py_UCS4, depth=int)
cdef Py_ssize_t _behind_round(str text, Py_ssize_t at) noexcept
@cython.locals(
    at=Py_ssize_t, start=Py_ssize_t, length=Py_ssize_t, sign=cython.Py_UCS4, is_empty=bint, found=list,
    combinators=list, tag=str, ident=str, name=str, classes=tuple
)
cpdef tuple plain_compounds(str text)
@cython.locals(
    at=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t, length=Py_ssize_t, sign=cython.Py_UCS4, inner=cython.Py_UCS4,
    depth=int, found=list
)
cpdef list selector_list(str text)
