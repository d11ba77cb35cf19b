"""What a task does with its units: read pages, take each through the steps, write rows and rejects, count."""

import datetime as dt
import traceback
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from jobs.engine.bounded import bound_memory, leave_if_heavy
from jobs.engine.page import COLUMNS, OpenStep, PageStep, StoredPage
from jobs.engine.sink import Sink
from jobs.engine.units import RowReader
from parcels.common.memory import freeze_loaded_objects
from parcels.errors import SkipRecord
from parcels.limits import PAGE_SECONDS, cpu_limit
from parcels.store import Store, open_store

COUNTS = "name string, count bigint"
DETAIL = 2000  # characters of a reject's detail
KEPT_SHEETS = 200 << 20  # bytes of style sheets that a task holds on to

Row = Mapping[str, Any]


def _unheard(*_: object) -> None:
    """Take what nobody wants to know."""


@dataclass(frozen=True)
class Pass:
    """One pass over pages: the steps that share its reading, laying out and measuring."""

    store: str
    crawl: str
    run_ids: tuple[str, ...]  # of each step
    steps: tuple[PageStep, ...]
    divider: str = "fine"
    seconds: float = PAGE_SECONDS
    told: Callable[[int, int], None] = _unheard  # called with 1 and the page's blocks after each page
    begun: Callable[[str], None] = _unheard  # called with its id before each page
    committing: Callable[[], None] = _unheard  # called before the rows are committed

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """For `mapInArrow`: units in, counts out; the rows go to the store from here."""
        from pyspark import TaskContext

        leave_if_heavy()
        bound_memory()
        task = TaskContext.get().partitionId()
        units = [unit for batch in batches for unit in batch.to_pylist()]
        units.sort(key=lambda unit: (unit["file"], unit["chunk"]))
        counts = self.work(units, commit_id=f"{self.run_ids[0]}-{task:06d}")
        yield pa.record_batch(
            {"name": list(counts), "count": pa.array(counts.values(), pa.int64())},
            schema=pa.schema([("name", pa.string()), ("count", pa.int64())]),
        )

    def work(self, units: Sequence[Row], *, commit_id: str, crashed: Collection[str] = ()) -> Counter[str]:
        """Do the units and commit what came of them; pages that have ended a process before are rejected unread."""
        store = open_store(self.store)
        counts: Counter[str] = Counter()
        opened = [step.opened(store, self.crawl) for step in self.steps]
        freeze_loaded_objects()
        pages = RowReader(store.location.filesystem, COLUMNS)
        sheets = _Sheets(store)
        sinking = Sink(store, crawl=self.crawl, run_id=self.run_ids[0], commit_id=commit_id)
        with closing(pages), closing(sheets), sinking as sink:
            for unit in units:
                todo = {one["row"]: one["todo"] for one in unit["rows"]}
                bodies = sheets.of(unit["sheets"] or ())
                for numbers, table in pages.read(unit["file"], todo):
                    rows = table.to_pylist()
                    for number, row in zip(numbers, rows, strict=True):
                        own = {sheet["path"]: bodies.get(sheet["content_hash"]) for sheet in row["sheets"] or ()}
                        row["css"] = {path: body for path, body in own.items() if body is not None}
                        self.begun(row["page_id"])
                        if row["page_id"] in crashed:
                            self._reject_crashed(row, todo[number], sink, counts)
                        else:
                            self._page(row, todo[number], opened, sink, counts)
            self.committing()
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
            except Exception as error:  # noqa: BLE001 - a bug that one page shows must not cost the other pages
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
        self.told(1, blocks)

    def _reject_crashed(self, row: Row, todo: int, sink: Sink, counts: Counter[str]) -> None:
        refusals: set[str] = set()
        for number, step in enumerate(self.steps):
            if todo >> number & 1 and not refusals.intersection(step.finished.rejecting):
                refusals.add(step.step)
                self._reject(number, row, "crashed", "it ended its process twice", sink, counts)
        self.told(1, 0)

    def _reject(self, number: int, row: Row, reason: str, detail: str, sink: Sink, counts: Counter[str]) -> None:
        step = self.steps[number]
        counts[f"{step.name}: rejected: {reason}"] += 1
        told = {
            "record": row["url"], "step": step.step, "reason": reason, "detail": detail[:DETAIL] or None,
            "page_id": row["page_id"], "source": "pages", "rejected_at": dt.datetime.now(dt.UTC),
        }  # fmt: skip
        sink.add("rejects", [told], run_id=self.run_ids[number])


def _where(error: Exception) -> str:
    """The error and the innermost lines of its trace: what a person needs to find the bug."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return "; ".join([f"{type(error).__name__}: {error}", *(f"{one.name}:{one.lineno}" for one in reversed(frames))])


class _Sheets:
    """The style sheets that units need, each read once a task while there is room."""

    def __init__(self, store: Store):
        self._reader = RowReader(store.location.filesystem, ["content_hash", "body"])
        self._kept: dict[str, bytes] = {}
        self._size = 0

    def of(self, places: Iterable[Row]) -> Mapping[str, bytes]:
        """The bodies by hash."""
        wanted = [place for place in places if place["content_hash"] not in self._kept]
        if self._size > KEPT_SHEETS:
            self._kept, self._size, wanted = {}, 0, list(places)
        by_file: dict[str, list[int]] = {}
        for place in wanted:
            by_file.setdefault(place["sheet_file"], []).append(place["sheet_row"])
        for file, rows in sorted(by_file.items()):
            for _, table in self._reader.read(file, rows):
                for one in table.to_pylist():
                    self._kept[one["content_hash"]] = one["body"]
                    self._size += len(one["body"])
        return self._kept

    def close(self) -> None:
        """Let go of the file that is open."""
        self._reader.close()
