"""The fine blocks of a page with their texts: the input of the content model, without a layout."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from parcels.divide import Division, fine
from parcels.errors import SkipRecord
from parcels.html.leaves import walk
from parcels.html.page import Page, read_page
from parcels.html.tags import INVISIBLE_TAGS, lookup

FEW_HIDDEN = 3  # hidden paragraphs, entries and headings from which hidden content is read
FEW_WORDS = 80  # a page with fewer visible words may have its text in `noscript`
MUCH = 3  # required ratio of words in `noscript` to visible words

_IS_TEXT = lookup("p li dd td blockquote pre h1 h2 h3 h4 h5 h6")
_IS_NEVER_TEXT = lookup(" ".join(sorted(INVISIBLE_TAGS | {"iframe", "textarea", "select", "svg"})))

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Parts:
    """The blocks of a page with their texts; images and controls have none."""

    page: Page
    division: Division
    texts: list[str]
    hidden: Ints | None = None  # elements with an attribute that hides them, where their content is included

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def leaf_words(self) -> Ints:
        """The number of words of each leaf; 0 for leaves without text."""
        leaves = self.page.leaves
        counts = [
            text.count(" ") + 1 if kind == "text" else 0 for kind, text in zip(leaves.kind, leaves.text, strict=True)
        ]
        return np.array(counts, np.int64)

    @cached_property
    def words(self) -> Ints:
        """The number of words of each block."""
        return self._sums(self.leaf_words)

    @cached_property
    def link_words(self) -> Ints:
        """The number of words in links of each block."""
        return self._sums(self.leaf_words * self.page.leaves.is_link)

    @cached_property
    def is_hidden(self) -> NDArray[np.bool_]:
        """Whether each block is in an element that an attribute hides, such as a tab or a subscribers' part."""
        if self.hidden is None or not len(self):
            return np.zeros(len(self), np.bool_)
        nodes = self.page.nodes
        steps = np.zeros(len(nodes) + 1, np.int64)
        np.add.at(steps, self.hidden, 1)
        np.subtract.at(steps, nodes.last[self.hidden] + 1, 1)
        is_inside: NDArray[np.bool_] = np.cumsum(steps)[nodes_of(self)] > 0
        return is_inside

    def _sums(self, of_leaf: Ints) -> Ints:
        return np.add.reduceat(of_leaf, self.division.first) if len(self) else np.zeros(0, np.int64)


def parts_of(page: Page, divide: Callable[[Page], Division] = fine.divide) -> Parts:
    """Divide a page and join the text of each block.

    >>> from parcels.html.page import read_page
    >>> parts_of(read_page("<h1>Fire</h1><img alt=smoke><p>It <b>burnt</b> down. <input value=ok>")).texts
    ['Fire', '', 'It burnt down.']
    """
    division = divide(page)
    return Parts(page, division, joined_texts(page, division))


def joined_texts(page: Page, division: Division) -> list[str]:
    """Return the text of each block: its text leaves, joined by a blank where the page has white space."""
    kinds, leaves, spaced = page.leaves.kind, page.leaves.text, page.leaves.is_spaced.tolist()
    texts = []
    for first, end in division.ranges():
        if end - first == 1:
            texts.append(leaves[first] if kinds[first] == "text" else "")
            continue
        joined = ""
        for leaf in range(first, end):
            if kinds[leaf] == "text":
                joined += f" {leaves[leaf]}" if joined and spaced[leaf] else leaves[leaf]
        texts.append(joined)
    return texts


def nodes_of(parts: Parts) -> Ints:
    """Return the row of the element around the first leaf of each block."""
    return parts.page.leaves.node[parts.division.first].astype(np.int64)


def with_hidden(page: Page) -> tuple[Page, Ints] | None:
    """Return the page with the content that attributes hide, and the hiding rows; None where that content is short.

    Examples are answers below a question, panels of tabs and subscribers' parts.

    >>> shown, rows = with_hidden(read_page("<p>A<div style='display:none'><p>B<p>C<p>D</div>"))
    >>> shown.leaves.text, rows.tolist()
    (['A', 'B', 'C', 'D'], [3])
    """
    nodes = page.nodes
    is_text = ~nodes.is_visible & _IS_TEXT[nodes.tag]
    if is_text.sum() < FEW_HIDDEN:
        return None
    parent = np.maximum(nodes.parent, 0)
    is_first = ~nodes.is_visible & nodes.is_visible[parent] & ~_IS_NEVER_TEXT[nodes.tag]
    rows = np.flatnonzero(is_first)
    steps = np.zeros(len(nodes) + 1, np.int64)
    np.add.at(steps, rows, 1)
    np.subtract.at(steps, nodes.last[rows] + 1, 1)
    if (is_text & (np.cumsum(steps)[:-1] > 0)).sum() < FEW_HIDDEN:
        return None
    nodes, leaves = walk(page.root, shows_hidden=True)
    return replace(page, nodes=nodes, leaves=leaves), rows


def content_parts(page: Page, divide: Callable[[Page], Division] = fine.divide, *, shows_hidden: bool = True) -> Parts:
    """Return the parts of a page with its hidden content, or of its `noscript` where that has much more text.

    >>> from parcels.html.page import read_page
    >>> page = read_page(f"<p>Loading<noscript><p>{'The pier burnt down. ' * 60}</noscript>")
    >>> len(content_parts(page).texts[0])
    1259
    """
    revealed = with_hidden(page) if shows_hidden else None
    if revealed is not None:
        shown_page, rows = revealed
        return replace(parts_of(shown_page, divide), hidden=rows)
    parts = parts_of(page, divide)
    shown = int(parts.words.sum())
    if shown >= FEW_WORDS:
        return parts
    inner = [
        (element.text or "") + "".join(etree.tostring(child, encoding="unicode") for child in element)
        for element in page.root.iter("noscript")
    ]
    longest = max(inner, key=len, default="")
    if len(longest) < 4 * FEW_WORDS:
        return parts
    try:
        hidden = parts_of(read_page(longest, page.url, name=page.name), divide)
    except SkipRecord:
        return parts
    return hidden if hidden.words.sum() > max(FEW_WORDS, MUCH * shown) else parts
