"""The rounds of co-training, and the round in which each block of a page was labelled."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow.dataset as ds

from parcels.annotate.page_sources import DIVIDER
from parcels.store import Store
from parcels.urls import block_id

MAX_PAGES = 40
ROUND_COLUMNS = ("round", "labelled_count", "pool_count", "added_count", "agreement", "error", "stopped_by")
ID_DIGITS = 32  # of a page id, the prefix of the ids of the page's blocks


def rounds_of_model(
    store: Store, model: str | None, pages: Iterable[str], *, crawl: str | None = None
) -> dict[str, Any]:
    """Return the rounds of a model (default: the one trained last) and the pages with most co-trained blocks."""
    rows = _rounds(store, ["model", *ROUND_COLUMNS, "added", "ended_at"], None, crawl)
    models = sorted(
        {row["model"] for row in rows}, key=lambda name: max(r["ended_at"] for r in rows if r["model"] == name)
    )
    chosen = model if model in models else (models[-1] if models else None)
    known = set(pages)
    counts: Counter[str] = Counter()
    if chosen is not None:
        for row in _rounds(store, ["model", "round", "examples"], chosen, crawl):
            counts.update(page for one in row["examples"] if (page := one["block_id"][:ID_DIGITS]) in known)
    return {
        "models": models,
        "model": chosen,
        "rounds": [_plain(row) for row in rows if row["model"] == chosen],
        "pages": [{"page": page, "blocks": count} for page, count in counts.most_common(MAX_PAGES)],
    }


def rounds_of_blocks(
    store: Store, model: str, page: str, blocks: int, *, crawl: str | None = None
) -> list[dict[str, Any] | None]:
    """Return the round, view, label and confidence of each block of a page; None where co-training labelled none."""
    numbers = {block_id(page, n, DIVIDER): n for n in range(blocks)}
    labelled: list[dict[str, Any] | None] = [None] * blocks
    for row in _rounds(store, ["model", "round", "examples"], model, crawl):
        for example in row["examples"]:
            n = numbers.get(example["block_id"])
            if n is not None and labelled[n] is None:
                labelled[n] = {
                    "round": row["round"], "view": example["view"], "label": example["label"],
                    "confidence": round(example["confidence"], 4),
                }  # fmt: skip
    return labelled


def _rounds(store: Store, columns: list[str], model: str | None, crawl: str | None) -> list[dict[str, Any]]:
    """Return the rows of `rounds` in order, each round once."""
    where = None if model is None else ds.field("model") == model
    rows = store.read("rounds", columns=columns, filter=where, crawl=crawl).to_pylist()
    last = {(row["model"], row["round"]): row for row in rows}
    return [last[key] for key in sorted(last)]


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    views: Counter[str] = Counter()
    for one in row["added"]:
        views[one["view"]] += one["count"]
    return {name: row[name] for name in ROUND_COLUMNS} | {"views": dict(views)}
