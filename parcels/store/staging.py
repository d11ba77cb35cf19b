"""Staging folders for files that are not committed: outside all tables, deleted when their process has ended.

A folder's name contains its host, process id and start time, and its process holds a lock in it: process ids are not
unique across containers, the lock is.
"""

import contextlib
import fcntl
import os
import re
import shutil
import socket
import time
from pathlib import Path

from parcels.store.location import Location

STAGING = "_staging"
LOCK = "lock"
FOREIGN_SECONDS = 7 * 86400.0  # age at which folders of other hosts are deleted


class Staging:
    """The staging folder of one writer."""

    def __init__(self, location: Location):
        self._location = location
        self.name = f"{_host()}~{os.getpid()}~{_started(os.getpid())}~{os.urandom(4).hex()}"
        self._lock: int | None = None
        if location.is_local:
            folder = self._local()
            folder.mkdir(parents=True)
            self._lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o644)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            location.filesystem.create_dir(location.path(STAGING, self.name))

    def path(self, name: str) -> str:
        """Return the path of a file in this folder."""
        return self._location.path(STAGING, self.name, name)

    def remove(self) -> None:
        """Remove the folder with its contents."""
        if self._lock is None:
            self._location.filesystem.delete_dir(self._location.path(STAGING, self.name))
            return
        shutil.rmtree(self._local())
        os.close(self._lock)
        self._lock = None

    def _local(self) -> Path:
        return Path(self._location.path(STAGING, self.name))


def sweep(location: Location) -> list[str]:
    """Remove the folders of ended processes; return their names."""
    if not location.is_local:
        return _sweep_old(location)
    base = Path(location.path(STAGING))
    if not base.is_dir():
        return []
    swept = []
    for folder in base.iterdir():
        if _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)  # another writer may be removing it too
            swept.append(folder.name)
    return swept


def _sweep_old(location: Location) -> list[str]:
    from pyarrow import fs

    folders = location.filesystem.get_file_info(fs.FileSelector(location.path(STAGING), allow_not_found=True))
    swept = []
    for info in folders:
        if info.mtime_ns and time.time() - info.mtime_ns / 1e9 > FOREIGN_SECONDS:
            with contextlib.suppress(FileNotFoundError):  # another writer may be removing it too
                location.filesystem.delete_dir(info.path)
                swept.append(info.base_name)
    return swept


def _is_abandoned(folder: Path) -> bool:
    try:
        host, pid, started, _ = folder.name.split("~")
        if host != _host():
            return time.time() - folder.stat().st_mtime > FOREIGN_SECONDS
        return _started(int(pid)) != started and not _is_locked(folder / LOCK)
    except (ValueError, FileNotFoundError):  # an unknown name, or just removed by another process
        return False


def _is_locked(lock: Path) -> bool:
    try:
        handle = os.open(lock, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return False
    except BlockingIOError:
        return True
    finally:
        os.close(handle)


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9.-]", "-", socket.gethostname()) or "localhost"


def _started(pid: int) -> str | None:
    """Return an id of a process' start, which later processes with its number do not share; None if it ended."""
    if not Path("/proc/self/stat").exists():
        return _has_process(pid)
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    boot = Path("/proc/sys/kernel/random/boot_id").read_text()[:8]
    return None if state in "ZX" else f"{boot}{fields[18]}"


def _has_process(pid: int) -> str | None:
    """Return "0" for a running process where the system has no start times (macOS); the lock decides then."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return "0"
    return "0"
