# cython: wraparound=False, cdivision=True
"""The products of words.py and linear.py, which say what they mean; NumPy can only do them in many passes.

Every sum here adds in the order in which NumPy adds, so that results are the same without this module.
"""

from libc.float cimport DBL_MIN
from libc.math cimport sqrt
from libc.stdlib cimport free, malloc

ctypedef long long Int

cdef extern from *:
    """
    /* Twice, and the one that the processor can run is taken: the same sums, more of them at a time. */
    #if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__)
    #define PARCELS_WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define PARCELS_WIDE
    #endif
    /* Rows of weights, each times its number, added in their order to what is there; from -0.0 where there is nothing. */
    PARCELS_WIDE static void parcels_weighed(const long long *columns, const double *counts, Py_ssize_t size,
                                             Py_ssize_t step, const double *weights, Py_ssize_t width,
                                             double *restrict found, int is_fresh) {
        Py_ssize_t output = 0;
    #if defined(__GNUC__)
        typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
        for (; output + 16 <= width; output += 16) {
            four *to = (four *)(found + output);
            four none = {-0.0, -0.0, -0.0, -0.0}, a = none, b = none, c = none, d = none;
            if (!is_fresh) a = to[0], b = to[1], c = to[2], d = to[3];
            for (Py_ssize_t at = 0; at < size; at += step) {
                const four *row = (const four *)(weights + (columns ? columns[at] : at) * width + output);
                double count = counts[at];
                a += row[0] * count;
                b += row[1] * count;
                c += row[2] * count;
                d += row[3] * count;
            }
            to[0] = a, to[1] = b, to[2] = c, to[3] = d;
        }
    #endif
        for (; output < width; output++) {
            double sum = is_fresh ? -0.0 : found[output];
            for (Py_ssize_t at = 0; at < size; at += step)
                sum += weights[(columns ? columns[at] : at) * width + output] * counts[at];
            found[output] = sum;
        }
    }
    """
    void parcels_weighed(
        const Int*, const double*, Py_ssize_t, Py_ssize_t, const double*, Py_ssize_t, double*, int
    ) noexcept nogil


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
    cdef double* sums = room
    if size < 8:
        parcels_weighed(columns, counts, size, 1, weights, width, found, True)
    elif size <= 128:
        at = size - size % 8
        for lane in range(8):
            parcels_weighed(columns + lane, counts + lane, at - lane, 8, weights, width, sums + lane * width, True)
        for output in range(width):
            found[output] = (
                (sums[output] + sums[width + output]) + (sums[2 * width + output] + sums[3 * width + output])
            ) + ((sums[4 * width + output] + sums[5 * width + output]) + (sums[6 * width + output] + sums[7 * width + output]))
        parcels_weighed(columns + at, counts + at, size - at, 1, weights, width, found, False)
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
    cdef double length
    cdef const double* own
    for row in range(found.shape[0]):
        most = max(most, starts[row + 1] - starts[row])
    cdef double* room = <double*>malloc((max(width, 1) * (9 * 64 + 1) + most + count) * sizeof(double))
    if room == NULL:
        raise MemoryError
    cdef double* said = room + max(width, 1) * 9 * 64
    cdef double* values = said + max(width, 1)
    cdef double* standard = values + most
    with nogil:
        for row in range(found.shape[0]):
            for at in range(count):
                standard[at] = (numbers[row, at] - mean[at]) / scale[at]
            parcels_weighed(NULL, standard, count, 1, &weights[0, 0], width, &found[row, 0], False)
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
