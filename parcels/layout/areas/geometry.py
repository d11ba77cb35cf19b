"""The geometry of a page as arrays, for readers of the evidence such as the training of its weights.

A *part* is an element that holds leaves, the outermost of those around exactly the same leaves. A part's
rectangle is the one around its leaves, not its CSS box, since containers of floats collapse and wrappers are as wide as
the screen. Parts are in document order, so a part's subtree is a range of parts, and its leaves are a range of leaves.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.html.page import Page
from parcels.layout.areas.part_table import PartTable

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
class PageGeometry:
    """Rectangles of leaves and parts as shares of the page, and sums over parts."""

    page_parts: PartTable  # the source of the arrays
    parts: Parts
    height: float  # px
    boxes: Floats  # leaves: left, top, right, bottom; x as share of the page's extent, y in px; NaN if invisible
    rectangles: Floats  # the same for parts
    is_text: Floats  # leaves: 1 for texts
    letters: Floats  # of each text leaf, in and outside links
    link_letters: Floats
    long_text: Floats  # letters of the leaves that are sentences outside links
    leaf_share: Floats  # of each part
    link_density: Floats  # of each part


def geometry_of(page_parts: PartTable) -> PageGeometry:
    """Return the geometry of a page's parts."""
    return PageGeometry(
        page_parts,
        Parts(**page_parts.part_arrays()),
        page_parts.height,
        page_parts.reals("box"),
        page_parts.reals("rectangle"),
        page_parts.reals("is_text"),
        page_parts.reals("letters"),
        page_parts.reals("linked"),
        page_parts.reals("prose"),
        page_parts.reals("share"),
        page_parts.reals("density"),
    )


def parts_of(page: Page) -> Parts:
    """Return the parts of a page."""
    return Parts(**PartTable(page).part_arrays())
