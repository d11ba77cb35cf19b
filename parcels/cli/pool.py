"""Processes for pages: results in order, a bounded number in flight; a process that dies costs one page."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from typing import TYPE_CHECKING

from parcels.common.memory import freeze_loaded_objects
from parcels.errors import SkipRecord
from parcels.inputs import BadPage, RawPage

if TYPE_CHECKING:
    from parcels.cli.pages import Line

IN_FLIGHT = 8  # pages per process: enough to keep it busy, few enough to bound memory
PAGES_PER_PROCESS = 5000  # then the process is replaced: lxml holds memory

Page = RawPage | BadPage
Work = Callable[[Page], "Line"]


class PagePool:
    """Worker processes that apply one function to pages."""

    def __init__(self, work: Work, *, workers: int):
        self.work, self.workers = partial(_settled, work), workers
        self._waiting: deque[tuple[Page, Future[Line]]] = deque()
        self._pool = self._start()

    def results(self, pages: Iterator[Page]) -> "Iterator[Line]":
        """Yield the results in the order of the pages."""
        try:
            for page in pages:
                self._submit(page)
                if len(self._waiting) >= self.workers * IN_FLIGHT:
                    yield self._next()
            while self._waiting:
                yield self._next()
        finally:
            self._pool.shutdown(cancel_futures=True)

    def _start(self) -> ProcessPoolExecutor:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read by the new processes: one core each
        return ProcessPoolExecutor(self.workers, get_context("spawn"), max_tasks_per_child=PAGES_PER_PROCESS)

    def _submit(self, page: Page) -> None:
        try:
            future = self._pool.submit(self.work, page)
        except BrokenProcessPool:
            self._restart()
            future = self._pool.submit(self.work, page)
        self._waiting.append((page, future))

    def _next(self) -> "Line":
        page, future = self._waiting.popleft()
        try:
            return future.result()
        except BrokenProcessPool:
            pass
        # A page in flight crashed its process. Run this page alone: if it crashes again, it is the one.
        with ProcessPoolExecutor(1, get_context("spawn")) as alone:
            try:
                result: Line = alone.submit(self.work, page).result()
            except BrokenProcessPool:
                error = SkipRecord("crashed", page.name, "its process ended, perhaps out of memory")
                result = {"page": page.name, "error": str(error), "reason": error.reason}
        self._restart()
        return result

    def _restart(self) -> None:
        """Start a new pool for the waiting pages without a result."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._start()
        self._waiting = deque(
            (page, future if _has_result(future) else self._pool.submit(self.work, page))
            for page, future in self._waiting
        )


def _settled(work: Work, page: Page) -> "Line":
    """Process a page; after the first page of a process, exclude loaded objects from garbage collection."""
    result = work(page)
    freeze_loaded_objects()
    return result


def _has_result(future: "Future[Line]") -> bool:
    return future.done() and not future.cancelled() and not isinstance(future.exception(), BrokenProcessPool)
