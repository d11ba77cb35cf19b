"""Pages with gold text as text blocks to learn from and to score."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from parcels.articles.examples import gold_rows, site_of
from parcels.articles.gold import content_shares
from parcels.articles.svm.blocks import text_blocks
from parcels.articles.svm.train import CONTENT, Page
from parcels.errors import SkipRecord
from parcels.html.page import read_page


def read_pages(folders: Sequence[Path]) -> tuple[list[Page], list[str]]:
    """The pages of all folders, and the names of those that could not be read."""
    found, lost = [], []
    for folder in folders:
        for row in gold_rows(folder):
            try:
                found.append(page_of(row))
            except SkipRecord:
                lost.append(str(row["page"]))
    return found, lost


def page_of(row: Mapping[str, Any]) -> Page:
    """One row as a page to learn from; its tree is not kept."""
    page = read_page(row["html"], row.get("url"), name=str(row["page"]))
    blocks, gold = text_blocks(page), row["text"] or ""
    stub = page.root.makeelement("html")
    nodes = replace(blocks.parts.page.nodes, elements=[stub] * len(blocks.parts.page.nodes), telling=[])
    slim = replace(blocks, parts=replace(blocks.parts, page=replace(blocks.parts.page, root=stub, nodes=nodes)))
    is_content = content_shares(blocks.texts, gold) >= CONTENT
    return Page(page.name, site_of(row.get("url"), page.name), gold, slim, is_content)
