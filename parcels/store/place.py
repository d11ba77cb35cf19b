"""Where a store lies: a local folder, or a folder on any filesystem that pyarrow knows."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import fs

from parcels.errors import ConfigError, InputMissing

OBJECT_STORES = ("s3", "gcs", "abfs")  # an object appears whole when it is closed, and cannot be renamed
UNFINISHED = ".part"  # how the name of a file ends that `put` has not finished


@dataclass(frozen=True, slots=True)
class Place:
    """A folder on a filesystem."""

    filesystem: Any
    root: str
    given: str  # as the user named it
    is_local: bool = False

    @property
    def can_rename(self) -> bool:
        """True where a file moves in one atomic step."""
        return self.filesystem.type_name not in OBJECT_STORES

    def path(self, *parts: str) -> str:
        """A path below the root."""
        return "/".join((self.root, *parts))

    def files(self, folder: str) -> Iterator[str]:
        """Paths of all files below a folder, relative to it; nothing where there is no such folder."""
        base = self.path(folder)
        if self.is_local:
            for parent, folders, names in os.walk(base, onerror=_raise_unless_missing):
                folders.sort()
                below = parent[len(base) + 1 :]
                yield from (f"{below}/{name}" if below else name for name in sorted(names))
            return
        selector = fs.FileSelector(base, allow_not_found=True, recursive=True)
        found = (info.path for info in self.filesystem.get_file_info(selector) if info.type == fs.FileType.File)
        yield from sorted(path[len(base) + 1 :] for path in found)

    def is_file(self, name: str) -> bool:
        """True where there is such a file."""
        return bool(self.filesystem.get_file_info(self.path(name)).type == fs.FileType.File)

    def is_empty(self) -> bool:
        """Return True where there is nothing, an empty folder, or one with only a file that `put` has not finished."""
        info = self.filesystem.get_file_info(self.root)
        if info.type == fs.FileType.NotFound:
            return True
        if info.type != fs.FileType.Directory:
            return False
        entries = self.filesystem.get_file_info(fs.FileSelector(self.root))
        return all(one.base_name.startswith(".") and one.base_name.endswith(UNFINISHED) for one in entries)

    def read(self, name: str) -> bytes:
        """The bytes of a small file."""
        with self.filesystem.open_input_stream(self.path(name)) as stream:
            return bytes(stream.read())

    def put(self, name: str, data: bytes) -> None:
        """Write a small file durably; readers find the old bytes or the new ones, never a part of them."""
        target = self.path(name)
        self.filesystem.create_dir(target.rpartition("/")[0])
        if not self.can_rename:
            with self.filesystem.open_output_stream(target) as stream:
                stream.write(data)
            return
        folder, _, base = target.rpartition("/")
        fresh = f"{folder}/.{base}.{os.getpid()}.{os.urandom(4).hex()}{UNFINISHED}"
        with self.filesystem.open_output_stream(fresh) as stream:
            stream.write(data)
        if self.is_local:
            sync(Path(fresh))
            Path(fresh).replace(target)
            sync(Path(folder))
        else:
            if self.is_file(name):  # HDFS does not rename onto a file
                self.filesystem.delete_file(target)
            self.filesystem.move(fresh, target)


def sync(path: Path) -> None:
    """Make a file's bytes, or the names in a folder, durable."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _raise_unless_missing(error: OSError) -> None:
    """A folder that may not be read must not look like an empty one."""
    if not isinstance(error, FileNotFoundError):
        raise InputMissing(f"cannot list {error.filename}: {error.strerror}") from error


def resolve(where: str | os.PathLike[str]) -> Place:
    """The place that a path or URI names.

    >>> resolve("some/folder").is_local, resolve("file:///tmp/store").root
    (True, '/tmp/store')
    """
    given = os.fspath(where)
    if "://" not in given:
        return Place(fs.LocalFileSystem(), str(Path(given).absolute()), given, is_local=True)
    try:
        filesystem, root = fs.FileSystem.from_uri(given)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise ConfigError(f"{given} is not a place for a store: {error}") from error
    except OSError as error:
        raise InputMissing(f"the filesystem of {given} cannot be reached: {error}") from error
    return Place(filesystem, root.rstrip("/"), given, is_local=isinstance(filesystem, fs.LocalFileSystem))
