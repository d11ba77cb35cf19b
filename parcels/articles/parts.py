"""A page's fine blocks as text: what the content scorer chooses from, without laying the page out."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from parcels.divide import Division, fine
from parcels.errors import SkipRecord
from parcels.page import Page, read_page

FEW_WORDS = 80  # a page that shows fewer may have its text in `noscript`
MUCH = 3  # times as many words as the page shows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Parts:
    """The blocks of a page with their own text: images and controls say nothing here."""

    page: Page
    division: Division
    texts: list[str]

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def leaf_words(self) -> Ints:
        """How many words each leaf has: none where it is not text."""
        leaves = self.page.leaves
        counts = [
            text.count(" ") + 1 if kind == "text" else 0 for kind, text in zip(leaves.kind, leaves.text, strict=True)
        ]
        return np.array(counts, np.int64)

    @cached_property
    def words(self) -> Ints:
        """How many words each block has."""
        return self._sums(self.leaf_words)

    @cached_property
    def link_words(self) -> Ints:
        """How many of them are in links."""
        return self._sums(self.leaf_words * self.page.leaves.is_link)

    def _sums(self, of_leaf: Ints) -> Ints:
        return np.add.reduceat(of_leaf, self.division.first) if len(self) else np.zeros(0, np.int64)


def parts_of(page: Page, divide: Callable[[Page], Division] = fine.divide) -> Parts:
    """Divide a page and join the text of each block.

    >>> from parcels.page import read_page
    >>> parts_of(read_page("<h1>Fire</h1><img alt=smoke><p>It <b>burnt</b> down. <input value=ok>")).texts
    ['Fire', '', 'It burnt down.']
    """
    division = divide(page)
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
    return Parts(page, division, texts)


def content_parts(page: Page, divide: Callable[[Page], Division] = fine.divide) -> Parts:
    """The parts of a page, or of its `noscript` where that holds much more text than the page shows.

    >>> from parcels.page import read_page
    >>> page = read_page(f"<p>Loading<noscript><p>{'The pier burnt down. ' * 60}</noscript>")
    >>> len(content_parts(page).texts[0])
    1259
    """
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
