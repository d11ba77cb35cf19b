cimport cython

from parcels.maps cimport IntMap


@cython.locals(
    count=Py_ssize_t, rows=Py_ssize_t, size=Py_ssize_t, starts=cython.longlong[::1], columns=cython.longlong[::1],
    counts=cython.double[::1], ends=cython.int[::1], row=Py_ssize_t, first=Py_ssize_t, at=Py_ssize_t,
    column=Py_ssize_t,
)
cpdef tuple count_tokens(
    const int[::1] column_of, const unsigned char[::1] is_counted, const Py_ssize_t[::1] begin, Py_ssize_t width
)
@cython.locals(
    count=Py_ssize_t, size=Py_ssize_t, parts=Py_ssize_t, row_parts=list, part=tuple, starts=cython.longlong[::1],
    columns=cython.longlong[::1], numbers=IntMap, known=int, number=int, ends=cython.longlong[::1],
    in_part=cython.longlong[::1], end=Py_ssize_t, next_row=cython.int[::1], row=Py_ssize_t, at=Py_ssize_t,
    column=cython.longlong,
)
cpdef tuple columns_of_parts(list rows, dict vocabulary)
