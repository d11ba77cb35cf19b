"""Which pages are still to be done, cut into units of neighbouring rows of one file.

Only ids and row numbers pass through Spark: a task reads its rows out of the Parquet files by itself, so pages are
neither shuffled nor copied through the JVM. Rows go to tasks by the hash of their place, so that a task that is tried
again after a lost executor has the same rows and writes the same files.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from jobs.views import address
from parcels.store import Store, open_store

UNIT_ROWS = 32  # neighbouring rows that one task reads; smaller ones would read a row group more often
TASK_BYTES = 24 << 20  # of pages in one task
TASK_PAGES = 200  # so that progress is told often, and little is lost with a task
INDEX = "page_id string, file string, row int, bytes bigint, sheets array<string>"
FEW_FILES = 64
SHEETS = "content_hash string, sheet_file string, sheet_row int"

Index: TypeAlias = Callable[[str, pq.ParquetFile], pa.Table]


@dataclass(frozen=True)
class Plan:
    """What a pass over pages has to do."""

    units: Any  # a cached DataFrame: file, chunk, rows [{row, todo}], sheets [{content_hash, file, row}]
    pages: int
    tasks: int


def plan(spark: Any, store: Store, crawl: str, done: Sequence[Any], *, cores: int) -> Plan:
    """The units of a crawl's pages for which one of the steps is not done.

    `done` holds for each step a DataFrame of the `page_id`s that need nothing more. `todo` of a row has the bit of
    each step that is missing.
    """
    from pyspark.sql import functions as f

    # A page that a crash wrote twice is done once: always at its first place, whoever computes it again.
    indexed = _indexed(spark, store, "pages", crawl, INDEX, _index_pages)
    first = f.min(f.struct("file", "row", "bytes", "sheets")).alias("at")
    pages = indexed.groupBy("page_id").agg(first).select("page_id", "at.*")
    bits = []
    for number, frame in enumerate(done):
        flag = f"is_done_{number}"
        pages = pages.join(frame.select("page_id").distinct().withColumn(flag, f.lit(True)), "page_id", "left")
        bits.append(f.when(f.col(flag).isNull(), f.lit(1 << number)).otherwise(f.lit(0)))
    pages = pages.withColumn("todo", reduce(lambda one, other: one + other, bits)).where("todo > 0")
    chunk = f.floor(f.col("row") / UNIT_ROWS).cast("int").alias("chunk")
    units = pages.groupBy("file", chunk).agg(
        f.collect_list(f.struct("row", "todo")).alias("rows"), f.sum("bytes").alias("bytes")
    )
    hashes = pages.select("file", chunk, f.explode("sheets").alias("content_hash")).distinct()
    sheets = _indexed(spark, store, "resources", crawl, SHEETS, _index_sheets)
    sheets = sheets.groupBy("content_hash").agg(f.min(f.struct("sheet_file", "sheet_row")).alias("at"))
    places = hashes.join(sheets.select("content_hash", "at.*"), "content_hash").groupBy("file", "chunk").agg(
        f.collect_list(f.struct("content_hash", "sheet_file", "sheet_row")).alias("sheets")
    )  # fmt: skip
    units = units.join(places, ["file", "chunk"], "left").cache()
    found = units.agg(f.sum(f.size("rows")), f.sum("bytes")).first()
    count, total = int(found[0] or 0), int(found[1] or 0)
    wanted = max(total // TASK_BYTES + 1, count // TASK_PAGES + 1, cores)
    return Plan(units, count, min(wanted, count // UNIT_ROWS + 1))


def spread(found: Plan) -> Any:
    """The units, dealt to the tasks by the hash of their place."""
    return found.units.repartition(found.tasks, "file", "chunk")


def _indexed(spark: Any, store: Store, table: str, crawl: str, ddl: str, index: Index) -> Any:
    """One row a row of the table: where it is. Few files are read here, many by the executors."""
    paths = [file.path for file in store.files(table, crawl=crawl)]
    if not paths:
        return spark.createDataFrame([], ddl)
    where = address(store)
    if len(paths) <= FEW_FILES:
        return spark.createDataFrame(pa.concat_tables(_index(where, paths, index)), ddl)
    listed = spark.createDataFrame([(path,) for path in paths], "file string").repartition(min(len(paths), 256))

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for rows in _index(where, batch.column("file").to_pylist(), index):
                yield from rows.to_batches()

    return listed.mapInArrow(read, ddl)


def _index(where: str, paths: Iterable[str], index: Index) -> Iterator[pa.Table]:
    filesystem = open_store(where).place.filesystem
    for path in paths:
        with filesystem.open_input_file(path) as stream:
            yield index(path, pq.ParquetFile(stream))


def _index_pages(path: str, file: pq.ParquetFile) -> pa.Table:
    """The places of a file's pages, and the hashes of their style sheets."""
    rows = file.read(["page_id", "byte_count", "sheets"])
    hashes = [[one["content_hash"] for one in sheets or ()] for sheets in rows["sheets"].to_pylist()]
    places = _places(path, rows["page_id"], "page_id", "file", "row")
    places = places.append_column("bytes", rows["byte_count"])
    return places.append_column("sheets", pa.array(hashes, pa.list_(pa.string())))


def _index_sheets(path: str, file: pq.ParquetFile) -> pa.Table:
    """The places of a file's style sheets."""
    return _places(path, file.read(["content_hash"])["content_hash"], "content_hash", "sheet_file", "sheet_row")


def _places(path: str, ids: Any, *names: str) -> pa.Table:
    files, rows = pa.array([path] * len(ids), pa.string()), pa.array(range(len(ids)), pa.int32())
    return pa.table([ids, files, rows], list(names))


class RowReader:
    """Reads single rows of Parquet files, and keeps the row group that it read last."""

    def __init__(self, filesystem: Any, columns: Sequence[str]):
        self._filesystem, self._columns = filesystem, list(columns)
        self._path, self._starts = "", [0]
        self._kept: tuple[str, int, pa.Table | None] = ("", -1, None)

    def read(self, path: str, rows: Iterable[int]) -> Iterator[tuple[list[int], pa.Table]]:
        """The rows of a file, in order, and their numbers: one table a row group."""
        if path != self._path:
            with self._filesystem.open_input_file(path) as stream:
                meta = pq.ParquetFile(stream).metadata
            self._starts = [0]
            for group in range(meta.num_row_groups):
                self._starts.append(self._starts[-1] + meta.row_group(group).num_rows)
            self._path = path
        wanted = sorted(rows)
        for group, (first, end) in enumerate(zip(self._starts, self._starts[1:], strict=False)):
            inside = [row for row in wanted if first <= row < end]
            if inside:
                yield inside, pc.take(self._group(path, group), pa.array([row - first for row in inside], pa.int64()))

    def _group(self, path: str, group: int) -> pa.Table:
        if self._kept[:2] != (path, group):
            self._kept = ("", -1, None)  # before the next is read, so that never two are in memory
            with self._filesystem.open_input_file(path) as stream:
                rows = pq.ParquetFile(stream).read_row_group(group, self._columns)
            self._kept = (path, group, rows)
        return self._kept[2]
