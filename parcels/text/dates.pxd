cimport cython

cdef int _OTHER
cdef Py_ssize_t MOST_DIGITS
cdef bytes _WORD_GROUPS


@cython.locals(at=Py_ssize_t, end=Py_ssize_t, size=Py_ssize_t, before=Py_UCS4)
cpdef list _numbers(str text)
cdef bint _is_digit(Py_UCS4 letter) noexcept
@cython.locals(
    at=Py_ssize_t, size=Py_ssize_t, before=Py_UCS4, first=int, second=int, third=int
)
cpdef list _begins(str low)
cdef int _number_of(Py_UCS4 letter) noexcept
