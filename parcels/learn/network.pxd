cimport cython

cdef float LEAST_VARIANCE
cdef Py_ssize_t NEIGHBOURS


@cython.locals(
    count=Py_ssize_t, width=Py_ssize_t, whole=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t,
    a=float, b=float, c=float, d=float, mean=float, deviation=float,
)
cpdef void normalise(const float[:, ::1] rows, float[:, ::1] out, float[::1] spread) except *
@cython.locals(
    count=Py_ssize_t, width=Py_ssize_t, row=Py_ssize_t, part=Py_ssize_t, other=Py_ssize_t, begin=Py_ssize_t,
    at=Py_ssize_t,
)
cpdef void place_neighbours(const float[:, ::1] rows, Py_ssize_t dilation, float[:, ::1] near) except *
@cython.locals(count=Py_ssize_t, width=Py_ssize_t, row=Py_ssize_t, at=Py_ssize_t, value=float)
cpdef void add_bias(float[:, ::1] sums, const float[::1] bias) except *
@cython.locals(
    groups=Py_ssize_t, width=Py_ssize_t, group=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t, size=float,
    row=Py_ssize_t, place=Py_ssize_t, at=Py_ssize_t,
)
cpdef void mean_rows(
    const float[:, ::1] rows, const long long[::1] order, const long long[::1] starts, float[:, ::1] means
) except *
@cython.locals(count=Py_ssize_t, width=Py_ssize_t, row=Py_ssize_t, other=Py_ssize_t, at=Py_ssize_t)
cpdef void add_rows(float[:, ::1] sums, const float[:, ::1] rows, const long long[::1] place) except *
