"""Training and test pages of the SVM: text blocks with labels from a gold text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from parcels.articles.body.parts import Floats
from parcels.articles.examples import gold_rows, site_of
from parcels.articles.gold import content_shares
from parcels.articles.svm.blocks import TextBlocks, text_blocks
from parcels.errors import SkipRecord
from parcels.html.page import read_page

CONTENT = 0.5  # share of a block's words in the gold text from which it is content


@dataclass(frozen=True)
class SvmExample:
    """One page with its labelled blocks."""

    name: str
    site: str
    gold: str
    blocks: TextBlocks
    is_content: "np.ndarray[tuple[int], np.dtype[np.bool_]]"

    def weight(self, power: float | None) -> Floats:
        """Return the weight of each block; `power` is the exponent of its words, None for equal weights."""
        if power is None:
            return np.ones(len(self.blocks))
        worth: Floats = np.power(self.blocks.words, power)
        worth *= 100 / worth.sum()
        return worth


def read_pages(folders: Sequence[Path]) -> tuple[list[SvmExample], list[str]]:
    """Read the pages of all folders; returns them and the names of unreadable pages."""
    pages, unreadable = [], []
    for folder in folders:
        for row in gold_rows(folder):
            try:
                pages.append(page_of(row))
            except SkipRecord:
                unreadable.append(str(row["page"]))
    return pages, unreadable


def page_of(row: Mapping[str, Any]) -> SvmExample:
    """Build an example from one row, without its element tree."""
    page = read_page(row["html"], row.get("url"), name=str(row["page"]))
    blocks, gold = text_blocks(page), row["text"] or ""
    stub = page.root.makeelement("html")
    nodes = replace(blocks.parts.page.nodes, elements=[stub] * len(blocks.parts.page.nodes), metadata=[])
    slim = replace(blocks, parts=replace(blocks.parts, page=replace(blocks.parts.page, root=stub, nodes=nodes)))
    is_content = content_shares(blocks.texts, gold) >= CONTENT
    return SvmExample(page.name, site_of(row.get("url"), page.name), gold, slim, is_content)
