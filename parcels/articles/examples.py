"""Pages whose content is known, ready to learn from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from parcels.articles.body.parts import Floats, Parts, content_parts
from parcels.articles.fields.stated import Stated
from parcels.articles.gold import content_shares
from parcels.errors import InputMissing, SkipRecord
from parcels.html.page import read_page
from parcels.html.structured import Claim, claims
from parcels.labels.gold import read_gold
from parcels.labels.train_command import LEAVE_OUT
from parcels.urls import host_of, registered

PAGES = "pages.parquet"
LABELS = "gold"  # a folder of labelled leaves, where the pages have no text of their own
CONTENT_LABELS = ("maincontent", "contentlink", "subheaders")
NEWS = "article"  # the type of pages in a collection that names no types: it holds articles


@dataclass(frozen=True)
class Example:
    """One page with its gold text; the tree itself is not kept."""

    name: str
    site: str
    page_type: str
    gold: str
    parts: Parts
    claims: list[Claim]
    stated: Stated
    shares: Floats


def gold_rows(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of a folder's pages.parquet: page, html, text and what else is known."""
    import pyarrow.parquet

    path = folder / PAGES if folder.is_dir() else folder
    if not path.exists():
        raise InputMissing(f"there is no {path}; give a folder with {PAGES}, or a Parquet file")
    file = pyarrow.parquet.ParquetFile(path)
    labels = folder / LABELS
    missing = {"page", "html", "text"} - set(file.schema_arrow.names)
    if missing and (missing != {"text"} or not labels.is_dir()):
        raise InputMissing(f"{path} has no column {' or '.join(sorted(missing))}; learning needs page, html and text")
    for batch in file.iter_batches(batch_size=32):
        for row in batch.to_pylist():
            if not missing:
                yield row
            elif not str(row["page"]).startswith(LEAVE_OUT):
                yield {**row, "text": labelled_text(labels / f"{row['page']}.json")}


def labelled_text(file: Path) -> str:
    """The text of the leaves that somebody labelled as the story."""
    return "\n".join(leaf.text for leaf in read_gold(file) if leaf.kind == "text" and leaf.label in CONTENT_LABELS)


def read_examples(folders: Sequence[Path]) -> tuple[list[Example], list[str]]:
    """The examples of all folders, and the names of the pages that could not be read."""
    found, lost = [], []
    for folder in folders:
        for row in gold_rows(folder):
            try:
                found.append(example_of(row))
            except SkipRecord:
                lost.append(str(row["page"]))
    return found, lost


def example_of(row: dict[str, Any]) -> Example:
    """One row as an example."""
    page = read_page(row["html"], row.get("url"), name=str(row["page"]))
    parts, said = content_parts(page), claims(page)
    gold = row["text"] or ""
    stub = page.root.makeelement("html")  # trees are large, and everything that learns reads the arrays
    nodes = replace(parts.page.nodes, elements=[stub] * len(parts.page.nodes), telling=[])
    slim = replace(parts.page, root=stub, nodes=nodes)
    return Example(
        page.name,
        site_of(row.get("url"), page.name),
        row.get("page_type") or NEWS,
        gold,
        replace(parts, page=slim),
        said,
        Stated.of(said),
        content_shares(parts.texts, gold),
    )


def site_of(url: str | None, name: str) -> str:
    """The registered domain of a page, or its name where it has no address."""
    return registered(host_of(url or "") or name)
