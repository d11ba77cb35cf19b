# cython: wraparound=False, cdivision=True
"""The loops of forest.py, which says what they mean; sums add in the order in which NumPy adds them there."""

import numpy as np

from libc.math cimport isnan
from libc.string cimport memset

ctypedef unsigned long long Set  # of up to 64 rows
ctypedef long long Int

cdef extern from *:
    """
    /* The set of those of 64 numbers that are at most at a cut; NaN is not. By whatever the processor has. */
    typedef unsigned long long (*AtMost)(const double*, double);

    static unsigned long long at_most_plain(const double* values, double cut) {
        unsigned long long found = 0;
        for (int at = 0; at < 64; at++) found |= (unsigned long long)(values[at] <= cut) << at;
        return found;
    }

    #if defined(__x86_64__) && defined(__GNUC__)
    #include <immintrin.h>

    static unsigned long long at_most_two(const double* values, double cut) {
        unsigned long long found = 0;
        __m128d limit = _mm_set1_pd(cut);
        for (int at = 0; at < 64; at += 2)
            found |= (unsigned long long)_mm_movemask_pd(_mm_cmple_pd(_mm_loadu_pd(values + at), limit)) << at;
        return found;
    }

    __attribute__((target("avx2"))) static unsigned long long at_most_four(const double* values, double cut) {
        unsigned long long found = 0;
        __m256d limit = _mm256_set1_pd(cut);
        for (int at = 0; at < 64; at += 4) {
            __m256d is_low = _mm256_cmp_pd(_mm256_loadu_pd(values + at), limit, _CMP_LE_OQ);
            found |= (unsigned long long)_mm256_movemask_pd(is_low) << at;
        }
        return found;
    }

    static AtMost fastest_at_most(void) {
        return __builtin_cpu_supports("avx2") ? at_most_four : at_most_two;
    }
    #else
    static AtMost fastest_at_most(void) {
        return at_most_plain;
    }
    #endif
    """
    ctypedef Set (*AtMost)(const double*, double) noexcept nogil
    AtMost fastest_at_most() noexcept nogil

cdef enum:
    BITS = 64
    BYTES = 8
    MOST_REACHED = 514  # inner nodes, leaves and one more, of a tree of forest.MOST_LEAVES


def holds(
    const double[:, :] numbers,
    const Int[::1] columns,
    const Int[::1] cut_start,
    const double[::1] cuts,
    const Int[::1] or_missing,
    const Int[::1] missing_column,
    Set[:, ::1] found,
):
    """For each 64 rows, into a row of `found`: the rows where each condition on numbers holds (Forest._holds)."""
    cdef Py_ssize_t rows = numbers.shape[0], number, row, block, place, size
    cdef Py_ssize_t count = columns.shape[0], either = cuts.shape[0]
    cdef bint is_alike
    cdef Set everyone
    cdef Set[::1] missing = np.empty(max(count, 1), np.uint64)
    cdef double[BITS] values
    cdef AtMost at_most = fastest_at_most()
    for block in range(found.shape[0]):
        size = min(rows - block * BITS, BITS)
        everyone = ~<Set>0 if size == BITS else (<Set>1 << size) - 1
        for number in range(count):
            missing[number], is_alike = 0, True
            for row in range(size):
                values[row] = numbers[block * BITS + row, columns[number]]
                if values[row] != values[0]:  # so is NaN
                    is_alike = False
                    if isnan(values[row]):
                        missing[number] |= <Set>1 << row
            if is_alike:  # as many features of a page are
                for place in range(cut_start[number], cut_start[number + 1]):
                    found[block, place] = everyone if values[0] <= cuts[place] else 0
            else:
                for row in range(size, BITS):
                    values[row] = values[0]
                for place in range(cut_start[number], cut_start[number + 1]):
                    found[block, place] = at_most(values, cuts[place]) & everyone
        for place in range(or_missing.shape[0]):
            found[block, either + place] = found[block, or_missing[place]] | missing[missing_column[place]]


def leaf_sums(
    const Set[:, ::1] held,
    const int[::1] sizes,
    const int[::1] condition,
    const short[::1] left,
    const short[::1] right,
    const double[::1] leaf_value,
    double[:, ::1] sums,
):
    """The sums of the values of the leaves that each row reaches, tree by tree (Forest._sums).

    The trees of one output stand one behind the other, as many for each. Of a tree the places of inner nodes are counted
    first and those of the leaves behind them. Which leaf a row reaches varies from row to row, so that to branch by it
    would be slow: the numbers of the leaves are put together bit by bit, for all rows of a set at once.
    """
    cdef Py_ssize_t rows = sums.shape[0], outputs = sums.shape[1], trees = sizes.shape[0] // max(outputs, 1)
    cdef Py_ssize_t block, tree, node, output, size, inner, row
    cdef const int* asked
    cdef const short* lower
    cdef const short* upper
    cdef const double* leaf
    cdef const Set* is_held
    cdef Set everyone, at, goes_left
    cdef Set[MOST_REACHED] reached
    cdef unsigned char[BITS] number
    cdef double[BITS] added
    for block in range(held.shape[0]):
        size = min(rows - block * BITS, BITS)
        everyone = ~<Set>0 if size == BITS else (<Set>1 << size) - 1
        is_held = &held[block, 0] if held.shape[1] else NULL
        asked, lower, upper, leaf = &condition[0], &left[0], &right[0], &leaf_value[0]
        for output in range(outputs):
            memset(added, 0, sizeof(added))
            for tree in range(output * trees, (output + 1) * trees):
                inner = sizes[tree]
                reached[0] = everyone
                for node in range(inner):
                    at = reached[node]
                    goes_left = at & is_held[asked[node]]
                    reached[lower[node]] = goes_left
                    reached[upper[node]] = at ^ goes_left
                _numbered(&reached[inner], inner + 1, size, number)
                for row in range(size):
                    added[row] += leaf[number[row]]
                asked, lower, upper, leaf = asked + inner, lower + inner, upper + inner, leaf + inner + 1
            for row in range(size):
                sums[block * BITS + row, output] = added[row]


cdef inline void _numbered(Set* leaves, Py_ssize_t count, Py_ssize_t rows, unsigned char* number) noexcept nogil:
    """The number of the leaf among whose rows each row is; `leaves` is written over."""
    cdef Set[BYTES] packed  # 8 rows each, a byte a row
    cdef Set odd
    cdef Py_ssize_t at, part, parts = (rows + 7) >> 3
    cdef int plane = 0
    memset(packed, 0, sizeof(packed))
    while count > 1:
        odd = 0
        if count & 1:
            leaves[count] = 0
            count += 1
        count >>= 1
        for at in range(count):
            odd |= leaves[2 * at + 1]
            leaves[at] = leaves[2 * at] | leaves[2 * at + 1]
        for part in range(parts):
            packed[part] |= SPREAD[(odd >> (8 * part)) & 255] << plane
        plane += 1
    for part in range(parts):
        for at in range(8):
            number[8 * part + at] = <unsigned char>(packed[part] >> (8 * at))


cdef Set[256] SPREAD  # the bits of a byte as the lowest bits of 8 bytes


cdef void _fill_spread() noexcept:
    cdef int byte, bit
    for byte in range(256):
        SPREAD[byte] = 0
        for bit in range(8):
            SPREAD[byte] |= <Set>(byte >> bit & 1) << (8 * bit)


_fill_spread()
