"""The journal: labels are on disk before the browser shows them as saved, and later in `annotations`.

    FOLDER/RUN.journal    lines of `checksum JSON`; the process that writes it holds a lock on it

A line that a crash cut off ends its journal: what comes before it is whole. Sealing writes a journal's rows into the
table under the journal's own name, so that sealing twice is sealing once, and then removes the journal.
"""

import contextlib
import datetime as dt
import fcntl
import os
import platform
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

import parcels
from parcels.errors import ConfigError
from parcels.store import Store
from parcels.store.location import sync
from parcels.urls import new_run_id

SUFFIX = ".journal"
STEP = "annotate"
FOLDER = "_annotate"  # of the store: a table's name never begins with `_`
SOURCE = "annotate"

Row = dict[str, Any]


class Journal:
    """One open journal. It is not thread-safe: its owner holds a lock."""

    def __init__(self, folder: Path):
        self.run_id = new_run_id()
        self.path = folder / f"{self.run_id}{SUFFIX}"
        self.count = 0
        self._file = self._create()

    def append(self, rows: list[Row]) -> None:
        """Write rows; they survive the death of the process and of the machine. All of them are there, or none."""
        if not rows:
            return
        self.keep()
        body = orjson.dumps(rows, option=orjson.OPT_UTC_Z)
        _write(self._file, b"%08x %b\n" % (zlib.crc32(body), body))
        self.count += len(rows)

    def keep(self) -> None:
        """Write the journal anew where its file was removed with its store; OSError while the store is away."""
        if os.fstat(self._file).st_nlink:
            return
        file = self._create()
        _write(file, self._content())
        os.close(self._file)
        self._file = file

    def rescue(self, folder: Path) -> Path:
        """Write a copy into a folder and return its path: for a process that ends while its store is away."""
        copy = folder / self.path.name
        copy.write_bytes(self._content())
        return copy

    def _create(self) -> int:
        """Return a new, locked file; the folder is made, but not the store around it, which may have moved."""
        self.path.parent.mkdir(exist_ok=True)
        file = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o644)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        sync(self.path.parent)
        return file

    def _content(self) -> bytes:
        return os.pread(self._file, os.fstat(self._file).st_size, 0)

    def close(self) -> None:
        """Close the file and release its lock."""
        os.close(self._file)


def _write(file: int, content: bytes) -> None:
    data = memoryview(content)
    while data:
        data = data[os.write(file, data) :]
    os.fdatasync(file)


def journal_folder(store: Store, given: Path | None) -> Path:
    """Return the folder of a store's journals: inside the store where that is local."""
    if given is not None:
        given.mkdir(parents=True, exist_ok=True)
        return given
    if not store.location.is_local:
        raise ConfigError(
            f"--store {store.location.uri} is not on this machine. Add --journal FOLDER with a local folder."
        )
    return Path(store.location.path(FOLDER))


def read_journal(path: Path) -> Iterator[Row]:
    """Yield the complete rows of a journal."""
    with path.open("rb") as file:
        for line in file:
            check, _, body = line[:-1].partition(b" ")
            if not line.endswith(b"\n") or check != b"%08x" % zlib.crc32(body):
                return
            for row in orjson.loads(body):
                row["annotated_at"] = dt.datetime.fromisoformat(row["annotated_at"])
                yield row


def seal(store: Store, path: Path) -> int:
    """Put the rows of a journal that nobody writes any more into the table; returns how many there were."""
    rows = list(read_journal(path))
    run_id = path.name.removesuffix(SUFFIX)
    crawls = sorted({row["crawl"] for row in rows})
    for number, crawl in enumerate(crawls):
        own = [
            {name: value for name, value in row.items() if name not in ("crawl", "step")}
            | {"unit": "leaf", "source": SOURCE, "run_id": run_id}
            for row in rows
            if row["crawl"] == crawl
        ]
        commit = f"{run_id}-{number}"
        store.write("annotations", own, crawl=crawl, run_id=run_id, commit_id=commit)
        store.write("runs", [_run_row(run_id, own)], crawl=crawl, run_id=run_id, commit_id=commit)
    path.unlink(missing_ok=True)
    sync(path.parent)
    return len(rows)


def seal_orphans(store: Store, folder: Path) -> int:
    """Seal the journals that dead processes left; returns how many rows came from them."""
    count = 0
    for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
        with _orphaned(path) as is_free:
            if is_free:
                count += seal(store, path)
    return count


@contextlib.contextmanager
def _orphaned(path: Path) -> Iterator[bool]:
    """Yield whether no process writes the journal, and hold its lock so that no other adopts it."""
    try:
        file = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        yield False
        return
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield path.exists()
    finally:
        os.close(file)


def _run_row(run_id: str, rows: list[Row]) -> Row:
    """Return the row of `runs` for a journal."""
    who = sorted({row["annotator"] for row in rows})
    versions = {"parcels": parcels.__version__, "python": platform.python_version()}
    return {
        "run_id": run_id, "step": STEP, "outcome": "done", "error": None,
        "started_at": min(row["annotated_at"] for row in rows), "ended_at": max(row["annotated_at"] for row in rows),
        "settings": orjson.dumps({"annotators": who, "rubric": rows[0]["rubric"]}).decode(),
        "versions": [{"name": name, "version": version} for name, version in versions.items()],
        "counts": [{"name": "annotations", "count": len(rows)},
                   {"name": "pages", "count": len({row["page_id"] for row in rows})}],
    }  # fmt: skip
