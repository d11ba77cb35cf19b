"""Fast evaluation of decision trees on many rows.

A set of up to 64 rows is one integer, with one bit per row. A condition (a number is at most a threshold, a word is
absent) is the set of rows where it holds; the rows that reach a node are those that reach its parent and fulfil its
condition. So a node costs one AND per 64 rows (after RapidScorer, Ye et al. 2018, with rows in place of leaves). The
number of the leaf that a row reaches is then assembled bit by bit.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from parcels.learn.tree_sums import add_leaves, rows_that_hold
from parcels.learn.words import Floats, Ints, Words

BITS = 64
MOST_LEAVES = 256  # of one tree: a leaf's number is one byte
Sets = npt.NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class TreeArrays:
    """Consecutive trees: tree t has `sizes[t]` inner nodes and one more leaf, both numbered from 0 in each tree.

    A child >= 0 is an inner node, -1 is leaf 0, -2 is leaf 1. A row goes left if its number is at most the
    threshold. Columns from `n_numbers` on are words, which count as 0 or 1.
    """

    sizes: Ints
    column: Ints
    threshold: Floats
    is_missing_left: npt.NDArray[np.bool_]
    left: Ints
    right: Ints
    leaf_value: Floats

    def fault(self) -> str | None:
        """Return what is wrong with the trees, or None. Each node must be reachable from its root in one way."""
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
    """Trees for the compiled loop: the trees of one output are consecutive, in small integers.

    A child is the index of an inner node, or the number of inner nodes plus that of a leaf.
    """

    sizes: npt.NDArray[np.int32]
    condition: npt.NDArray[np.int32]
    left: npt.NDArray[np.int16]
    right: npt.NDArray[np.int16]
    leaf_value: Floats


class Conditions(NamedTuple):
    """The conditions of nodes: number <= cut, then number <= cut or missing, then word absent."""

    columns: Ints
    cuts: list[Floats]
    or_missing: Ints  # indices of the cuts that missing numbers also pass
    words: Ints
    of_node: Ints


class Forest:
    """Trees prepared for `sums`: `outputs` trees per round, summed over the rounds."""

    def __init__(self, trees: TreeArrays, outputs: int, n_numbers: int):
        self.outputs = outputs
        self.conditions = _conditions(trees, n_numbers)
        cuts = np.array([len(column) for column in self.conditions.cuts], np.int64)
        self.cut_column = np.repeat(np.arange(len(cuts)), cuts)
        self.by_output = _by_output(trees, self.conditions.of_node, outputs)
        self.cut_start = np.concatenate([[0], np.cumsum(cuts)])
        self.cuts = np.concatenate([np.zeros(0), *self.conditions.cuts])

    def sums(self, numbers: Floats, words: Words) -> Floats:
        """Return for each row and output the sum of the values of the leaves that the row reaches."""
        conditions, blocks = self.conditions, -(-len(numbers) // BITS)
        on_numbers = len(self.cuts) + len(conditions.or_missing)
        held = np.empty((blocks, on_numbers + len(conditions.words)), np.uint64)
        or_missing = conditions.or_missing
        rows_that_hold(
            numbers, conditions.columns, self.cut_start, self.cuts, or_missing, self.cut_column[or_missing], held
        )
        if len(conditions.words):
            row, everyone = np.arange(len(numbers)), _all_rows(len(numbers), blocks)
            bit = np.left_shift(np.uint64(1), (row % BITS).astype(np.uint64))
            held[:, on_numbers:] = self._absent(words, row // BITS, bit, everyone)
        sums = np.zeros((len(numbers), self.outputs))
        add_leaves(held, *self.by_output, sums)
        return sums

    def _absent(self, words: Words, block: Ints, bit: Sets, everyone: Sets) -> Sets:
        columns = self.conditions.words
        absent = np.repeat(everyone[:, None], len(columns), axis=1)
        if len(columns):
            place = np.searchsorted(columns, words.columns)
            place[place == len(columns)] = 0
            is_used = (columns[place] == words.columns) & (words.counts > 0)
            entry = words.row_of_entry()[is_used]
            np.bitwise_and.at(absent, (block[entry], place[is_used]), ~bit[entry])
        return absent


def _all_rows(rows: int, blocks: int) -> Sets:
    flags = np.zeros(blocks * BITS, np.uint8)
    flags[:rows] = 1
    return np.packbits(flags, bitorder="little").view("<u8").astype(np.uint64)


def _conditions(trees: TreeArrays, n_numbers: int) -> Conditions:
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


def _by_output(trees: TreeArrays, condition: Ints, outputs: int) -> ByOutput:
    order = np.arange(len(trees.sizes)).reshape(-1, outputs).T.ravel()
    rank = np.argsort(order)
    tree = np.repeat(np.arange(len(order)), trees.sizes)
    nodes = np.argsort(rank[tree], kind="stable")
    leaves = np.argsort(rank[np.repeat(np.arange(len(order)), trees.sizes + 1)], kind="stable")

    def places(child: Ints) -> Ints:
        result: Ints = np.where(child >= 0, child, trees.sizes[tree] + ~child)[nodes]
        return result

    return ByOutput(
        trees.sizes[order].astype(np.int32),
        condition[nodes].astype(np.int32),
        places(trees.left).astype(np.int16),
        places(trees.right).astype(np.int16),
        trees.leaf_value[leaves],
    )
