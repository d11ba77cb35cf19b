"""Which pages are still to be done, found in this process.

The units and tasks that Spark would have (jobs.engine.units).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from jobs.engine.page import Finished, PageStep
from jobs.engine.units import TASK_BYTES, TASK_PAGES, UNIT_ROWS
from parcels.store import Store

ROWS_AT_ONCE = 50  # a task of fewer pages is lost sooner with its process, and shared out more evenly

Unit = dict[str, Any]


@dataclass(frozen=True)
class LocalPlan:
    """The work of a pass: the units of each task."""

    dealt: tuple[tuple[Unit, ...], ...]
    pages: int

    @property
    def tasks(self) -> int:
        """How many tasks there are."""
        return len(self.dealt)


def local_plan(store: Store, crawl: str, steps: Sequence[PageStep], *, workers: int) -> LocalPlan:
    """The units of a crawl's pages for which a step is not done, dealt to tasks."""
    done = [finished_pages(store, crawl, step.finished) for step in steps]
    places: dict[str, tuple[str, int, int, list[str]]] = {}
    for file, row, (page, size, sheets) in _rows(store, "pages", crawl, ["page_id", "byte_count", "sheets"]):
        if page not in places or (file, row) < places[page][:2]:  # a page that a crash wrote twice is done once
            places[page] = file, row, size or 0, [one["content_hash"] for one in sheets or ()]
    todo = {page: sum(1 << n for n, pages in enumerate(done) if page not in pages) for page in places}
    count = sum(map(bool, todo.values()))
    unit_rows = max(min(UNIT_ROWS, count // (4 * workers)), 1)  # of a small store, every worker has a share
    units: dict[tuple[str, int], Unit] = {}
    for page, (file, row, size, sheets) in places.items():
        if not todo[page]:
            continue
        key = file, row // unit_rows
        unit = units.setdefault(key, {"file": file, "chunk": key[1], "rows": [], "bytes": 0, "hashes": set()})
        unit["rows"].append({"row": row, "todo": todo[page]})
        unit["bytes"] += size
        unit["hashes"].update(sheets)
    ordered = [units[key] for key in sorted(units)]
    _place_sheets(store, crawl, ordered)
    return LocalPlan(tuple(_dealt(ordered, count, workers)), count)


def finished_pages(store: Store, crawl: str, finished: Finished) -> set[str]:
    """The pages that need nothing more."""
    having = reduce(and_, (pc.field(name) == value for name, value in finished.having.items()), pc.scalar(True))
    rejecting = reduce(or_, (pc.field("step") == step for step in finished.rejecting))
    found: set[str] = set()
    filters = [(table, having) for table in finished.tables]
    for table, where in [*filters, ("rejects", rejecting & pc.field("page_id").is_valid())]:
        for batch in store.batches(table, columns=["page_id"], filter=where, crawl=crawl):
            found.update(pc.unique(batch.column(0)).to_pylist())
    return found


def _place_sheets(store: Store, crawl: str, units: Sequence[Unit]) -> None:
    """Where the style sheets of each unit are."""
    wanted = {one for unit in units for one in unit["hashes"]}
    places: dict[str, tuple[str, int]] = {}
    for file, row, (found,) in _rows(store, "resources", crawl, ["content_hash"]) if wanted else ():
        if found in wanted and (found not in places or (file, row) < places[found]):
            places[found] = file, row
    for unit in units:
        known = sorted(one for one in unit.pop("hashes") if one in places)
        unit["sheets"] = [
            {"content_hash": one, "sheet_file": places[one][0], "sheet_row": places[one][1]} for one in known
        ]


def _dealt(units: Sequence[Unit], pages: int, workers: int) -> Iterable[tuple[Unit, ...]]:
    """Runs of neighbours, of about the same pages and bytes: several for each worker, so that all end together."""
    if not units:
        return
    size = sum(unit["bytes"] for unit in units)
    wanted = max(size // TASK_BYTES + 1, pages // TASK_PAGES + 1, workers, min(4 * workers, pages // ROWS_AT_ONCE))
    tasks = min(wanted, len(units))
    cost = [unit["bytes"] * TASK_PAGES + len(unit["rows"]) * TASK_BYTES for unit in units]
    held: list[Unit] = []
    total, before, task = sum(cost), 0, 0
    for unit, own in zip(units, cost, strict=True):
        number = before * tasks // total
        if held and number != task:
            yield tuple(held)
            held = []
        held.append(unit)
        task, before = number, before + own
    yield tuple(held)


def _rows(store: Store, table: str, crawl: str, columns: list[str]) -> Iterator[tuple[str, int, tuple[Any, ...]]]:
    """The file, the number in it and the values of each row."""
    for file in store.files(table, crawl=crawl):
        with store.location.filesystem.open_input_file(file.path) as stream:
            rows = pq.ParquetFile(stream).read(columns)
        values = zip(*(rows[column].to_pylist() for column in columns), strict=True)
        yield from ((file.path, number, row) for number, row in enumerate(values))
