# cython: wraparound=False, cdivision=True
"""The loops of labelling that NumPy can only do in many passes; forest.py, words.py and page_net.py say what they mean.

Every sum here adds in the order in which NumPy adds, so that results are the same without this module.
"""

import numpy as np

from cpython.dict cimport PyDict_GetItemWithError, PyDict_Next
from cpython.float cimport PyFloat_AsDouble
from cpython.long cimport PyLong_AsLongLong
from cpython.object cimport PyObject
from libc.math cimport NAN, isnan, sqrtf
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcpy, memset

ctypedef unsigned long long Set  # of up to 64 rows
ctypedef long long Int

cdef extern from *:
    int lowest_bit "__builtin_ctzll"(Set rows) nogil

cdef enum:
    BITS = 64
    MOST_NODES = 256  # of a tree: forest.MOST_LEAVES
    FEW = 64  # entries of a row that are sorted by insertion


# Trees


def holds(
    const double[:, ::1] numbers,
    const Int[::1] columns,
    const Int[::1] cut_start,
    const double[::1] cuts,
    const Int[::1] or_missing,
    const Int[::1] missing_column,
    Set[:, ::1] found,
):
    """For each 64 rows, into a row of `found`: the rows where each condition on numbers holds (Forest._holds)."""
    cdef Py_ssize_t rows = numbers.shape[0], number, row, block, start, end, left, half, place
    cdef Py_ssize_t count = columns.shape[0], either = cuts.shape[0]
    cdef double value, before
    cdef Set bit, so_far
    cdef Set[:, ::1] missing = np.zeros((found.shape[0], max(count, 1)), np.uint64)
    for block in range(found.shape[0]):
        memset(&found[block, 0], 0, either * sizeof(Set))
        for number in range(count):
            start, end = cut_start[number], cut_start[number + 1]
            before, place = <double>NAN, end
            for row in range(block * BITS, min(rows, (block + 1) * BITS)):
                value = numbers[row, columns[number]]
                bit = <Set>1 << (row - block * BITS)
                if isnan(value):
                    missing[block, number] |= bit
                    continue
                if value != before:  # neighbours are often alike
                    before, place, left = value, start, end - start
                    while left > 0:  # to the first cut that the value is at most at
                        half = (left + 1) >> 1
                        place += half if cuts[place + half - 1] < value else 0
                        left -= half
                if place < end:
                    found[block, place] |= bit
            so_far = 0
            for place in range(start, end):
                so_far |= found[block, place]
                found[block, place] = so_far
        for place in range(or_missing.shape[0]):
            found[block, either + place] = found[block, or_missing[place]] | missing[block, missing_column[place]]


def leaf_sums(
    const Set[:, ::1] held,
    const Int[::1] sizes,
    const Int[::1] condition,
    const Int[::1] left,
    const Int[::1] right,
    const double[::1] leaf_value,
    double[:, ::1] sums,
):
    """Add to each row of `sums` the values of the leaves that it reaches, tree by tree (Forest._sums)."""
    cdef Py_ssize_t rows = sums.shape[0], outputs = sums.shape[1], trees = sizes.shape[0]
    cdef Py_ssize_t block, tree, node, first, leaf, output, size
    cdef Set everyone, at, goes_left
    cdef Set reached[MOST_NODES]
    for block in range(held.shape[0]):
        size = min(rows - block * BITS, BITS)
        everyone = ~<Set>0 if size == BITS else (<Set>1 << size) - 1
        first = 0
        for tree in range(trees):
            output, leaf = tree % outputs, first + tree
            reached[0] = everyone
            if sizes[tree] == 0:
                _add(everyone, leaf_value[leaf], &sums[block * BITS, output], outputs)
            for node in range(sizes[tree]):
                at = reached[node]
                goes_left = at & held[block, condition[first + node]]
                at ^= goes_left
                if left[first + node] >= 0:
                    reached[left[first + node]] = goes_left
                elif goes_left:
                    _add(goes_left, leaf_value[leaf + ~left[first + node]], &sums[block * BITS, output], outputs)
                if right[first + node] >= 0:
                    reached[right[first + node]] = at
                elif at:
                    _add(at, leaf_value[leaf + ~right[first + node]], &sums[block * BITS, output], outputs)
            first += sizes[tree]


cdef inline void _add(Set rows, double value, double* sums, Py_ssize_t step) noexcept nogil:
    while rows:
        sums[lowest_bit(rows) * step] += value
        rows &= rows - 1


# Words


cdef struct Entry:
    Int column
    double count


cdef int _order(const void* one, const void* two) noexcept nogil:
    cdef Int a = (<const Entry*>one).column, b = (<const Entry*>two).column
    return (a > b) - (a < b)


cdef void _sort(Entry* entries, Py_ssize_t count) noexcept nogil:
    cdef Py_ssize_t place, at
    cdef Entry entry
    if count > FEW:
        qsort(entries, count, sizeof(Entry), _order)
        return
    for place in range(1, count):
        entry = entries[place]
        at = place
        while at > 0 and entries[at - 1].column > entry.column:
            entries[at] = entries[at - 1]
            at -= 1
        entries[at] = entry


def counted(list rows, dict vocabulary):
    """Starts, columns and counts of Words.from_counts."""
    cdef Py_ssize_t total = 0, found = 0, begin, at, n
    cdef PyObject* key
    cdef PyObject* value
    cdef PyObject* place
    for row in rows:
        total += len(row)
    cdef Int[::1] starts = np.empty(len(rows) + 1, np.int64)
    cdef Entry* entries = <Entry*>malloc(max(total, 1) * sizeof(Entry))
    if entries == NULL:
        raise MemoryError
    try:
        for n, row in enumerate(rows):
            starts[n] = begin = found
            if isinstance(row, dict):
                at = 0
                while PyDict_Next(row, &at, &key, &value):
                    place = PyDict_GetItemWithError(vocabulary, <object>key)
                    if place != NULL:
                        entries[found].column = PyLong_AsLongLong(<object>place)
                        entries[found].count = PyFloat_AsDouble(<object>value)
                        found += 1
            else:
                for word in row:
                    place = PyDict_GetItemWithError(vocabulary, word)
                    if place != NULL:
                        entries[found].column = PyLong_AsLongLong(<object>place)
                        entries[found].count = 1
                        found += 1
            _sort(&entries[begin], found - begin)
        starts[len(rows)] = found
        columns, counts = np.empty(found, np.int64), np.empty(found)
        _unpacked(entries, found, columns, counts)
    finally:
        free(entries)
    return np.asarray(starts), columns, counts


cdef void _unpacked(Entry* entries, Py_ssize_t found, Int[::1] columns, double[::1] counts):
    cdef Py_ssize_t at
    for at in range(found):
        columns[at] = entries[at].column
        counts[at] = entries[at].count


def product(
    const Int[::1] starts, const Int[::1] columns, const double[::1] counts, const double[:, ::1] weights,
    double[:, ::1] found,
):
    """Words.dot, as np.add.reduceat adds: the first entry of a row, and to it the pairwise sum of the others."""
    cdef Py_ssize_t width = weights.shape[1], row, output, begin, end
    cdef double* room = <double*>malloc(max(width, 1) * 9 * 64 * sizeof(double))
    if room == NULL:
        raise MemoryError
    with nogil:
        for row in range(found.shape[0]):
            begin, end = starts[row], starts[row + 1]
            if begin == end:
                continue
            if end - begin > 1:
                _weighed(&columns[begin + 1], &counts[begin + 1], end - begin - 1, &weights[0, 0], width, room, &found[row, 0])
                for output in range(width):
                    found[row, output] = weights[columns[begin], output] * counts[begin] + found[row, output]
            else:
                for output in range(width):
                    found[row, output] = weights[columns[begin], output] * counts[begin]
    free(room)


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


# The network over a page


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
