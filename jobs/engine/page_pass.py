"""The pass over pages: a task reads its pages, runs the steps on each, writes rows and rejects, and counts."""

import datetime as dt
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from jobs.engine.memory import exit_if_large, limit_memory
from jobs.engine.page import COLUMNS, OpenStep, PageStep, StoredPage
from jobs.engine.sink import Sink
from jobs.engine.units import RowReader
from parcels.common.memory import freeze_loaded_objects
from parcels.errors import SkipRecord
from parcels.limits import PAGE_SECONDS, cpu_limit
from parcels.store import Store, open_store

COUNTS = "name string, count bigint"
DETAIL = 2000  # characters of a reject's detail
CACHED_SHEETS = 200 << 20  # bytes of style sheets that a task caches

Row = Mapping[str, Any]


def _ignore(*_: object) -> None:
    """Do nothing."""


@dataclass(frozen=True)
class PagePass:
    """One pass over pages. Its steps share the parsed, laid-out and measured page."""

    store: str
    crawl: str
    run_ids: tuple[str, ...]  # of each step
    steps: tuple[PageStep, ...]
    divider: str = "fine"
    seconds: float = PAGE_SECONDS
    on_page_start: Callable[[str], None] = _ignore  # called with the page's id
    on_page_done: Callable[[int, int], None] = _ignore  # called with 1 and the number of the page's blocks
    on_commit: Callable[[], None] = _ignore  # called before the rows are committed

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Process the units of a task on Spark (`mapInArrow`), write their rows to the store, and yield counts."""
        from pyspark import TaskContext

        exit_if_large()
        limit_memory()
        task = TaskContext.get().partitionId()
        units = [unit for batch in batches for unit in batch.to_pylist()]
        units.sort(key=lambda unit: (unit["file"], unit["chunk"]))
        counts = self.process(units, commit_id=f"{self.run_ids[0]}-{task:06d}")
        yield pa.record_batch(
            {"name": list(counts), "count": pa.array(counts.values(), pa.int64())},
            schema=pa.schema([("name", pa.string()), ("count", pa.int64())]),
        )

    def process(self, units: Sequence[Row], *, commit_id: str, crashed: Collection[str] = ()) -> Counter[str]:
        """Process units and commit their rows. Pages in `crashed`, which ended a process before, are rejected."""
        store = open_store(self.store)
        counts: Counter[str] = Counter()
        opened = [step.opened(store, self.crawl) for step in self.steps]
        freeze_loaded_objects()
        pages = RowReader(store.location.filesystem, COLUMNS)
        sheets = _Sheets(store)
        rows_out = Sink(store, crawl=self.crawl, run_id=self.run_ids[0], commit_id=commit_id)
        with closing(pages), closing(sheets), rows_out as sink:
            for unit in units:
                todo = {one["row"]: one["todo"] for one in unit["rows"]}
                bodies = sheets.of(unit["sheets"] or ())
                for numbers, table in pages.read(unit["file"], todo):
                    rows = table.to_pylist()
                    for number, row in zip(numbers, rows, strict=True):
                        own = {sheet["path"]: bodies.get(sheet["content_hash"]) for sheet in row["sheets"] or ()}
                        row["css"] = {path: body for path, body in own.items() if body is not None}
                        self.on_page_start(row["page_id"])
                        if row["page_id"] in crashed:
                            self._reject_crashed(row, todo[number], sink, counts)
                        else:
                            self._page(row, todo[number], opened, sink, counts)
            self.on_commit()
        return counts

    def _page(self, row: Row, todo: int, opened: Sequence[OpenStep], sink: Sink, counts: Counter[str]) -> None:
        page = StoredPage(row, divider=self.divider)
        blocks = 0
        refusals: set[str] = set()  # steps that rejected the page
        for number, (step, one) in enumerate(zip(self.steps, opened, strict=True)):
            if not todo >> number & 1 or refusals.intersection(step.finished.rejecting):
                continue
            try:
                with cpu_limit(self.seconds, page.url):
                    tables = list(one.rows(page))
            except SkipRecord as skipped:
                reason, detail = skipped.reason, skipped.detail
            except MemoryError:
                reason, detail = "out-of-memory", ""
            except Exception as error:  # noqa: BLE001 - a bug on one page must not cost the other pages
                reason, detail = "error", _where(error)
            else:
                counts[f"{step.name}: pages"] += 1
                for table, rows in tables:
                    sink.add(table, rows, run_id=self.run_ids[number])
                    counts[f"{step.name}: {step.finished.tables[0]}"] += len(rows)
                    blocks = max(blocks, len(rows))
                continue
            refusals.add(step.step)
            self._reject(number, row, reason, detail, sink, counts)
        self.on_page_done(1, blocks)

    def _reject_crashed(self, row: Row, todo: int, sink: Sink, counts: Counter[str]) -> None:
        refusals: set[str] = set()
        for number, step in enumerate(self.steps):
            if todo >> number & 1 and not refusals.intersection(step.finished.rejecting):
                refusals.add(step.step)
                self._reject(number, row, "crashed", "the page ended its process twice", sink, counts)
        self.on_page_done(1, 0)

    def _reject(self, number: int, row: Row, reason: str, detail: str, sink: Sink, counts: Counter[str]) -> None:
        step = self.steps[number]
        counts[f"{step.name}: rejected: {reason}"] += 1
        reject = {
            "record": row["url"], "step": step.step, "reason": reason, "detail": detail[:DETAIL] or None,
            "page_id": row["page_id"], "source": "pages", "rejected_at": dt.datetime.now(dt.UTC),
        }  # fmt: skip
        sink.add("rejects", [reject], run_id=self.run_ids[number])


def _where(error: Exception) -> str:
    """Return the error and the innermost functions and lines of its trace."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return "; ".join([f"{type(error).__name__}: {error}", *(f"{one.name}:{one.lineno}" for one in reversed(frames))])


class _Sheets:
    """A cache of the style sheets that units need. It is emptied when it is full."""

    def __init__(self, store: Store):
        self._reader = RowReader(store.location.filesystem, ["content_hash", "body"])
        self._bodies: dict[str, bytes] = {}
        self._size = 0

    def of(self, places: Iterable[Row]) -> Mapping[str, bytes]:
        """Return the bodies by hash."""
        wanted = [place for place in places if place["content_hash"] not in self._bodies]
        if self._size > CACHED_SHEETS:
            self._bodies, self._size, wanted = {}, 0, list(places)
        by_file: dict[str, list[int]] = {}
        for place in wanted:
            by_file.setdefault(place["sheet_file"], []).append(place["sheet_row"])
        for file, rows in sorted(by_file.items()):
            for _, table in self._reader.read(file, rows):
                for one in table.to_pylist():
                    self._bodies[one["content_hash"]] = one["body"]
                    self._size += len(one["body"])
        return self._bodies

    def close(self) -> None:
        """Close the open file."""
        self._reader.close()
