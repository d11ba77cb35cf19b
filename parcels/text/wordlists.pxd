cimport cython

cdef int _CLITIC, _OF_WORDS


@cython.locals(at=Py_ssize_t, letter=Py_UCS4, has_letter=bint, has_digit=bint, result=int)
cpdef int flags_of(str word, int known)
