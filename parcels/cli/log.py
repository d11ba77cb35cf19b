"""Logs as JSON on standard error, one object per line and event (`--log json`).

    {"at": "2026-11-16T12:00:00.000+00:00", "command": "crawl", "event": "message", "text": "12 pages, 3.1/s, ..."}

Events: `start` (settings with their sources), `message` (a line of text output), `run` (a row that was added to the
table `runs`: step, outcome, counts, seconds), `end` (exit code, seconds).
"""

import datetime as dt
import io
import json
import re
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from parcels.cli.settings import Setting, shown
from parcels.errors import ParcelsError
from parcels.urls import new_run_id

_CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x08\x0b-\x1f]")


class JsonLog(io.TextIOBase):
    """A stream in place of standard error that turns each line written to it into an event."""

    def __init__(self, stream: TextIO, command: str):
        self._stream, self._command = stream, command
        self._lock = threading.RLock()
        self._open = ""  # an unfinished line
        self._started, self._first_run = time.monotonic(), new_run_id()[:12]

    def writable(self) -> bool:
        """Return True, as streams for writing do."""
        return True

    def write(self, text: str) -> int:
        """Log every complete line as a `message`."""
        with self._lock:
            *lines, self._open = (self._open + text).split("\n")
            for line in lines:
                self._message(line)
        return len(text)

    def flush(self) -> None:
        """Flush the underlying stream."""
        self._stream.flush()

    def _message(self, line: str) -> None:
        words = _CONTROL.sub("", line.rpartition("\r")[2]).strip()
        if words:
            self.event("message", text=words)

    def event(self, event: str, **fields: Any) -> None:
        """Write an event."""
        at = dt.datetime.now(dt.UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"at": at, "command": self._command, "event": event, **fields}, ensure_ascii=False)
        with self._lock:
            self._stream.write(line + "\n")
            self._stream.flush()

    def start(self, settings: Iterable[Setting]) -> None:
        """Log the settings of the command."""
        settings_ = {one.key: {"value": shown(one.key, one.value), "source": one.source} for one in settings}
        self.event("start", settings=settings_)

    def end(self, code: int, store: str | None = None) -> None:
        """Log the runs that were added to the store since the start, and the exit code."""
        with self._lock:
            self._message(self._open)
            self._open = ""
        for row in runs_since(self._first_run, store) if store else ():
            self.event("run", **row)
        self.event("end", exit_code=code, seconds=round(time.monotonic() - self._started, 3))


def runs_since(run_id: str, where: str) -> Iterator[dict[str, Any]]:
    """Yield the runs of a store that started after an id was made; none if there is no store."""
    import pyarrow.dataset as ds

    from parcels.store import open_store

    try:
        rows = open_store(where).read("runs", filter=ds.field("run_id") >= run_id).to_pylist()
    except ParcelsError:  # the command itself has reported the problem
        return
    for row in sorted(rows, key=lambda row: str(row["run_id"])):
        yield {
            "run_id": row["run_id"], "crawl": row["crawl"], "step": row["step"], "outcome": row["outcome"],
            "run_seconds": (row["ended_at"] - row["started_at"]).total_seconds(), "error": row["error"],
            "counts": {one["name"]: one["count"] for one in row["counts"]},
        }  # fmt: skip
