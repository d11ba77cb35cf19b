cimport cython


@cython.locals(
    count=Py_ssize_t, width=Py_ssize_t, inputs=Py_ssize_t, whole=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t,
    output=Py_ssize_t, a=double, b=double, c=double, d=double,
)
cpdef void add_product(const double[:, :] rows, const double[:, ::1] weights, double[:, ::1] sums) except *
@cython.locals(
    count=Py_ssize_t, width=Py_ssize_t, inputs=Py_ssize_t, entries=Py_ssize_t, begin=Py_ssize_t, end=Py_ssize_t,
    whole=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, output=Py_ssize_t, first=Py_ssize_t, second=Py_ssize_t,
    third=Py_ssize_t, fourth=Py_ssize_t, a=double, b=double, c=double, d=double,
)
cpdef void add_sparse_product(
    const long long[::1] starts, const long long[::1] columns, const double[::1] counts, const double[:, ::1] weights,
    double[:, ::1] sums,
) except *
@cython.locals(entries=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, squares=double, value=double, length=double)
cpdef void weigh(
    const long long[::1] starts, const long long[::1] columns, const double[::1] counts, const double[::1] factors,
    double[::1] weighted,
) except *
@cython.locals(entries=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t)
cdef void _check(const long long[::1] starts, const long long[::1] columns, Py_ssize_t width) except *
