# The C types of notices.py.
cimport cython

cdef int SIGN, DOTTED_I, KELVIN
cdef bytes _KIND_OF, _PAIR_OF, _GROUP_OF
cdef list _GROUPS

@cython.locals(has_rights=list, is_legal=list, leaf=cython.Py_ssize_t, text=str, found=int)
cpdef tuple sweep_notices(list texts, Py_ssize_t longest)
cdef int _by_word(str text) except -1
@cython.locals(
    at=cython.Py_ssize_t, code=int, kind=int, found=int, before=int, pair=int, group=int, word=str, names_rights=bint
)
cdef int _by_letter(str text) except -1
@cython.locals(n=cython.Py_ssize_t, code=int)
cdef bint _stands_at(str text, Py_ssize_t at, str word) except -1
