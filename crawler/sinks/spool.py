"""Store records in append-only files (length, checksum, bytes), durable after `sync`.

    SPOOL/WORKER/lock                held by the process that writes there; whoever gets it may adopt the folder
    SPOOL/WORKER/ID.spool            a segment that is being written
    SPOOL/WORKER/ID.sealing          a segment whose rows are on their way into the tables

A record that was cut off by a crash ends its segment: what comes before it is whole.
"""

import contextlib
import fcntl
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from parcels.store.location import sync
from parcels.urls import new_run_id

_FRAME = struct.Struct("<II")
OPEN, SEALING = ".spool", ".sealing"
LOCK = "lock"
MAX_RECORD = 1 << 30


class SpoolSegment:
    """One file of records."""

    def __init__(self, path: Path):
        self.path = path
        self._file = os.open(path, os.O_CREAT | os.O_RDWR, 0o644)
        self.size = os.lseek(self._file, 0, os.SEEK_END)
        self._is_synced = True

    @property
    def name(self) -> str:
        """Return the segment's name in receipts and sealed files."""
        return self.path.stem

    def append(self, parts: Sequence[bytes]) -> None:
        """Write a record; it survives the death of this process, and after `sync` that of the machine."""
        length, check = 0, 0
        for part in parts:
            length += len(part)
            check = zlib.crc32(part, check)
        data = b"".join((_FRAME.pack(length, check), *parts))
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._file, view) :]
        except OSError:  # a full disk: half a record would hide all that come after it
            self._cut(self.size)
            raise
        self.size += len(data)
        self._is_synced = False

    @property
    def is_lost(self) -> bool:
        """Return True if the file was removed or moved: writing to it still succeeds."""
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return True
        return status.st_ino != os.fstat(self._file).st_ino

    def sync(self) -> None:
        """Make all records durable."""
        if not self._is_synced:
            os.fdatasync(self._file)
            self._is_synced = True

    def mend(self) -> None:
        """Cut off a record that a crash left incomplete."""
        self.size = max((end for _, end in frames(self.path)), default=0)
        self._cut(self.size)

    def _cut(self, end: int) -> None:
        os.ftruncate(self._file, end)
        os.lseek(self._file, end, os.SEEK_SET)

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)


def frames(path: Path) -> Iterator[tuple[bytes, int]]:
    """Yield the complete records of a segment, each with its end position."""
    at = 0
    with path.open("rb") as file:
        while len(head := file.read(_FRAME.size)) == _FRAME.size:
            length, check = _FRAME.unpack(head)
            data = file.read(length) if length <= MAX_RECORD else b""
            if len(data) != length or zlib.crc32(data) != check:
                return
            at += _FRAME.size + length
            yield data, at


class Spool:
    """The folder of one worker."""

    def __init__(self, folder: Path, lock: int):
        self.folder, self._lock = folder, lock

    @property
    def worker(self) -> str:
        """Return the name under which this worker leases."""
        return self.folder.name

    @classmethod
    def adopt(cls, root: Path) -> "Spool | None":
        """Open a folder that a dead process left, if there is one."""
        for folder in sorted(root.iterdir()) if root.is_dir() else ():
            lock = _try_lock(folder / LOCK)
            if lock is not None:
                return cls(folder, lock)
        return None

    @classmethod
    def new(cls, root: Path) -> "Spool":
        """Make a new folder."""
        folder = root / new_run_id()
        folder.mkdir(parents=True)
        lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o644)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        sync(root)
        return cls(folder, lock)

    def segments(self, ending: str) -> list[Path]:
        """Return the segments of one kind, oldest first."""
        return sorted(self.folder.glob(f"*{ending}"))

    def new_segment(self) -> SpoolSegment:
        """Open a segment with a new, unique name."""
        segment = SpoolSegment(self.folder / f"{new_run_id()}{OPEN}")
        sync(self.folder)
        return segment

    def begin_sealing(self, path: Path) -> Path:
        """Mark a segment as closed for appending; return its new path."""
        sealing = path.with_suffix(SEALING)
        path.replace(sealing)
        sync(self.folder)
        return sealing

    def remove(self, path: Path) -> None:
        """Remove a segment whose rows are in the tables."""
        path.unlink(missing_ok=True)
        sync(self.folder)

    def close(self) -> None:
        """Release the folder; remove it if it is empty."""
        if self.folder.is_dir() and not any(path.name != LOCK for path in self.folder.iterdir()):
            (self.folder / LOCK).unlink(missing_ok=True)
            with contextlib.suppress(OSError):
                self.folder.rmdir()
        os.close(self._lock)


def _try_lock(path: Path) -> int | None:
    try:
        lock = os.open(path, os.O_RDWR)
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        return None
    if not path.exists():  # its owner has removed the folder in between
        os.close(lock)
        return None
    return lock
