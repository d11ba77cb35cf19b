# cython: wraparound=False, cdivision=True
"""The context view in few passes over the blocks; context_groups.py, context_anchors.py and context_neighbours.py say what
each row means, and round where these do."""

from libc.math cimport isnan
from libc.stdlib cimport free, malloc, qsort

ctypedef long long Int

cdef enum:
    MOST_BEFORE = 10  # context_groups.place_in_entry
    MOST_LEVELS_OFF = 15  # context_anchors.levels_off_main
    MOST_LEVELS_ABOVE = 20  # context_anchors.levels_above_main
    GROUPED = 24  # rows; those of ANCHORED, PLACED and NEIGHBOURS are behind
    ANCHORED = 18
    PLACED = 8

cdef float NONE = <float>float("nan")
cdef int[4] STEPS = [2, 1, -1, -2]  # to neighbours, as context_neighbours.FEATURES has them


cdef struct Weighed:  # a number with a weight, and its place
    float value, weight
    Py_ssize_t place


def anchors(
    const float[::1] chars, const float[::1] link_share, const float[::1] leaf_chars, const Int[::1] block_of_leaf,
    const int[::1] first_leaf, const int[::1] end_leaf, const Int[::1] container, const int[::1] parent,
    const float[::1] title_overlap, const unsigned char[:, ::1] inside, Int h1, Int h2, Int nav, float min_chars,
    float max_link_share, float share, Int far, float[::1] mass, float[::1] of_node, Int[::1] common, Int[::1] branch,
):
    """context_anchors.anchors: the arrays of Anchors; then main, first, last and title."""
    cdef Py_ssize_t blocks = chars.shape[0], leaves = leaf_chars.shape[0], nodes = first_leaf.shape[0]
    cdef Py_ssize_t block, leaf, row, main = 0, first = blocks, last = blocks, title = 0, begin, end
    cdef Int at
    cdef double whole, score, best = 0
    cdef double* before = <double*>malloc((leaves + 1) * sizeof(double))
    if before == NULL:
        raise MemoryError
    for block in range(blocks):
        mass[block] = 0
        if chars[block] >= min_chars and link_share[block] <= max_link_share:
            mass[block] = chars[block] * (<float>1 - link_share[block])
    before[0] = 0
    for leaf in range(leaves):
        block = block_of_leaf[leaf]
        before[leaf + 1] = before[leaf] + <double>(
            mass[block] * leaf_chars[leaf] / (chars[block] if chars[block] > 1 else <float>1)
        )
    whole = max(before[end_leaf[0]] - before[first_leaf[0]], 1e-9)
    for row in range(nodes):
        of_node[row] = <float>((before[end_leaf[row]] - before[first_leaf[row]]) / whole)
        if of_node[row] >= share:
            main = row
    free(before)
    begin, end = first_leaf[main], end_leaf[main]
    if end > begin:
        for block in range(block_of_leaf[begin], block_of_leaf[end - 1] + 1):
            if mass[block] > 0:
                first, last = min(first, block), block
    for block in range(blocks):
        at = container[block]
        while at > 0 and not of_node[at] >= share:
            at = parent[at]
        common[block] = max(at, 0)
        at = container[block]
        while at > 0 and at != common[block] and parent[at] != common[block]:
            at = parent[at]
        branch[block] = max(at, 0)
        score = <double>(<float>2 * title_overlap[block] + <float>inside[h1, block])
        score = score + 0.3 * inside[h2, block] - 0.5 * inside[nav, block]
        score = score - 0.02 * <double>min(abs(first - block), <Py_ssize_t>far) - 0.3 * (block > first)
        if block == 0 or score > best:
            title, best = block, score
    return main, first, last, title if best > 0.5 else -1


def headings(
    const float[::1] chars, const float[::1] words, const float[::1] level, const float[::1] link_share,
    const float[::1] font_size, const float[::1] font_weight, const Int[::1] container, const int[::1] parent,
    const Int[::1] first, const Int[::1] end, const Int[::1] lists, const Int[::1] branch, const float[::1] of_node,
    float most_chars, Int most_under, int levels, Int[::1] is_heading, Int[::1] over, Int[::1] over_list,
    Int[::1] of_branch,
):
    """context_neighbours.headings: the arrays of Headings."""
    cdef Py_ssize_t blocks = chars.shape[0], block, step, under
    cdef Int at, reach, before, last = blocks - 1
    cdef int up
    for block in range(blocks):
        over[block] = -1
        is_heading[block] = level[block] > 0 or (
            _is_short(chars[block], words[block], most_chars)
            and link_share[block] < <float>0.5
            and (font_size[block] > <float>1.15 or font_weight[block] >= 2)
        )
    for block in range(blocks):
        if is_heading[block]:
            at = container[block]
            for step in range(2):  # the smallest element that goes on behind it, then the next one that goes further
                reach = end[at]
                while at > 0 and (end[at] <= block + 1 or end[at] <= reach):
                    at = parent[at]
                if end[at] - first[at] <= most_under or over[min(<Int>block + 1, last)] != block:
                    for under in range(block + 1, end[at]):
                        over[under] = block
        at, before = lists[block], first[lists[block]] - 1
        over_list[block] = -1
        if at > 0 and before >= 0:
            for up in range(levels):
                at = max(<Int>parent[at], 0)
                if first[at] <= before:
                    break
            if first[at] <= before and _is_short(chars[before], words[before], most_chars):
                over_list[block] = before
        at = min(first[branch[block]], last)
        of_branch[block] = -1
        if _is_short(chars[at], words[at], most_chars) and of_node[branch[block]] < <float>0.5:
            of_branch[block] = at


cdef inline bint _is_short(float chars, float words, float most) noexcept:
    return chars <= most and words > 0


def around(
    const Int[::1] container, const int[::1] parent, const int[::1] depth, const int[::1] last,
    const Int[::1] entries, const float[::1] chars, const float[::1] linked, const float[::1] images,
    const float[::1] repeats, const Int[::1] first_block, const Int[::1] end_block, const Int[::1] h1,
    const Int[::1] levels, const float[::1] block_chars, const Int[::1] own_parent, const Int[::1] common,
    const Int[::1] branch, const float[::1] of_node, const float[::1] mass, float total, Int main, Int first, Int end,
    Int title, const float[:, ::1] box, float width, Int far, float cap, const Int[::1] over,
    const Int[::1] is_heading, const float[::1] log_chars, const float[::1] link_share, const short[::1] tag,
    const signed char[::1] kind, int image, const int[::1] first_leaf, float[:, ::1] found, float[:, ::1] logs,
    Int[:, ::1] counts,
):
    """context.of_context: into `found` its rows, into `logs` and `counts` what logarithms are taken of (see `told`).

    `h1` has the rows of these elements, and one more behind the last; `first_leaf` is that of each block.
    """
    _grouped(
        container, parent, depth, last, entries, chars, linked, images, repeats, first_block, end_block, block_chars,
        h1, levels, found, logs, counts,
    )
    _anchored(
        container, own_parent, common, branch, depth, main, last[main], chars, linked, first_block, end_block, of_node,
        mass, total, first, end, title, far, box, width, cap, found[<int>GROUPED:], logs[7:], counts[4],
    )
    _placed(over, title, end, is_heading, box, own_parent, far, found[<int>GROUPED + <int>ANCHORED:], logs[9:])
    _beside(
        log_chars, link_share, is_heading, tag, box, width, cap, kind, image, first_leaf,
        found[<int>GROUPED + <int>ANCHORED + <int>PLACED:],
    )


def told(const float[:, ::1] logs, const float[:, ::1] counts, const float[:, ::1] signs, float cap, float[:, ::1] found):
    """The rows of `around` that are logarithms, which are given; of the last three the numbers themselves too."""
    cdef int[8] rows = [0, 1, 4, 7, 12, 16, 20, GROUPED + 3]
    cdef int[5] of_counts = [5, 14, 18, 22, GROUPED + 5]
    cdef int[3] of_signs = [GROUPED + 16, GROUPED + ANCHORED + 4, GROUPED + ANCHORED + 5]
    cdef Py_ssize_t block, row
    cdef float value
    for block in range(found.shape[1]):
        for row in range(8):
            found[rows[row], block] = logs[row, block]
        for row in range(5):
            found[of_counts[row], block] = counts[row, block]
        for row in range(3):
            value = signs[row, block]
            if not isnan(value):
                value = logs[8 + row, block] * (<float>1 if value > 0 else <float>-1 if value < 0 else <float>0)
            found[of_signs[row], block] = _safe(value, cap)


cdef inline float _safe(float value, float cap) noexcept:
    """arrays.safe."""
    if isnan(value):
        return -1
    value = -cap if value < -cap else value
    return cap if value > cap else value


cdef inline float _share(float part, float whole) noexcept:
    return part / (whole if whole > 1 else <float>1)


cdef void _grouped(
    const Int[::1] container, const int[::1] parent, const int[::1] depth, const int[::1] last, const Int[::1] entries,
    const float[::1] chars, const float[::1] linked, const float[::1] images, const float[::1] repeats,
    const Int[::1] first_block, const Int[::1] end_block, const float[::1] block_chars, const Int[::1] h1,
    const Int[::1] levels, float[:, ::1] found, float[:, ::1] logs, Int[:, ::1] blocks,
) noexcept:
    """The rows of GROUPED."""
    cdef Py_ssize_t block, level, row
    cdef Int at, entry, list_, up
    cdef float whole = chars[0] if chars[0] > 1 else <float>1
    for block in range(container.shape[0]):
        entry = entries[block]
        if entry > 0:
            list_ = max(<Int>parent[entry], 0)
            logs[0, block] = repeats[entry]
            logs[1, block] = chars[entry]
            logs[2, block] = images[entry]
            logs[3, block] = chars[list_]
            blocks[0, block] = end_block[entry] - first_block[entry]
            found[2, block] = _share(block_chars[block], chars[entry])
            found[3, block] = _share(linked[entry], chars[entry])
            found[6, block] = <float>min(<Int>block - first_block[entry], <Int>MOST_BEFORE)
            found[8, block] = _share(linked[list_], chars[list_])
            found[9, block] = images[list_] / (repeats[entry] if repeats[entry] > 1 else <float>1)
            found[10, block] = chars[list_] / whole
            found[11, block] = <float>(depth[container[block]] - depth[entry])
        else:
            logs[0, block] = logs[1, block] = logs[2, block] = logs[3, block] = 0
            blocks[0, block] = 0
            found[2, block] = found[3, block] = found[8, block] = found[9, block] = found[10, block] = 0
            found[6, block] = found[11, block] = -1
        at, up = container[block], 0
        for level in range(levels.shape[0]):
            while up < levels[level]:
                at, up = max(<Int>parent[at], 0), up + 1
            row = 12 + 4 * level
            logs[4 + level, block] = chars[at]
            blocks[1 + level, block] = end_block[at] - first_block[at]
            found[row + 1, block] = _share(linked[at], chars[at])
            found[row + 3, block] = _first_from(h1, at) <= last[at]


cdef Int _first_from(const Int[::1] rows, Int at) noexcept:
    """The first of ordered rows that is not before one; the last is behind all."""
    cdef Py_ssize_t low = 0, high = rows.shape[0] - 1, middle
    while low < high:
        middle = (low + high) // 2
        if rows[middle] < at:
            low = middle + 1
        else:
            high = middle
    return rows[low]


cdef int _anchored(
    const Int[::1] container, const Int[::1] parent, const Int[::1] common, const Int[::1] branch,
    const int[::1] depth, Int main, Int last_of_main, const float[::1] chars, const float[::1] linked,
    const Int[::1] first_block, const Int[::1] end_block, const float[::1] of_node, const float[::1] mass, float total,
    Int first, Int last, Int title, Int far, const float[:, ::1] box, float width, float cap, float[:, ::1] found,
    float[:, ::1] logs, Int[::1] blocks,
) except -1:
    """The rows of ANCHORED."""
    cdef Py_ssize_t count = container.shape[0], block, at, side
    cdef Int seen = -far
    cdef float before = 0
    cdef float[2] columns
    for side in range(2):
        columns[side] = _median(box, mass, 2 * side)
    for block in range(count):
        at = branch[block]
        found[0, block] = 1 if main <= container[block] <= last_of_main else 0
        found[1, block] = <float>min(depth[container[block]] - depth[common[block]], <int>MOST_LEVELS_OFF)
        found[2, block] = <float>min(depth[main] - depth[common[block]], <int>MOST_LEVELS_ABOVE)
        logs[0, block] = chars[at]
        found[4, block] = _share(linked[at], chars[at])
        blocks[block] = end_block[at] - first_block[at]
        found[6, block] = of_node[at]
        found[7, block] = of_node[parent[block]]
        found[8, block] = <float>min(max(<Int>block - first, -far), far)
        found[9, block] = <float>min(max(<Int>block - last, -far), far)
        found[10, block] = <float>min(max(<Int>block - title, -far), far) if title >= 0 else <float>(2 * far)
        if mass[block] > 0:
            seen = block
        found[11, block] = <float>min(<Int>block - seen, far)
        before += mass[block]
        found[13, block] = (before - mass[block]) / total
        for side in range(2):
            found[14 + side, block] = _safe((box[block, 2 * side] - columns[side]) / width, cap)
        logs[1, block] = box[block, 1] - box[title, 1] if title >= 0 else NONE
        found[17, block] = block == title
    seen = count + far
    for block in range(count - 1, -1, -1):
        if mass[block] > 0:
            seen = block
        found[12, block] = <float>min(seen - block, far)
    return 0


cdef float _median(const float[:, ::1] box, const float[::1] mass, int column) except? -1:
    """context_anchors._median_of_running."""
    cdef Py_ssize_t block, count = 0, at
    cdef float whole = 0, sum_ = 0, found
    cdef Weighed* sorted_ = <Weighed*>malloc(max(mass.shape[0], 1) * sizeof(Weighed))
    if sorted_ == NULL:
        raise MemoryError
    for block in range(mass.shape[0]):
        if mass[block] > 0 and not isnan(box[block, column]):
            sorted_[count] = Weighed(box[block, column], mass[block], block)
            count += 1
    if count == 0:
        free(sorted_)
        return NONE
    qsort(sorted_, count, sizeof(Weighed), _compared)
    for at in range(count):
        whole += sorted_[at].weight
    found = sorted_[count - 1].value
    for at in range(count):
        sum_ += sorted_[at].weight
        if sum_ >= whole / 2:
            found = sorted_[at].value
            break
    free(sorted_)
    return found


cdef int _compared(const void* one, const void* two) noexcept nogil:
    cdef const Weighed* a = <const Weighed*>one
    cdef const Weighed* b = <const Weighed*>two
    if a.value != b.value:
        return -1 if a.value < b.value else 1
    return -1 if a.place < b.place else 1


cdef void _placed(
    const Int[::1] over, Int title, Int last, const Int[::1] is_heading, const float[:, ::1] box,
    const Int[::1] parent, Int far, float[:, ::1] found, float[:, ::1] gaps,
) noexcept:
    """The rows of PLACED."""
    cdef Py_ssize_t block, count = over.shape[0]
    for block in range(count):
        found[0, block] = <float>min(<Int>block - over[block], far) if over[block] >= 0 else <float>-1
        found[1, block] = over[block] >= 0 and over[block] == title
        found[2, block] = over[block] > last
        found[3, block] = <float>is_heading[block]
        gaps[0, block] = box[block, 1] - box[block - 1, 3] if block > 0 else NONE
        gaps[1, block] = box[block + 1, 1] - box[block, 3] if block + 1 < count else NONE
        found[6, block] = block > 0 and <double><float>parent[block - 1] == <double>parent[block]
        found[7, block] = block + 1 < count and <double><float>parent[block + 1] == <double>parent[block]


cdef void _beside(
    const float[::1] log_chars, const float[::1] link_share, const Int[::1] is_heading, const short[::1] tag,
    const float[:, ::1] box, float width, float cap, const signed char[::1] kind, int image,
    const int[::1] first_leaf, float[:, ::1] found,
) noexcept:
    """The rows of neighbours: four values of those at each of STEPS, then two of the next ones."""
    cdef Py_ssize_t block, step, to, leaf, end, row, blocks = tag.shape[0]
    cdef float images, left
    for step in range(4):
        for block in range(blocks):
            if not 0 <= block - STEPS[step] < blocks:
                for row in range(4):
                    found[4 * step + row, block] = -1
                if 0 < step < 3:
                    found[14 + 2 * step, block] = found[15 + 2 * step, block] = -1
    for block in range(blocks):
        end = first_leaf[block + 1] if block + 1 < blocks else kind.shape[0]
        images = 0
        for leaf in range(first_leaf[block], end):
            images += kind[leaf] == image
        left = _safe(box[block, 0] / width, cap)
        for step in range(4):
            to = block + STEPS[step]
            if 0 <= to < blocks:
                found[4 * step, to] = _safe(log_chars[block], cap)
                found[4 * step + 1, to] = _safe(link_share[block], cap)
                found[4 * step + 2, to] = _safe(images, cap)
                found[4 * step + 3, to] = <float>is_heading[block]
                if 0 < step < 3:
                    found[14 + 2 * step, to] = <float>tag[block]
                    found[15 + 2 * step, to] = left
