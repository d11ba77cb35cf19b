# cython: wraparound=False, cdivision=True
"""The loops over leaves of the stylistic view, which says what they mean; sums add in the order in which NumPy adds."""

import numpy as np

from libc.math cimport isnan
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

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


def areas(
    const int[::1] first, const float[::1] chars, const float[::1] block_chars, const signed char[::1] area, int count
):
    """Look.area_shares."""
    cdef Py_ssize_t leaf, leaves = chars.shape[0]
    weighted, found = np.zeros((count, leaves), np.float32), np.empty((count, first.shape[0]), np.float32)
    cdef float[:, ::1] to = weighted
    for leaf in range(leaves):
        to[area[leaf], leaf] = chars[leaf]
    _means(to, first, block_chars, found)
    return found


def links(
    const int[::1] first, const float[::1] chars, const float[::1] block_chars, const long long[::1] target,
    const float[:, ::1] kinds, const float[::1] depth, const float[::1] words, const unsigned char[::1] is_link,
    const float[::1] links, float[:, ::1] found,
):
    """context_links.of_links: a row a kind, then the deepest path and words a link."""
    cdef Py_ssize_t block, leaf, end, kind, at, count = kinds.shape[0], leaves = chars.shape[0], blocks = first.shape[0]
    cdef float deepest, linked
    weighted = np.empty((count, leaves), np.float32)
    cdef float[:, ::1] to = weighted
    for kind in range(count):
        for leaf in range(leaves):
            at = target[leaf] if target[leaf] >= 0 else kinds.shape[1] - 1
            to[kind, leaf] = kinds[kind, at] * chars[leaf]
    _means(to, first, block_chars, found)
    for block in range(blocks):
        end = first[block + 1] if block + 1 < blocks else leaves
        deepest = linked = 0
        for leaf in range(first[block], end):
            at = target[leaf] if target[leaf] >= 0 else depth.shape[0] - 1
            deepest = max(deepest, depth[at])
            linked += words[leaf] if is_link[leaf] else <float>0
        found[count, block] = deepest
        found[count + 1, block] = linked / max(links[block], <float>1)


def marks(
    const int[::1] first, const int[::1] node, const float[::1] size, const unsigned char[::1] is_text,
    const long long[::1] container, const long long[::1] parent, const int[::1] above, const int[::1] depth,
    const unsigned int[::1] background, const signed char[::1] display, const unsigned char[::1] is_flex,
    const short[::1] tag, int table, int div, int near, float[:, ::1] found,
):
    """Look.marks, but for the share of tables: how many tables and divs are near the root."""
    cdef Py_ssize_t block, leaf, end, at, row, blocks = first.shape[0], tables = 0, divs = 0
    cdef float top = 0, own
    for block in range(blocks):
        end = first[block + 1] if block + 1 < blocks else node.shape[0]
        for leaf in range(first[block], end):
            own = size[node[leaf]] if is_text[leaf] else <float>0
            if leaf == first[block] or own > found[0, block]:
                found[0, block] = own
        top = found[0, block] if block == 0 or found[0, block] > top else top
        at = container[block]
        while at > 0 and not (background[at] & 255 and depth[at] > 1):
            at = above[at]
        found[1, block] = 1 if at > 0 else 0
        found[2, block] = is_flex[display[parent[block]]]
    for block in range(blocks):
        found[0, block] = found[0, block] >= top - <float>0.5
    for row in range(tag.shape[0]):
        if depth[row] <= near:
            tables += tag[row] == table
            divs += tag[row] == div
    return tables, divs


def links_per_block(const int[::1] node, const int[::1] link, const int[::1] first, float[::1] found):
    """Look.links_per_block."""
    cdef Py_ssize_t block, leaf, end, blocks = first.shape[0]
    cdef int now, before = -1
    for block in range(blocks):
        end = first[block + 1] if block + 1 < blocks else node.shape[0]
        found[block] = 0
        for leaf in range(first[block], end):
            now = link[node[leaf]]
            if now >= 0 and now != before:
                found[block] += 1
            before = now


def linear(
    const float[::1] chars, const float[::1] link_share, const long long[::1] container, const long long[::1] parent,
    const int[::1] above, const short[::1] tag, const int[::1] depth, const int[::1] first_leaf,
    const int[::1] end_leaf, const float[::1] leaf_chars, const unsigned char[::1] is_link,
    const unsigned char[:, ::1] headings, int fifth, int sixth, const unsigned char[::1] is_block_level, float total,
    float[:, ::1] found, float[::1] parent_chars, long long[:, ::1] counts,
):
    """The rows of style_linear.of_structure, but for those on a logarithmic scale.

    `headings` tells the blocks inside h1, h2 and so on; `counts` are those of sibling_blocks and sibling_elements.
    """
    cdef Py_ssize_t block, at, level, leaf, blocks = chars.shape[0], leaves = leaf_chars.shape[0], nodes = tag.shape[0]
    cdef float before = 0, sum_chars = 0, sum_linked = 0
    cdef double inside, linked
    cdef int own
    cdef float* sums = <float*>malloc(2 * (leaves + 1) * sizeof(float))  # of the leaves before each; then those in links
    cdef int* times = <int*>calloc(2 * (nodes + 1), sizeof(int))  # blocks of each parent; of each container
    if sums == NULL or times == NULL:
        free(sums)
        free(times)
        raise MemoryError
    sums[0] = sums[1] = 0
    for leaf in range(leaves):
        sum_chars += leaf_chars[leaf]
        sum_linked += leaf_chars[leaf] if is_link[leaf] else <float>0
        sums[2 * leaf + 2], sums[2 * leaf + 3] = sum_chars, sum_linked
    for block in range(blocks):
        times[2 * parent[block]] += 1
        times[2 * container[block] + 1] += 1
    for block in range(blocks):
        before += chars[block]
        at = parent[block]
        own = tag[container[block]]
        inside = <double>sums[2 * end_leaf[at]] - <double>sums[2 * first_leaf[at]]
        linked = <double>sums[2 * end_leaf[at] + 1] - <double>sums[2 * first_leaf[at] + 1]
        parent_chars[block] = <float>inside
        found[0, block] = <float>(<double>block / <double>blocks)
        found[1, block] = (before - chars[block]) / total
        found[4, block] = chars[block] / total
        found[6, block] = <float>depth[container[block]]
        found[7, block] = link_share[block]
        found[9, block] = 6 if own == sixth else 5 if own == fifth else 0
        for level in range(headings.shape[0]):
            if headings[level, block]:
                found[9, block] = level + 1
                break
        found[11, block] = <float>times[2 * container[block] + 1]
        found[14, block] = <float>(linked / <double>max(parent_chars[block], <float>1))
        found[15, block] = 0 if is_block_level[own] else 1
        counts[0, block] = times[2 * at]
    free(sums)
    free(times)
    _siblings(container, above, tag, counts)


cdef int _siblings(
    const long long[::1] container, const int[::1] above, const short[::1] tag, long long[:, ::1] counts
) except -1:
    """How many elements have the container's parent and tag."""
    cdef Py_ssize_t row, block, slot, nodes = tag.shape[0], slots = 16
    cdef long long key
    while slots < 2 * nodes:
        slots *= 2
    cdef long long* keys = <long long*>malloc(slots * sizeof(long long))  # parent and tag in one number; -1 without
    cdef int* times = <int*>malloc((slots + nodes) * sizeof(int))
    cdef int* place = times + slots
    if keys == NULL or times == NULL:
        free(keys)
        free(times)
        raise MemoryError
    memset(keys, -1, slots * sizeof(long long))
    for row in range(nodes):
        key = <long long>(above[row] + 1) * 1024 + tag[row]
        slot = (<unsigned long long>key * 0x9E3779B97F4A7C15U >> 20) & (slots - 1)
        while keys[slot] != -1 and keys[slot] != key:
            slot = (slot + 1) & (slots - 1)
        if keys[slot] == -1:
            keys[slot], times[slot] = key, 0
        times[slot] += 1
        place[row] = <int>slot
    for block in range(container.shape[0]):
        counts[1, block] = times[place[container[block]]]
    free(keys)
    free(times)
    return 0


cdef inline float _capped(float value, float cap) noexcept:
    """arrays.safe, but for NaN."""
    value = -cap if value < -cap else value
    return cap if value > cap else value


def boxes_on_screen(
    const float[:, ::1] box, float width, float twice, float height, float tall, float cap, float[:, ::1] found
):
    """The rows of style_boxes.of_boxes, but for logarithms and NaN; `tall` is the height, of at least one."""
    cdef Py_ssize_t block
    cdef float left, top, right, bottom, broad = max(<float>1, width)
    for block in range(box.shape[0]):
        left, top, right, bottom = box[block, 0], box[block, 1], box[block, 2], box[block, 3]
        found[0, block] = _capped(left / broad, cap)
        found[1, block] = _capped(top / tall, cap)
        found[2, block] = _capped(right / broad, cap)
        found[3, block] = _capped(bottom / tall, cap)
        found[4, block] = _capped((right - left) / width, cap)
        found[5, block] = _capped((bottom - top) / tall, cap)
        found[6, block] = _not_below_zero(bottom - top)
        found[7, block] = _capped((left + right) / twice, cap)
        found[8, block] = _not_below_zero(top)
        found[9, block] = _not_below_zero(height - bottom)
        found[10, block] = 1 if isnan(left) else 0


cdef inline float _not_below_zero(float value) noexcept:
    return value if value > 0 or isnan(value) else <float>0


def layers(
    const long long[::1] container, const int[::1] above, const signed char[::1] position,
    const signed char[::1] floated, int absolute, int fixed, int sticky, int unfloated, long long[::1] layer,
    float[:, ::1] found,
):
    """style_boxes.layers: the layer of each block, then whether it is layered, fixed, floated."""
    cdef Py_ssize_t block, at
    for block in range(container.shape[0]):
        at = container[block]
        while at > 0 and not absolute <= position[at] <= sticky:
            at = above[at]
        layer[block] = max(at, 0)
        at = layer[block]
        found[0, block] = 1 if position[at] == absolute or position[at] == fixed else 0
        found[1, block] = 1 if position[at] == fixed or position[at] == sticky else 0
        at = container[block]
        while at > 0 and floated[at] == unfloated:
            at = above[at]
        found[2, block] = 1 if floated[max(at, 0)] != unfloated else 0
