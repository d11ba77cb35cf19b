"""Archives wherever they are: local files, `s3://`, `hdfs://`, `http(s)://`, lists of files, members of WACZ files."""

import gzip
import io
import re
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from parcels.errors import ConfigError, InputMissing
from parcels.importing.http_file import HttpFile
from parcels.importing.positioned import Positioned

SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.wet.gz", ".wet.gz", ".arc", ".arc.gz", ".wacz")
LIST_SUFFIXES = (".paths", ".paths.gz", ".txt", ".txt.gz")
COMMON_CRAWL = "https://data.commoncrawl.org/"  # the base of the entries of its lists
COMMON_CRAWL_FOLDERS = ("crawl-data/", "projects/")
SEARCH_BYTES = 1 << 20
OVERLAP_BYTES = 1 << 16  # of two searched parts: no header line is longer
HEAD_BYTES = 1 << 16
ZIP = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class ArchiveSource:
    """An archive in a file: the whole file, or the bytes of a WACZ member."""

    name: str  # in the column `source`
    uri: str  # path or URI of the file
    begin: int = 0
    size: int | None = None  # None: up to the end of the file
    member: str | None = None  # of a WACZ file, where it is compressed there and has to be unpacked first


class ArchiveFile(Positioned):
    """A range of a seekable file, read as a file of its own and searched without being held in memory."""

    def __init__(self, raw: Any, begin: int = 0, size: int | None = None):
        self._raw, self._begin = raw, begin
        if size is None:
            raw.seek(0, io.SEEK_END)
            size = int(raw.tell()) - begin
        super().__init__(size)
        self._head = b""  # kept, since the format is recognised by it before the records are read

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, part: slice) -> bytes:
        first, end, _ = part.indices(self.size)
        if first == 0 and end <= HEAD_BYTES:
            self._head = self._head or self._bytes(0, HEAD_BYTES)
            return self._head[:end]
        return self._bytes(first, end - first)

    def read(self, count: int = -1) -> bytes:
        """Return up to `count` bytes from the position on; empty only at the end."""
        if count >= 0 and self.at < len(self._head):
            data = self._head[self.at : self.at + count]
        else:
            data = self._bytes(self.at, self.size - self.at if count < 0 else count)
        self.at += len(data)
        return data

    def _bytes(self, first: int, count: int) -> bytes:
        count = min(count, self.size - first)
        if count <= 0:
            return b""
        place = self._begin + first
        if self._raw.tell() != place:
            self._raw.seek(place)
        return bytes(self._raw.read(count))

    def find(self, pattern: bytes, after: int) -> int | None:
        """Return where bytes occur from a position on."""
        return self.search(re.compile(re.escape(pattern)), after)

    def search(self, pattern: re.Pattern[bytes], after: int, group: int = 0) -> int | None:
        """Return where a group of a pattern starts, at a match from a position on."""
        for first in range(after, self.size, SEARCH_BYTES):
            match = pattern.search(self[first : first + SEARCH_BYTES + OVERLAP_BYTES])
            if match and match.start() < SEARCH_BYTES:
                return first + match.start(group)
        return None

    def close(self) -> None:
        """Close the file below."""
        if not self.closed:
            self._raw.close()
        super().close()


@contextmanager
def open_archive(source: ArchiveSource) -> Iterator[ArchiveFile]:
    """Open an archive for reading; OSError where it cannot be."""
    raw = open_uri(source.uri, at=source.begin)
    try:
        if source.member is not None:
            spooled = tempfile.TemporaryFile()  # noqa: SIM115 - `file` closes it
            with zipfile.ZipFile(raw) as container, container.open(source.member) as packed:
                while part := packed.read(SEARCH_BYTES):
                    spooled.write(part)
            raw.close()
            raw = spooled
        with ArchiveFile(raw, source.begin, source.size) as file:
            yield file
    finally:
        raw.close()


def open_uri(uri: str, *, at: int = 0) -> Any:
    """Return a seekable file for a path or URI, of which `at` will be read first; OSError where it cannot be opened."""
    if uri.startswith(("http://", "https://")):
        return HttpFile(uri, at=at)
    if "://" not in uri:
        return Path(uri).open("rb", buffering=0)
    location, path = _filesystem(uri)
    return location.open_input_file(path)


def _filesystem(uri: str) -> tuple[Any, str]:
    import pyarrow as pa
    from pyarrow import fs

    try:
        filesystem, path = fs.FileSystem.from_uri(uri)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise ConfigError(f"{uri} is not the path or URI of an archive: {error}") from error
    return filesystem, path


def members(source: ArchiveSource) -> list[ArchiveSource]:
    """Return the archives inside a file: those of a WACZ file in order of name, otherwise the file itself."""
    if not source.uri.lower().endswith((".wacz", ".zip")):
        return [source]
    raw = open_uri(source.uri)
    try:
        with zipfile.ZipFile(raw) as container:
            inside = [one for one in container.infolist() if one.filename.lower().endswith(SUFFIXES[:-1])]
            return [_member(source, raw, one) for one in sorted(inside, key=lambda one: one.filename)]
    except zipfile.BadZipFile as error:
        raise OSError(f"not a WACZ file: {error}") from error
    finally:
        raw.close()


def _member(source: ArchiveSource, raw: Any, entry: zipfile.ZipInfo) -> ArchiveSource:
    name = f"{source.name}!{entry.filename}"
    if entry.compress_type != zipfile.ZIP_STORED:
        return ArchiveSource(name, source.uri, member=entry.filename)
    raw.seek(entry.header_offset)
    head = bytes(raw.read(30))  # the local header: its name and extra field may differ from those of the directory
    if head[:4] != ZIP:
        raise OSError(f"damaged WACZ file: no header of {entry.filename}")
    begin = entry.header_offset + 30 + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    return ArchiveSource(name, source.uri, begin, entry.file_size)


def archive_sources(given: Sequence[str]) -> list[ArchiveSource]:
    """Return the archives that paths and URIs name: files, folders and lists of files; each file once."""
    sources: dict[str, None] = {}
    for one in given:
        sources.update(dict.fromkeys(_named(one)))
    return [ArchiveSource(uri, uri) for uri in sources]


def _named(given: str) -> list[str]:
    if given.lower().endswith(LIST_SUFFIXES):
        return list(_listed(given))
    if given.startswith(("http://", "https://")):
        return [given]
    if "://" in given:
        return _in_filesystem(given)
    path = Path(given)
    if not path.exists():
        raise InputMissing(f"File or folder not found: {given}")
    if not path.is_dir():
        return [given]
    inside = sorted(str(one) for one in path.rglob("*") if one.name.lower().endswith(SUFFIXES))
    return inside or _empty(given)


def _in_filesystem(uri: str) -> list[str]:
    from pyarrow import fs

    try:
        filesystem, path = _filesystem(uri)
        info = filesystem.get_file_info(path)
        if info.type == fs.FileType.File:
            return [uri]
        if info.type != fs.FileType.Directory:
            raise InputMissing(f"File or folder not found: {uri}")
        infos = filesystem.get_file_info(fs.FileSelector(path, recursive=True))
    except OSError as error:
        raise InputMissing(f"Cannot reach {uri}: {error}") from error
    base = uri.rstrip("/")
    inside = [one.path for one in infos if one.type == fs.FileType.File and one.path.lower().endswith(SUFFIXES)]
    return sorted(f"{base}/{one[len(path.rstrip('/')) + 1 :]}" for one in inside) or _empty(uri)


def _empty(folder: str) -> list[str]:
    raise InputMissing(f"The folder {folder} has no files that end in {', '.join(SUFFIXES)}.")


def _listed(where: str) -> Iterator[str]:
    """Yield the archives that a list names, one per line, such as Common Crawl's `warc.paths.gz`."""
    try:
        raw = open_uri(where)
        with raw:
            data = bytes(raw.read())
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputMissing(f"Cannot read the list {where}: {error}") from error
    lines = [line.strip() for line in text.splitlines()]
    entries = [line for line in lines if line and not line.startswith("#")]
    if not entries:
        raise InputMissing(f"The list {where} names no files.")
    for entry in entries:
        yield _absolute(entry, where)


def _absolute(entry: str, where: str) -> str:
    """Return an entry of a list as a path or URI.

    >>> _absolute("crawl-data/CC-MAIN-2026-01/a.warc.gz", "warc.paths.gz")
    'https://data.commoncrawl.org/crawl-data/CC-MAIN-2026-01/a.warc.gz'
    >>> _absolute("a.warc.gz", "https://data.example/lists/x.paths"), _absolute("a.warc.gz", "lists/x.paths")
    ('https://data.example/lists/a.warc.gz', 'lists/a.warc.gz')
    """
    if "://" in entry or entry.startswith("/"):
        return entry
    if entry.startswith(COMMON_CRAWL_FOLDERS):
        return urljoin(COMMON_CRAWL, entry)
    if where.startswith(("http://", "https://")):
        return urljoin(where, entry)
    folder, slash, _ = where.rpartition("/")
    return f"{folder}{slash}{entry}"
