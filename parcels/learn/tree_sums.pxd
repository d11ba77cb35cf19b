cimport cython

cdef unsigned long long ALL
cdef Py_ssize_t BITS
cdef const unsigned long long[::1] SPREAD


@cython.locals(
    one=cython.ulonglong, bit=cython.ulonglong, is_missing=cython.ulonglong, missing=cython.ulonglong[::1],
    count=Py_ssize_t, either=Py_ssize_t, block=Py_ssize_t, first=Py_ssize_t, size=Py_ssize_t, number=Py_ssize_t,
    column=Py_ssize_t, begin=Py_ssize_t, end=Py_ssize_t, place=Py_ssize_t, row=Py_ssize_t, left=Py_ssize_t,
    half=Py_ssize_t, value=double, last=double,
)
cpdef void rows_that_hold(
    const double[:, :] numbers, const long long[::1] columns, const long long[::1] cut_start, const double[::1] cuts,
    const long long[::1] or_missing, const long long[::1] missing_column, unsigned long long[:, ::1] held,
) except *
@cython.locals(
    one=cython.ulonglong, rows=Py_ssize_t, outputs=Py_ssize_t, trees=Py_ssize_t, reached=cython.ulonglong[::1],
    number=cython.uchar[::1], packed=cython.ulonglong[::1], added=cython.double[::1], block=Py_ssize_t, size=Py_ssize_t,
    everyone=cython.ulonglong, node_start=Py_ssize_t, leaf_start=Py_ssize_t, output=Py_ssize_t, tree=Py_ssize_t,
    inner=Py_ssize_t, node=Py_ssize_t, at=cython.ulonglong, goes_left=cython.ulonglong, row=Py_ssize_t,
)
cpdef void add_leaves(
    const unsigned long long[:, ::1] held, const int[::1] sizes, const int[::1] condition, const short[::1] left,
    const short[::1] right, const double[::1] leaf_value, double[:, ::1] sums,
) except *
@cython.locals(
    count=Py_ssize_t, plane=int, parts=Py_ssize_t, part=Py_ssize_t, at=Py_ssize_t, odd=cython.ulonglong,
)
cdef void number_rows(
    unsigned long long[::1] sets, Py_ssize_t first, Py_ssize_t rows, unsigned long long[::1] packed,
) except *
