"""The record of one import or job: rows written, records rejected and skipped, and its row in `runs`."""

import datetime as dt
import json
import platform
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from importlib import metadata
from types import TracebackType
from typing import Any

import parcels
from parcels.errors import ConfigError, ParcelsError
from parcels.importing.known import KnownKeys, KnownPages, PageStatus, keys_of
from parcels.store import Store, Writer
from parcels.urls import canonical, content_hash, host_of, new_run_id, page_id

BATCH_BYTES = 8 << 20  # of rows as Python objects
BATCH_ROWS = 2000
LIBRARIES = ("pyarrow", "fastwarc", "ada-url")
TEXT_LIMIT = 2000  # characters of a reject's detail


class RunRecord:
    """Collects the rows of one run. Use it as a context manager: leaving it commits, an error discards open rows."""

    def __init__(self, store: Store, *, step: str, crawl: str, settings: Mapping[str, Any]):
        if not crawl:
            raise ConfigError("--crawl must not be empty. Name the crawl.")
        self.store, self.step, self.crawl, self.settings = store, step, crawl, dict(settings)
        self.run_id = new_run_id()
        self.counts: Counter[str] = Counter()
        self.started_at = dt.datetime.now(dt.UTC)
        self._tables: dict[str, _RowBuffer] = {}

    def __enter__(self) -> "RunRecord":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or isinstance(error, KeyboardInterrupt):  # rows from before Ctrl-C are complete
            self._close("done" if error is None else "stopped")
            return
        for rows in self._tables.values():
            rows.writer.abort()
        try:
            self._write_run("failed", str(error) or type(error).__name__)
        except ParcelsError as second:  # a full disk refuses this row too; the first error is raised
            error.add_note(f"and its row in `runs` could not be written: {second}")

    def add(self, table: str, row: dict[str, Any], *, weight: int = 100) -> None:
        """Add a row to a table; `weight` is its approximate size in bytes."""
        if table not in self._tables:
            self._tables[table] = _RowBuffer(self.store.writer(table, crawl=self.crawl, run_id=self.run_id))
        self._tables[table].add(row | {"run_id": self.run_id}, weight)

    def page(
        self, html: bytes, *, record: str, address: str | None, name: str | None, visit: int = 0, **columns: Any
    ) -> str | None:
        """Add a page unless it is known; return its id if it was added.

        `record` names the source of the page, `address` is the address before it is made canonical.
        """
        url = (canonical(address) if address else None) or f"page:{address or name}"
        key, hash_ = page_id(url, self.crawl, visit), content_hash(html)
        if not html:
            self.reject(record, "empty", detail=address or "", source=columns["source"])
            return None
        status = self._known_pages.see(key, hash_)
        if status is PageStatus.SAME:
            self.skip("already in the store")
            return None
        if status is PageStatus.OTHER:
            detail = f"the crawl has {url} with other content: use another --crawl, or another address for the page"
            self.reject(record, "same-address", detail=detail, page=key, source=columns["source"])
            return None
        at = columns.get("fetched_at")
        row = {
            "page_id": key, "url": url, "final_url": address, "host": host_of(url), "name": name, "html": html,
            "content_hash": hash_, "byte_count": len(html), "visit": visit, "is_truncated": False,
            "fetched_date": (at or self.started_at).date(),
        }  # fmt: skip
        self.add("pages", row | columns, weight=len(html) + 2000)
        self.counts["pages"] += 1
        return key

    def sheet(self, body: bytes, *, address: str, **columns: Any) -> tuple[str, bool]:
        """Add a style sheet unless it is known; return the hash of its bytes, and whether it was added.

        `address` may be a path.
        """
        url, hash_ = canonical(address) or f"page:{address}", content_hash(body)
        if not self._known_sheets.is_new(hash_, url):
            return hash_, False
        at = columns.get("fetched_at")
        row = {
            "content_hash": hash_, "url": url, "kind": "stylesheet", "body": body, "byte_count": len(body),
            "fetched_date": (at or self.started_at).date(),
        }  # fmt: skip
        self.add("resources", row | columns, weight=len(body) + 500)
        self.counts["resources"] += 1
        return hash_, True

    def reject(
        self, record: str, reason: str, *, detail: str = "", page: str | None = None, source: str | None = None
    ) -> None:
        """Count a rejected record, and add a row to `rejects` unless an earlier run did."""
        self.counts[f"rejected: {reason}"] += 1
        if self._known_rejects.is_new(record, self.step):
            row = {
                "record": record, "step": self.step, "reason": reason, "detail": detail[:TEXT_LIMIT] or None,
                "page_id": page, "source": source, "rejected_at": dt.datetime.now(dt.UTC),
            }  # fmt: skip
            self.add("rejects", row, weight=len(record) + len(detail) + 300)

    def skip(self, reason: str) -> None:
        """Count a record that is known or out of scope."""
        self.counts[f"skipped: {reason}"] += 1

    def total(self, kind: str) -> int:
        """Return the number of `rejected` or `skipped` records, for all reasons."""
        return sum(count for name, count in self.counts.items() if name.startswith(f"{kind}: "))

    @cached_property
    def _known_pages(self) -> KnownPages:
        return KnownPages(self.store, self.crawl)

    @cached_property
    def _known_sheets(self) -> KnownKeys:
        return KnownKeys(keys_of(self.store, "resources", self.crawl, "content_hash", "url"))

    @cached_property
    def _known_rejects(self) -> KnownKeys:
        return KnownKeys(keys_of(self.store, "rejects", self.crawl, "record", "step"))

    def _close(self, outcome: str) -> None:
        for table in sorted(self._tables, key=lambda name: name == "pages"):  # pages last: they name sheets
            self._tables[table].close()
        self._write_run(outcome, None)

    def _write_run(self, outcome: str, error: str | None) -> None:
        versions = {"parcels": parcels.__version__, "python": platform.python_version()}
        versions |= {name: metadata.version(name) for name in LIBRARIES}
        row = {
            "run_id": self.run_id, "step": self.step, "outcome": outcome, "started_at": self.started_at,
            "ended_at": dt.datetime.now(dt.UTC), "settings": json.dumps(self.settings, ensure_ascii=False),
            "versions": [{"name": name, "version": version} for name, version in versions.items()],
            "counts": [{"name": name, "count": count} for name, count in sorted(self.counts.items())], "error": error,
        }  # fmt: skip
        self.store.write("runs", [row], crawl=self.crawl, run_id=self.run_id)


class _RowBuffer:
    """Rows for one table, passed to its writer in batches of bounded size."""

    def __init__(self, writer: Writer):
        self.writer = writer
        self._rows: list[dict[str, Any]] = []
        self._weight = 0

    def add(self, row: dict[str, Any], weight: int) -> None:
        self._rows.append(row)
        self._weight += weight
        if self._weight >= BATCH_BYTES or len(self._rows) >= BATCH_ROWS:
            self._flush()

    def close(self) -> None:
        self._flush()
        self.writer.close()

    def _flush(self) -> None:
        self.writer.add(self._rows)
        self._rows, self._weight = [], 0
