"""Read rows of Parquet files by number: each row group is decoded once, into a file with direct access.

Parquet cannot read a single row: reading one decodes its row group, which takes tens of milliseconds for 32 MB. Here
a group is decoded in order, a large one only as far as requested, and its rows are kept packed in an unnamed file on
disk, which disappears with the process.
"""

import os
import tempfile
from array import array
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import IO, Any, NamedTuple

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

ROWS_AT_ONCE = 32
CACHE_BYTES = 4 << 30  # of packed rows on disk
MAX_GROUPS = 256  # each keeps a file open
WHOLE_BYTES = 64 << 20  # a group up to this size is decoded as a whole: half a group holds on to its memory
_CODEC = pa.Codec("lz4_raw")
_BODIES = ("html", "body")


class _Place(NamedTuple):
    head: int  # bytes of the columns but the body, as JSON
    body: int  # packed
    size: int  # unpacked; -1: there is none


class GroupRows:
    """The rows of one row group, decoded as far as needed."""

    def __init__(self, parquet: pq.ParquetFile, group: int, columns: tuple[str, ...]):
        self._parquet: pq.ParquetFile | None = parquet
        self._batches: Iterator[pa.RecordBatch] = parquet.iter_batches(
            ROWS_AT_ONCE, row_groups=[group], columns=list(columns), use_threads=False
        )
        self._file: IO[bytes] = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed by `close`
        metadata = parquet.metadata.row_group(group)
        self._count = metadata.num_rows
        self._is_whole = metadata.total_byte_size <= WHOLE_BYTES
        self._starts = array("q", [0])
        self._places: list[_Place] = []

    @property
    def size(self) -> int:
        """Return the number of bytes on disk."""
        return self._starts[-1]

    def row(self, number: int) -> Mapping[str, Any]:
        """Return one row as a mapping; the body is bytes, whatever its column holds."""
        least = self._count if self._is_whole else number + 1
        while len(self._places) < least and (batch := next(self._batches, None)) is not None:
            self._keep(batch)
        if self._parquet is not None and len(self._places) >= self._count:
            self._parquet.close()
            self._parquet, self._batches = None, iter(())  # the reader holds on to what it has decoded
        place = self._places[number]
        data = os.pread(self._file.fileno(), place.head + place.body, self._starts[number])
        row: dict[str, Any] = orjson.loads(data[: place.head])
        name = row.pop("", None)
        if name is not None:
            packed = data[place.head :]
            row[name] = None if place.size < 0 else bytes(_CODEC.decompress(packed, place.size)) if place.size else b""
        return row

    def _keep(self, batch: pa.RecordBatch) -> None:
        for row in batch.to_pylist():
            name = next((name for name in _BODIES if name in row), None)
            body = row.pop(name) if name else None
            if isinstance(body, str):
                body = body.encode("utf-8", "surrogatepass")
            head = orjson.dumps(row | {"": name}, default=str)
            packed = _CODEC.compress(body, asbytes=True) if body else b""
            self._file.write(head + packed)
            self._places.append(_Place(len(head), len(packed), -1 if body is None else len(body)))
            self._starts.append(self._starts[-1] + len(head) + len(packed))

    def close(self) -> None:
        """Give the disk back."""
        self._file.close()
        if self._parquet is not None:
            self._parquet.close()


class RowCache:
    """A cache of row groups by file and number, limited to a number of bytes on disk."""

    def __init__(self, cache_bytes: int = CACHE_BYTES):
        self._cache_bytes = cache_bytes
        self._groups: OrderedDict[tuple[int, int], GroupRows] = OrderedDict()

    def get(self, key: tuple[int, int]) -> GroupRows | None:
        """Return a group that is kept."""
        rows = self._groups.get(key)
        if rows is not None:
            self._groups.move_to_end(key)
        return rows

    def add(self, key: tuple[int, int], rows: GroupRows) -> GroupRows:
        """Keep a group."""
        self._groups[key] = rows
        return rows

    def shrink(self) -> None:
        """Drop the groups that were not used for longest, but never the last one used."""
        held = self.held_bytes
        while (held > self._cache_bytes or len(self._groups) > MAX_GROUPS) and len(self._groups) > 1:
            _, rows = self._groups.popitem(last=False)
            held -= rows.size
            rows.close()

    @property
    def held_bytes(self) -> int:
        """Return the number of bytes on disk of all groups."""
        return sum(rows.size for rows in self._groups.values())
