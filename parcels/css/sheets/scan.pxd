cimport cython

cdef int LONG_ADDRESS

@cython.locals(
    characters="const unsigned char[::1]", positions="int[::1]", parts=list, part=str, character=cython.uchar,
    at=Py_ssize_t, start=Py_ssize_t, kept=Py_ssize_t, count=Py_ssize_t, opened=Py_ssize_t, dropped=Py_ssize_t,
    last_bracket=Py_ssize_t, size=Py_ssize_t
)
cpdef tuple braces(str text)
cdef bint _is_sign(unsigned char character) noexcept
cdef bint _is_special(unsigned char character) noexcept
@cython.locals(at=Py_ssize_t)
cdef bint _has_special(const unsigned char[::1] characters, Py_ssize_t start, Py_ssize_t end) except -1
cdef bint _is_address(const unsigned char[::1] characters, Py_ssize_t bracket, Py_ssize_t first) except -1
cdef Py_ssize_t _end_of_comment(const unsigned char[::1] characters, Py_ssize_t at) except -1
@cython.locals(quote=cython.uchar, character=cython.uchar)
cdef Py_ssize_t _end_of_string(const unsigned char[::1] characters, Py_ssize_t at) except -1
@cython.locals(declarations=list, part=str, name=str, colon=str, value=str)
cpdef list pairs(str text, dict known)
