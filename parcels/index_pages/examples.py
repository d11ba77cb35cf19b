"""Labelled pages to learn from: folders of pages.parquet with a column `answer` or `page_type`."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from parcels.articles.body.parts import content_parts
from parcels.articles.examples import PAGES, site_of
from parcels.errors import InputMissing, SkipRecord
from parcels.html.page import read_page
from parcels.html.structured import claims
from parcels.index_pages.features import page_features
from parcels.labels.train_command import LEAVE_OUT

ARTICLE, INDEX, OTHER = ANSWERS = ("article", "index", "other")
ANSWER_OF_TYPE = {ARTICLE: ARTICLE, INDEX: INDEX, "listing": INDEX, "collection": INDEX}  # all further types are other


@dataclass(frozen=True)
class IndexExample:
    """One page with its answer and its features."""

    name: str
    site: str
    answer: str
    row: list[float]


def read_examples(folder: Path) -> tuple[list[IndexExample], list[str]]:
    """Return the examples of a folder, and the names of unreadable pages."""
    examples, unreadable = [], []
    for name, html, url, answer in _labelled(folder):
        try:
            page = read_page(html, url, name=name)
        except SkipRecord:
            unreadable.append(name)
            continue
        row = page_features(content_parts(page), claims(page), url)
        examples.append(IndexExample(name, site_of(url, name), answer, row))
    return examples, unreadable


def _labelled(folder: Path) -> Iterator[tuple[str, bytes, str | None, str]]:
    """Yield name, bytes, address and answer of each page; all pages of a corpus without answers are articles."""
    import pyarrow.parquet

    path = folder / PAGES if folder.is_dir() else folder
    if not path.exists():
        raise InputMissing(f"File or folder not found: {path}. Give a folder with {PAGES}, or a Parquet file.")
    file = pyarrow.parquet.ParquetFile(path)
    names = set(file.schema_arrow.names)
    if missing := {"page", "html"} - names:
        raise InputMissing(f"{path} lacks the column {' and '.join(sorted(missing))}; training needs page and html.")
    for batch in file.iter_batches(
        batch_size=32, columns=sorted({"page", "html", "url", "answer", "page_type"} & names)
    ):
        for row in batch.to_pylist():
            name = str(row["page"])
            if name.startswith(LEAVE_OUT):
                continue
            answer = row.get("answer") or ANSWER_OF_TYPE.get(row.get("page_type") or ARTICLE, OTHER)
            if answer not in ANSWERS:
                raise InputMissing(f"{path}: the answer of {name} is {answer!r}. Use one of: {', '.join(ANSWERS)}.")
            yield name, row["html"], row.get("url"), answer
