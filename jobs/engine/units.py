"""Which pages are still to be done, cut into units of neighbouring rows of one file.

Only ids and row numbers pass through Spark: a task reads its rows out of the Parquet files by itself, so pages are
neither shuffled nor copied through the JVM. Rows go to tasks by their place alone, so that a task that is tried again
after a lost executor has the same rows and writes the same files.
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

from jobs.engine.views import address
from parcels.store import Store, open_store

UNIT_ROWS = 32  # neighbouring rows that one task reads, and that are in its memory at a time
READ_BYTES = 1 << 20  # of a column at a time
TASK_BYTES = 24 << 20  # of pages in one task
TASK_PAGES = 200  # so that progress is told often, and little is lost with a task
INDEX = "page_id string, file string, row int, bytes bigint, sheets array<string>"
FEW_FILES = 64
SHEETS = "content_hash string, sheet_file string, sheet_row int"

Index: TypeAlias = Callable[[str, pq.ParquetFile], pa.Table]


@dataclass(frozen=True)
class Plan:
    """What a pass over pages has to do."""

    units: Any  # a cached DataFrame: file, chunk, rows [{row, todo}], bytes, cost, sheets [{content_hash, file, row}]
    starts: list[tuple[str, int]]  # what the files before each file cost
    cost: int  # of all units
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
    found = sorted(tuple(row) for row in sums.collect())
    count, total = sum(row[1] for row in found), sum(row[2] for row in found)
    wanted = max(total // TASK_BYTES + 1, count // TASK_PAGES + 1, cores)
    upto = [0, *accumulate(row[3] for row in found)]
    starts = [(row[0], start) for row, start in zip(found, upto, strict=False)]
    return Plan(units, starts, upto[-1], count, min(wanted, count // UNIT_ROWS + 1))


def spread(found: Plan) -> Any:
    """The units, dealt to the tasks: each has a run of neighbours, of about the same pages and bytes as the others."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    starts = f.broadcast(found.units.sparkSession.createDataFrame(found.starts, "file string, start bigint"))
    earlier = Window.partitionBy("file").orderBy("chunk").rowsBetween(Window.unboundedPreceding, -1)
    before = f.col("start") + f.coalesce(f.sum("cost").over(earlier), f.lit(0))
    task = f.floor(before / f.lit(found.cost) * found.tasks).cast("int")
    return found.units.join(starts, "file").withColumn("task", task).repartitionById(found.tasks, "task")


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
    filesystem = open_store(where).location.filesystem
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
    """Reads single rows of Parquet files: forward through a row group, a few rows in memory at a time.

    Memory so depends on the rows and not on how large somebody wrote the row group. Who asks for rows in order reads
    a row group once; who goes back has it read again from its start.
    """

    def __init__(self, filesystem: Any, columns: Sequence[str]):
        self._filesystem, self._columns = filesystem, list(columns)
        self._path, self._starts = "", [0]
        self._open: _Forward | None = None

    def read(self, path: str, rows: Iterable[int]) -> Iterator[tuple[list[int], pa.Table]]:
        """The rows of a file, in order, and their numbers: a few at a time."""
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
                for numbers, table in self._forward(path, group, inside[0]).rows(inside):
                    yield [first + number for number in numbers], table

    def _forward(self, path: str, group: int, first: int) -> "_Forward":
        if self._open is None or not self._open.reaches(path, group, first):
            self.close()
            self._open = _Forward(self._filesystem, path, group, self._columns)
        return self._open

    def close(self) -> None:
        """Let go of the file that is open."""
        if self._open is not None:
            self._open.close()
            self._open = None


class _Forward:
    """One way through a row group."""

    def __init__(self, filesystem: Any, path: str, group: int, columns: list[str]):
        self._place = path, group
        self._stream = filesystem.open_input_file(path)
        file = pq.ParquetFile(self._stream, buffer_size=READ_BYTES, pre_buffer=False)
        self._batches = file.iter_batches(UNIT_ROWS, row_groups=[group], columns=columns, use_threads=False)
        self._batch: pa.RecordBatch | None = None
        self._first = self._end = 0  # the rows of the batch

    def reaches(self, path: str, group: int, row: int) -> bool:
        """Whether the row is still to come, or at hand."""
        return self._place == (path, group) and self._first <= row

    def rows(self, wanted: Sequence[int]) -> Iterator[tuple[list[int], pa.Table]]:
        """The rows by their numbers in the row group, which are sorted."""
        at = 0
        while at < len(wanted):
            while wanted[at] >= self._end:
                self._batch = None  # before the next is read, so that never two are in memory
                self._batch = next(self._batches)
                self._first, self._end = self._end, self._end + self._batch.num_rows
            upto = bisect_left(wanted, self._end, lo=at)
            inside = wanted[at:upto]
            places = pa.array([row - self._first for row in inside], pa.int64())
            yield list(inside), pa.Table.from_batches([pc.take(self._batch, places)])
            at = upto

    def close(self) -> None:
        """Let go of the file."""
        self._batch = None
        self._stream.close()
