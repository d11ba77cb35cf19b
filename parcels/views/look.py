"""What stylistic features look at: a divided page, its styles, boxes and areas, as arrays over leaves and blocks."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from parcels.compiled import loaded
from parcels.css.style import Styles
from parcels.divide import Division, block_text
from parcels.layout.areas import AreaMap
from parcels.layout.boxes import Layout
from parcels.page import Page
from parcels.tags import NUMBER
from parcels.views.leaf_sizes import KINDS, LeafSizes, leaf_sizes

loops = loaded("parcels.views.loops")  # None where it is not compiled: the same by NumPy and sets, slower

if TYPE_CHECKING:
    from parcels.views.context_anchors import Anchors
    from parcels.views.context_groups import Groups
    from parcels.views.context_neighbours import Headings
    from parcels.views.evidence import Claims
    from parcels.views.link_targets import LinkTargets
    from parcels.views.shared_words import SharedWords
    from parcels.views.style_tables import Cells

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Values = NDArray[Any]


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
    def _sizes(self) -> LeafSizes:
        """Characters, words and kind of each leaf."""
        return leaf_sizes(self.page.leaves)

    @property
    def leaf_chars(self) -> Floats:
        """Characters of each leaf; an image or control counts as IMAGE_CHARS."""
        return self._sizes.chars

    @property
    def leaf_words(self) -> Floats:
        """Words of each text leaf."""
        return self._sizes.words

    @property
    def leaf_kind(self) -> NDArray[np.int8]:
        """Kind of each leaf, as a number in KINDS."""
        return self._sizes.kind

    def leaf_is(self, *kinds: str) -> Bools:
        """Which leaves are of one of these kinds."""
        wanted = np.array([kind in kinds for kind in KINDS])
        return wanted.take(self.leaf_kind)

    @cached_property
    def leaf_is_text(self) -> Bools:
        """True for text leaves."""
        return self.leaf_is("text")

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
        return (self.total(numbers * self.leaf_chars) / self.chars_or_one).astype(np.float32)

    def means(self, values: Values) -> Floats:
        """The same of several leaf arrays at once: a row each."""
        if not len(self):
            return np.zeros((len(values), 0), np.float32)
        weighted = values.astype(np.float32) * self.leaf_chars
        return np.asarray(np.add.reduceat(weighted, self.division.first, axis=1) / self.chars_or_one, np.float32)

    @cached_property
    def chars_or_one(self) -> Floats:
        """Characters of each block, to divide by."""
        return np.maximum(self.chars, 1)

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
        first, found = self.division.first, np.empty(len(self), np.float32)
        found[:-1] = first[1:] - first[:-1]
        found[-1:] = len(self.page.leaves) - first[-1:]
        return found

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

    def in_parent(self, values: Floats) -> NDArray[np.float64]:
        """The sum of a leaf array in each container's parent."""
        before = np.concatenate(([0.0], np.cumsum(values)))
        nodes = self.page.nodes
        found: NDArray[np.float64] = before[nodes.end_leaf[self.parent]] - before[nodes.first_leaf[self.parent]]
        return found

    @cached_property
    def parent_chars(self) -> Floats:
        """Characters of each container's parent."""
        return self.in_parent(self.leaf_chars).astype(np.float32)

    def is_inside(self, tag: str) -> Bools:
        """True for blocks that stand inside (or are) an element with this tag."""
        inside: Bools = self.inside[INSIDE.index(tag)]
        return inside

    @cached_property
    def inside(self) -> Bools:
        """Tag of INSIDE x block: which have such an element open at the block's container."""
        nodes = self.page.nodes
        if loops is not None:
            found = np.zeros((len(INSIDE), len(self)), np.bool_)
            loops.inside(self.container, nodes.parent, nodes.tag, _PLACE_INSIDE, found.view(np.uint8))
            return found
        width = len(nodes) + 1
        place = _PLACE_INSIDE[nodes.tag]
        rows = np.flatnonzero(place >= 0)
        start = place[rows] * width
        size = len(INSIDE) * width
        opened = np.bincount(start + rows, minlength=size) - np.bincount(start + nodes.last[rows] + 1, minlength=size)
        return opened.reshape(-1, width).cumsum(axis=1).take(self.container, axis=1) > 0

    @cached_property
    def tag(self) -> NDArray[np.int16]:
        """The tag number of each block's container."""
        return self.page.nodes.tag[self.container]

    # Boxes

    @cached_property
    def box(self) -> Floats:
        """x, y, right, bottom of the rectangle around each block's leaves, in px; NaN where none has a box."""
        from parcels.views.style_boxes import edges

        return edges(self)

    @cached_property
    def layers(self) -> tuple[Ints, Floats]:
        """The nearest ancestor of each container (or itself) that is absolute, fixed or sticky (the root without), and
        what that says of the block: the rows of style_boxes.LAYERS."""
        from parcels.views.style_boxes import layers

        return layers(self)

    @cached_property
    def area_shares(self) -> Floats:
        """Area x block: the share of each block's characters in each area of the page."""
        from parcels.views.style_boxes import area_shares

        return area_shares(self)

    @cached_property
    def cells(self) -> "Cells":
        """Where each block stands in its table."""
        from parcels.views.style_tables import cells

        return cells(self)

    # What several features share

    @cached_property
    def fonts(self) -> Floats:
        """Means of what each block's characters look like."""
        from parcels.views.style_fonts import fonts

        return fonts(self)

    @cached_property
    def media(self) -> Floats:
        """Images and other media of each block."""
        from parcels.views.style_fonts import media

        return media(self)

    @cached_property
    def font_size(self) -> Floats:
        """Font size against the page's median, as a ratio."""
        from parcels.views.style_fonts import relative_size

        return relative_size(self)

    @cached_property
    def marks(self) -> Floats:
        """The rows of style_marks.MARKS."""
        from parcels.views.style_marks import marks

        return marks(self)

    @cached_property
    def structure(self) -> Floats:
        """The features of linear structure."""
        from parcels.views.style_linear import of_structure

        return of_structure(self)

    @cached_property
    def heading_level(self) -> Floats:
        """1 to 6 inside h1 to h6, 0 elsewhere."""
        from parcels.views.style_linear import level_of_heading

        return level_of_heading(self)

    @cached_property
    def font_weight(self) -> Floats:
        """Font weight minus the page's median, in hundreds."""
        from parcels.views.style_fonts import relative_weight

        return relative_weight(self)

    @cached_property
    def is_numeric(self) -> Floats:
        """1 where a block is figures and signs only."""
        from parcels.views.style_tables import figures

        return figures(self)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block."""
        if loops is not None:
            leaves = self.page.leaves
            found: list[str] = loops.texts(leaves.text, leaves.is_spaced.view(np.uint8), self.division.first)
            return found
        return [block_text(self.page, first, end) for first, end in self.division.ranges()]

    @cached_property
    def claims(self) -> "Claims":
        """What the page says of itself."""
        from parcels.structured import claims
        from parcels.views.evidence import Claims

        return Claims(claims(self.page))

    @cached_property
    def shared_words(self) -> "SharedWords":
        """The words that blocks share with these claims."""
        return self.claims.shared(self.texts)

    @cached_property
    def title_overlap(self) -> Floats:
        """How well each block agrees with the title that the page states."""
        return self.shared_words.best("title")

    @cached_property
    def targets(self) -> "LinkTargets":
        """Where the page's links lead."""
        from parcels.views.link_targets import link_targets

        return link_targets(self.page)

    @cached_property
    def target_shares(self) -> Floats:
        """Kind of target x block: the share of each block's characters in links of each kind."""
        return self.means(self.targets.kinds.take(self.targets.of_leaf, axis=1))

    @cached_property
    def groups(self) -> "Groups":
        """The lists and entries that blocks are part of."""
        from parcels.views.context_groups import groups

        return groups(self)

    @cached_property
    def above(self) -> list[Ints]:
        """The ancestors of each block's container, by how many levels they are above it."""
        from parcels.views.context_groups import above

        return above(self)

    @cached_property
    def anchors(self) -> "Anchors":
        """Where the running text and the headline are."""
        from parcels.views.context_anchors import anchors

        return anchors(self)

    @property
    def branch(self) -> Ints:
        """The element by which each block hangs off the way from the root to the running text."""
        return self.anchors.branch

    @cached_property
    def headings(self) -> "Headings":
        """The headings that blocks stand under."""
        from parcels.views.context_neighbours import headings

        return headings(self)

    @cached_property
    def of_neighbours(self) -> Floats:
        """What the blocks before and behind say."""
        from parcels.views.context_neighbours import of_neighbours

        return of_neighbours(self)

    @cached_property
    def links_per_block(self) -> Floats:
        """How many different links the leaves of each block belong to."""
        from parcels.views.style_linear import links_per_block

        return links_per_block(self)


_INSIDE = (
    "header footer nav main aside article section form table ul ol li figure figcaption blockquote a h1 h2 h3 h4 "
    "p td th dl label button details address time center font"
)
INSIDE = tuple(_INSIDE.split())
_PLACE_INSIDE = np.full(len(NUMBER), -1, np.int64)  # of a tag number, in INSIDE
_PLACE_INSIDE[[NUMBER[name] for name in INSIDE]] = np.arange(len(INSIDE))


Column = Callable[[Look], Floats]  # a stylistic feature: one number a block


def of_marks(look: Look) -> Floats:
    """Look.marks, for features that are rows of it."""
    return look.marks


def look_at(html: str | bytes, url: str | None = None) -> Look:
    """A page read, laid out without style sheets of others, and divided finely: for examples and tests."""
    from parcels.divide import fine
    from parcels.layout.render import lay_out
    from parcels.page import read_page

    page = read_page(html, url)
    laid = lay_out(page)
    return Look(page, fine.divide(page), laid.styles, laid.layout, laid.areas)
