# cython: wraparound=False, cdivision=True
"""The loops of words.py and linear.py, which say what they mean; NumPy can only do them in many passes.

Every sum here adds in the order in which NumPy adds, so that results are the same without this module.
"""

from collections.abc import Mapping

import numpy as np

from cpython.dict cimport PyDict_GetItemWithError, PyDict_Next
from cpython.float cimport PyFloat_AsDouble
from cpython.long cimport PyLong_AsLongLong, PyLong_CheckExact
from cpython.object cimport PyObject
from libc.float cimport DBL_MIN
from libc.math cimport sqrt
from libc.stdlib cimport calloc, free, malloc

ctypedef long long Int
ctypedef unsigned long long Bits

cdef enum:
    FIRST_SLOTS = 4096  # of the table of a page's words; a power of two


# Counting


cdef struct Word:
    PyObject* key
    Int column  # -1: not in the vocabulary


cdef class Seen:
    """The words met so far, each looked up once: the same word is mostly the same object wherever it stands."""

    cdef Word* slots
    cdef Py_ssize_t size, used
    cdef dict vocabulary

    def __cinit__(self, dict vocabulary):
        self.vocabulary, self.size, self.used = vocabulary, FIRST_SLOTS, 0
        self.slots = <Word*>calloc(self.size, sizeof(Word))
        if self.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.slots)

    cdef inline Word* slot(self, PyObject* key) noexcept:
        cdef size_t at = ((<size_t>key >> 4) * 0x9E3779B97F4A7C15U) >> 20
        at &= self.size - 1
        while self.slots[at].key != NULL and self.slots[at].key != key:
            at = (at + 1) & (self.size - 1)
        return &self.slots[at]

    cdef inline Int column(self, PyObject* key) except -2:
        cdef Word* found = self.slot(key)
        if found.key != NULL:
            return found.column
        cdef PyObject* place = PyDict_GetItemWithError(self.vocabulary, <object>key)
        cdef Int column = PyLong_AsLongLong(<object>place) if place != NULL else -1
        found.key, found.column = key, column
        self.used += 1
        if 2 * self.used > self.size:
            self.grow()
        return column

    cdef int grow(self) except -1:
        cdef Word* old = self.slots
        cdef Py_ssize_t size = self.size, at
        cdef Word* made = <Word*>calloc(2 * size, sizeof(Word))
        if made == NULL:
            raise MemoryError
        self.slots, self.size = made, 2 * size
        for at in range(size):
            if old[at].key != NULL:
                self.slot(old[at].key)[0] = old[at]
        free(old)
        return 0


cdef struct Entry:
    Int column
    double count


def counted(list rows, dict vocabulary):
    """Starts, columns and counts of Words.from_counts."""
    cdef Py_ssize_t total = 0, found = 0, at, n
    cdef PyObject* key
    cdef PyObject* value
    cdef Int column
    cdef Seen seen = Seen(vocabulary)
    if not all([isinstance(row, (dict, set)) for row in rows]):  # words must live as long as they are remembered
        rows = [dict(row) if isinstance(row, Mapping) else set(row) for row in rows]
    for row in rows:
        total += len(row)
    cdef Int[::1] starts = np.empty(len(rows) + 1, np.int64)
    cdef Entry* entries = <Entry*>malloc(max(total, 1) * sizeof(Entry))
    if entries == NULL:
        raise MemoryError
    try:
        for n, row in enumerate(rows):
            starts[n] = found
            if isinstance(row, dict):
                at = 0
                while PyDict_Next(row, &at, &key, &value):
                    column = seen.column(key)
                    if column >= 0:
                        entries[found].column = column
                        entries[found].count = _number(<object>value)
                        found += 1
            else:
                for word in row:
                    column = seen.column(<PyObject*>word)
                    if column >= 0:
                        entries[found].column = column
                        entries[found].count = 1
                        found += 1
        starts[len(rows)] = found
        columns, counts = np.empty(found, np.int64), np.empty(found)
        if found:
            _in_order(entries, starts, columns, counts)
    finally:
        free(entries)
    return np.asarray(starts), columns, counts


cdef inline double _number(value) except? -1:
    return <double>PyLong_AsLongLong(value) if PyLong_CheckExact(value) else PyFloat_AsDouble(value)


cdef int _in_order(
    const Entry* entries, const Int[::1] starts, Int[::1] columns, double[::1] counts
) except -1:
    """Each row's entries by column: all entries are put in order of columns, and from there back into their rows."""
    cdef Py_ssize_t rows = starts.shape[0] - 1, found = starts[rows], parts, part, at, row, place, last = 0
    for at in range(found):
        last = max(last, entries[at].column)
    parts = (last >> 6) + 1
    cdef Bits* present = <Bits*>calloc(parts, sizeof(Bits))
    cdef Int* before = <Int*>malloc(parts * sizeof(Int))  # how many different columns stand before a part's
    cdef Int* by_column = <Int*>malloc(found * 2 * sizeof(Int))  # the row and place of each entry
    cdef Int* next_place = <Int*>calloc(found + 1 + rows, sizeof(Int))  # behind the last entry of a column, of a row
    cdef Int* next_of_row = next_place + found + 1
    if present == NULL or before == NULL or by_column == NULL or next_place == NULL:
        free(present)
        free(before)
        free(by_column)
        free(next_place)
        raise MemoryError
    for at in range(found):
        present[entries[at].column >> 6] |= <Bits>1 << (entries[at].column & 63)
    before[0] = 0
    for part in range(parts - 1):
        before[part + 1] = before[part] + popcount(present[part])
    for at in range(found):
        next_place[_rank(present, before, entries[at].column) + 1] += 1
    for at in range(found):
        next_place[at + 1] += next_place[at]
    for row in range(rows):
        next_of_row[row] = starts[row]
        for at in range(starts[row], starts[row + 1]):
            part = _rank(present, before, entries[at].column)
            place = next_place[part]
            next_place[part] += 1
            by_column[2 * place], by_column[2 * place + 1] = row, at
    for at in range(found):
        row, place = by_column[2 * at], by_column[2 * at + 1]
        columns[next_of_row[row]], counts[next_of_row[row]] = entries[place].column, entries[place].count
        next_of_row[row] += 1
    free(present)
    free(before)
    free(by_column)
    free(next_place)
    return 0


cdef extern from *:
    """
    #if defined(__GNUC__)
    #define popcount __builtin_popcountll
    #else
    static int popcount(unsigned long long bits) {
        int found = 0;
        for (; bits; bits &= bits - 1) found++;
        return found;
    }
    #endif
    """
    int popcount(Bits bits) noexcept nogil


cdef inline Int _rank(const Bits* present, const Int* before, Int column) noexcept nogil:
    """The place of a column among the different ones."""
    return before[column >> 6] + popcount(present[column >> 6] & ((<Bits>1 << (column & 63)) - 1))


def beside(
    const Int[::1] starts, const Int[::1] columns, const double[::1] counts,
    const Int[::1] other_starts, const Int[::1] other_columns, const double[::1] other_counts, Int width,
    Int[::1] found_columns, double[::1] found_counts,
):
    """The entries of Words.and_beside: in each row this one's, then the other's."""
    cdef Py_ssize_t row, at, place = 0
    for row in range(starts.shape[0] - 1):
        for at in range(starts[row], starts[row + 1]):
            found_columns[place], found_counts[place] = columns[at], counts[at]
            place += 1
        for at in range(other_starts[row], other_starts[row + 1]):
            found_columns[place], found_counts[place] = other_columns[at] + width, other_counts[at]
            place += 1


# Products


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
