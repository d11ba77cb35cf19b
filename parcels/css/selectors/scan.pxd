cimport cython
from parcels.css.selectors.names cimport Names

cdef int _NO_MATCH, _PLAIN_LIST, _COMPLEX_LIST, _IMPOSSIBLE, _POSSIBLE, _INVALID, _UNDECIDED, MAX_DEPTH

cdef bint is_word(Py_UCS4 character) noexcept
cdef Py_ssize_t _end_of_name(str text, Py_ssize_t at) noexcept
cdef Py_ssize_t _end_of_space(str text, Py_ssize_t at) noexcept
@cython.locals(at=Py_ssize_t, start=Py_ssize_t, length=Py_ssize_t, character=cython.Py_UCS4)
cpdef bint has_all_names(str text, Names page_names) except -1
@cython.locals(
    at=Py_ssize_t, start=Py_ssize_t, length=Py_ssize_t, character=cython.Py_UCS4, is_single=bint, is_plain=bint, has_names=bint
)
cpdef int classify_list(str selectors, Names page_names) except -1
@cython.locals(at=Py_ssize_t, cut=Py_ssize_t, length=Py_ssize_t, character=cython.Py_UCS4)
cpdef Py_ssize_t plain_start(str text) except -2
@cython.locals(
    at=Py_ssize_t, start=Py_ssize_t, cut=Py_ssize_t, length=Py_ssize_t, character=cython.Py_UCS4, is_whole=bint,
    is_tag=bint, own=list, above=list, name=str
)
cpdef tuple plain_parts(str text, Names page_names)
@cython.locals(
    at=Py_ssize_t, start=Py_ssize_t, length=Py_ssize_t, character=cython.Py_UCS4, has_names=bint, has_name=bint,
    is_joined=bint, is_element=bint, is_call=bint, is_tag=bint, name=str
)
cpdef int classify_selector(str text, Names page_names, frozenset never, frozenset known) except -1
@cython.locals(character=cython.Py_UCS4, quote=cython.Py_UCS4)
cdef Py_ssize_t _end_of_square(str text, Py_ssize_t at) noexcept
@cython.locals(character=cython.Py_UCS4, depth=int)
cdef Py_ssize_t _end_of_round(str text, Py_ssize_t at) noexcept
@cython.locals(
    at=Py_ssize_t, start=Py_ssize_t, length=Py_ssize_t, character=cython.Py_UCS4, is_empty=bint, compounds=list,
    combinators=list, tag=str, ident=str, name=str, classes=tuple
)
cpdef tuple plain_compounds(str text)
@cython.locals(
    at=Py_ssize_t, start=Py_ssize_t, end=Py_ssize_t, length=Py_ssize_t, character=cython.Py_UCS4, inner=cython.Py_UCS4,
    depth=int, selectors=list
)
cpdef list selector_list(str text)
