"""Where everything on a page stands: its leaves' rectangles, and its parts with theirs.

A *part* is an element that holds leaves; of elements around exactly the same leaves only the outermost is one. A part's
rectangle is the one around its leaves, not its CSS box, since containers of floats collapse and wrappers are as wide as
the screen. Parts are in document order, so a part's subtree is a range of parts, and its leaves are a range of leaves.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.layout.areas.sweep_arrays import Floats, Ints
from parcels.layout.areas.sweeps import (
    sweep_outermost,
    sweep_parts,
    sweep_rectangles,
    sweep_shares,
    sweep_sums,
    sweep_text,
)
from parcels.layout.boxes import Layout
from parcels.page import Page


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
    is_text: Floats  # leaves: 1 for texts
    letters: Floats  # of each text leaf, in and outside links
    link_letters: Floats
    long_text: Floats  # letters of the leaves that are sentences outside links
    leaf_share: Floats  # of each part
    link_density: Floats  # of each part


LONG_TEXT = 60  # letters outside links: a sentence rather than a caption


def scene_of(page: Page, layout: Layout) -> Scene:
    """Where everything stands."""
    parts = parts_of(page)
    # What juts out far on the right does not widen the page.
    height, boxes = sweep_shares(layout.leaves, layout.hidden_reason, layout.width, layout.height)
    is_text, letters, link_letters, long_text = sweep_text(
        page.leaves.kind, page.leaves.text, page.leaves.is_link, LONG_TEXT
    )
    return Scene(
        parts,
        height,
        boxes,
        sweep_rectangles(boxes, parts.parent, parts.of_leaf),
        is_text,
        letters,
        link_letters,
        long_text,
        (parts.end_leaf - parts.first_leaf) / max(len(letters), 1),
        sums(parts, link_letters) / np.maximum(sums(parts, letters), 1.0),
    )


def parts_of(page: Page) -> Parts:
    """The elements that hold leaves, without those around the same leaves as their parent."""
    nodes = page.nodes
    return Parts(*sweep_parts(nodes.first_leaf, nodes.end_leaf, nodes.parent, page.leaves.node))


def sums(parts: Parts, values: NDArray[Any]) -> Floats:
    """The sum of the leaves' whole numbers over each part."""
    return sweep_sums(values, parts.parent, parts.of_leaf)


def outermost(scene: Scene, most: float, *, is_across: bool) -> tuple[Ints, Ints]:
    """The parts no wider (or no higher) than `most` that are in no other such one, and for each leaf the number of its
    own; -1 for none."""
    parts = scene.parts
    return sweep_outermost(
        scene.rectangles, is_across, most, parts.last, parts.first_leaf, parts.end_leaf, len(parts.of_leaf)
    )
