"""Convert a segment of the spool to rows of the tables. Sealing a segment twice gives identical files."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from crawler.frontier.contract import CLOSES, NEAR_IDENTICAL, QUEUED
from crawler.frontier.traps import origin_and_host, template_of
from crawler.sinks.entry import Entry, decode
from crawler.sinks.spool import frames
from parcels.store import Store, Writer
from parcels.urls import content_hash, host_of, page_id

STEP = "crawl"
BATCH_BYTES, BATCH_ROWS = 8 << 20, 5000
ORDER = ("resources", "links", "rejects", "pages")  # pages last: they refer to rows of the others


def seal(
    store: Store, crawl: str, path: Path, receipts: Mapping[int, str], *, run_id: str,
    sheet_hash: Callable[[str], str | None] = lambda url: None,
) -> Counter[str]:  # fmt: skip
    """Write the rows of a segment whose leases have a receipt; return the number of rows per table."""
    counts: Counter[str] = Counter()
    tables = _Tables(store, crawl, path.stem, run_id)
    written: set[int] = set()
    try:
        for entry in entries(path):
            token = entry.lease.token
            if token not in receipts:
                counts["overtaken"] += 1
            elif token not in written:
                written.add(token)
                for table, row, weight in rows(entry, receipts[token], crawl, run_id, sheet_hash):
                    tables.add(table, row, weight)
                    counts[table] += 1
        tables.close()
    finally:
        tables.abort()
    return counts


def entries(path: Path) -> Iterator[Entry]:
    """Yield the entries of a segment."""
    for data, _ in frames(path):
        yield decode(data)


def rows(
    entry: Entry, outcomes: str, crawl: str, run_id: str, sheet_hash: Callable[[str], str | None]
) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Yield table, row and approximate size in bytes of every row of an entry."""
    lease = entry.lease
    at = dt.datetime.fromtimestamp(entry.fetched_at, dt.UTC)
    if entry.resource is not None:
        row = {
            "content_hash": content_hash(entry.body), "url": lease.url, "kind": "stylesheet", "fetched_at": at,
            "body": entry.body, "byte_count": len(entry.body), "source": STEP, "run_id": run_id,
            "fetched_date": at.date(),
        }  # fmt: skip
        yield "resources", row | entry.resource, len(entry.body) + 500
    key = page_id(lease.url, crawl, lease.visit)
    if entry.reject is not None:
        reason, detail = entry.reject
        row = {
            "record": lease.url, "step": STEP, "reason": reason, "detail": detail or None, "page_id": key,
            "source": STEP, "rejected_at": at, "run_id": run_id,
        }  # fmt: skip
        yield "rejects", row, 500
    if outcomes.endswith(CLOSES):
        template = origin_and_host(lease.url)[0] + template_of(lease.url)
        detail = f"closed: its responses are near-identical, the last one at {lease.url}"
        row = {
            "record": template, "step": STEP, "reason": NEAR_IDENTICAL, "detail": detail, "page_id": None,
            "source": STEP, "rejected_at": at, "run_id": run_id,
        }  # fmt: skip
        yield "rejects", row, 500
    if entry.page is not None:
        page = dict(entry.page)
        sheets = page.pop("sheets", None)
        if sheets:
            page["sheets"] = [{"path": url, "content_hash": sheet_hash(url)} for url in sheets]
        page["headers"] = [{"name": name, "value": value} for name, value in page["headers"]]
        row = {
            "page_id": key, "url": lease.url, "host": host_of(lease.url), "fetched_at": at, "html": entry.body,
            "byte_count": len(entry.body), "depth": lease.depth, "referrer": lease.referrer, "visit": lease.visit,
            "topic": lease.topic, "source": STEP, "run_id": run_id, "fetched_date": at.date(),
        }  # fmt: skip
        yield "pages", row | page, len(entry.body) + 2000
    yield from _links(entry, key, outcomes, at.date(), run_id)


def _links(
    entry: Entry, key: str, outcomes: str, date: dt.date, run_id: str
) -> Iterator[tuple[str, dict[str, Any], int]]:
    queued: set[int] = set()
    for n, (where, anchor, rel) in enumerate(entry.links):
        score, is_queued = None, False
        if isinstance(where, int):
            target, score = entry.offers[where][:2]
            is_queued = outcomes[where] == QUEUED and where not in queued
            queued.add(where)
        else:
            target = where
        row = {
            "page_id": key, "n": n, "target": target, "target_host": host_of(target), "anchor": anchor, "rel": rel,
            "score": score, "is_queued": is_queued, "run_id": run_id, "fetched_date": date,
        }  # fmt: skip
        yield "links", row, 300


class _Tables:
    """A writer per table, fed in batches; each writes files named after the segment."""

    def __init__(self, store: Store, crawl: str, segment: str, run_id: str):
        self._store, self._crawl, self._segment, self._run_id = store, crawl, segment, run_id
        self._writers: dict[str, Writer] = {}
        self._rows: dict[str, list[dict[str, Any]]] = {}
        self._weights: Counter[str] = Counter()

    def add(self, table: str, row: dict[str, Any], weight: int) -> None:
        self._rows.setdefault(table, []).append(row)
        self._weights[table] += weight
        if self._weights[table] >= BATCH_BYTES or len(self._rows[table]) >= BATCH_ROWS:
            self._flush(table)

    def _flush(self, table: str) -> None:
        if table not in self._writers:
            self._writers[table] = self._store.writer(
                table, crawl=self._crawl, run_id=self._run_id, commit_id=self._segment
            )
        self._writers[table].add(self._rows.pop(table))
        self._weights[table] = 0

    def close(self) -> None:
        for table in list(self._rows):
            self._flush(table)
        for table in ORDER:
            if table in self._writers:
                self._writers[table].close()

    def abort(self) -> None:
        for writer in self._writers.values():
            writer.abort()


def known_sheets(store: Store, crawl: str) -> dict[str, str]:
    """Return the hashes of a store's style sheets, by address."""
    hashes: dict[str, str] = {}
    for batch in store.batches("resources", columns=["url", "content_hash"], crawl=crawl):
        hashes.update(zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True))
    return hashes
