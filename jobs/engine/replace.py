"""The replacement of all rows of a crawl in a table: new rows are committed, then old files are removed.

A reader between the two steps sees both; they differ in `run_id`. A job that is killed there leaves both, and its next
run removes the rows of earlier runs.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from jobs.engine.page_pass import COUNTS
from jobs.engine.sink import Sink
from jobs.engine.spark_tables import absolute_uri
from parcels.store import Store, open_store

FILE_ROWS = 2_000_000


def replace_rows(rows: Any, store: Store, table: str, *, crawl: str, run_id: str, by: Sequence[str]) -> int:
    """Replace the rows of a crawl by a sorted DataFrame, and return the number of rows."""
    from pyspark.sql import functions as f

    old = [file.path for file in store.files(table, crawl=crawl)]
    rows = rows.cache()
    count = int(rows.count())
    sorted_rows = rows.repartitionByRange(max(count // FILE_ROWS, 1), *by).sortWithinPartitions(*by)
    writer = _RowWriter(absolute_uri(store), table, crawl, run_id)
    written = sorted_rows.mapInArrow(writer, COUNTS).agg(f.sum("count")).first()[0]
    rows.unpersist()
    delete_files(store, old)
    return int(written or 0)


def delete_files(store: Store, paths: Iterable[str]) -> None:
    """Delete files of tables."""
    for path in paths:
        store.location.filesystem.delete_file(path)


class _RowWriter:
    """Write the rows of a task and count them."""

    def __init__(self, store: str, table: str, crawl: str, run_id: str):
        self.store, self.table, self.crawl, self.run_id = store, table, crawl, run_id

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        commit = f"{self.run_id}-{TaskContext.get().partitionId():06d}"
        count = 0
        with Sink(open_store(self.store), crawl=self.crawl, run_id=self.run_id, commit_id=commit) as sink:
            for batch in batches:
                sink.add(self.table, pa.Table.from_batches([batch]))
                count += batch.num_rows
        yield pa.record_batch({"name": [self.table], "count": pa.array([count], pa.int64())})
