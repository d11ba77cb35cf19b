"""A small store for the tests of the jobs: some pages of the example web, one that is bad, and their gold labels."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from labelled_pages import gold_leaves

from jobs.engine.units import UNIT_ROWS
from parcels import example_web
from parcels.html.page import read_page
from parcels.importing.run_record import RunRecord
from parcels.store import Store, open_store

CRAWL = "test"
BAD = b"<div>" * 5000
UNLIKE = ("run_id", "rejected_at", "started_at", "ended_at")  # columns in which two runs differ


def make_store(where: Any, *, each_site: int = 3, labelled: int = 0) -> Store:
    """Articles of the three news sites and a page that cannot be divided; the first `labelled` of a site have gold."""
    store = open_store(where, create=True)
    with RunRecord(store, step="test", crawl=CRAWL, settings={}) as run:
        for host in example_web.hosts()[:3]:
            for number, url in enumerate(example_web.article_urls(host)[:each_site]):
                key = run.page(example_web.fetch(url).body, record=url, address=url, name=url, source="test")
                if number < labelled:
                    annotate(run, str(key), url)
        run.page(BAD, record="bad", address="http://bad.example/", name="bad", source="test")
    return store


def annotate(run: RunRecord, page: str, url: str) -> None:
    """The labels that the example web knows of its own leaves."""
    for n, leaf in enumerate(gold_leaves(read_page(example_web.gold_html(url), url))):
        row = {"page_id": page, "unit": "leaf", "n": n, "kind": leaf["kind"], "text": leaf["text"],
               "label": leaf["label"], "annotator": "web", "rubric": "news17@1", "source": "test"}  # fmt: skip
        run.add("annotations", row)


def units(store: Store, table: str = "pages", *, todo: int = 1) -> Iterator[dict[str, Any]]:
    """All rows of a table as units, as the planner makes them."""
    for file in store.files(table):
        count = pq.ParquetFile(file.path).metadata.num_rows
        for first in range(0, count, UNIT_ROWS):
            rows = [{"row": row, "todo": todo} for row in range(first, min(first + UNIT_ROWS, count))]
            yield {"file": file.path, "chunk": first // UNIT_ROWS, "rows": rows, "sheets": None}


def rows_of(store: Store, table: str) -> list[dict[str, Any]]:
    """The rows of a table in the order of its key, without what differs from run to run."""
    declared = store.declaration(table)
    columns = [column.name for column in declared.all_columns if column.name not in UNLIKE]
    rows: pa.Table = store.read(table, columns=columns)
    key = [name for name in declared.key if name in columns] or ["step"]
    order = pc.sort_indices(rows, [(name, "ascending") for name in key])
    return rows.take(order).to_pylist()
