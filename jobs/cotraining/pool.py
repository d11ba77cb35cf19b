"""The pool of unlabelled blocks: sorted by hash once, then each round reads the row groups of its own range."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.engine.rows import NEEDED
from jobs.engine.scratch import Scratch
from jobs.engine.views import address
from parcels.store import Store, open_store

GROUP_ROWS = 4096  # the least that a round reads of a file
FILE_ROWS = 100_000  # in memory at once, in one task
MANIFEST = "pool.json"
PARTS = "file string, row_group int, low bigint, high bigint, rows bigint, bytes bigint"

PARTS_SCHEMA = pa.schema(
    [
        ("file", pa.string()),
        ("row_group", pa.int32()),
        *((name, pa.int64()) for name in ("low", "high", "rows", "bytes")),
    ]
)


@dataclass(frozen=True)
class Part:
    """A row group of the pool: the range of its hashes, its rows and its size on disk."""

    file: str
    row_group: int
    low: int
    high: int
    rows: int
    bytes: int


@dataclass(frozen=True)
class SortedPool:
    """Where the rows of the pool are."""

    parts: tuple[Part, ...]

    @property
    def rows(self) -> int:
        """Blocks in all."""
        return sum(part.rows for part in self.parts)

    @property
    def bytes(self) -> int:
        """Bytes in all."""
        return sum(part.bytes for part in self.parts)

    def within(self, ranges: Sequence[tuple[int, int]]) -> list[Part]:
        """The parts that hold a hash of the ranges (both ends included)."""
        return [part for part in self.parts if any(part.low <= high and low <= part.high for low, high in ranges)]


def open_pool(scratch: Scratch) -> SortedPool | None:
    """The pool of a training that has begun; None before."""
    listed = scratch.get_json(MANIFEST)
    return None if listed is None else SortedPool(tuple(Part(**part) for part in listed))


def make_pool(features: Any, store: Store, scratch: Scratch, *, cores: int) -> SortedPool:
    """Sort a DataFrame of features into files; the manifest, written last, says that it is whole."""
    columns = features.select(*NEEDED, "pool_hash")
    count = columns.count()
    files = max(count // FILE_ROWS, min(cores, count // GROUP_ROWS), 1)
    placed = columns.repartitionByRange(files, "pool_hash").sortWithinPartitions("pool_hash", "block_id")
    found = placed.mapInArrow(_WriteParts(address(store), scratch.folder), PARTS).collect()
    parts = sorted((Part(**row.asDict()) for row in found), key=lambda part: (part.low, part.file))
    scratch.put_json(MANIFEST, [asdict(part) for part in parts])
    return SortedPool(tuple(parts))


class _WriteParts:
    """Writes one file of the pool in a task, and tells its row groups."""

    def __init__(self, where: str, folder: str):
        self.where, self.folder = where, folder

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        read = list(batches)
        rows = pa.Table.from_batches(read) if read else None
        if rows is None or not len(rows):
            return
        name = f"pool/part-{TaskContext.get().partitionId():06d}.parquet"
        sink = pa.BufferOutputStream()
        pq.write_table(rows, sink, row_group_size=GROUP_ROWS, compression="zstd")
        data = sink.getvalue()
        Scratch(open_store(self.where), self.folder).put(name, bytes(data))
        meta = pq.ParquetFile(pa.BufferReader(data)).metadata
        hashes, first = rows["pool_hash"], 0
        for group in range(meta.num_row_groups):
            about = meta.row_group(group)
            end = first + about.num_rows
            part = Part(
                name, group, hashes[first].as_py(), hashes[end - 1].as_py(), about.num_rows, _packed_bytes(about)
            )
            first = end
            yield pa.RecordBatch.from_pylist([asdict(part)], schema=PARTS_SCHEMA)


def _packed_bytes(group: Any) -> int:
    return sum(group.column(number).total_compressed_size for number in range(group.num_columns))


def read_part(store: Store, scratch: Scratch, file: str, row_group: int) -> pa.Table:
    """The rows of a part."""
    with store.location.filesystem.open_input_file(scratch.path(file)) as stream:
        return pq.ParquetFile(stream).read_row_group(row_group)
