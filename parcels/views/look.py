"""What stylistic features look at: a divided page, its styles, boxes and areas, as arrays over leaves and blocks."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from parcels.css.style import Position, Styles
from parcels.divide import Division
from parcels.layout.areas import AreaMap
from parcels.layout.boxes import Layout
from parcels.page import Page
from parcels.tags import NUMBER

if TYPE_CHECKING:
    from parcels.views.style_tables import Cells

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Values = NDArray[Any]

CAP = 1e4  # no feature is larger
IMAGE_CHARS = 20  # what an image weighs beside text, in characters


@dataclass(frozen=True)
class Look:
    """A page as it looks, by blocks. Arrays over blocks have one entry a block; leaf arrays say so in their name."""

    page: Page
    division: Division
    styles: Styles
    layout: Layout
    areas: AreaMap

    def __len__(self) -> int:
        return len(self.division)

    # Over leaves

    @cached_property
    def leaf_chars(self) -> Floats:
        """Characters of each leaf; an image or control counts as IMAGE_CHARS."""
        leaves = self.page.leaves
        sizes = [len(t) if k == "text" else IMAGE_CHARS for k, t in zip(leaves.kind, leaves.text, strict=True)]
        return np.array(sizes, np.float32)

    @cached_property
    def leaf_words(self) -> Floats:
        """Words of each text leaf."""
        leaves = self.page.leaves
        sizes = [t.count(" ") + 1 if k == "text" else 0 for k, t in zip(leaves.kind, leaves.text, strict=True)]
        return np.array(sizes, np.float32)

    @cached_property
    def leaf_kind(self) -> NDArray[np.str_]:
        """Kind of each leaf."""
        return np.array(self.page.leaves.kind, dtype="U8")

    @cached_property
    def leaf_is_text(self) -> Bools:
        """True for text leaves."""
        return np.equal(self.leaf_kind, "text")

    def of_leaves(self, values: Values) -> Values:
        """A property of nodes, at the node of each leaf."""
        return values[self.page.leaves.node]

    # From leaves to blocks

    def total(self, values: Values) -> Floats:
        """The sum of a leaf array in each block."""
        if not len(self):
            return np.zeros(0, np.float32)
        return np.add.reduceat(values.astype(np.float32), self.division.first).astype(np.float32)

    def most(self, values: Values) -> Floats:
        """The largest value of a leaf array in each block."""
        if not len(self):
            return np.zeros(0, np.float32)
        return np.fmax.reduceat(values.astype(np.float32), self.division.first).astype(np.float32)

    def least(self, values: Values) -> Floats:
        """The smallest value of a leaf array in each block."""
        if not len(self):
            return np.zeros(0, np.float32)
        return np.fmin.reduceat(values.astype(np.float32), self.division.first).astype(np.float32)

    def mean(self, values: Values) -> Floats:
        """The mean of a leaf array in each block, weighted by characters."""
        numbers = values.astype(np.float32)
        return (self.total(numbers * self.leaf_chars) / np.maximum(self.chars, 1)).astype(np.float32)

    @cached_property
    def chars(self) -> Floats:
        """Characters of each block."""
        return self.total(self.leaf_chars)

    @cached_property
    def words(self) -> Floats:
        """Words of each block."""
        return self.total(self.leaf_words)

    @cached_property
    def leaf_count(self) -> Floats:
        """Leaves of each block."""
        return np.diff(np.append(self.division.first, len(self.page.leaves))).astype(np.float32)

    @cached_property
    def link_share(self) -> Floats:
        """Share of each block's characters that are inside links."""
        return self.mean(self.page.leaves.is_link)

    # Over nodes

    @cached_property
    def container(self) -> Ints:
        """The row of the element that holds each block."""
        return self.division.container.astype(np.int64)

    @cached_property
    def parent(self) -> Ints:
        """The row of the container's parent (the root's is the root)."""
        return np.maximum(self.page.nodes.parent[self.container], 0).astype(np.int64)

    def is_inside(self, tag: str) -> Bools:
        """True for blocks that stand inside (or are) an element with this tag."""
        return self._inside[NUMBER[tag]][self.container]

    @cached_property
    def _inside(self) -> dict[int, Bools]:
        nodes = self.page.nodes
        count = len(nodes)
        inside: dict[int, Bools] = {}
        nowhere = np.zeros(count, np.bool_)
        for number in _ASKED:
            rows = np.flatnonzero(nodes.tag == number)
            if not len(rows):
                inside[number] = nowhere
                continue
            begins = np.bincount(rows, minlength=count + 1)
            ends = np.bincount(nodes.last[rows] + 1, minlength=count + 1)
            inside[number] = np.cumsum(begins - ends)[:-1] > 0
        return inside

    @cached_property
    def tag(self) -> NDArray[np.int16]:
        """The tag number of each block's container."""
        return self.page.nodes.tag[self.container]

    # Boxes

    @cached_property
    def box(self) -> Floats:
        """x, y, right, bottom of the rectangle around each block's leaves, in px; NaN where none has a box."""
        boxes = self.layout.leaves
        edges = (self.least(boxes[:, 0]), self.least(boxes[:, 1]),
                 self.most(boxes[:, 0] + boxes[:, 2]), self.most(boxes[:, 1] + boxes[:, 3]))  # fmt: skip
        return np.stack(edges, axis=1)

    @cached_property
    def layer(self) -> Ints:
        """The nearest ancestor of each container (or itself) that is absolute, fixed or sticky; the root without."""
        wanted = np.isin(self.styles.position, (Position.ABSOLUTE, Position.FIXED, Position.STICKY))
        return nearest(self, wanted)

    @cached_property
    def cells(self) -> "Cells":
        """Where each block stands in its table."""
        from parcels.views.style_tables import cells

        return cells(self)

    @cached_property
    def links_per_block(self) -> Floats:
        """How many different links the leaves of each block belong to."""
        link = self.page.nodes.link[self.page.leaves.node]
        is_new = (link >= 0) & np.append(True, link[1:] != link[:-1])[: len(link)]
        return self.total(is_new)


_INSIDE = (
    "header footer nav main aside article section form table ul ol li figure figcaption blockquote a h1 h2 h3 h4 "
    "p td th dl label button details address time center font"
)
_ASKED = tuple(NUMBER[name] for name in _INSIDE.split())
INSIDE = tuple(_INSIDE.split())


def safe(values: Values) -> Floats:
    """Finite numbers within bounds; NaN becomes -1."""
    return np.clip(np.nan_to_num(values.astype(np.float32), nan=-1.0, posinf=CAP, neginf=-CAP), -CAP, CAP)


def nearest(look: Look, wanted: Bools) -> Ints:
    """The nearest ancestor of each block's container (or itself) that is wanted; the root where none is."""
    at, parent = look.container.copy(), look.page.nodes.parent
    climbing = np.flatnonzero(~wanted[at])
    while len(climbing):
        above = np.maximum(parent[at[climbing]], 0)
        at[climbing] = above
        climbing = climbing[(above > 0) & ~wanted[above]]
    return at


Column = Callable[[Look], Floats]  # a stylistic feature: one number a block
