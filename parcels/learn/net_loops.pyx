# cython: wraparound=False, cdivision=True
"""The loops of page_net.py and groups.py, which say what they mean; every sum here adds in the order in which NumPy adds there."""

import numpy as np

from libc.math cimport isnan, sqrtf
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

ctypedef long long Int

cdef extern from *:
    """
    /* Twice, and the one that the processor can run is taken: the same sums, more of them at a time. */
    #if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__)
    #define PARCELS_WIDE __attribute__((target_clones("avx2", "default")))
    #else
    #define PARCELS_WIDE
    #endif
    /* In place: rows added in their order, and what is above zero (or no number) of the sum added to the features. */
    PARCELS_WIDE static void parcels_read(float *restrict features, const float *const *rows, Py_ssize_t count,
                                          Py_ssize_t width) {
        Py_ssize_t at = 0;
    #if defined(__GNUC__)
        typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));
        typedef int bits __attribute__((vector_size(32), aligned(4), may_alias));
        for (; at + 16 <= width; at += 16) {
            eight one = *(const eight *)(rows[0] + at), two = *(const eight *)(rows[0] + at + 8);
            for (Py_ssize_t row = 1; row < count; row++) {
                one += *(const eight *)(rows[row] + at);
                two += *(const eight *)(rows[row] + at + 8);
            }
            *(eight *)(features + at) += (eight)(~(one <= 0) & (bits)one);
            *(eight *)(features + at + 8) += (eight)(~(two <= 0) & (bits)two);
        }
    #endif
        for (; at < width; at++) {
            float sum = rows[0][at];
            for (Py_ssize_t row = 1; row < count; row++) sum += rows[row][at];
            features[at] += sum <= 0 ? 0.0f : sum;
        }
    }
    """
    void parcels_read(float*, const float**, Py_ssize_t, Py_ssize_t) noexcept nogil


def standard(const float[:, ::1] numbers, const float[::1] mean, const float[::1] scale, float clip, float[:, ::1] found):
    """Numbers in standard deviations from the mean, within bounds (PageNet._standard)."""
    cdef Py_ssize_t row, at
    cdef float value
    for row in range(numbers.shape[0]):
        for at in range(numbers.shape[1]):
            value = (numbers[row, at] - mean[at]) / scale[at]
            value = -clip if value < -clip else value  # NaN stays
            found[row, at] = clip if value > clip else value


def grouped(const Int[::1] group, Int[::1] order, Int[::1] starts, Int[::1] place):
    """The rows of each group in order, where each group starts among them, and each row's group (Groups).

    The groups are numbered from 0 without gaps, of which `starts` has one place each.
    """
    cdef Py_ssize_t count = group.shape[0], groups = starts.shape[0], row
    cdef Int* next_place = <Int*>malloc((groups + 1) * sizeof(Int))
    if next_place == NULL:
        raise MemoryError
    memset(next_place, 0, (groups + 1) * sizeof(Int))
    for row in range(count):
        next_place[group[row] + 1] += 1
    for row in range(groups):
        next_place[row + 1] += next_place[row]
        starts[row] = next_place[row]
    for row in range(count):
        place[row] = group[row]
        order[next_place[group[row]]] = row
        next_place[group[row]] += 1
    free(next_place)


def group_means(const float[:, ::1] rows, const Int[::1] order, const Int[::1] starts, float[:, ::1] found):
    """The mean of the rows of each group (Groups.each)."""
    cdef Py_ssize_t width = rows.shape[1], group, end
    cdef float* room = <float*>malloc(max(width, 1) * 9 * 64 * sizeof(float))
    if room == NULL:
        raise MemoryError
    for group in range(starts.shape[0]):
        end = starts[group + 1] if group + 1 < starts.shape[0] else rows.shape[0]
        _mean(&rows[0, 0], &order[starts[group]], end - starts[group], width, room, &found[group, 0])
    free(room)


def read(
    float[:, ::1] features, const float[::1] bias, const float[:, :, ::1] moved, const Int[::1] moves, list of_groups,
    list places,
):
    """In place: what a layer reads from the blocks around each and from its groups, added (page_net._read)."""
    cdef Py_ssize_t count = features.shape[0], width = features.shape[1], groups = len(of_groups), row, part, other, rows
    cdef const float[:, ::1] of_group
    cdef const Int[::1] place
    if not count or not width:
        return
    cdef const float** row_of = <const float**>malloc(
        (1 + moves.shape[0] + groups + groups * count) * sizeof(const float*)
    )
    if row_of == NULL:
        raise MemoryError
    cdef const float** in_groups = row_of + 1 + moves.shape[0] + groups
    try:
        for part in range(groups):
            of_group, place = of_groups[part], places[part]
            for row in range(count):
                in_groups[row * groups + part] = &of_group[place[row], 0]
        row_of[0] = &bias[0]
        for row in range(count):
            rows = 1
            for part in range(moves.shape[0]):
                other = row - moves[part]
                if 0 <= other < count:
                    row_of[rows] = &moved[part, other, 0]
                    rows += 1
            for part in range(groups):
                row_of[rows] = in_groups[row * groups + part]
                rows += 1
            parcels_read(&features[row, 0], row_of, rows, width)
    finally:
        free(row_of)


def normal(const float[:, ::1] rows, float tiny, float[:, ::1] found):
    """Rows with mean 0 and variance 1 (page_net._normal)."""
    cdef Py_ssize_t width = rows.shape[1], row, at
    cdef float mean, spread
    cdef float* squares = <float*>malloc(max(width, 1) * sizeof(float))
    if squares == NULL:
        raise MemoryError
    with nogil:
        for row in range(rows.shape[0]):
            mean = _pairwise(&rows[row, 0], width) / <float>width
            for at in range(width):
                found[row, at] = rows[row, at] - mean
                squares[at] = found[row, at] * found[row, at]
            spread = sqrtf(_pairwise(squares, width) / <float>width + tiny)
            for at in range(width):
                found[row, at] = found[row, at] / spread
    free(squares)


cdef float _pairwise(const float* values, Py_ssize_t size) noexcept nogil:
    """The sum as NumPy adds what lies side by side."""
    cdef Py_ssize_t at, lane, half
    cdef float found
    cdef float sums[8]
    if size < 8:
        found = -0.0
        for at in range(size):
            found += values[at]
        return found
    if size <= 128:
        for lane in range(8):
            sums[lane] = values[lane]
        at = 8
        while at < size - size % 8:
            for lane in range(8):
                sums[lane] += values[at + lane]
            at += 8
        found = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
        while at < size:
            found += values[at]
            at += 1
        return found
    half = size // 2
    half -= half % 8
    return _pairwise(values, half) + _pairwise(values + half, size - half)


def activated(float[:, ::1] sums, const float[::1] bias):
    """In place: a layer's bias added, and nothing below zero."""
    cdef Py_ssize_t row, at
    cdef float value
    for row in range(sums.shape[0]):
        for at in range(sums.shape[1]):
            value = sums[row, at] + bias[at]
            sums[row, at] = value if value > 0 or isnan(value) else 0


def seen(
    const float[:, ::1] rows, const Int[::1] moves, list orders, list starts, list places, float[:, ::1] found
):
    """What a layer sees (PageNet._seen): rows moved up or down, then the means of groups."""
    cdef Py_ssize_t count = rows.shape[0], width = rows.shape[1], part, row, other, column = 0, group
    cdef const Int[::1] order, start, place
    cdef float[:, ::1] means = np.empty((count, width), np.float32)
    cdef float* room = <float*>malloc(max(width, 1) * 9 * 64 * sizeof(float))
    if room == NULL:
        raise MemoryError
    for part in range(moves.shape[0]):
        for row in range(count):
            other = row - moves[part]
            if 0 <= other < count:
                memcpy(&found[row, column], &rows[other, 0], width * sizeof(float))
            else:
                memset(&found[row, column], 0, width * sizeof(float))
        column += width
    for part in range(len(orders)):
        order, start, place = orders[part], starts[part], places[part]
        for group in range(start.shape[0]):
            other = start[group + 1] if group + 1 < start.shape[0] else count
            _mean(&rows[0, 0], &order[start[group]], other - start[group], width, room, &means[group, 0])
        for row in range(count):
            memcpy(&found[row, column], &means[place[row], 0], width * sizeof(float))
        column += width
    free(room)


cdef void _mean(
    const float* rows, const Int* order, Py_ssize_t size, Py_ssize_t width, float* room, float* found
) noexcept nogil:
    cdef Py_ssize_t at
    cdef const float* first = rows + order[0] * width
    if size > 1:
        _summed(rows, order + 1, size - 1, width, room, found)
        for at in range(width):
            found[at] = (first[at] + found[at]) / <float>size
    else:
        for at in range(width):
            found[at] = first[at] / <float>size


cdef void _summed(
    const float* rows, const Int* order, Py_ssize_t size, Py_ssize_t width, float* room, float* found
) noexcept nogil:
    """The pairwise sum of rows, each column as NumPy sums."""
    cdef Py_ssize_t at, lane, output, half
    cdef const float* row
    cdef float* sums = room
    if size < 8:
        for output in range(width):
            found[output] = -0.0
        for at in range(size):
            row = rows + order[at] * width
            for output in range(width):
                found[output] += row[output]
    elif size <= 128:
        for lane in range(8):
            memcpy(sums + lane * width, rows + order[lane] * width, width * sizeof(float))
        at = 8
        while at < size - size % 8:
            for lane in range(8):
                row = rows + order[at + lane] * width
                for output in range(width):
                    sums[lane * width + output] += row[output]
            at += 8
        for output in range(width):
            found[output] = (
                (sums[output] + sums[width + output]) + (sums[2 * width + output] + sums[3 * width + output])
            ) + ((sums[4 * width + output] + sums[5 * width + output]) + (sums[6 * width + output] + sums[7 * width + output]))
        while at < size:
            row = rows + order[at] * width
            for output in range(width):
                found[output] += row[output]
            at += 1
    else:
        half = size // 2
        half -= half % 8
        _summed(rows, order, half, width, room + 9 * width, room + 8 * width)
        _summed(rows, order + half, size - half, width, room + 9 * width, found)
        for output in range(width):
            found[output] = room[8 * width + output] + found[output]
