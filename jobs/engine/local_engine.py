"""Jobs without Spark, with the same results: processes for pages, DuckDB for tables that count whole crawls."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from jobs.engine.interface import BatchFunction
from jobs.engine.local_units import LocalPlan, local_plan
from jobs.engine.page import PageStep
from jobs.engine.page_pass import PagePass
from jobs.engine.progress import ProgressReporter
from jobs.engine.replace import delete_files
from jobs.engine.sink import Sink
from jobs.engine.workers import WorkerPool
from parcels.errors import ConfigError
from parcels.store import Store

BATCH_ROWS = 4096
MEMORY = "1GB"  # of DuckDB; beyond it DuckDB uses files


@dataclass(frozen=True)
class LocalRows:
    """Rows that can be read several times, batch by batch."""

    open: Callable[[], pa.RecordBatchReader]
    source: Any = None  # a dataset or table from which DuckDB itself reads the columns and rows that it needs


class LocalEngine:
    """An engine that runs jobs in processes on this machine."""

    def __init__(self, workers: int, *, open_session: Callable[[], Any] | None = None):
        self.workers, self._open_session = workers, open_session
        self._pool = WorkerPool(workers)

    @property
    def has_spark(self) -> bool:
        """Whether a Spark session can be opened for the jobs that need one."""
        return self._open_session is not None

    @cached_property
    def spark(self) -> Any:
        """A Spark session, for the jobs that need one."""
        if self._open_session is None:
            raise ConfigError("this job needs Spark: leave out --engine local (parcels doctor shows what is missing)")
        return self._open_session()

    @property
    def settings(self) -> Mapping[str, Any]:
        """Name of the engine and number of processes."""
        return {"engine": "local", "workers": self.workers}

    @contextmanager
    def planned(self, store: Store, crawl: str, steps: Sequence[PageStep]) -> Iterator[LocalPlan]:
        """Plan a pass over the pages that a step has not processed."""
        yield local_plan(store, crawl, steps, workers=self.workers)

    def run_pass(self, plan: LocalPlan, job: PagePass, *, show_progress: bool) -> Mapping[str, int]:
        """Run a plan in the processes and return the counts of all tasks."""
        pages = blocks = 0

        def count(more_blocks: int) -> None:
            nonlocal pages, blocks
            pages, blocks = pages + 1, blocks + more_blocks

        with ProgressReporter(plan.pages, pages=lambda: pages, blocks=lambda: blocks, enabled=show_progress):
            return self._pool.run(job, plan.units, count)

    def table(self, store: Store, name: str, crawl: str) -> LocalRows:
        """Return the rows of a crawl."""
        dataset = store.dataset(name, crawl=crawl)
        return LocalRows(lambda: dataset.scanner(batch_size=BATCH_ROWS).to_reader(), dataset)

    def map_batches(self, rows: LocalRows, function: BatchFunction, schema: pa.Schema) -> LocalRows:
        """Return the rows that a function makes from batches of rows."""
        return LocalRows(lambda: pa.RecordBatchReader.from_batches(schema, function(rows.open())))

    def sql(self, text: str, **views: LocalRows) -> LocalRows:
        """Select from rows."""
        return LocalRows(lambda: _select(text, views))

    @contextmanager
    def cached(self, rows: LocalRows) -> Iterator[LocalRows]:
        """Compute rows once for several uses."""
        table = rows.open().read_all()
        yield LocalRows(table.to_reader, table)

    def replace_rows(
        self, rows: LocalRows, store: Store, table: str, *, crawl: str, run_id: str, by: Sequence[str]
    ) -> int:  # fmt: skip
        """Replace the rows of a crawl by sorted rows, and return their number."""
        old = [file.path for file in store.files(table, crawl=crawl)]
        count = 0
        ordered = self.sql(f"SELECT * FROM {{rows}} ORDER BY {', '.join(by)}", rows=rows)
        with Sink(store, crawl=crawl, run_id=run_id, commit_id=f"{run_id}-{0:06d}") as sink:
            for batch in ordered.open():
                sink.add(table, pa.Table.from_batches([batch]))
                count += batch.num_rows
        delete_files(store, old)
        return count

    def for_each(self, paths: Sequence[str], function: Callable[[str], None]) -> None:
        """Call a function with each path in this process: the calls cost little compared with a pass."""
        for path in paths:
            function(path)

    def close(self) -> None:
        """End the processes, and the Spark session if one was opened."""
        self._pool.close()
        if "spark" in self.__dict__:
            self.spark.stop()


def _select(text: str, views: Mapping[str, LocalRows]) -> pa.RecordBatchReader:
    """Run a query in its own database, so that nested queries do not share names."""
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
