"""Answers for 1,221 pages of news-pool, read for this project by the rubric: article, index or other.

    python -m benchmarks.labels.index_labels OUT

`index_labels.jsonl` has one line per page: corpus, page, address, SHA-256 of the bytes, the answer and how the page was
drawn; no text. The first 757 were read without the corpus' answers. They were drawn at random and in two layers from
pages without earlier labels: `sure` and `unsure`, as an earlier model was. The `later` ones are mostly pages on which a
model and the corpus' answers differ, and the reader had seen those answers for some of them.

`OUT` gets `pages.parquet` with the column `answer`, for `--data` of `train index-pages`: these pages, and those of
varied_labels.jsonl without wcxb, with the answers that their labels imply.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmarks import corpora
from benchmarks.labels import varied_labels
from benchmarks.labels.more_labels import labelled_runs
from parcels.errors import ConfigError, InputMissing
from parcels.index_pages.examples import ANSWER_OF_TYPE, OTHER

LABELS = Path(__file__).with_suffix(".jsonl")
BUILD = Path(__file__).parents[2] / "build" / "index"
LAYERS = {"sure": 2799, "unsure": 692}  # pages of news-pool from which each layer was drawn
LEFT_OUT = "wcxb"  # it has types of its own


def own_answers() -> dict[str, str]:
    """Return the answer of each page that was read, by its name in news-pool."""
    return {row["page"]: row["answer"] for row in _read()}


def drawn() -> dict[str, str]:
    """Return how each page was drawn: sure, unsure or later."""
    return {row["page"]: row["drawn"] for row in _read()}


def all_answers() -> dict[str, dict[str, str]]:
    """Return the answers by corpus and page: those read, and those implied by labels of leaves."""
    found: dict[str, dict[str, str]] = {}
    for corpus, rows in labelled_runs(varied_labels.LABELS).items():
        if corpus != LEFT_OUT:
            types = {name: varied_labels.page_type(name, row["labels"]) for name, row in rows.items()}
            found[corpus] = {name: ANSWER_OF_TYPE.get(kind, OTHER) for name, kind in types.items()}
    for row in _read():
        found.setdefault(row["corpus"], {})[row["page"]] = row["answer"]
    return found


def write(out: Path) -> int:
    """Write the folder and return the number of its pages."""
    hashes = {row["page"]: row["sha256"] for row in _read()}
    tables = []
    for corpus, answers in all_answers().items():
        source = corpora.folder() / corpus / "pages.parquet"
        if not source.is_file():
            raise InputMissing(f"{source} is missing: set PARCELS_CORPORA")
        table = pq.read_table(source, columns=["page", "url", "html"])
        table = table.filter(pc.is_in(table["page"], pa.array(list(answers))))
        pages = table["page"].to_pylist()
        for page, html in zip(pages, table["html"].to_pylist(), strict=True):
            if corpus == "news-pool" and hashes.get(page) not in (None, hashlib.sha256(html).hexdigest()):
                raise ConfigError(f"page {page} of {corpus} is not the one that was read: its bytes differ")
        tables.append(table.append_column("answer", pa.array([answers[page] for page in pages])))
    out.mkdir(parents=True, exist_ok=True)
    every = pa.concat_tables(tables, promote_options="permissive")
    pq.write_table(every, out / "pages.parquet")
    return int(every.num_rows)


def _read() -> Iterator[dict[str, str]]:
    yield from map(json.loads, LABELS.read_text("utf-8").splitlines())


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.labels.index_labels", description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="folder to write")
    print(f"{write(out := parser.parse_args().out)} labelled pages written to {out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
