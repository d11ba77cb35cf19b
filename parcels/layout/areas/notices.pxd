# The C types of notices.py.
cimport cython

cdef int SIGN, DOTTED_I, KELVIN
cdef bytes _KIND_OF, _PAIR_OF, _GROUP_OF
cdef list _GROUPS

@cython.locals(has_rights=list, is_legal=list, leaf=cython.Py_ssize_t, text=str, notice=int)
cpdef tuple find_notices(list texts, Py_ssize_t longest)
cdef int _scan_words(str text) except -1
@cython.locals(
    at=cython.Py_ssize_t, code=int, kind=int, notice=int, before=int, pair=int, group=int, word=str, names_rights=bint
)
cdef int _scan_letters(str text) except -1
@cython.locals(n=cython.Py_ssize_t, code=int)
cdef bint _matches_at(str text, Py_ssize_t at, str word) except -1
