"""Jobs without Spark: processes for the pages, DuckDB for what whole crawls say. The tables are those of Spark."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from jobs.engine.interface import Mapped
from jobs.engine.local_units import LocalPlan, local_plan
from jobs.engine.page import PageStep
from jobs.engine.passing import Pass
from jobs.engine.replacing import remove
from jobs.engine.sink import Sink
from jobs.engine.telling import progress
from jobs.engine.workers import Workers
from parcels.errors import ConfigError
from parcels.store import Store

BATCH_ROWS = 4096
MEMORY = "1GB"  # of DuckDB, beyond which it uses files


@dataclass(frozen=True)
class LocalRows:
    """Rows that are read batch by batch, as often as they are asked for."""

    open: Callable[[], pa.RecordBatchReader]
    source: Any = None  # what DuckDB can read by itself, columns and filters included


class LocalEngine:
    """Runs jobs in processes on this machine."""

    def __init__(self, workers: int, *, opening: Callable[[], Any] | None = None):
        self.workers, self._opening = workers, opening
        self._pool = Workers(workers)

    @property
    def has_spark(self) -> bool:
        """Whether a Spark session can be opened for the jobs that need one."""
        return self._opening is not None

    @cached_property
    def spark(self) -> Any:
        """A Spark session, for the jobs that need one."""
        if self._opening is None:
            raise ConfigError("this job needs Spark: leave out --engine local; parcels doctor tells what is missing")
        return self._opening()

    @property
    def about(self) -> Mapping[str, Any]:
        """How many processes."""
        return {"engine": "local", "workers": self.workers}

    @contextmanager
    def planned(self, store: Store, crawl: str, steps: Sequence[PageStep]) -> Iterator[LocalPlan]:
        """The units of pages for which a step is not done."""
        yield local_plan(store, crawl, steps, workers=self.workers)

    def run_pass(self, plan: LocalPlan, job: Pass, *, tells: bool) -> Mapping[str, int]:
        """Do a plan in the processes."""
        pages = blocks = 0

        def told(more_blocks: int) -> None:
            nonlocal pages, blocks
            pages, blocks = pages + 1, blocks + more_blocks

        with progress(plan.pages, pages=lambda: pages, blocks=lambda: blocks, enabled=tells):
            return self._pool.run(job, plan.dealt, told)

    def table(self, store: Store, name: str, crawl: str) -> LocalRows:
        """The rows of a crawl."""
        dataset = store.dataset(name, crawl=crawl)
        return LocalRows(lambda: dataset.scanner(batch_size=BATCH_ROWS).to_reader(), dataset)

    def mapped(self, rows: LocalRows, function: Mapped, schema: pa.Schema) -> LocalRows:
        """The batches that a function makes of the batches of rows."""
        return LocalRows(lambda: pa.RecordBatchReader.from_batches(schema, function(rows.open())))

    def sql(self, text: str, **views: LocalRows) -> LocalRows:
        """Select from rows."""
        return LocalRows(lambda: _select(text, views))

    @contextmanager
    def kept(self, rows: LocalRows) -> Iterator[LocalRows]:
        """Rows that are computed once."""
        table = rows.open().read_all()
        yield LocalRows(table.to_reader, table)

    def replace_rows(
        self, rows: LocalRows, store: Store, table: str, *, crawl: str, run_id: str, by: Sequence[str]
    ) -> int:  # fmt: skip
        """Write rows as the only rows of a crawl, sorted; returns how many there are."""
        old = [file.path for file in store.files(table, crawl=crawl)]
        count = 0
        ordered = self.sql(f"SELECT * FROM {{rows}} ORDER BY {', '.join(by)}", rows=rows)
        with Sink(store, crawl=crawl, run_id=run_id, commit_id=f"{run_id}-{0:06d}") as sink:
            for batch in ordered.open():
                sink.add(table, pa.Table.from_batches([batch]))
                count += batch.num_rows
        remove(store, old)
        return count

    def for_each(self, paths: Sequence[str], function: Callable[[str], None]) -> None:
        """Call a function with each path, one after the other: what it does costs little beside a pass."""
        for path in paths:
            function(path)

    def close(self) -> None:
        """End the processes, and the Spark session where one was opened."""
        self._pool.close()
        if "spark" in self.__dict__:
            self.spark.stop()


def _select(text: str, views: Mapping[str, LocalRows]) -> pa.RecordBatchReader:
    """The rows that a query finds, in a database of its own, so that queries within queries do not meet."""
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"SET memory_limit = '{MEMORY}'; SET preserve_insertion_order = false")
    connection.execute("SET autoinstall_known_extensions = false; SET autoload_known_extensions = false")
    connection.execute("SET temp_directory = ?", [str(Path(tempfile.gettempdir()) / f"parcels-duckdb-{os.getpid()}")])
    for name, rows in views.items():
        if rows.source is not None:
            connection.register(name, rows.source)
        else:  # a stream can be read only once, and a query may name it twice
            connection.register("stream", rows.open())
            connection.execute(f'CREATE TEMP TABLE "{name}" AS SELECT * FROM stream')
            connection.unregister("stream")
    reader = connection.sql(text.format(explode="unnest", **{name: f'"{name}"' for name in views}))
    return reader.to_arrow_reader(BATCH_ROWS)
