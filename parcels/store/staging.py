"""Folders for files that are not committed: outside every table, swept when their process has died.

A folder is named after its host, process and the start of that process, and holds a lock for as long as the process
lives: process numbers mean nothing across containers, the lock does.
"""

import contextlib
import fcntl
import os
import re
import shutil
import socket
import time
from pathlib import Path

from parcels.store.place import Place

STAGING = "_staging"
LOCK = "lock"
FOREIGN_SECONDS = 7 * 86400.0  # what another host left is swept when it has not been touched for so long


class Staging:
    """The folder of one writer."""

    def __init__(self, place: Place):
        self._place = place
        self.name = f"{_host()}~{os.getpid()}~{_started(os.getpid())}~{os.urandom(4).hex()}"
        self._lock: int | None = None
        if place.is_local:
            folder = self._local()
            folder.mkdir(parents=True)
            self._lock = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o644)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            place.filesystem.create_dir(place.path(STAGING, self.name))

    def path(self, name: str) -> str:
        """The path of a file in this folder."""
        return self._place.path(STAGING, self.name, name)

    def remove(self) -> None:
        """Remove the folder and what is in it."""
        if self._lock is None:
            self._place.filesystem.delete_dir(self._place.path(STAGING, self.name))
            return
        shutil.rmtree(self._local())
        os.close(self._lock)
        self._lock = None

    def _local(self) -> Path:
        return Path(self._place.path(STAGING, self.name))


def sweep(place: Place) -> list[str]:
    """Remove what dead processes left; returns the names of the folders that are gone."""
    if not place.is_local:
        return _sweep_old(place)
    base = Path(place.path(STAGING))
    if not base.is_dir():
        return []
    swept = []
    for folder in base.iterdir():
        if _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)  # another writer may be sweeping too
            swept.append(folder.name)
    return swept


def _sweep_old(place: Place) -> list[str]:
    from pyarrow import fs

    folders = place.filesystem.get_file_info(fs.FileSelector(place.path(STAGING), allow_not_found=True))
    swept = []
    for info in folders:
        if info.mtime_ns and time.time() - info.mtime_ns / 1e9 > FOREIGN_SECONDS:
            with contextlib.suppress(FileNotFoundError):  # another writer may be sweeping too
                place.filesystem.delete_dir(info.path)
                swept.append(info.base_name)
    return swept


def _is_abandoned(folder: Path) -> bool:
    try:
        host, pid, started, _ = folder.name.split("~")
        if host != _host():
            return time.time() - folder.stat().st_mtime > FOREIGN_SECONDS
        return _started(int(pid)) != started and not _is_locked(folder / LOCK)
    except (ValueError, FileNotFoundError):  # not one of ours, or just swept by another
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
    """What tells this process from a later one with the same number; None where there is no living one."""
    if not Path("/proc/self/stat").exists():
        return _has_process(pid)
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    boot = Path("/proc/sys/kernel/random/boot_id").read_text()[:8]
    return None if state in "ZX" else f"{boot}{fields[18]}"


def _has_process(pid: int) -> str | None:
    """The same where the system does not tell the start (macOS): the lock has to decide."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except PermissionError:
        return "0"
    return "0"
