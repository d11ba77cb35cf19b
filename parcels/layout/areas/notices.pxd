# The C types of the loops in notices.py.
cimport cython

cdef bint IS_COMPILED
cdef int SIGN
cdef bytes _GROUP_OF
cdef list _GROUPS

@cython.locals(has_rights=list, is_legal=list, leaf=cython.Py_ssize_t, text=str, found=int)
cpdef tuple sweep_notices(list texts, Py_ssize_t longest)
cdef int _by_word(str text) except -1
@cython.locals(found=int, before=int, code=int, at=cython.Py_ssize_t, group=int, word=str, names_rights=bint)
cdef int _by_letter(str text) except -1
