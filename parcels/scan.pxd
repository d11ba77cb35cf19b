cimport cython

cdef unsigned long long ONES, HIGH_BITS


@cython.locals(sign=Py_UCS4, is_blank=bint, was_blank=bint)
cpdef str fold(str text)

@cython.locals(
    size=Py_ssize_t, whole=Py_ssize_t, word=Py_ssize_t, at=Py_ssize_t, start=Py_ssize_t,
    octets="const unsigned char[::1]", words="const unsigned long long[::1]",
    sought=cython.uchar, final=cython.uchar, pattern=cython.ulonglong, rest=cython.ulonglong,
)
cpdef Py_ssize_t find(bytes data, bytes wanted, Py_ssize_t rare) except -2
