"""Fast evaluation of many decision trees on some rows.

Rows are bits: a set of up to 64 rows is one integer. A condition (a number at most at a threshold, a word absent) is
the set of the rows where it holds; the rows that reach a node are those that reach its parent and fulfil its condition.
So a node is one AND for 64 rows (the idea of RapidScorer, Ye et al. 2018, with rows in place of leaves). The number of
the leaf that a row reaches is then read off bit by bit.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from parcels.learn.tree_sums import add_leaves, rows_that_hold
from parcels.learn.words import Floats, Ints, Words

BITS = 64
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
        self.outputs = outputs
        self.asked = _conditions(trees, n_numbers)
        cuts = np.array([len(column) for column in self.asked.cuts], np.int64)
        self.cut_column = np.repeat(np.arange(len(cuts)), cuts)
        self.by_output = _by_output(trees, self.asked.of_node, outputs)
        self.cut_start = np.concatenate([[0], np.cumsum(cuts)])
        self.cuts = np.concatenate([np.zeros(0), *self.asked.cuts])

    def sums(self, numbers: Floats, words: Words) -> Floats:
        """For each row and output, the sum of the values of the leaves that the row reaches."""
        asked, blocks = self.asked, -(-len(numbers) // BITS)
        on_numbers = len(self.cuts) + len(asked.or_missing)
        held = np.empty((blocks, on_numbers + len(asked.words)), np.uint64)
        rows_that_hold(
            numbers, asked.columns, self.cut_start, self.cuts, asked.or_missing, self.cut_column[asked.or_missing], held
        )
        if len(asked.words):
            row, everyone = np.arange(len(numbers)), _all_rows(len(numbers), blocks)
            bit = np.left_shift(np.uint64(1), (row % BITS).astype(np.uint64))
            held[:, on_numbers:] = self._absent(words, row // BITS, bit, everyone)
        sums = np.zeros((len(numbers), self.outputs))
        add_leaves(held, *self.by_output, sums)
        return sums

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
