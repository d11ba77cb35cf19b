# cython: wraparound=False, cdivision=True
"""Features of groups and of neighbours in one pass over the blocks; context_groups.py and context_neighbours.py say what
each means, and round where these do."""

ctypedef long long Int
ctypedef fused Row:
    int
    long long

cdef enum:
    MOST_BEFORE = 10  # context_groups.place_in_entry


cdef inline float _share(float part, float whole) noexcept:
    return part / (whole if whole > 1 else <float>1)


def grouped(
    const Int[::1] container, const Row[::1] parent, const Row[::1] depth, const Row[::1] last, const Int[::1] entries,
    const float[::1] chars, const float[::1] linked, const float[::1] images, const float[::1] repeats,
    const Int[::1] first_block, const Int[::1] end_block, const float[::1] block_chars, const Int[::1] h1,
    const Int[::1] levels, float[:, ::1] found, float[:, ::1] logs, Int[:, ::1] blocks,
):
    """context_groups.of_groups: into `found` the rows of GROUPED, into `logs` and `blocks` what logarithms are taken of.

    `h1` has the rows of these elements, and one more behind the last.
    """
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


def beside(
    const Int[::1] over, Int title, Int last, const Int[::1] is_heading, const float[:, ::1] box, const Int[::1] parent,
    Int far, float[:, ::1] found, float[:, ::1] gaps,
):
    """context_neighbours.of_place: into `found` the rows of PLACED, into `gaps` those of them that are gaps, in px."""
    cdef Py_ssize_t block, count = over.shape[0]
    cdef float none = <float>float("nan")
    for block in range(count):
        found[0, block] = <float>min(<Int>block - over[block], far) if over[block] >= 0 else <float>-1
        found[1, block] = over[block] >= 0 and over[block] == title
        found[2, block] = over[block] > last
        found[3, block] = <float>is_heading[block]
        gaps[0, block] = box[block, 1] - box[block - 1, 3] if block > 0 else none
        gaps[1, block] = box[block + 1, 1] - box[block, 3] if block + 1 < count else none
        found[6, block] = block > 0 and <double><float>parent[block - 1] == <double>parent[block]
        found[7, block] = block + 1 < count and <double><float>parent[block + 1] == <double>parent[block]
