"""The result of a divider: blocks as runs of consecutive leaves."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from parcels.html.leaves import Bools, Ints, Leaves
from parcels.html.page import Page
from parcels.html.tags import Lookup


@dataclass(frozen=True, slots=True)
class Division:
    """The blocks of a page in document order: block n holds the leaves from `first[n]` up to the next block's first."""

    first: Ints
    container: Ints  # the row of the element that holds the block
    leaf_count: int

    def __len__(self) -> int:
        return len(self.first)

    def ranges(self) -> Iterator[tuple[int, int]]:
        """Yield the first leaf of each block and the leaf behind its last."""
        return pairwise([*self.first.tolist(), self.leaf_count])

    def block_of_leaf(self) -> NDArray[np.int64]:
        """Return the block of each leaf."""
        return np.repeat(np.arange(len(self)), np.diff(np.append(self.first, self.leaf_count)))


def divide_where(is_start: Bools, container: Ints, leaves: Leaves) -> Division:
    """Return the division that begins a block at every leaf where `is_start` (the first leaf always begins one)."""
    if not len(leaves):
        return Division(np.zeros(0, np.int32), np.zeros(0, np.int32), 0)
    is_start[0] = True
    first = np.flatnonzero(is_start).astype(np.int32)
    return Division(first, container[first], len(leaves))


def opened_between(page: Page, is_wanted: Bools) -> Ints:
    """Return for each leaf how many of the wanted nodes were opened between the leaf before it and its own end.

    A node that is a leaf itself counts for that leaf.
    """
    before = np.zeros(len(is_wanted) + 1, np.int32)
    np.cumsum(is_wanted, out=before[1:])
    return np.diff(before[page.leaves.opened], prepend=np.int32(0))


def closest(page: Page, is_wanted: Bools) -> Ints:
    """Return for each leaf the closest wanted node that holds it (or is it), the root where none does."""
    parent = page.nodes.parent
    above = np.where(is_wanted, np.arange(len(parent), dtype=np.int32), np.maximum(parent, 0))
    above[0] = 0
    while True:
        higher = above[above]  # twice as many levels in each turn
        if np.array_equal(higher, above):
            return above[page.leaves.node]
        above = higher


def of_tags(page: Page, table: Lookup) -> Bools:
    """Return which nodes have one of the tags of a lookup table."""
    return table[page.nodes.tag]


def block_text(page: Page, first: int, end: int) -> str:
    """Return the text of the leaves, with a blank where white space stood between them.

    >>> from parcels.html.page import read_page
    >>> block_text(read_page("<p>un<b>believ</b>able <i>news</i>"), 0, 4)
    'unbelievable news'
    """
    texts, spaced = page.leaves.text, page.leaves.is_spaced
    if end - first == 1:
        return texts[first]
    parts = [texts[first]]
    for leaf in range(first + 1, end):
        if spaced[leaf]:
            parts.append(" ")
        parts.append(texts[leaf])
    return "".join(parts).strip()
