"""The location of a store: a local folder, or a folder on any filesystem that pyarrow supports."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import fs

from parcels.errors import ConfigError, InputMissing

OBJECT_STORES = ("s3", "gcs", "abfs")  # an object appears whole when it is closed, and cannot be renamed
UNFINISHED = ".part"  # suffix of a file that `put` has not finished


@dataclass(frozen=True, slots=True)
class Location:
    """A folder on a filesystem."""

    filesystem: Any
    root: str
    uri: str  # the path or URI as the user gave it
    is_local: bool = False

    @property
    def can_rename(self) -> bool:
        """Return True if files are moved in one atomic step."""
        return self.filesystem.type_name not in OBJECT_STORES

    def path(self, *parts: str) -> str:
        """Return a path below the root."""
        return "/".join((self.root, *parts))

    def files(self, folder: str) -> Iterator[str]:
        """Yield the paths of all files below a folder, relative to it; nothing if the folder does not exist."""
        base = self.path(folder)
        if self.is_local:
            for parent, folders, names in os.walk(base, onerror=_raise_unless_missing):
                folders.sort()
                below = parent[len(base) + 1 :]
                yield from (f"{below}/{name}" if below else name for name in sorted(names))
            return
        selector = fs.FileSelector(base, allow_not_found=True, recursive=True)
        paths = (info.path for info in self.filesystem.get_file_info(selector) if info.type == fs.FileType.File)
        yield from sorted(path[len(base) + 1 :] for path in paths)

    def is_file(self, name: str) -> bool:
        """Return whether a file exists."""
        return bool(self.filesystem.get_file_info(self.path(name)).type == fs.FileType.File)

    def is_empty(self) -> bool:
        """Return whether the folder is missing or empty, apart from unfinished files of `put`."""
        info = self.filesystem.get_file_info(self.root)
        if info.type == fs.FileType.NotFound:
            return True
        if info.type != fs.FileType.Directory:
            return False
        entries = self.filesystem.get_file_info(fs.FileSelector(self.root))
        return all(one.base_name.startswith(".") and one.base_name.endswith(UNFINISHED) for one in entries)

    def read(self, name: str) -> bytes:
        """Return the bytes of a small file."""
        with self.filesystem.open_input_stream(self.path(name)) as stream:
            return bytes(stream.read())

    def put(self, name: str, data: bytes) -> None:
        """Write a small file durably; readers see the old bytes or the new ones, never a part."""
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
    """Raise InputMissing for an unreadable folder, which must not look like an empty one."""
    if not isinstance(error, FileNotFoundError):
        raise InputMissing(f"Cannot list {error.filename}: {error.strerror}") from error


def resolve(where: str | os.PathLike[str]) -> Location:
    """Return the location of a path or URI.

    >>> resolve("some/folder").is_local, resolve("file:///tmp/store").root
    (True, '/tmp/store')
    """
    uri = os.fspath(where)
    if "://" not in uri:
        return Location(fs.LocalFileSystem(), str(Path(uri).absolute()), uri, is_local=True)
    try:
        filesystem, root = fs.FileSystem.from_uri(uri)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise ConfigError(f"{uri} is not a valid location of a store: {error}") from error
    except OSError as error:
        raise InputMissing(f"Cannot reach the filesystem of {uri}: {error}") from error
    return Location(filesystem, root.rstrip("/"), uri, is_local=isinstance(filesystem, fs.LocalFileSystem))
