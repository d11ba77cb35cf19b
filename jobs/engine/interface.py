"""The interface between jobs and the engine that runs them: Spark (spark_engine) or local processes (local_engine).

A pass over pages consists of a plan and a `PagePass`. Tables that count whole crawls are computed from rows (DataFrames
or Arrow batches) by functions over batches and by SQL that both engines support, so that each is written once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

import pyarrow as pa

from jobs.engine.page import PageStep
from jobs.engine.page_pass import PagePass
from parcels.store import Store

BatchFunction: TypeAlias = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


class PassPlan(Protocol):
    """The work of one pass."""

    @property
    def pages(self) -> int:
        """Number of pages to process."""

    @property
    def tasks(self) -> int:
        """Number of tasks that they are divided into."""


class Engine(Protocol):
    """An engine that runs jobs. Whoever opened it calls `close`."""

    @property
    def has_spark(self) -> bool:
        """Whether Spark is available to the jobs that need it."""

    @property
    def spark(self) -> Any:
        """The Spark session, for the jobs that need one."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Settings of the engine for the row of `runs`."""

    def planned(
        self, store: Store, crawl: str, steps: Sequence[PageStep]
    ) -> AbstractContextManager[PassPlan]:  # fmt: skip
        """Plan a pass over the pages that a step has not processed. Leaving the context releases the plan."""

    def run_pass(self, plan: Any, job: PagePass, *, show_progress: bool) -> Mapping[str, int]:
        """Run a plan and return the counts of all tasks."""

    def table(self, store: Store, name: str, crawl: str) -> Any:
        """Return the rows of a crawl."""

    def map_batches(self, rows: Any, function: BatchFunction, schema: pa.Schema) -> Any:
        """Return the rows that a function makes from batches of rows."""

    def sql(self, text: str, **views: Any) -> Any:
        """Select from rows. `{name}` is replaced by the rows of that name, `{explode}` by the function for lists."""

    def cached(self, rows: Any) -> AbstractContextManager[Any]:
        """Compute rows once for several uses. Leaving the context releases them."""

    def replace_rows(
        self, rows: Any, store: Store, table: str, *, crawl: str, run_id: str, by: Sequence[str]
    ) -> int:  # fmt: skip
        """Replace the rows of a crawl by sorted rows, and return their number."""

    def for_each(self, paths: Sequence[str], function: Callable[[str], None]) -> None:
        """Call a function with each path. A call may be repeated after a failure."""

    def close(self) -> None:
        """Stop the session or the processes that the engine started."""
