"""The input of features: a laid-out page by blocks, with its typed table, texts, claims and links.

Each part is computed when it is first used, and then kept.
"""

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


class ListGroups(NamedTuple):
    """The list and the list entry of each block."""

    entry: Ints  # per block: the row of its list entry, 0 outside lists
    list_: Ints  # per block: the row of its list, 0 outside lists
    block_of_leaf: Ints


class MainText(NamedTuple):
    """The running text and the headline of a page."""

    mass: Floats  # per block: characters of running text
    title: int  # the block that is most likely the headline, or -1


class Headings(NamedTuple):
    """The blocks that are headings of each block, or -1."""

    over: Ints  # the nearest heading that governs the block
    over_list: Ints  # the short block right before its list
    of_branch: Ints  # the first block of its branch, if that is short


@dataclass(frozen=True)
class PageFeatures:
    """A divided, styled and laid-out page. Arrays have one entry per block."""

    page: Page
    division: Division
    styles: Styles
    layout: Layout
    areas: AreaMap

    def __len__(self) -> int:
        return len(self.division)

    @cached_property
    def table(self) -> "BlockTable":
        """The typed table that the features of the style and context views read."""
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
    def groups(self) -> ListGroups:
        """The list and the list entry of each block."""
        of = self.table
        return ListGroups(np.asarray(of.entry), np.asarray(of.list_), np.asarray(of.leaves.block))

    @cached_property
    def main_text(self) -> MainText:
        """The running text and the headline."""
        return MainText(np.asarray(self.table.mass), self.table.title)

    @cached_property
    def branch(self) -> Ints:
        """The row of each block's branch: the subtree that holds it beside the path to the running text."""
        return np.asarray(self.table.branch)

    @cached_property
    def headings(self) -> Headings:
        """The headings of each block."""
        of = self.table
        return Headings(np.asarray(of.over), np.asarray(of.over_list), np.asarray(of.of_branch))

    # Inputs that several views share

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block."""
        from parcels.features.leaf_sizes import block_texts

        return block_texts(self.page.leaves, self.division)

    @cached_property
    def claims(self) -> "Claims":
        """The page's own statements in its structured data."""
        from parcels.features.evidence import Claims
        from parcels.html.structured import claims

        return Claims(claims(self.page))

    @cached_property
    def shared_words(self) -> "SharedWords":
        """The words that blocks share with these claims."""
        return self.claims.shared(self.texts)

    @cached_property
    def title_overlap(self) -> Floats:
        """Overlap of each block with the title that the page states."""
        return self.shared_words.best("title")

    @cached_property
    def targets(self) -> "LinkTargets":
        """The targets of the page's links."""
        from parcels.features.link_targets import link_targets

        return link_targets(self.page)


def ranks(values: Ints) -> Ints:
    """Return the rank of each value among the distinct values. Fast for values from a small range: it does not sort.

    >>> ranks(np.array([7, -1, 9, 7])).tolist()
    [1, 0, 2, 1]
    """
    if not len(values):
        return np.zeros(0, np.int64)
    from_zero = values - values.min()
    result: Ints = (np.cumsum(np.bincount(from_zero) > 0) - 1).take(from_zero)
    return result


def measure_html(html: str | bytes, url: str | None = None) -> PageFeatures:
    """Return the features input of an HTML page, laid out without external style sheets and divided finely."""
    from parcels.divide import fine
    from parcels.html.page import read_page
    from parcels.layout.render import lay_out

    page = read_page(html, url)
    laid = lay_out(page)
    return PageFeatures(page, fine.divide(page), laid.styles, laid.layout, laid.areas)
