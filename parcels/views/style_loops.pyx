# cython: wraparound=False, cdivision=True
"""The loops over leaves of the stylistic view, which says what they mean; sums add in the order in which NumPy adds."""

import numpy as np

from libc.math cimport isnan

cdef enum:
    MOST_KINDS = 64  # of values that are told apart without sorting
    FONT_ROWS = 10


cdef extern from *:
    """
    /* The sum as NumPy adds what lies side by side. */
    static float parcels_pairwise(const float *values, Py_ssize_t size) {
        if (size < 8) {
            float found = -0.0f;
            for (Py_ssize_t at = 0; at < size; at++) found += values[at];
            return found;
        }
        if (size <= 128) {
            float sums[8];
            Py_ssize_t at = 8;
            for (int lane = 0; lane < 8; lane++) sums[lane] = values[lane];
            for (; at < size - size % 8; at += 8)
                for (int lane = 0; lane < 8; lane++) sums[lane] += values[at + lane];
            float found = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
            for (; at < size; at++) found += values[at];
            return found;
        }
        Py_ssize_t half = size / 2;
        half -= half % 8;
        return parcels_pairwise(values, half) + parcels_pairwise(values + half, size - half);
    }
    """
    float parcels_pairwise(const float*, Py_ssize_t) noexcept nogil


cdef void _means(
    const float[:, ::1] weighted, const int[::1] first, const float[::1] chars, float[:, ::1] found
) noexcept:
    """Look.means of values that are weighted already: as np.add.reduceat adds, the first value and then the others."""
    cdef Py_ssize_t row, block, begin, end, leaves = weighted.shape[1], blocks = first.shape[0]
    cdef float total
    for row in range(weighted.shape[0]):
        for block in range(blocks):
            begin, end = first[block], first[block + 1] if block + 1 < blocks else leaves
            total = weighted[row, begin]
            if end - begin > 1:
                total = total + parcels_pairwise(&weighted[row, begin + 1], end - begin - 1)
            found[row, block] = total / chars[block]


def fonts(
    const int[::1] node, const int[::1] first, const float[::1] chars, const float[::1] block_chars,
    const unsigned char[::1] is_text, const float[::1] size, const float[::1] weight, const unsigned char[::1] italic,
    const unsigned char[::1] underlined, const unsigned char[::1] upper, const short[::1] family,
    const unsigned int[::1] colour, const signed char[::1] align, const float[::1] line, int centre,
):
    """The rows of style_fonts.fonts; None where there are too many families or colours to count them here."""
    cdef Py_ssize_t leaves = node.shape[0], leaf, row
    cdef long long commonest_family = 0, commonest_colour = 0
    cdef unsigned int rgb
    cdef float own
    weighted, found = np.empty((FONT_ROWS, leaves), np.float32), np.empty((FONT_ROWS, first.shape[0]), np.float32)
    cdef float[:, ::1] to = weighted
    cdef Commonest families = Commonest(), colours = Commonest()
    for leaf in range(leaves):
        own = chars[leaf] if is_text[leaf] else 0
        if not families.add(family[node[leaf]], own) or not colours.add(colour[node[leaf]], own):
            return None
    commonest_family, commonest_colour = families.best(), colours.best()
    for leaf in range(leaves):
        row, own = node[leaf], chars[leaf]
        rgb = colour[row]
        to[0, leaf] = size[row] * own
        to[1, leaf] = weight[row] * own
        to[2, leaf] = own if italic[row] else 0
        to[3, leaf] = own if underlined[row] else 0
        to[4, leaf] = own if upper[row] else 0
        to[5, leaf] = own if family[row] != commonest_family else 0
        to[6, leaf] = own if <long long>rgb != commonest_colour else 0
        to[7, leaf] = <float>(
            (0.299 * <double>(rgb >> 24) + 0.587 * <double>((rgb >> 16) & 255) + 0.114 * <double>((rgb >> 8) & 255)) / 255.0
        ) * own
        to[8, leaf] = own if align[row] == centre else 0
        to[9, leaf] = line[row] / (size[row] if size[row] > 1 or isnan(size[row]) else <float>1) * own
    _means(to, first, block_chars, found)
    return found


cdef class Commonest:
    """Which of a few values has the largest weight; the smallest of those that have."""

    cdef long long[MOST_KINDS] values
    cdef double[MOST_KINDS] weights
    cdef Py_ssize_t count

    cdef inline bint add(self, long long value, double weight) noexcept:
        cdef Py_ssize_t at
        for at in range(self.count):
            if self.values[at] == value:
                self.weights[at] += weight
                return True
        if self.count == MOST_KINDS:
            return False
        self.values[self.count], self.weights[self.count] = value, 0.0 + weight
        self.count += 1
        return True

    cdef long long best(self) noexcept:
        cdef Py_ssize_t at, found = 0
        for at in range(1, self.count):
            if self.weights[at] > self.weights[found] or (
                self.weights[at] == self.weights[found] and self.values[at] < self.values[found]
            ):
                found = at
        return self.values[found]


def media(
    const int[::1] first, const signed char[::1] kind, const signed char[::1] sort_of, const float[:, ::1] boxes,
    float[:, ::1] found,
):
    """The rows of style_fonts.media: leaves of each sort, then the largest width and height of those of sorts 0 and 1."""
    cdef Py_ssize_t block, leaf, end, blocks = first.shape[0], side
    cdef int sort
    cdef float value
    for block in range(blocks):
        end = first[block + 1] if block + 1 < blocks else kind.shape[0]
        for side in range(5):
            found[side, block] = 0
        for leaf in range(first[block], end):
            sort = sort_of[kind[leaf]]
            if sort >= 0:
                found[sort, block] += 1
            if sort == 0 or sort == 1:
                for side in range(2):
                    value = boxes[leaf, 2 + side]
                    if value > found[3 + side, block]:  # NaN is not
                        found[3 + side, block] = value


def boxes(const int[::1] first, const float[:, ::1] leaves, float[:, ::1] found):
    """Look.box: as np.fmin and np.fmax, which pass over NaN."""
    cdef Py_ssize_t block, leaf, end, side, blocks = first.shape[0]
    cdef float low, high
    for block in range(blocks):
        end = first[block + 1] if block + 1 < blocks else leaves.shape[0]
        for leaf in range(first[block], end):
            for side in range(2):
                low, high = leaves[leaf, side], leaves[leaf, side] + leaves[leaf, 2 + side]
                if leaf == first[block] or low < found[block, side] or isnan(found[block, side]):
                    found[block, side] = low
                if leaf == first[block] or high > found[block, 2 + side] or isnan(found[block, 2 + side]):
                    found[block, 2 + side] = high


def median(const float[::1] values, const float[::1] chars, const unsigned char[::1] is_text):
    """style_fonts._median, where the values are few and the characters can be counted exactly; None otherwise."""
    cdef float[MOST_KINDS] kinds
    cdef double[MOST_KINDS] weights
    cdef double total = 0, before = 0
    cdef Py_ssize_t leaf, at, place, count = 0
    for leaf in range(values.shape[0]):
        if not is_text[leaf]:
            continue
        if isnan(values[leaf]):
            return None
        total += chars[leaf]
        place = 0
        while place < count and kinds[place] < values[leaf]:
            place += 1
        if place == count or kinds[place] != values[leaf]:
            if count == MOST_KINDS:
                return None
            for at in range(count, place, -1):
                kinds[at], weights[at] = kinds[at - 1], weights[at - 1]
            kinds[place], weights[place] = values[leaf], 0
            count += 1
        weights[place] += chars[leaf]
    if count == 0 or total >= 1 << 24:  # NumPy adds floats of 24 bits
        return None
    for at in range(count):
        before += weights[at]
        if before >= total / 2:
            return kinds[at]
    return kinds[count - 1]
