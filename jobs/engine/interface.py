"""The interface between jobs and the engine that runs them: Spark (spark_engine) or local processes (local_engine).

A pass over pages is a plan and a `Pass`. The tables that count whole crawls are made of rows (a DataFrame, or Arrow
batches), functions over batches, and SQL that both engines understand, so that each is written once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias

import pyarrow as pa

from jobs.engine.page import PageStep
from jobs.engine.passing import Pass
from parcels.store import Store

Mapped: TypeAlias = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]


class PassPlan(Protocol):
    """The work of one pass."""

    @property
    def pages(self) -> int:
        """How many pages are to be done."""

    @property
    def tasks(self) -> int:
        """How many tasks they are cut into."""


class Engine(Protocol):
    """Runs jobs. Leave `close` to whoever made it."""

    @property
    def has_spark(self) -> bool:
        """Whether jobs that only Spark can do may use it."""

    @property
    def spark(self) -> Any:
        """The Spark session, for jobs that only Spark can do."""

    @property
    def about(self) -> Mapping[str, Any]:
        """Return the engine's settings for the row of `runs`."""

    def planned(
        self, store: Store, crawl: str, steps: Sequence[PageStep]
    ) -> AbstractContextManager[PassPlan]:  # fmt: skip
        """The pages for which a step is not done; leaving the context releases the plan."""

    def run_pass(self, plan: Any, job: Pass, *, tells: bool) -> Mapping[str, int]:
        """Do a plan; returns the counts of all tasks."""

    def table(self, store: Store, name: str, crawl: str) -> Any:
        """The rows of a crawl."""

    def mapped(self, rows: Any, function: Mapped, schema: pa.Schema) -> Any:
        """The batches that a function makes of the batches of rows."""

    def sql(self, text: str, **views: Any) -> Any:
        """Select from rows. `{name}` stands for the rows of that name, `{explode}` for a list made into rows."""

    def kept(self, rows: Any) -> AbstractContextManager[Any]:
        """Rows that are needed more than once: computed once, until the context is left."""

    def replace_rows(
        self, rows: Any, store: Store, table: str, *, crawl: str, run_id: str, by: Sequence[str]
    ) -> int:  # fmt: skip
        """Write rows as the only rows of a crawl, sorted; returns how many there are."""

    def for_each(self, paths: Sequence[str], function: Callable[[str], None]) -> None:
        """Call a function with each path. A call may be repeated after a failure."""

    def close(self) -> None:
        """End what was started."""
