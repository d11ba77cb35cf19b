"""Labels and rounds in a store without Spark: rows as the jobs write them, for tests of what shows them."""

import datetime as dt
from typing import Any

from divided_store import divide

from parcels.annotate.page_sources import DIVIDER, StorePageSource
from parcels.labels import label_set
from parcels.store import Store
from parcels.urls import block_id

MODEL = "news@test"
START = dt.datetime(2025, 5, 1, 12, tzinfo=dt.UTC)


def classify(store: Store, crawl: str) -> None:
    """Divide the pages and write what the shipped model says of their blocks."""
    divide(store, crawl=crawl)
    source = StorePageSource(store, crawl=crawl)
    rows: list[dict[str, Any]] = []
    for page in source.entries:
        said = source.open(page).predictions
        for n, (best, views) in enumerate(zip(said.labels, said.views, strict=True)):
            assert best is not None
            votes = [{"view": view, "label": label, "confidence": sure} for view, (label, sure) in views.items()]
            rows.append({"block_id": block_id(page, n, DIVIDER), "page_id": page, "n": n, "label": best[0],
                         "confidence": best[1], "views": votes, "leaves": [], "spans": [],
                         "importance": label_set()[best[0]].importance})  # fmt: skip
    store.write("labels", rows, crawl=crawl, model=MODEL)


def add_rounds(store: Store, crawl: str, page: str, *, rounds: int = 3, model: str = "mine") -> None:
    """Rounds of co-training, each of which labelled two blocks of a page."""
    for number in range(1, rounds + 1):
        examples = [
            {"block_id": block_id(page, 2 * number - 2 + at, DIVIDER), "view": view, "label": label, "confidence": 0.9}
            for at, (view, label) in enumerate((("stylistic", "sitenav"), ("lexical", "maincontent")))
        ]
        added = [{"view": one["view"], "label": one["label"], "count": 1, "least_confidence": 0.9} for one in examples]
        row = {"model": model, "round": number, "labelled_count": 10 + 2 * number, "pool_count": 50, "added_count": 2,
               "agreement": 0.5 + 0.1 * number, "error": 0.4 - 0.05 * number, "added": added, "examples": examples,
               "stopped_by": "rounds" if number == rounds else None, "started_at": START,
               "ended_at": START + dt.timedelta(minutes=number)}  # fmt: skip
        store.write("rounds", [row], crawl=crawl)
