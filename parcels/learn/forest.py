"""Fast evaluation of many decision trees on some rows, in NumPy alone.

Rows are bits: a set of up to 64 rows is one integer. A condition (a number at most at a threshold, a word absent) is
the set of the rows where it holds; the rows that reach a node are those that reach its parent and fulfil its condition.
So a whole level of all trees is one AND of two arrays, whatever the number of rows (the idea of RapidScorer, Ye et al.
2018, with rows in place of leaves). The number of the leaf that a row reaches is then read off bit by bit.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from parcels.compiled import loaded
from parcels.learn.words import Floats, Ints, Words

loops = loaded("parcels.learn.tree_loops")  # None where it is not compiled: the same sums by NumPy, slower

BITS = 64
ROWS_AT_ONCE = 4 * BITS  # more would not stay in the processor's cache
MOST_LEAVES = 256  # of one tree, so that a leaf's number is one byte
Sets = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class Trees:
    """Trees one behind the other: tree t has `sizes[t]` inner nodes and one leaf more, numbered from 0 in each tree.

    A child from 0 on is an inner node, -1 the leaf 0, -2 the leaf 1. A row goes left where its number is at most the
    threshold; columns from `n_numbers` on are words, which count as 0 or 1.
    """

    sizes: Ints
    column: Ints
    threshold: Floats
    is_missing_left: npt.NDArray[np.bool_]
    left: Ints
    right: Ints
    leaf_value: Floats

    def fault(self) -> str | None:
        """What is wrong with the trees: each node must be reached from its root in just one way."""
        starts = np.cumsum(self.sizes) - self.sizes
        tree = np.repeat(np.arange(len(self.sizes)), self.sizes)
        node = np.arange(len(tree)) - starts[tree]
        for child in (self.left, self.right):
            is_inner = child >= 0
            if (child[is_inner] <= node[is_inner]).any() or (child >= self.sizes[tree]).any():
                return "a child stands before its parent or outside its tree"
            if (~child > self.sizes[tree]).any():
                return "a leaf is outside its tree"
        children, trees = np.concatenate([self.left, self.right]), np.concatenate([tree, tree])
        places = np.where(children >= 0, children, ~children + self.sizes[trees]) + 2 * starts[trees] + trees
        if len(np.unique(places)) != len(places):
            return "a node has two parents"
        return "a tree has too many leaves" if len(self.sizes) and self.sizes.max() >= MOST_LEAVES else None


class Level(NamedTuple):
    """The nodes at one depth: places in the level's sets."""

    inner: Ints
    condition: Ints
    leaf: Ints
    leaf_slot: Ints  # number of the leaf times the number of trees, plus the tree


class ByOutput(NamedTuple):
    """Trees for the compiled loop: those of one output one behind the other, in small numbers.

    A child is the place of an inner node, or the number of inner nodes plus that of a leaf.
    """

    sizes: npt.NDArray[np.int32]
    condition: npt.NDArray[np.int32]
    left: npt.NDArray[np.int16]
    right: npt.NDArray[np.int16]
    leaf_value: Floats


class Conditions(NamedTuple):
    """What nodes ask: numbers at most at a cut, the same or missing, then words absent."""

    columns: Ints
    cuts: list[Floats]
    or_missing: Ints  # places of the cuts that a missing number passes too
    words: Ints
    of_node: Ints


class Forest:
    """Trees made ready for `sums`: `outputs` trees a round, added up over the rounds."""

    def __init__(self, trees: Trees, outputs: int, n_numbers: int):
        self.outputs, self.count = outputs, len(trees.sizes)
        self.asked = _conditions(trees, n_numbers)
        cuts = np.array([len(column) for column in self.asked.cuts], np.int64)
        self.width = int((cuts + 1).sum())
        self.column_start = (np.cumsum(cuts + 1) - cuts - 1)[:, None]
        self.cut_column = np.repeat(np.arange(len(cuts)), cuts)
        self.cut_place = np.arange(len(self.cut_column)) + self.cut_column
        self.planes = max(int(trees.sizes.max(initial=0)).bit_length(), 1)
        self.slots = 2**self.planes
        self.levels = _levels(trees, self.asked.of_node, self.count)
        # Where the set of each slot (a leaf's number, then the tree) comes from; the set behind the last is empty.
        slots = np.concatenate([level.leaf_slot for level in self.levels])
        self.slot_source = np.full(self.slots * self.count, len(slots))
        self.slot_source[slots] = np.arange(len(slots))
        self.value = np.zeros((self.count, self.slots))
        tree = np.repeat(np.arange(self.count), trees.sizes + 1)
        self.value[tree, np.arange(len(tree)) - np.searchsorted(tree, tree)] = trees.leaf_value
        self.by_output = _by_output(trees, self.asked.of_node, outputs)
        self.cut_start = np.concatenate([[0], np.cumsum(cuts)])
        self.cuts = np.concatenate([np.zeros(0), *self.asked.cuts])

    def sums(self, numbers: Floats, words: Words) -> Floats:
        """For each row and output, the sum of the values of the leaves that the row reaches."""
        if loops is not None:
            return self._compiled_sums(numbers, words)
        if 0 < len(numbers) <= ROWS_AT_ONCE:
            return self._sums(numbers, words)
        result = np.zeros((len(numbers), self.outputs))
        for start in range(0, len(numbers), ROWS_AT_ONCE):
            part = slice(start, start + ROWS_AT_ONCE)
            rows = np.arange(start, min(start + ROWS_AT_ONCE, len(numbers)))
            result[part] = self._sums(numbers[part], words.take(rows) if len(self.asked.words) else words)
        return result

    def _compiled_sums(self, numbers: Floats, words: Words) -> Floats:
        asked, blocks = self.asked, -(-len(numbers) // BITS)
        on_numbers = len(self.cuts) + len(asked.or_missing)
        held = np.empty((blocks, on_numbers + len(asked.words)), np.uint64)
        loops.holds(
            numbers, asked.columns, self.cut_start, self.cuts, asked.or_missing, self.cut_column[asked.or_missing], held
        )
        if len(asked.words):
            row, everyone = np.arange(len(numbers)), _all_rows(len(numbers), blocks)
            bit = np.left_shift(np.uint64(1), (row % BITS).astype(np.uint64))
            held[:, on_numbers:] = self._absent(words, row // BITS, bit, everyone)
        sums = np.zeros((len(numbers), self.outputs))
        loops.leaf_sums(held, *self.by_output, sums)
        return sums

    def _sums(self, numbers: Floats, words: Words) -> Floats:
        rows, blocks = len(numbers), -(-len(numbers) // BITS)
        everyone = _all_rows(rows, blocks)
        leaf = self._leaves(self._holds(numbers, words, everyone), everyone)
        place = leaf + np.arange(0, self.count * self.slots, self.slots)[:, None]
        values = self.value.ravel().take(place).reshape(blocks, -1, self.outputs, BITS)
        sums = values.sum(axis=1).transpose(0, 2, 1).reshape(blocks * BITS, self.outputs)[:rows]
        # In rows, however many there are: what is added up along them later is added in one order then.
        return np.ascontiguousarray(sums)

    def _holds(self, numbers: Floats, words: Words, everyone: Sets) -> Sets:
        """The rows for which each condition holds: (blocks, conditions)."""
        row, blocks, asked = np.arange(len(numbers)), len(everyone), self.asked
        block, bit = row // BITS, np.left_shift(np.uint64(1), (row % BITS).astype(np.uint64))
        given = np.ascontiguousarray(numbers[:, asked.columns].T)
        place = np.empty(given.shape, np.int64)
        for number, cuts in enumerate(asked.cuts):  # NaN is sorted behind every cut
            place[number] = cuts.searchsorted(given[number])
        step = np.zeros(blocks * self.width, np.uint64)
        # One index of one dimension: that is what add.at does fast.
        np.add.at(step, (place + self.column_start + block * self.width).ravel(), np.tile(bit, len(asked.columns)))
        # Every column holds each row once, so that sums over whole columns are multiples of the set of all rows.
        at_most = step.reshape(blocks, self.width).cumsum(axis=1).take(self.cut_place, axis=1)
        at_most -= everyone[:, None] * self.cut_column.astype(np.uint64)
        flags = np.zeros((len(asked.columns), blocks * BITS), bool)
        flags[:, : len(numbers)] = np.isnan(given)
        missing = np.packbits(flags, axis=1, bitorder="little").view("<u8").T
        either = at_most.take(asked.or_missing, axis=1) | missing.take(self.cut_column[asked.or_missing], axis=1)
        return np.concatenate([at_most, either, self._absent(words, block, bit, everyone)], axis=1)

    def _absent(self, words: Words, block: Ints, bit: Sets, everyone: Sets) -> Sets:
        asked = self.asked.words
        absent = np.repeat(everyone[:, None], len(asked), axis=1)
        if len(asked):
            place = np.searchsorted(asked, words.columns)
            place[place == len(asked)] = 0
            is_asked = (asked[place] == words.columns) & (words.counts > 0)
            entry = words.row_of_entry()[is_asked]
            np.bitwise_and.at(absent, (block[entry], place[is_asked]), ~bit[entry])
        return absent

    def _leaves(self, holds: Sets, everyone: Sets) -> npt.NDArray[np.uint8]:
        """The number of the leaf that each row reaches: (blocks, trees, rows)."""
        blocks = len(holds)
        sets = np.repeat(everyone[:, None], self.count, axis=1)
        found = []
        for level in self.levels:
            found.append(sets.take(level.leaf, axis=1))
            above = sets.take(level.inner, axis=1)
            left = above & holds.take(level.condition, axis=1)
            sets = np.concatenate([left, above ^ left], axis=1)
        found.append(np.zeros((blocks, 1), np.uint64))
        reached = np.concatenate(found, axis=1).take(self.slot_source, axis=1)
        leaf = np.zeros((blocks, self.count, BITS), np.uint8)
        for plane in range(self.planes):
            halves = reached.reshape(blocks, -1, 2, 2**plane * self.count)[:, :, 1]
            union = np.bitwise_or.reduce(halves.reshape(blocks, -1, self.count), axis=1)
            bits = np.unpackbits(union.astype("<u8").view(np.uint8), axis=1, bitorder="little")
            leaf |= bits.reshape(leaf.shape) << plane
        return leaf


def _all_rows(rows: int, blocks: int) -> Sets:
    flags = np.zeros(blocks * BITS, np.uint8)
    flags[:rows] = 1
    return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64)


def _conditions(trees: Trees, n_numbers: int) -> Conditions:
    is_word = trees.column >= n_numbers
    words, columns = np.unique(trees.column[is_word]), np.unique(trees.column[~is_word])
    cuts, of_node, count = [], np.zeros(len(trees.column), np.int64), 0
    for column in columns.tolist():
        is_here = trees.column == column
        cuts.append(np.unique(trees.threshold[is_here]))
        of_node[is_here] = count + np.searchsorted(cuts[-1], trees.threshold[is_here])
        count += len(cuts[-1])
    is_either = ~is_word & trees.is_missing_left
    or_missing, place = np.unique(of_node[is_either], return_inverse=True)
    of_node[is_either] = count + place
    of_node[is_word] = count + len(or_missing) + np.searchsorted(words, trees.column[is_word])
    return Conditions(columns, cuts, or_missing, words - n_numbers, of_node)


def _by_output(trees: Trees, condition: Ints, outputs: int) -> ByOutput:
    order = np.arange(len(trees.sizes)).reshape(-1, outputs).T.ravel()
    rank = np.argsort(order)
    tree = np.repeat(np.arange(len(order)), trees.sizes)
    nodes = np.argsort(rank[tree], kind="stable")
    leaves = np.argsort(rank[np.repeat(np.arange(len(order)), trees.sizes + 1)], kind="stable")

    def places(child: Ints) -> Ints:
        found: Ints = np.where(child >= 0, child, trees.sizes[tree] + ~child)[nodes]
        return found

    return ByOutput(
        trees.sizes[order].astype(np.int32),
        condition[nodes].astype(np.int32),
        places(trees.left).astype(np.int16),
        places(trees.right).astype(np.int16),
        trees.leaf_value[leaves],
    )


def _levels(trees: Trees, condition: Ints, count: int) -> list[Level]:
    starts = np.cumsum(trees.sizes) - trees.sizes
    tree = np.arange(count)
    child = np.where(trees.sizes > 0, 0, -1)
    levels = []
    while len(child):
        inner, leaf = np.flatnonzero(child >= 0), np.flatnonzero(child < 0)
        node = starts[tree[inner]] + child[inner]
        levels.append(Level(inner, condition[node], leaf, ~child[leaf] * count + tree[leaf]))
        tree = np.concatenate([tree[inner], tree[inner]])
        child = np.concatenate([trees.left[node], trees.right[node]])
    return levels
