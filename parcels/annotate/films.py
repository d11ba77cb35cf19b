"""The film of co-training: of each round what it labelled, and of each block the round, the view and how surely."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow.dataset as ds

from parcels.annotate.shelf import DIVIDER
from parcels.store import Store
from parcels.urls import block_id

MOST_PAGES = 40
KEPT = ("round", "labelled_count", "pool_count", "added_count", "agreement", "error", "stopped_by")
ID_DIGITS = 32  # of a page, at the front of each of its blocks' ids


def film(store: Store, model: str | None, pages: Iterable[str], *, crawl: str | None = None) -> dict[str, Any]:
    """The rounds of a model (the last one that was trained, unless it is named), and the pages with most to see."""
    rows = _rounds(store, ["model", *KEPT, "added", "ended_at"], None, crawl)
    models = sorted(
        {row["model"] for row in rows}, key=lambda name: max(r["ended_at"] for r in rows if r["model"] == name)
    )
    chosen = model if model in models else (models[-1] if models else None)
    known = set(pages)
    seen: Counter[str] = Counter()
    if chosen is not None:
        for row in _rounds(store, ["model", "round", "examples"], chosen, crawl):
            seen.update(page for one in row["examples"] if (page := one["block_id"][:ID_DIGITS]) in known)
    return {
        "models": models,
        "model": chosen,
        "rounds": [_plain(row) for row in rows if row["model"] == chosen],
        "pages": [{"page": page, "blocks": count} for page, count in seen.most_common(MOST_PAGES)],
    }


def page_film(
    store: Store, model: str, page: str, blocks: int, *, crawl: str | None = None
) -> list[dict[str, Any] | None]:
    """For each block of a page when it was labelled; None where co-training never did."""
    numbers = {block_id(page, n, DIVIDER): n for n in range(blocks)}
    found: list[dict[str, Any] | None] = [None] * blocks
    for row in _rounds(store, ["model", "round", "examples"], model, crawl):
        for one in row["examples"]:
            n = numbers.get(one["block_id"])
            if n is not None and found[n] is None:
                confidence = round(one["confidence"], 4)
                found[n] = {"round": row["round"], "view": one["view"], "label": one["label"], "confidence": confidence}
    return found


def _rounds(store: Store, columns: list[str], model: str | None, crawl: str | None) -> list[dict[str, Any]]:
    """Rows of `rounds` in their order, each once."""
    where = None if model is None else ds.field("model") == model
    rows = store.read("rounds", columns=columns, filter=where, crawl=crawl).to_pylist()
    last = {(row["model"], row["round"]): row for row in rows}
    return [last[key] for key in sorted(last)]


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    views: Counter[str] = Counter()
    for one in row["added"]:
        views[one["view"]] += one["count"]
    return {name: row[name] for name in KEPT} | {"views": dict(views)}
