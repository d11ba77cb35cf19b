"""Where everything on a page stands: its leaves' rectangles, and its parts with theirs.

A *part* is an element that holds leaves; of elements around exactly the same leaves only the outermost is one. A part's
rectangle is the one around its leaves, not its CSS box, since containers of floats collapse and wrappers are as wide as
the screen. Parts are in document order, so a part's subtree is a range of parts, and its leaves are a range of leaves.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.layout.boxes import Layout
from parcels.page import Page

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Parts:
    """The elements that hold leaves."""

    holders: Ints  # the rows of all elements that hold leaves, part by part
    first_holder: Ints  # where each part's begin among them
    row: Ints  # of each part, its outermost element
    parent: Ints  # -1 for the first
    last: Ints  # the last part of the subtree
    first_leaf: Ints
    end_leaf: Ints
    of_leaf: Ints  # for each leaf the innermost part around it

    def __len__(self) -> int:
        return len(self.row)


@dataclass(frozen=True, slots=True)
class Scene:
    """Rectangles as shares of the page, and sums over parts."""

    parts: Parts
    height: float  # px
    boxes: Floats  # leaves: left, top, right, bottom; x as share of the page's extent, y in px; NaN where none is seen
    rectangles: Floats  # the same for parts
    is_text: Bools  # leaves
    letters: Floats  # of each text leaf, in and outside links
    link_letters: Floats
    long_text: Floats  # letters of the leaves that are sentences outside links
    leaf_share: Floats  # of each part
    link_density: Floats  # of each part


LONG_TEXT = 60  # letters outside links: a sentence rather than a caption


def scene_of(page: Page, layout: Layout) -> Scene:
    """Where everything stands."""
    parts = parts_of(page)
    height, boxes = _shares(layout)
    is_text = np.array([kind == "text" for kind in page.leaves.kind], np.bool_)
    letters = np.where(is_text, np.array([len(text) for text in page.leaves.text], float), 0.0)
    link_letters = np.where(page.leaves.is_link, letters, 0.0)
    plain = letters - link_letters
    within = sums(parts, letters)
    return Scene(
        parts,
        height,
        boxes,
        _rectangles(boxes, parts.first_leaf, parts.end_leaf),
        is_text,
        letters,
        link_letters,
        np.where(plain >= LONG_TEXT, plain, 0.0),
        (parts.end_leaf - parts.first_leaf) / max(len(letters), 1),
        sums(parts, link_letters) / np.maximum(within, 1.0),
    )


def parts_of(page: Page) -> Parts:
    """The elements that hold leaves, without those around the same leaves as their parent."""
    nodes = page.nodes
    holders = np.flatnonzero(nodes.end_leaf > nodes.first_leaf)
    first, end = nodes.first_leaf[holders].astype(np.int64), nodes.end_leaf[holders].astype(np.int64)
    position = np.full(len(nodes) + 1, -1)
    position[holders] = np.arange(len(holders))
    above = position[nodes.parent[holders]]
    is_part = (above < 0) | (first != first[above]) | (end != end[above])
    of_holder = np.cumsum(is_part) - 1  # an element around the same leaves follows its parent at once
    chosen = np.flatnonzero(is_part)
    row, parent = holders[chosen], above[chosen]
    return Parts(
        holders,
        chosen,
        row,
        np.where(parent < 0, -1, of_holder[parent]),
        np.searchsorted(row, nodes.last[row], side="right") - 1,
        first[chosen],
        end[chosen],
        of_holder[position[page.leaves.node]],
    )


def _shares(layout: Layout) -> tuple[float, Floats]:
    """The page's height, and its leaves' rectangles; what juts out far on the right does not widen the page."""
    x, y, w, h = layout.leaves.T.astype(float)
    right, bottom = x + w, y + h
    with np.errstate(invalid="ignore"):
        is_seen = (w > 0) & (h > 0) & (right > 0) & (bottom > 0) & np.isfinite(right) & np.isfinite(bottom)
        is_seen &= np.array([reason is None for reason in layout.hidden_reason], np.bool_)
        is_inside = is_seen & (right <= 1.1 * layout.width)
    start = max(float(x[is_inside].min()), 0.0) if is_inside.any() else 0.0
    extent = max((float(right[is_inside].max()) if is_inside.any() else layout.width) - start, 1.0)
    height = max(float(bottom[is_seen].max()) if is_seen.any() else layout.height, 1.0)
    left, end = ((x - start) / extent).clip(-0.2, 1.2), ((right - start) / extent).clip(-0.2, 1.2)
    boxes: Floats = np.stack([left, y, end, bottom], axis=1)
    boxes[~is_seen] = np.nan
    return height, boxes


def running(values: NDArray[Any]) -> Floats:
    """The sums of all values before each place, and of all."""
    found: Floats = np.zeros(len(values) + 1)
    np.cumsum(values, out=found[1:])
    return found


def sums(parts: Parts, values: NDArray[Any]) -> Floats:
    """The sum of the leaves' values over each part."""
    total = running(values)
    return total[parts.end_leaf] - total[parts.first_leaf]


def near(distance: NDArray[Any], px: float | Floats) -> Floats:
    """1 at no distance, about a third at `px`, 0 far away."""
    found: Floats = np.exp(np.maximum(distance, 0.0) / -px)
    return found


def _rectangles(boxes: Floats, first: Ints, end: Ints) -> Floats:
    """The rectangle around each range of leaves; NaN where none of them is seen."""
    table = np.full((4, len(boxes) + 1), np.inf)
    seen = np.flatnonzero(~np.isnan(boxes[:, 0]))
    table[:, seen] = boxes[seen].T
    table[2:, seen] *= -1.0
    found = np.minimum.reduceat(table, np.stack([first, end], axis=1).ravel(), axis=1)[:, ::2].T
    found[np.isinf(found[:, 0])] = np.nan
    found[:, 2:] *= -1.0
    return found


def outermost(parts: Parts, is_small: Bools) -> tuple[Ints, Ints]:
    """The small parts that are in no other small one, and for each leaf the number of its own; -1 for none."""
    small = np.flatnonzero(is_small)
    ends = np.maximum.accumulate(parts.last[small])
    chosen = small[np.concatenate([[True], small[1:] > ends[:-1]])] if len(small) else small
    leaves = np.arange(len(parts.of_leaf))
    if not len(chosen):
        return chosen, np.full(len(leaves), -1)
    number = np.searchsorted(parts.first_leaf[chosen], leaves, side="right") - 1
    return chosen, np.where((number >= 0) & (leaves < parts.end_leaf[chosen[number]]), number, -1)
