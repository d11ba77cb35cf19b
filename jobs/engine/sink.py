"""The output of a task: one writer per table, committed when the task is done."""

from types import TracebackType
from typing import Any

import pyarrow as pa

from jobs.engine.page import Rows
from parcels.store import Store, Writer

BATCH_ROWS = 2000


class Sink:
    """A buffer for rows of several tables. Leaving its context commits them; an error discards them.

    Files are named after `commit_id`, so that a repeated task replaces its files.
    """

    def __init__(self, store: Store, *, crawl: str, run_id: str, commit_id: str):
        self._store, self._crawl, self._run_id, self._commit_id = store, crawl, run_id, commit_id
        self._writers: dict[str, Writer] = {}
        self._lists: dict[str, list[dict[str, Any]]] = {}
        self._tables: dict[str, list[pa.Table]] = {}

    def __enter__(self) -> "Sink":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._abort()
            return
        try:
            for name in {*self._lists, *self._tables}:
                self._flush(name)
            for writer in self._writers.values():
                writer.close()
        except BaseException:
            self._abort()
            raise

    def _abort(self) -> None:
        for writer in self._writers.values():
            writer.abort()

    def add(self, table: str, rows: Rows, *, run_id: str | None = None) -> None:
        """Add rows. The rows of a page must come in one call, so that no file ever has only some of them."""
        run_id = run_id or self._run_id
        if isinstance(rows, pa.Table):
            buffered = self._tables.setdefault(table, [])
            buffered.append(rows.append_column("run_id", pa.array([run_id] * len(rows), pa.string())))
            if sum(map(len, buffered)) >= BATCH_ROWS:
                self._flush(table)
            return
        self._lists.setdefault(table, []).extend({**row, "run_id": run_id} for row in rows)
        if len(self._lists[table]) >= BATCH_ROWS:
            self._flush(table)

    def _flush(self, name: str) -> None:
        if name not in self._writers:
            self._writers[name] = self._store.writer(
                name, crawl=self._crawl, run_id=self._run_id, commit_id=self._commit_id
            )
        if rows := self._lists.pop(name, None):
            self._writers[name].add(rows)
        if tables := self._tables.pop(name, None):
            self._writers[name].add(pa.concat_tables(tables))
