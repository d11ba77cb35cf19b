"""Read the Parquet files of a replay, of a store or plain; a row is decoded once, on request."""

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from crawler.replay.rows import CACHE_BYTES, GroupRows, RowCache
from parcels.errors import ConfigError, InputMissing
from parcels.store import open_store
from parcels.store.store import MARKER

MAX_OPEN = 64  # files
BUFFER_BYTES = 1 << 20  # a column is read by pieces, not as a whole: a row group may be a gigabyte
# What is read of each table, and what its bytes are called.
_COLUMNS = {
    "pages": ("url", "final_url", "status", "headers", "content_type", "charset", "html", "content_hash"),
    "resources": ("url", "status", "content_type", "charset", "body", "content_hash"),
}
_PLAIN = ("url", "final_url", "status", "headers", "http_headers", "content_type", "charset", "html")
_LIGHT = ("url", "final_url", "status", "byte_count", "fetched_at")


class File(NamedTuple):
    """A Parquet file and its columns that a response needs."""

    path: str
    filesystem: Any
    columns: tuple[str, ...]
    light: tuple[str, ...]


class RowGroups:
    """The row groups of some files."""

    def __init__(self, files: list[File], *, cache_bytes: int = CACHE_BYTES):
        self._files = files
        self._rows = RowCache(cache_bytes)
        self._open: OrderedDict[int, pq.ParquetFile] = OrderedDict()

    def addresses(self) -> Iterator[tuple[int, int, pa.Table]]:
        """Yield file number, row group number and small columns of each row group, in order."""
        for number, file in enumerate(self._files):
            parquet = self._parquet(number)
            for group in range(parquet.metadata.num_row_groups):
                yield number, group, parquet.read_row_group(group, columns=list(file.light), use_threads=False)

    def row(self, number: int, group: int, row: int) -> Mapping[str, Any]:
        """Return all columns of one row that a response needs."""
        rows = self._rows.get((number, group))
        if rows is None:
            own = self._new(number, self._parquet(number).metadata)
            rows = self._rows.add((number, group), GroupRows(own, group, self._files[number].columns))
        values = rows.row(row)
        self._rows.shrink()
        return values

    def _parquet(self, number: int) -> pq.ParquetFile:
        if number not in self._open:
            self._open[number] = self._new(number)
            while len(self._open) > MAX_OPEN:
                self._open.popitem(last=False)[1].close()
        self._open.move_to_end(number)
        return self._open[number]

    def _new(self, number: int, metadata: Any = None) -> pq.ParquetFile:
        file = self._files[number]
        try:
            return pq.ParquetFile(file.path, filesystem=file.filesystem, buffer_size=BUFFER_BYTES, metadata=metadata)
        except (pa.ArrowInvalid, OSError) as error:
            raise InputMissing(f"{file.path} is damaged: {error}. Restore it, or move it away.") from error


def find_files(source: str, *, crawl: str | None = None) -> list[File]:
    """Return the files of a store, of a Parquet file, or of a folder of them, with the columns that they have."""
    path = Path(source)
    if "://" not in source and (path.is_file() or (path.is_dir() and not (path / MARKER).is_file())):
        if crawl is not None:
            raise ConfigError("--crawl chooses a crawl of a store; a Parquet file has none")
        return [_plain(file) for file in ([path] if path.is_file() else _parquets(path))]
    store = open_store(source)
    files = []
    for table, columns in _COLUMNS.items():
        light = tuple(name for name in _LIGHT if name in store.declaration(table).by_name)
        for file in store.files(table, crawl=crawl):
            files.append(File(file.path, store.location.filesystem, columns, light))
    if not files:
        of_crawl = f" of crawl '{crawl}'" if crawl else ""
        raise InputMissing(f"{source} has no pages{of_crawl}. Name another store or crawl, or crawl it first.")
    return files


def _parquets(folder: Path) -> list[Path]:
    paths = sorted(folder.rglob("*.parquet"))
    if not paths:
        raise InputMissing(f"{folder} is neither a store nor a folder with .parquet files. Name one of them.")
    return paths


def _plain(path: Path) -> File:
    try:
        names = set(pq.read_schema(path).names)
    except (pa.ArrowInvalid, OSError) as error:
        raise InputMissing(f"{path} is not a Parquet file, or is damaged: {error}. Name another file.") from error
    missing = {"url", "html"} - names
    if missing:
        raise InputMissing(
            f"{path} lacks the column {' and '.join(sorted(missing))}. A replay needs the columns url and html."
        )
    columns = tuple(name for name in _PLAIN if name in names)
    return File(str(path), fs.LocalFileSystem(), columns, tuple(name for name in _LIGHT if name in names))


def headers_of(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the headers of a row: stored as names and values, as JSON, or as the lines that a server sent."""
    listed = row.get("headers")
    if isinstance(listed, list):
        return [(str(pair["name"]), str(pair["value"])) for pair in listed if pair]
    text = row.get("http_headers") or (listed if isinstance(listed, str) else "")
    if not text:
        return []
    if text.lstrip().startswith("{"):
        return [(str(name), str(value)) for name, value in json.loads(text).items()]
    pairs = (line.partition(":") for line in text.splitlines() if ":" in line)
    return [(name.strip(), value.strip()) for name, _, value in pairs if " " not in name.strip()]
