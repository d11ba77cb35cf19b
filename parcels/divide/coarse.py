"""The coarse divider: large blocks in the spirit of VIPS, for the three-level importance model.

From the root downwards an element is divided where it is large and its parts differ, and kept whole where it is small
or holds no other block-level element. Neighbouring parts of one kind (running text, or links) that were kept whole
are one block.
"""

from typing import NamedTuple

import numpy as np

from parcels.divide.division import Division
from parcels.html.page import Page
from parcels.html.tags import IS_BLOCK_LEVEL, lookup

SMALL_SHARE = 0.02  # of the page's characters: an element below it is not divided (34 blocks a news page)
SMALL_CHARS = 60  # nor is one below this, however short the page
LINKED = 0.3  # share of the characters inside links from which a part is links, not text
IMAGE_CHARS = 20  # the weight of an image or other medium, in characters
_STANDS_ALONE = lookup("header footer nav main aside article section form hr")  # never joined with a neighbour


class _LeafRun(NamedTuple):
    """A run of leaves below an element: a child element's, or the loose text between children."""

    first: int
    end: int
    row: int | None  # None for loose text


def divide(page: Page) -> Division:
    """Divide a page into large blocks.

    >>> from parcels.html.page import read_page
    >>> text = "<p>" + "So it went on and on for a while. " * 9
    >>> page = read_page("<nav><a href=a>Home</a> <a href=b>Sport</a></nav><div><h1>News</h1>" + 3 * text + "</div>")
    >>> [end - first for first, end in divide(page).ranges()]
    [2, 4]
    """
    blocks = sorted(_Coarse(page).blocks())
    first = np.array([block[0] for block in blocks], np.int32)
    return Division(first, np.array([block[1] for block in blocks], np.int32), len(page.leaves))


class _Coarse:
    """A page's arrays as lists and prefix sums, and the rules on them."""

    def __init__(self, page: Page):
        nodes, leaves = page.nodes, page.leaves
        self.tag, self.last = nodes.tag.tolist(), nodes.last.tolist()
        self.first_leaf, self.end_leaf = nodes.first_leaf.tolist(), nodes.end_leaf.tolist()
        chars = np.array(
            [len(text) if kind == "text" else IMAGE_CHARS for kind, text in zip(leaves.kind, leaves.text, strict=True)],
            np.int64,
        )
        self.chars_before = np.concatenate(([0], np.cumsum(chars))).tolist()
        self.linked_before = np.concatenate(([0], np.cumsum(chars * leaves.is_link))).tolist()
        is_block = IS_BLOCK_LEVEL[nodes.tag] & (nodes.end_leaf > nodes.first_leaf)
        self.blocks_before = np.concatenate(([0], np.cumsum(is_block))).tolist()
        self.small = max(SMALL_CHARS, SMALL_SHARE * self.chars_before[-1])

    def blocks(self) -> list[tuple[int, int]]:
        """Return first leaf and container of every block; a stack replaces recursion, for deep pages."""
        done: list[tuple[int, int]] = []
        stack = [0] if self.end_leaf[0] else []
        while stack:
            row = stack.pop()
            runs = self.runs(row)
            while len(runs) == 1 and runs[0].row is not None:  # a wrapper
                row = runs[0].row
                runs = self.runs(row)
            if self.is_large(row):
                self.divide(row, runs, done, stack)
            else:
                done.append((self.first_leaf[row], row))
        return done

    def divide(self, row: int, runs: list[_LeafRun], done: list[tuple[int, int]], stack: list[int]) -> None:
        """Put the large parts of an element on the stack and join the others into blocks."""
        kind_before: bool | None = None  # whether the open block is links; None where nothing may join it
        for run in runs:
            if run.row is not None and self.is_large(run.row):
                stack.append(run.row)
                kind_before = None
                continue
            is_links = self.is_links(run)
            stands_alone = run.row is not None and bool(_STANDS_ALONE[self.tag[run.row]])
            if stands_alone or is_links is not kind_before:
                done.append((run.first, row if run.row is None else run.row))
            kind_before = None if stands_alone else is_links

    def runs(self, row: int) -> list[_LeafRun]:
        """Return the children of an element that hold leaves, and the loose runs of leaves between them."""
        runs: list[_LeafRun] = []
        at, child = self.first_leaf[row], row + 1
        while child <= self.last[row]:
            first, end = self.first_leaf[child], self.end_leaf[child]
            if end > first:
                if first > at:
                    runs.append(_LeafRun(at, first, None))
                runs.append(_LeafRun(first, end, child))
                at = end
            child = self.last[child] + 1
        if self.end_leaf[row] > at:
            runs.append(_LeafRun(at, self.end_leaf[row], None))
        return runs

    def is_large(self, row: int) -> bool:
        """Return whether an element is worth dividing: it holds block-level elements and enough text."""
        has_blocks = self.blocks_before[self.last[row] + 1] > self.blocks_before[row + 1]
        chars = self.chars_before[self.end_leaf[row]] - self.chars_before[self.first_leaf[row]]
        return bool(has_blocks and chars > self.small)

    def is_links(self, run: _LeafRun) -> bool:
        """Return whether a run is links rather than text."""
        chars = self.chars_before[run.end] - self.chars_before[run.first]
        return bool(self.linked_before[run.end] - self.linked_before[run.first] >= LINKED * max(1, chars))
