"""The geometry of a page as arrays, for readers of the evidence such as the training of its weights.

A *part* is an element that holds leaves; of elements around exactly the same leaves only the outermost is one. A part's
rectangle is the one around its leaves, not its CSS box, since containers of floats collapse and wrappers are as wide as
the screen. Parts are in document order, so a part's subtree is a range of parts, and its leaves are a range of leaves.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.html.page import Page
from parcels.layout.areas.part_table import Ground

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a page."""

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
    """Rectangles of leaves and parts as shares of the page, and sums over parts."""

    ground: Ground  # what all of this was read from
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


def scene_of(ground: Ground) -> Scene:
    """Return the geometry of a page's parts."""
    return Scene(
        ground,
        Parts(**ground.part_table()),
        ground.height,
        ground.reals("box"),
        ground.reals("rectangle"),
        ground.reals("is_text"),
        ground.reals("letters"),
        ground.reals("linked"),
        ground.reals("prose"),
        ground.reals("share"),
        ground.reals("density"),
    )


def parts_of(page: Page) -> Parts:
    """Return the parts of a page."""
    return Parts(**Ground(page).part_table())
