"""The plan of a pass, made in this process: the units and tasks that jobs.engine.units makes on Spark."""

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

LEAST_TASK_PAGES = 50  # smaller tasks than TASK_PAGES: less is lost with a process, and all workers end together

Unit = dict[str, Any]


@dataclass(frozen=True)
class LocalPlan:
    """The tasks of a pass, each a run of units, and the number of their pages."""

    units: tuple[tuple[Unit, ...], ...]  # of each task
    pages: int

    @property
    def tasks(self) -> int:
        """Number of tasks."""
        return len(self.units)


def local_plan(store: Store, crawl: str, steps: Sequence[PageStep], *, workers: int) -> LocalPlan:
    """Return the units of the pages that a step has not processed, assigned to tasks."""
    done = [finished_pages(store, crawl, step.finished) for step in steps]
    places: dict[str, tuple[str, int, int, list[str]]] = {}
    for file, row, (page, size, sheets) in _rows(store, "pages", crawl, ["page_id", "byte_count", "sheets"]):
        if page not in places or (file, row) < places[page][:2]:  # a page that a crash wrote twice is processed once
            places[page] = file, row, size or 0, [one["content_hash"] for one in sheets or ()]
    todo = {page: sum(1 << n for n, pages in enumerate(done) if page not in pages) for page in places}
    count = sum(map(bool, todo.values()))
    unit_rows = max(min(UNIT_ROWS, count // (4 * workers)), 1)  # in a small store, every worker gets some
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
    return LocalPlan(tuple(_tasks(ordered, count, workers)), count)


def finished_pages(store: Store, crawl: str, finished: Finished) -> set[str]:
    """Return the pages that a step need not process again."""
    having = reduce(and_, (pc.field(name) == value for name, value in finished.having.items()), pc.scalar(True))
    rejecting = reduce(or_, (pc.field("step") == step for step in finished.rejecting))
    pages: set[str] = set()
    filters = [(table, having) for table in finished.tables]
    for table, where in [*filters, ("rejects", rejecting & pc.field("page_id").is_valid())]:
        for batch in store.batches(table, columns=["page_id"], filter=where, crawl=crawl):
            pages.update(pc.unique(batch.column(0)).to_pylist())
    return pages


def _place_sheets(store: Store, crawl: str, units: Sequence[Unit]) -> None:
    """Add to each unit the places of its style sheets."""
    wanted = {one for unit in units for one in unit["hashes"]}
    places: dict[str, tuple[str, int]] = {}
    for file, row, (sheet,) in _rows(store, "resources", crawl, ["content_hash"]) if wanted else ():
        if sheet in wanted and (sheet not in places or (file, row) < places[sheet]):
            places[sheet] = file, row
    for unit in units:
        known = sorted(one for one in unit.pop("hashes") if one in places)
        unit["sheets"] = [
            {"content_hash": one, "sheet_file": places[one][0], "sheet_row": places[one][1]} for one in known
        ]


def _tasks(units: Sequence[Unit], pages: int, workers: int) -> Iterable[tuple[Unit, ...]]:
    """Divide units into runs of about equal pages and bytes, several per worker, so that all workers end together."""
    if not units:
        return
    size = sum(unit["bytes"] for unit in units)
    wanted = max(size // TASK_BYTES + 1, pages // TASK_PAGES + 1, workers, min(4 * workers, pages // LEAST_TASK_PAGES))
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
    """Yield the file, the number within the file and the values of each row."""
    for file in store.files(table, crawl=crawl):
        with store.location.filesystem.open_input_file(file.path) as stream:
            rows = pq.ParquetFile(stream).read(columns)
        values = zip(*(rows[column].to_pylist() for column in columns), strict=True)
        yield from ((file.path, number, row) for number, row in enumerate(values))
