# cython: wraparound=False, cdivision=True
"""Greedy tagging token by token, which NumPy can only do for all tokens at once; decode.py says what it means."""

import numpy as np

from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

ctypedef long long Int

cdef enum:
    START, START2, END, END2
    MIXED = 0, FIRST, CAPITALS, SMALL, TITLES  # names.CASES
    OWN = 0, LEFT, LEFT2, RIGHT, RIGHT2


def greedy(
    const Py_ssize_t[::1] words,
    const unsigned char[::1] is_first,
    const unsigned char[::1] is_open,
    Py_ssize_t[::1] labels,
    const int[::1] cells,
    const Int[::1] places,
    const int[:, ::1] keys,
    Py_ssize_t first,
    const int[:, ::1] beside,
    const int[:, ::1] both,
    const int[:, ::1] behind,
    const int[::1] behind_key,
    on_tie,
):
    """Set the labels of open tokens, from left to right.

    A row of weights is where it starts in `cells`, times 64, plus the number of its cells (Stack). `keys` has by word
    number, from column `first` on, the rows for each of `places`; `beside` has further rows for each token. `both` is
    what the two labels before say, `behind` lists labels before and the rows that they stand for, the lists of
    `behind_key` given as rows are.
    """
    cdef Py_ssize_t count = words.shape[0], size = both.shape[1], before = size + 2
    cdef Py_ssize_t token, table, label, previous, second, best, last, row
    cdef Py_ssize_t around[5]
    cdef bint is_second, is_last
    cdef int most
    cdef int* total = <int*>malloc(size * sizeof(int))
    if total == NULL:
        raise MemoryError
    try:
        for token in range(count):
            if not is_open[token]:
                continue
            is_second = token > 0 and is_first[token - 1] and not is_first[token]
            is_last = token + 1 == count or is_first[token + 1]
            around[OWN] = words[token]
            if is_first[token]:
                around[LEFT], around[LEFT2], previous, second = START2, START, size, size + 1
            else:
                around[LEFT], previous = words[token - 1], labels[token - 1]
                around[LEFT2] = START2 if is_second else words[token - 2]
                second = size if is_second else labels[token - 2]
            if is_last:
                around[RIGHT], around[RIGHT2] = END, END2
            else:
                around[RIGHT] = words[token + 1]
                is_last = token + 2 == count or is_first[token + 2]
                around[RIGHT2] = END if is_last else words[token + 2]
            memcpy(total, &both[previous * before + second, 0], size * sizeof(int))
            for row in range(behind_key[token] >> 6, (behind_key[token] >> 6) + (behind_key[token] & 63)):
                if behind[row, 0] == previous:
                    _add(total, behind[row, 1], &cells[0])
                    break
            for table in range(places.shape[0]):
                _add(total, keys[around[places[table]], first + table], &cells[0])
            for table in range(beside.shape[0]):
                _add(total, beside[table, token], &cells[0])
            best = last = 0
            most = total[0]
            for label in range(1, size):
                if total[label] > most:
                    best = last = label
                    most = total[label]
                elif total[label] == most:
                    last = label
            if best != last and on_tie is not None:
                best = on_tie(token, previous, second)
            labels[token] = best
    finally:
        free(total)


cdef inline void _add(int* total, int row, const int* cells) noexcept nogil:
    cdef int at
    for at in range(row >> 6, (row >> 6) + (row & 63)):
        total[cells[at] & 255] += cells[at] >> 8


def clued(
    const Py_ssize_t[::1] shape, const Py_ssize_t[::1] case, const Py_ssize_t[::1] phrase, const Py_ssize_t[::1] tag,
    const unsigned char[::1] is_first, Py_ssize_t shapes, const int[::1] of_case, const int[::1] of_phrase,
    const int[::1] of_tag_shape, const int[::1] of_tag, const int[::1] of_left, const int[::1] of_right,
    int[:, ::1] found,
):
    """The rows of weights of what is known of tokens besides their words (names.Names.decode)."""
    cdef Py_ssize_t count = shape.shape[0], edge = of_left.shape[0] - 1, at
    for at in range(count):
        found[0, at] = of_case[case[at] * shapes + shape[at]]
        found[1, at] = of_phrase[phrase[at]]
        found[2, at] = of_tag_shape[tag[at] * shapes + shape[at]]
        found[3, at] = of_tag[tag[at]]
        found[4, at] = of_left[edge if at == 0 or is_first[at] else tag[at - 1]]
        found[5, at] = of_right[edge if at + 1 == count or is_first[at + 1] else tag[at + 1]]


def cased(
    const Py_ssize_t[::1] shapes, const unsigned char[::1] is_long, const unsigned char[::1] is_first,
    Py_ssize_t upper, Py_ssize_t title, Py_ssize_t lower, double title_share, Py_ssize_t[::1] found,
):
    """names.sentence_cases, sentence by sentence."""
    cdef Py_ssize_t count = shapes.shape[0], begin = 0, end, at, case
    cdef Py_ssize_t capitals, small, words, long_words, long_titles
    while begin < count:
        capitals = small = words = long_words = long_titles = 0
        end = begin
        while end < count and (end == begin or not is_first[end]):
            if shapes[end] == upper:
                capitals += 1
            elif shapes[end] == lower:
                small += 1
                long_words += is_long[end]
            elif shapes[end] == title:
                long_words += is_long[end]
                long_titles += is_long[end]
                words += 1
            end += 1
        words += capitals + small
        case = MIXED
        if words > 0 and capitals == words:
            case = CAPITALS
        elif words > 0 and small == words:
            case = SMALL
        elif long_words > 1 and long_titles >= title_share * long_words:
            case = TITLES
        for at in range(begin, end):
            found[at] = case
        if case == MIXED and is_first[begin]:
            found[begin] = FIRST
        begin = end


def read(list texts, dict known):
    """The word numbers of texts that are cut into chunks, which tokens begin a chunk, and where each text begins.

    None where a chunk is not known yet.
    """
    cdef Py_ssize_t total = 0, size, at = 0, number
    cdef PyObject* found
    cdef list rows = []
    for chunks in texts:
        for chunk in <list>chunks:
            found = PyDict_GetItemWithError(known, chunk)
            if found == NULL:
                return None
            rows.append(<object>found)
            total += len(<tuple>found)
    words, is_spaced, begin = np.empty(total, np.intp), np.zeros(total, np.bool_), np.empty(len(texts) + 1, np.intp)
    cdef Py_ssize_t[::1] to_words = words, to_begin = begin
    cdef unsigned char[::1] to_spaced = is_spaced.view(np.uint8)
    cdef Py_ssize_t row = 0
    for number in range(len(texts)):
        to_begin[number] = at
        for size in range(len(<list>texts[number])):
            if at < total:
                to_spaced[at] = 1
            for word in <tuple>rows[row]:
                to_words[at] = word
                at += 1
            row += 1
    to_begin[len(texts)] = at
    return words, is_spaced, begin
