"""Where a task's rows go: one writer a table, committed when the task is done."""

from types import TracebackType
from typing import Any

import pyarrow as pa

from jobs.engine.page import Rows
from parcels.store import Store, Writer

BATCH_ROWS = 2000


class Sink:
    """Gathers rows of several tables. Leaving it commits; an error discards what was not committed.

    The files are named after `commit_id`: a task that is tried again writes the same files once more, and not others
    beside them.
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
                self._hand_over(name)
            for writer in self._writers.values():
                writer.close()
        except BaseException:
            self._abort()
            raise

    def _abort(self) -> None:
        for writer in self._writers.values():
            writer.abort()

    def add(self, table: str, rows: Rows, *, run_id: str | None = None) -> None:
        """Put rows on their way; the rows of one page come in one call, so that no file ever holds half of them."""
        run_id = run_id or self._run_id
        if isinstance(rows, pa.Table):
            held = self._tables.setdefault(table, [])
            held.append(rows.append_column("run_id", pa.array([run_id] * len(rows), pa.string())))
            if sum(map(len, held)) >= BATCH_ROWS:
                self._hand_over(table)
            return
        self._lists.setdefault(table, []).extend({**row, "run_id": run_id} for row in rows)
        if len(self._lists[table]) >= BATCH_ROWS:
            self._hand_over(table)

    def _hand_over(self, name: str) -> None:
        if name not in self._writers:
            self._writers[name] = self._store.writer(
                name, crawl=self._crawl, run_id=self._run_id, commit_id=self._commit_id
            )
        if rows := self._lists.pop(name, None):
            self._writers[name].add(rows)
        if tables := self._tables.pop(name, None):
            self._writers[name].add(pa.concat_tables(tables))
