# cython: wraparound=False, cdivision=True
"""The products of words.py and linear.py, which say what they mean; NumPy can only do them in many passes.

Every sum here adds in the order in which NumPy adds, so that results are the same without this module.
"""

from libc.float cimport DBL_MIN
from libc.math cimport sqrt
from libc.stdlib cimport free, malloc

ctypedef long long Int


def product(
    const Int[::1] starts, const Int[::1] columns, const double[::1] counts, const double[:, ::1] weights,
    double[:, ::1] found,
):
    """Words.dot, as np.add.reduceat adds: the first entry of a row, and to it the pairwise sum of the others."""
    cdef Py_ssize_t width = weights.shape[1], row
    cdef double* room = <double*>malloc(max(width, 1) * 9 * 64 * sizeof(double))
    if room == NULL:
        raise MemoryError
    with nogil:
        for row in range(found.shape[0]):
            _row_product(
                &columns[starts[row]], &counts[starts[row]], starts[row + 1] - starts[row], &weights[0, 0], width, room,
                &found[row, 0],
            )
    free(room)


cdef void _row_product(
    const Int* columns, const double* counts, Py_ssize_t size, const double* weights, Py_ssize_t width, double* room,
    double* found,
) noexcept nogil:
    cdef Py_ssize_t output
    cdef const double* row
    if size == 0:
        for output in range(width):
            found[output] = 0
        return
    row = weights + columns[0] * width
    if size == 1:
        for output in range(width):
            found[output] = row[output] * counts[0]
        return
    _weighed(columns + 1, counts + 1, size - 1, weights, width, room, found)
    for output in range(width):
        found[output] = row[output] * counts[0] + found[output]


cdef void _weighed(
    const Int* columns, const double* counts, Py_ssize_t size, const double* weights, Py_ssize_t width, double* room,
    double* found,
) noexcept nogil:
    """The pairwise sum of weighted rows, each column as NumPy sums; `room` holds 9 rows a level of halving."""
    cdef Py_ssize_t at, lane, output, half
    cdef const double* row
    cdef double* sums = room
    if size < 8:
        for output in range(width):
            found[output] = -0.0
        for at in range(size):
            row = weights + columns[at] * width
            for output in range(width):
                found[output] += row[output] * counts[at]
    elif size <= 128:
        for lane in range(8):
            row = weights + columns[lane] * width
            for output in range(width):
                sums[lane * width + output] = row[output] * counts[lane]
        at = 8
        while at < size - size % 8:
            for lane in range(8):
                row = weights + columns[at + lane] * width
                for output in range(width):
                    sums[lane * width + output] += row[output] * counts[at + lane]
            at += 8
        for output in range(width):
            found[output] = (
                (sums[output] + sums[width + output]) + (sums[2 * width + output] + sums[3 * width + output])
            ) + ((sums[4 * width + output] + sums[5 * width + output]) + (sums[6 * width + output] + sums[7 * width + output]))
        while at < size:
            row = weights + columns[at] * width
            for output in range(width):
                found[output] += row[output] * counts[at]
            at += 1
    else:
        half = size // 2
        half -= half % 8
        _weighed(columns, counts, half, weights, width, room + 9 * width, room + 8 * width)
        _weighed(columns + half, counts + half, size - half, weights, width, room + 9 * width, found)
        for output in range(width):
            found[output] = room[8 * width + output] + found[output]


def linear(
    const double[:, :] numbers, const double[::1] mean, const double[::1] scale, const Int[::1] starts,
    const Int[::1] columns, const double[::1] logs, const double[::1] idf, const double[:, ::1] weights,
    double[:, ::1] found,
):
    """Linear.scores: a row's standardised numbers and weighted words, times the weights; `logs` is log(1 + count)."""
    cdef Py_ssize_t count = numbers.shape[1], width = weights.shape[1], row, at, output, begin, size, most = 1
    cdef double value, length
    cdef const double* own
    for row in range(found.shape[0]):
        most = max(most, starts[row + 1] - starts[row])
    cdef double* room = <double*>malloc((max(width, 1) * (9 * 64 + 1) + most) * sizeof(double))
    if room == NULL:
        raise MemoryError
    cdef double* said = room + max(width, 1) * 9 * 64
    cdef double* values = said + max(width, 1)
    with nogil:
        for row in range(found.shape[0]):
            for at in range(count):
                value = (numbers[row, at] - mean[at]) / scale[at]
                own = &weights[at, 0]
                for output in range(width):
                    found[row, output] += value * own[output]
            begin, size, length = starts[row], starts[row + 1] - starts[row], 0
            for at in range(size):
                values[at] = logs[begin + at] * idf[columns[begin + at]]
                length += values[at] * values[at]
            length = max(sqrt(length), DBL_MIN)  # a row of counts of zero
            for at in range(size):
                values[at] = values[at] / length
            _row_product(&columns[begin], values, size, &weights[count, 0], width, room, said)
            own = &weights[weights.shape[0] - 1, 0]
            for output in range(width):
                found[row, output] += said[output] + own[output]
    free(room)
