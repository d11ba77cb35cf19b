"""Labels of pages of other corpora, made for this project by the rubric of news17, as a folder to learn from.

    python -m benchmarks.labels.more_labels OUT

`more_labels.jsonl` holds, for some pages of news-unlabelled and wcxb, the labels of the leaves in order as runs
`[count, label]`, and a hash of the leaves' texts by which a page is known again; the pages themselves lie in the
corpora. `OUT` gets `pages.parquet` and `gold/PAGE.json`, for `--data` of `train content` and `train blocks`. They began
as guesses of a model of news17, so that what is scored on news17 must not learn from them:
`benchmarks.labels.read_labels` is for that.
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import corpora
from parcels.errors import ConfigError, InputMissing
from parcels.html.page import Page, read_page

LABELS = Path(__file__).with_suffix(".jsonl")


def labelled_runs(labels: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the metadata of each page, by corpus and name."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for row in map(json.loads, labels.read_text("utf-8").splitlines()):
        found.setdefault(row["corpus"], {})[row["page"]] = row
    return found


def hash_of(page: Page) -> str:
    """By which the leaves of a page are known again."""
    return hashlib.blake2b("\n".join(page.leaves.text).encode(), digest_size=8).hexdigest()


def gold_leaves(page: Page, row: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The leaves of a page with their labels; every leaf is a reference block of its own."""
    if hash_of(page) != row["leaves"]:
        raise ConfigError(f"page {page.name} is not the one that was labelled: its leaves have other texts")
    labels = [label for count, label in row["labels"] for _ in range(count)]
    for number, label in enumerate(labels):
        kind, text = page.leaves.kind[number], page.leaves.text[number]
        yield {"i": number, "block": number, "kind": kind, "text": text, "label": label}


def write(out: Path, labels: Path = LABELS, *, without: Mapping[str, Mapping[str, Any]] | None = None) -> int:
    """Write the folder and return the number of its pages; `without` names pages to leave out, by corpus."""
    (out / "gold").mkdir(parents=True, exist_ok=True)
    tables = []
    for corpus, known in labelled_runs(labels).items():
        rows = {name: row for name, row in known.items() if name not in (without or {}).get(corpus, {})}
        source = corpora.folder() / corpus / "pages.parquet"
        if not source.is_file():
            raise InputMissing(f"{source} is missing: set PARCELS_CORPORA")
        table = pq.read_table(source, columns=["page", "url", "html"])
        tables.append(table.filter(pa.array([name in rows for name in table.column("page").to_pylist()])))
        for found in tables[-1].to_pylist():
            page = read_page(found["html"], found["url"], name=found["page"])
            leaves = list(gold_leaves(page, rows[found["page"]]))
            (out / "gold" / f"{found['page']}.json").write_text(json.dumps({"leaves": leaves}), "utf-8")
    table = pa.concat_tables(tables, promote_options="permissive")
    pq.write_table(table, out / "pages.parquet")
    return int(table.num_rows)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("python -m benchmarks.labels.more_labels OUT")
    print(f"{write(Path(sys.argv[1]))} labelled pages written to {sys.argv[1]}")
