# cython: wraparound=False, cdivision=True
"""Counting words into columns, for words.py, which says what it means; NumPy can only do it in many passes."""

from collections.abc import Mapping

import numpy as np

from cpython.dict cimport PyDict_GetItemWithError, PyDict_Next
from cpython.float cimport PyFloat_AsDouble
from cpython.long cimport PyLong_AsLongLong, PyLong_CheckExact
from cpython.object cimport PyObject
from libc.stdlib cimport calloc, free, malloc, realloc
from parcels.learn.table cimport Table

ctypedef long long Int
ctypedef unsigned long long Bits

cdef enum:
    FIRST_SLOTS = 4096  # of the table of a page's words; a power of two


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
        self.added(found)
        return column

    cdef inline Word* added(self, Word* word) except NULL:
        """Count a new word; the table may grow, so where the word stands then."""
        cdef PyObject* key = word.key
        self.used += 1
        if 2 * self.used > self.size:
            self.grow()
            return self.slot(key)
        return word

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


cdef class Entries:
    """The entries of row after row, each column once a row."""

    cdef Entry* entries
    cdef Py_ssize_t room, found, row  # where the row in work begins
    cdef unsigned int* place  # of each column's last entry

    def __cinit__(self, Py_ssize_t room, Py_ssize_t width):
        self.room, self.found, self.row = max(room, 1), 0, 0
        self.entries = <Entry*>malloc(self.room * sizeof(Entry))
        self.place = <unsigned int*>calloc(max(width, 1), sizeof(unsigned int))
        if self.entries == NULL or self.place == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.entries)
        free(self.place)

    cdef inline Entry* at(self, Int column) except NULL:
        """The row's entry of a column, made where there is none yet."""
        cdef Py_ssize_t place = self.place[column]
        cdef Entry* more
        if self.row <= place < self.found and self.entries[place].column == column:
            return &self.entries[place]
        if self.found == self.room:
            more = <Entry*>realloc(self.entries, 2 * self.room * sizeof(Entry))
            if more == NULL:
                raise MemoryError
            self.entries, self.room = more, 2 * self.room
        self.place[column] = <unsigned int>self.found
        self.entries[self.found].column, self.entries[self.found].count = column, 0
        self.found += 1
        return &self.entries[self.found - 1]

    cdef tuple in_order(self, Int[::1] starts):
        """Starts, columns and counts: the entries of each row by column."""
        columns, counts = np.empty(self.found, np.int64), np.empty(self.found)
        if self.found:
            _in_order(self.entries, starts, columns, counts)
        return np.asarray(starts), columns, counts


cdef class Numbers:
    """Numbers one behind the other, as many as there come."""

    cdef Int* at
    cdef Py_ssize_t count, room

    def __cinit__(self):
        self.count, self.room = 0, FIRST_SLOTS
        self.at = <Int*>malloc(self.room * sizeof(Int))
        if self.at == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.at)

    cdef inline int add(self, Int number) except -1:
        cdef Int* more
        if self.count == self.room:
            more = <Int*>realloc(self.at, 2 * self.room * sizeof(Int))
            if more == NULL:
                raise MemoryError
            self.at, self.room = more, 2 * self.room
        self.at[self.count] = number
        self.count += 1
        return 0


cdef class Distinct:
    """The different words of a page, numbered as they come, and then their columns."""

    cdef Seen seen
    cdef Numbers words  # where each is in memory; then its column

    def __cinit__(self):
        self.seen, self.words = Seen({}), Numbers()

    cdef inline Int number(self, PyObject* word) except -1:
        cdef Word* found = self.seen.slot(word)
        if found.key != NULL:
            return found.column
        found.key, found.column = word, self.words.count
        self.words.add(<Int><size_t>word)
        self.seen.added(found)
        return self.words.count - 1

    cdef int look_up(self, Table table) except -1:
        table.look(self.words.at, self.words.count)
        return 0


def in_tokens(list tokens, const unsigned char[::1] is_counted, const Py_ssize_t[::1] begin, Table table):
    """Starts, columns and counts of Words.from_tokens."""
    cdef Py_ssize_t rows = begin.shape[0] - 1, row, token
    cdef Int column
    cdef Distinct words = Distinct()
    cdef Numbers numbers = Numbers()
    cdef Entries entries = Entries(len(tokens), len(table))
    cdef Int[::1] starts = np.empty(rows + 1, np.int64)
    for token in range(len(tokens)):
        numbers.add(words.number(<PyObject*>tokens[token]) if is_counted[token] else -1)
    words.look_up(table)
    for row in range(rows):
        starts[row] = entries.row = entries.found
        for token in range(begin[row], begin[row + 1]):
            column = words.words.at[numbers.at[token]] if numbers.at[token] >= 0 else -1
            if column >= 0:
                entries.at(column).count += 1
    starts[rows] = entries.found
    return entries.in_order(starts)


def in_parts(list rows, Table table):
    """Starts, columns and counts of Words.from_parts: the words of one tuple are looked up once, wherever it stands."""
    cdef Py_ssize_t row, place = 0, at
    cdef Int first, column
    cdef Word* part
    cdef Distinct words = Distinct()
    cdef Seen parts = Seen({})  # of a tuple, where its words begin in `places`
    cdef Numbers places = Numbers(), order = Numbers()  # how many words, then the words, tuple by tuple; the tuples
    cdef Entries entries = Entries(FIRST_SLOTS, len(table))
    cdef Int[::1] starts = np.empty(len(rows) + 1, np.int64)
    for of_row in rows:
        for tuple_ in <list>of_row:
            part = parts.slot(<PyObject*>tuple_)
            if part.key == NULL:
                part.key, part.column = <PyObject*>tuple_, places.count
                part = parts.added(part)
                places.add(len(<tuple>tuple_))
                for word in <tuple>tuple_:
                    places.add(words.number(<PyObject*>word))
            order.add(part.column)
    words.look_up(table)
    for row in range(len(rows)):
        starts[row] = entries.row = entries.found
        for _ in range(len(<list>rows[row])):
            first = order.at[place]
            place += 1
            for at in range(first + 1, first + 1 + places.at[first]):
                column = words.words.at[places.at[at]]
                if column >= 0:
                    entries.at(column).count = 1
    starts[len(rows)] = entries.found
    return entries.in_order(starts)


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
