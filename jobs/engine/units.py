"""The plan of a pass: pages that are left to process, in units of neighbouring rows of a file.

Only ids and row numbers pass through Spark: a task reads its rows from the Parquet files itself, so pages are neither
shuffled nor copied through the JVM. Rows are assigned to tasks by their place alone, so that a task that is repeated
after the loss of an executor has the same rows and writes the same files.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from jobs.engine.spark_tables import absolute_uri
from parcels.store import Store, open_store

UNIT_ROWS = 32  # neighbouring rows that a task reads and has in memory at a time
READ_BYTES = 1 << 20  # of a column at a time
TASK_BYTES = 24 << 20  # of pages in one task
TASK_PAGES = 200  # few, so that progress is reported often and little is lost with a task
INDEX = "page_id string, file string, row int, bytes bigint, sheets array<string>"
FEW_FILES = 64
SHEETS = "content_hash string, sheet_file string, sheet_row int"

Index: TypeAlias = Callable[[str, pq.ParquetFile], pa.Table]


@dataclass(frozen=True)
class Plan:
    """The units of a pass, and what is needed to assign them to tasks."""

    units: Any  # a cached DataFrame: file, chunk, rows [{row, todo}], bytes, cost, sheets [{content_hash, file, row}]
    starts: list[tuple[str, int]]  # for each file, the cost of the files before it
    cost: int  # of all units
    pages: int
    tasks: int


def plan(spark: Any, store: Store, crawl: str, done: Sequence[Any], *, cores: int) -> Plan:
    """Return the units of the pages that one of the steps has not processed.

    `done` has for each step a DataFrame of the `page_id`s that it need not process. `todo` of a row has one bit per
    missing step.
    """
    from pyspark.sql import functions as f

    # A page that a crash wrote twice is processed once: always at its first place, however often this is computed.
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
    size = f.coalesce(f.sum("bytes"), f.lit(0))
    units = pages.groupBy("file", chunk).agg(
        f.collect_list(f.struct("row", "todo")).alias("rows"), size.alias("bytes"),
        (size * TASK_PAGES + f.count("row") * TASK_BYTES).alias("cost"),
    )  # fmt: skip
    hashes = pages.select("file", chunk, f.explode("sheets").alias("content_hash")).distinct()
    sheets = _indexed(spark, store, "resources", crawl, SHEETS, _index_sheets)
    sheets = sheets.groupBy("content_hash").agg(f.min(f.struct("sheet_file", "sheet_row")).alias("at"))
    places = hashes.join(sheets.select("content_hash", "at.*"), "content_hash").groupBy("file", "chunk").agg(
        f.collect_list(f.struct("content_hash", "sheet_file", "sheet_row")).alias("sheets")
    )  # fmt: skip
    units = units.join(places, ["file", "chunk"], "left").cache()
    sums = units.groupBy("file").agg(f.sum(f.size("rows")), f.sum("bytes"), f.sum("cost"))
    files = sorted(tuple(row) for row in sums.collect())
    count, total = sum(row[1] for row in files), sum(row[2] for row in files)
    wanted = max(total // TASK_BYTES + 1, count // TASK_PAGES + 1, cores)
    upto = [0, *accumulate(row[3] for row in files)]
    starts = [(row[0], start) for row, start in zip(files, upto, strict=False)]
    return Plan(units, starts, upto[-1], count, min(wanted, count // UNIT_ROWS + 1))


def assigned(plan: Plan) -> Any:
    """Return the units, assigned to tasks: each task gets neighbouring units, with about equal pages and bytes."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    starts = f.broadcast(plan.units.sparkSession.createDataFrame(plan.starts, "file string, start bigint"))
    earlier = Window.partitionBy("file").orderBy("chunk").rowsBetween(Window.unboundedPreceding, -1)
    before = f.col("start") + f.coalesce(f.sum("cost").over(earlier), f.lit(0))
    task = f.floor(before / f.lit(plan.cost) * plan.tasks).cast("int")
    return plan.units.join(starts, "file").withColumn("task", task).repartitionById(plan.tasks, "task")


def _indexed(spark: Any, store: Store, table: str, crawl: str, ddl: str, index: Index) -> Any:
    """Return the place of every row of a table. Few files are read in this process, many by the executors."""
    paths = [file.path for file in store.files(table, crawl=crawl)]
    if not paths:
        return spark.createDataFrame([], ddl)
    uri = absolute_uri(store)
    if len(paths) <= FEW_FILES:
        return spark.createDataFrame(pa.concat_tables(_index(uri, paths, index)), ddl)
    listed = spark.createDataFrame([(path,) for path in paths], "file string").repartition(min(len(paths), 256))

    def read(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for rows in _index(uri, batch.column("file").to_pylist(), index):
                yield from rows.to_batches()

    return listed.mapInArrow(read, ddl)


def _index(uri: str, paths: Iterable[str], index: Index) -> Iterator[pa.Table]:
    filesystem = open_store(uri).location.filesystem
    for path in paths:
        with filesystem.open_input_file(path) as stream:
            yield index(path, pq.ParquetFile(stream))


def _index_pages(path: str, file: pq.ParquetFile) -> pa.Table:
    """Return the places of a file's pages, and the hashes of their style sheets."""
    rows = file.read(["page_id", "byte_count", "sheets"])
    hashes = [[one["content_hash"] for one in sheets or ()] for sheets in rows["sheets"].to_pylist()]
    places = _places(path, rows["page_id"], "page_id", "file", "row")
    places = places.append_column("bytes", rows["byte_count"])
    return places.append_column("sheets", pa.array(hashes, pa.list_(pa.string())))


def _index_sheets(path: str, file: pq.ParquetFile) -> pa.Table:
    """Return the places of a file's style sheets."""
    return _places(path, file.read(["content_hash"])["content_hash"], "content_hash", "sheet_file", "sheet_row")


def _places(path: str, ids: Any, *names: str) -> pa.Table:
    files, rows = pa.array([path] * len(ids), pa.string()), pa.array(range(len(ids)), pa.int32())
    return pa.table([ids, files, rows], list(names))


class RowReader:
    """A reader of single rows of Parquet files, which has few rows in memory at a time.

    Memory depends on the rows and not on the size of a row group. A row group is read forward: rows in order are read
    in one go, an earlier row means reading from the start again.
    """

    def __init__(self, filesystem: Any, columns: Sequence[str]):
        self._filesystem, self._columns = filesystem, list(columns)
        self._path, self._starts = "", [0]
        self._open: _RowGroupReader | None = None

    def read(self, path: str, rows: Iterable[int]) -> Iterator[tuple[list[int], pa.Table]]:
        """Yield the rows of a file in order, with their numbers, a few at a time."""
        if path != self._path:
            with self._filesystem.open_input_file(path) as stream:
                meta = pq.ParquetFile(stream).metadata
            self._starts = [0]
            for group in range(meta.num_row_groups):
                self._starts.append(self._starts[-1] + meta.row_group(group).num_rows)
            self._path = path
        wanted = sorted(rows)
        for group, (first, end) in enumerate(zip(self._starts, self._starts[1:], strict=False)):
            inside = [row - first for row in wanted if first <= row < end]
            if inside:
                for numbers, table in self._row_group(path, group, inside[0]).rows(inside):
                    yield [first + number for number in numbers], table

    def _row_group(self, path: str, group: int, first: int) -> "_RowGroupReader":
        if self._open is None or not self._open.reaches(path, group, first):
            self.close()
            self._open = _RowGroupReader(self._filesystem, path, group, self._columns)
        return self._open

    def close(self) -> None:
        """Close the open file."""
        if self._open is not None:
            self._open.close()
            self._open = None


class _RowGroupReader:
    """One pass through a row group."""

    def __init__(self, filesystem: Any, path: str, group: int, columns: list[str]):
        self._place = path, group
        self._stream = filesystem.open_input_file(path)
        file = pq.ParquetFile(self._stream, buffer_size=READ_BYTES, pre_buffer=False)
        self._batches = file.iter_batches(UNIT_ROWS, row_groups=[group], columns=columns, use_threads=False)
        self._batch: pa.RecordBatch | None = None
        self._first = self._end = 0  # the rows of the batch

    def reaches(self, path: str, group: int, row: int) -> bool:
        """Return whether the row is in the current batch or after it."""
        return self._place == (path, group) and self._first <= row

    def rows(self, wanted: Sequence[int]) -> Iterator[tuple[list[int], pa.Table]]:
        """Yield the rows with these numbers in the row group, which must be sorted."""
        at = 0
        while at < len(wanted):
            while wanted[at] >= self._end:
                self._batch = None  # before the next one is read, so that two are never in memory
                self._batch = next(self._batches)
                self._first, self._end = self._end, self._end + self._batch.num_rows
            upto = bisect_left(wanted, self._end, lo=at)
            inside = wanted[at:upto]
            places = pa.array([row - self._first for row in inside], pa.int64())
            yield list(inside), pa.Table.from_batches([pc.take(self._batch, places)])
            at = upto

    def close(self) -> None:
        """Close the file."""
        self._batch = None
        self._stream.close()
