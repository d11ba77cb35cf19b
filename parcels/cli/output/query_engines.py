"""The engines of `parcels query`, which run a statement and return Arrow batches."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as futures_wait
from typing import TYPE_CHECKING, Any, NamedTuple

from parcels.common.progress import BAR_SECONDS, LINE_SECONDS, QUIET_SECONDS

if TYPE_CHECKING:
    import pyarrow as pa

    from parcels.store import Store

BATCH_ROWS = 1024


class QueryResult(NamedTuple):
    """The result of a statement: its schema, and batches that are fetched on demand."""

    schema: "pa.Schema"
    batches: "Iterator[pa.RecordBatch]"


class DuckDb:
    """DuckDB in this process. Each statement has its own connection, which sees the current state of the store."""

    def __init__(self, store: "Store", *, unsafe: bool = False, progress: bool = True):
        self.store, self.unsafe, self.progress = store, unsafe, progress

    @contextlib.contextmanager
    def execute(self, text: str) -> Iterator[QueryResult | None]:
        """Run a statement and yield its result; None if it has none."""
        import duckdb

        from parcels.query.guard import check_read_only
        from parcels.query.sql import connect, explain

        with contextlib.closing(connect(self.store, is_locked=not self.unsafe)) as connection:
            try:
                if not self.unsafe:
                    check_read_only(connection, text)
                with Worker(connection, enabled=self.progress) as worker:
                    relation = worker.run(lambda: connection.sql(text))
                    if relation is None:
                        yield None
                        return
                    reader = worker.run(lambda: relation.to_arrow_reader(BATCH_ROWS))
                    yield QueryResult(reader.schema, _batches(worker, reader))
            except (duckdb.Error, _FetchFailed) as error:
                raise explain(error, self.store) from error

    def close(self) -> None:
        """Do nothing: no connection stays open between statements."""


def _batches(worker: "Worker", reader: Any) -> "Iterator[pa.RecordBatch]":
    while (batch := worker.run(lambda: _next(reader))) is not None:
        yield batch


class _FetchFailed(Exception):
    """Raised where DuckDB fails after the first rows; Arrow's reader passes the message on as its own error."""


def _next(reader: Any) -> Any:
    import pyarrow as pa

    try:
        return next(reader, None)
    except (OSError, pa.ArrowException) as error:
        raise _FetchFailed(str(error)) from error


class Spark:
    """A Spark session at a master, open until `close`."""

    def __init__(self, store: "Store", *, master: str, unsafe: bool = False):
        from parcels.cli.commands.run import jobs

        self.store, self.unsafe, self._jobs = store, unsafe, jobs
        self._session = jobs("engine.session").open_session(master, name="parcels query")

    @contextlib.contextmanager
    def execute(self, text: str) -> Iterator[QueryResult | None]:
        """Run a statement and yield its result; None if it has none."""
        reader = self._jobs("engine.spark_query").run_query(self._session, self.store, text, unsafe=self.unsafe)
        yield QueryResult(reader.schema, iter(reader)) if len(reader.schema) else None

    def close(self) -> None:
        """Stop the session."""
        self._session.stop()


class Worker:
    """Runs slow calls in a thread, so that this thread can report progress and handle Ctrl-C."""

    def __init__(self, connection: Any, *, enabled: bool):
        self._connection, self._enabled = connection, enabled
        self._is_terminal = sys.stderr.isatty()
        self._pool = ThreadPoolExecutor(1)

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def run(self, work: Callable[[], Any]) -> Any:
        """Run a call and return its result."""
        future = self._pool.submit(work)
        wait, has_reported = QUIET_SECONDS, False
        try:
            while not futures_wait([future], wait).done:
                wait, has_reported = BAR_SECONDS if self._is_terminal else LINE_SECONDS, self._enabled
                if self._enabled:
                    self._report()
            return future.result()
        except KeyboardInterrupt:
            self._connection.interrupt()
            raise
        finally:
            if has_reported and self._is_terminal:
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def _report(self) -> None:
        share = self._connection.query_progress()
        state = f"query: {share:.0f} % done" if 0 < share < 100 else "query: running"
        start, end = ("\r\x1b[K", "") if self._is_terminal else ("", "\n")
        print(f"{start}{state}", end=end, file=sys.stderr, flush=True)
