"""Tables that are counted anew as a whole: the new rows are committed, then the old files are removed.

Who reads between the two steps sees both; the rows tell them apart by `run_id`. A job that is killed there leaves both,
and its next run removes what is not its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from jobs.engine.passing import COUNTS
from jobs.engine.sink import Sink
from jobs.engine.views import address
from parcels.store import Store, open_store

FILE_ROWS = 2_000_000


def replace_rows(rows: Any, store: Store, table: str, *, crawl: str, run_id: str, by: Sequence[str]) -> int:
    """Write a DataFrame as the only rows of a crawl, sorted; returns how many there are."""
    from pyspark.sql import functions as f

    old = [file.path for file in store.files(table, crawl=crawl)]
    rows = rows.cache()
    count = int(rows.count())
    sorted_rows = rows.repartitionByRange(max(count // FILE_ROWS, 1), *by).sortWithinPartitions(*by)
    write = _Write(address(store), table, crawl, run_id)
    written = sorted_rows.mapInArrow(write, COUNTS).agg(f.sum("count")).first()[0]
    rows.unpersist()
    remove(store, old)
    return int(written or 0)


def remove(store: Store, paths: Iterable[str]) -> None:
    """Remove files of tables."""
    for path in paths:
        store.location.filesystem.delete_file(path)


class _Write:
    """Writes rows in a task, and counts them."""

    def __init__(self, where: str, table: str, crawl: str, run_id: str):
        self.where, self.table, self.crawl, self.run_id = where, table, crawl, run_id

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        commit = f"{self.run_id}-{TaskContext.get().partitionId():06d}"
        count = 0
        with Sink(open_store(self.where), crawl=self.crawl, run_id=self.run_id, commit_id=commit) as sink:
            for batch in batches:
                sink.add(self.table, pa.Table.from_batches([batch]))
                count += batch.num_rows
        yield pa.record_batch({"name": [self.table], "count": pa.array([count], pa.int64())})
