"""Training and test pages of the content model: rows with gold text, and examples made of them."""

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
LABELS = "gold"  # folder of labelled leaves, for pages without a column `text`
CONTENT_LABELS = frozenset(["maincontent", "contentlink", "subheaders"])
REPLIES = frozenset(["suppcontent"])  # the replies of a forum are content
NEWS = "article"  # page type of corpora without a column `page_type`


@dataclass(frozen=True)
class ContentExample:
    """One page with its gold text, without its element tree."""

    name: str
    site: str
    page_type: str
    gold: str
    parts: Parts
    claims: list[Claim]
    stated: Stated
    shares: Floats


def gold_rows(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows of a folder's pages.parquet: page, html, text and further columns."""
    import pyarrow.parquet

    path = folder / PAGES if folder.is_dir() else folder
    if not path.exists():
        raise InputMissing(f"File or folder not found: {path}. Give a folder with {PAGES}, or a Parquet file.")
    file = pyarrow.parquet.ParquetFile(path)
    labels = folder / LABELS
    missing = {"page", "html", "text"} - set(file.schema_arrow.names)
    if missing and (missing != {"text"} or not labels.is_dir()):
        raise InputMissing(
            f"{path} lacks the column {' and '.join(sorted(missing))}; training needs page, html and text"
        )
    for batch in file.iter_batches(batch_size=32):
        for row in batch.to_pylist():
            if not missing:
                yield row
            elif not str(row["page"]).startswith(LEAVE_OUT):
                yield {**row, "text": labelled_text(labels / f"{row['page']}.json", row.get("page_type") or NEWS)}


def labelled_text(file: Path, page_type: str = NEWS) -> str:
    """Return the text of the leaves labelled as the content of a page of this type."""
    wanted = CONTENT_LABELS | REPLIES if page_type == "forum" else CONTENT_LABELS
    return "\n".join(leaf.text for leaf in read_gold(file) if leaf.kind == "text" and leaf.label in wanted)


def read_examples(folders: Sequence[Path]) -> tuple[list[ContentExample], list[str]]:
    """Read the examples of all folders; returns them and the names of unreadable pages."""
    examples, unreadable = [], []
    for folder in folders:
        for row in gold_rows(folder):
            try:
                examples.append(example_of(row))
            except SkipRecord:
                unreadable.append(str(row["page"]))
    return examples, unreadable


def example_of(row: dict[str, Any]) -> ContentExample:
    """Build an example from one row."""
    page = read_page(row["html"], row.get("url"), name=str(row["page"]))
    parts, page_claims = content_parts(page), claims(page)
    gold = row["text"] or ""
    stub = page.root.makeelement("html")  # trees are large, and training needs the arrays only
    nodes = replace(parts.page.nodes, elements=[stub] * len(parts.page.nodes), metadata=[])
    slim = replace(parts.page, root=stub, nodes=nodes)
    return ContentExample(
        page.name,
        site_of(row.get("url"), page.name),
        row.get("page_type") or NEWS,
        gold,
        replace(parts, page=slim),
        page_claims,
        Stated.of(page_claims),
        content_shares(parts.texts, gold),
    )


def site_of(url: str | None, name: str) -> str:
    """Return the registered domain of a page, or its name where it has no address."""
    return registered(host_of(url or "") or name)
