# cython: wraparound=False, cdivision=True
"""The inner loops of forest.py: the rows that fulfil each condition, and the leaf of each tree that a row reaches.

Branching on each row's leaf would be slow. Instead rows are the bits of sets, and the numbers of the leaves are
assembled bit by bit, for the 64 rows of a set at once.
"""

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Sets = npt.NDArray[np.uint64]

BITS = 64
ALL = 0xFFFFFFFFFFFFFFFF
MOST_REACHED = 514  # inner nodes, leaves and one more in the largest tree (forest.MOST_LEAVES)
# The bits of a byte, each as the lowest bit of one of 8 bytes, in the order of the bytes in memory.
SPREAD = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").view(np.uint64).ravel()


def rows_that_hold(
    numbers: Floats, columns: Ints, cut_start: Ints, cuts: Floats, or_missing: Ints, missing_column: Ints, held: Sets
) -> None:
    """Write the set of rows where each condition on numbers holds into `held`, 64 rows per block.

    The conditions are first the cuts of each column (number <= cut), then those cuts that missing numbers also pass.
    """
    one, count, either = 1, columns.shape[0], cuts.shape[0]
    missing = np.empty(count, np.uint64)
    for block in range(held.shape[0]):
        first = block * BITS
        size = min(numbers.shape[0] - first, BITS)
        for number in range(count):
            column, begin, end = columns[number], cut_start[number], cut_start[number + 1]
            for place in range(begin, end):
                held[block, place] = 0
            is_missing, last, place = 0, np.nan, begin
            for row in range(size):
                value, bit = numbers[first + row, column], one << row
                if value != value:
                    is_missing |= bit
                    continue
                if value != last:  # many features have one value in most blocks of a page
                    last, place, left = value, begin, end - begin  # the first cut that is not below the number
                    while left > 1:
                        half = left >> 1
                        place += half * (cuts[place + half - 1] < value)  # branch-free: a branch would be mispredicted
                        left -= half
                    if left and cuts[place] < value:
                        place += 1
                if place < end:
                    held[block, place] |= bit
            for place in range(begin + 1, end):
                held[block, place] |= held[block, place - 1]
            missing[number] = is_missing
        for place in range(or_missing.shape[0]):
            held[block, either + place] = held[block, or_missing[place]] | missing[missing_column[place]]


def add_leaves(
    held: Sets,
    sizes: npt.NDArray[np.int32],
    condition: npt.NDArray[np.int32],
    left: npt.NDArray[np.int16],
    right: npt.NDArray[np.int16],
    leaf_value: Floats,
    sums: Floats,
) -> None:
    """Write for each row and output the sum of the values of the leaves that the row reaches.

    The trees of one output are consecutive, and each output has equally many. In a tree, inner nodes precede leaves.
    """
    one, rows, outputs = 1, sums.shape[0], sums.shape[1]
    trees = sizes.shape[0] // max(outputs, 1)
    reached, added = np.empty(MOST_REACHED, np.uint64), np.empty(BITS)
    numbers = np.empty(BITS, np.uint8)  # of the leaf of each row
    number, packed = numbers, numbers.view(np.uint64)  # the same bytes, one per row and 8 at a time
    for block in range(held.shape[0]):
        size = min(rows - block * BITS, BITS)
        everyone = ALL if size == BITS else (one << size) - 1
        node_start = leaf_start = 0
        for output in range(outputs):
            for row in range(size):
                added[row] = 0
            for tree in range(output * trees, (output + 1) * trees):
                inner = sizes[tree]
                reached[0] = everyone
                for node in range(inner):
                    at = reached[node]
                    goes_left = at & held[block, condition[node_start + node]]
                    reached[left[node_start + node]] = goes_left
                    reached[right[node_start + node]] = at ^ goes_left
                number_rows(reached, inner, size, packed)
                for row in range(size):
                    added[row] += leaf_value[leaf_start + number[row]]
                node_start += inner
                leaf_start += inner + 1
            for row in range(size):
                sums[block * BITS + row, output] = added[row]


def number_rows(sets: Sets, first: int, rows: int, packed: Sets) -> None:
    """Write the number of the set that each row is in, as one byte; overwrite the `first + 1` sets from `first` on."""
    count, plane, parts = first + 1, 0, (rows + 7) >> 3
    for part in range(parts):
        packed[part] = 0
    while count > 1:
        odd = 0
        if count & 1:
            sets[first + count] = 0
            count += 1
        count >>= 1
        for at in range(count):
            odd |= sets[first + 2 * at + 1]
            sets[first + at] = sets[first + 2 * at] | sets[first + 2 * at + 1]
        for part in range(parts):
            packed[part] |= SPREAD[(odd >> (8 * part)) & 255] << plane
        plane += 1
