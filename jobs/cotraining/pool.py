"""The files of the pool of unlabelled blocks, sorted by hash: a round reads only the row groups of its share."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.engine.rows import NEEDED
from jobs.engine.scratch import Scratch
from jobs.engine.spark_tables import absolute_uri
from parcels.store import Store, open_store

GROUP_ROWS = 4096  # the least that a round reads of a file
FILE_ROWS = 100_000  # in memory at once, in one task
MANIFEST = "pool.json"
ROW_GROUPS = "file string, row_group bigint, low bigint, high bigint, rows bigint, bytes bigint"


@dataclass(frozen=True)
class RowGroup:
    """A row group of the pool: the range of its hashes, its number of rows and its size on disk."""

    file: str
    row_group: int
    low: int
    high: int
    rows: int
    bytes: int


@dataclass(frozen=True)
class PoolManifest:
    """The row groups of a pool."""

    row_groups: tuple[RowGroup, ...]

    @property
    def rows(self) -> int:
        """Number of blocks."""
        return sum(group.rows for group in self.row_groups)

    @property
    def bytes(self) -> int:
        """Size on disk."""
        return sum(group.bytes for group in self.row_groups)

    def within(self, ranges: Sequence[tuple[int, int]]) -> list[RowGroup]:
        """Return the row groups that may hold a hash of the ranges (both ends included)."""
        return [
            group for group in self.row_groups if any(group.low <= high and low <= group.high for low, high in ranges)
        ]


def open_pool(scratch: Scratch) -> PoolManifest | None:
    """Return the pool of a training that has started, or None."""
    listed = scratch.get_json(MANIFEST)
    return None if listed is None else PoolManifest(tuple(RowGroup(**group) for group in listed))


def make_pool(features: Any, store: Store, scratch: Scratch, *, cores: int) -> PoolManifest:
    """Sort a DataFrame of features into files. The manifest is written last: a pool that has one is complete."""
    columns = features.select(*NEEDED, "pool_hash")
    count = columns.count()
    files = max(count // FILE_ROWS, min(cores, count // GROUP_ROWS), 1)
    placed = columns.repartitionByRange(files, "pool_hash").sortWithinPartitions("pool_hash", "block_id")
    written = placed.mapInArrow(_FileWriter(absolute_uri(store), scratch.folder), ROW_GROUPS).collect()
    groups = sorted((RowGroup(**row.asDict()) for row in written), key=lambda group: (group.low, group.file))
    scratch.put_json(MANIFEST, [asdict(group) for group in groups])
    return PoolManifest(tuple(groups))


class _FileWriter:
    """Write the rows of a task to one file of the pool, and return its row groups."""

    def __init__(self, store: str, folder: str):
        self.store, self.folder = store, folder

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
        Scratch(open_store(self.store), self.folder).put(name, bytes(data))
        metadata = pq.ParquetFile(pa.BufferReader(data)).metadata
        hashes, first = rows["pool_hash"], 0
        for number in range(metadata.num_row_groups):
            stored = metadata.row_group(number)
            end = first + stored.num_rows
            low, high = hashes[first].as_py(), hashes[end - 1].as_py()
            group = RowGroup(name, number, low, high, stored.num_rows, _packed_bytes(stored))
            first = end
            yield pa.RecordBatch.from_pylist([asdict(group)])


def _packed_bytes(group: Any) -> int:
    return sum(group.column(number).total_compressed_size for number in range(group.num_columns))


def read_row_group(store: Store, scratch: Scratch, file: str, row_group: int) -> pa.Table:
    """Read a row group."""
    with store.location.filesystem.open_input_file(scratch.path(file)) as stream:
        return pq.ParquetFile(stream).read_row_group(row_group)
