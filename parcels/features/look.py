"""What features read of a page: its blocks as a typed table, their texts, claims and links, each computed once."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.css.style import Styles
from parcels.divide import Division
from parcels.html.page import Page
from parcels.layout.areas import AreaMap
from parcels.layout.boxes import Layout

if TYPE_CHECKING:
    from parcels.features.evidence import Claims
    from parcels.features.link_targets import LinkTargets
    from parcels.features.shared_words import SharedWords
    from parcels.features.table import BlockTable

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Values = NDArray[Any]


class Groups(NamedTuple):
    """The lists and entries that blocks are part of."""

    entry: Ints  # of each block: the row of its entry; 0 where it has none
    list_: Ints  # of each block: the row of its list; 0 where it has none
    block_of_leaf: Ints


class Anchors(NamedTuple):
    """Where a page's running text and headline are."""

    mass: Floats  # of each block: characters of running text
    title: int  # the block that is most likely the headline; -1 without


class Headings(NamedTuple):
    """The headings that each block stands under; -1 without."""

    over: Ints
    over_list: Ints  # the short block right before its list
    of_branch: Ints  # the first block of its branch, where that is short


@dataclass(frozen=True)
class Look:
    """A page as it looks, by blocks. Arrays have one entry per block."""

    page: Page
    division: Division
    styles: Styles
    layout: Layout
    areas: AreaMap

    def __len__(self) -> int:
        return len(self.division)

    @cached_property
    def table(self) -> "BlockTable":
        """The page as typed columns, which the features of the style and context views read."""
        from parcels.features.context.columns import fill_context
        from parcels.features.style.columns import fill_style
        from parcels.features.table import BlockTable, LeafTable, NodeTable

        leaves = LeafTable(self.page, self.layout, self.areas, self.targets)
        blocks = BlockTable(leaves, NodeTable(self.page, self.styles), self.division, self.styles, self.layout)
        fill_style(blocks)
        fill_context(blocks, self.page.nodes.attributes, self.title_overlap)
        return blocks

    # Columns of the table as arrays

    @cached_property
    def chars(self) -> Floats:
        """Characters of each block."""
        return np.asarray(self.table.chars)

    @cached_property
    def container(self) -> Ints:
        """The row of the element that holds each block."""
        return self.division.container.astype(np.int64)

    @cached_property
    def parent(self) -> Ints:
        """The row of the container's parent (the root's is the root)."""
        return np.asarray(self.table.parent)

    @cached_property
    def box(self) -> Floats:
        """x, y, right, bottom of the rectangle around each block's leaves, in px; NaN where none has a box."""
        return np.asarray(self.table.box)

    @cached_property
    def groups(self) -> Groups:
        """The lists and entries that blocks are part of."""
        of = self.table
        return Groups(np.asarray(of.entry), np.asarray(of.list_), np.asarray(of.leaves.block))

    @cached_property
    def anchors(self) -> Anchors:
        """Where the running text and the headline are."""
        return Anchors(np.asarray(self.table.mass), self.table.title)

    @cached_property
    def branch(self) -> Ints:
        """The element by which each block hangs off the way from the root to the running text."""
        return np.asarray(self.table.branch)

    @cached_property
    def headings(self) -> Headings:
        """The headings that blocks stand under."""
        of = self.table
        return Headings(np.asarray(of.over), np.asarray(of.over_list), np.asarray(of.of_branch))

    # What several views share

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block."""
        from parcels.features.leaf_sizes import block_texts

        return block_texts(self.page.leaves, self.division)

    @cached_property
    def claims(self) -> "Claims":
        """What the page says of itself."""
        from parcels.features.evidence import Claims
        from parcels.html.structured import claims

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
        from parcels.features.link_targets import link_targets

        return link_targets(self.page)


def look_at(html: str | bytes, url: str | None = None) -> Look:
    """Return a page laid out without style sheets of others and divided finely, for examples and tests."""
    from parcels.divide import fine
    from parcels.html.page import read_page
    from parcels.layout.render import lay_out

    page = read_page(html, url)
    laid = lay_out(page)
    return Look(page, fine.divide(page), laid.styles, laid.layout, laid.areas)
