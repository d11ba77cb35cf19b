"""Jobs on Spark: tasks for pages, DataFrames for tables that count whole crawls."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import pyarrow as pa

from jobs.engine.interface import BatchFunction
from jobs.engine.local_units import local_plan
from jobs.engine.model_step import ModelArchive, ModelStep, opened_folder
from jobs.engine.page import Finished, PageStep
from jobs.engine.page_pass import COUNTS, PagePass
from jobs.engine.progress import ProgressReporter
from jobs.engine.replace import replace_rows
from jobs.engine.spark_tables import frame, having
from jobs.engine.units import Plan, assigned, plan
from parcels.store import Store

MOST_TASKS = 1000
FEW_FILES, FEW_PAGES = 1000, 100_000  # up to so many, this process checks without Spark whether a page is left


class SparkEngine:
    """An engine that runs jobs on a Spark session, or on one that a function opens when it is first needed."""

    has_spark = True

    def __init__(self, session: Any = None, *, open_session: Callable[[], Any] | None = None):
        self._session, self._open_session = session, open_session
        self._view_count = 0

    @cached_property
    def spark(self) -> Any:
        """The Spark session."""
        return self._open_session() if self._open_session else self._session

    @property
    def settings(self) -> Mapping[str, Any]:
        """Name, master and version."""
        context = self.spark.sparkContext
        return {"engine": "spark", "master": context.master, "spark": context.version}

    @contextmanager
    def planned(self, store: Store, crawl: str, steps: Sequence[PageStep]) -> Iterator[Any]:
        """Plan a pass over the pages that a step has not processed."""
        if _is_small(store, crawl):
            local = local_plan(store, crawl, steps, workers=1)
            if not local.pages:
                yield local
                return
        done = [self._done(store, crawl, step.finished) for step in steps]
        planned = plan(self.spark, store, crawl, done, cores=self.spark.sparkContext.defaultParallelism)
        try:
            yield planned
        finally:
            planned.units.unpersist()

    def _done(self, store: Store, crawl: str, finished: Finished) -> Any:
        from pyspark.sql import functions as f

        processed = [
            frame(self.spark, store, table).where(having(crawl=crawl, **finished.having)).select("page_id")
            for table in finished.tables
        ]
        rejects = frame(self.spark, store, "rejects").where(having(crawl=crawl)).where("page_id IS NOT NULL")
        left_out = rejects.where(f.col("step").isin(*finished.rejecting))
        return reduce(lambda one, other: one.union(other), [*processed, left_out.select("page_id")])

    def run_pass(self, plan: Plan, job: PagePass, *, show_progress: bool) -> Mapping[str, int]:
        """Run a plan with broadcast models, and return the counts of all tasks."""
        from pyspark.sql import functions as f

        context = self.spark.sparkContext
        pages, blocks = context.accumulator(0), context.accumulator(0)

        def count(more_pages: int, more_blocks: int) -> None:
            pages.add(more_pages)
            blocks.add(more_blocks)

        broadcasts: list[Any] = []
        try:
            steps = tuple(self._broadcast(step, broadcasts) for step in job.steps)
            task = replace(job, steps=steps, on_page_done=count)
            with ProgressReporter(
                plan.pages, pages=lambda: pages.value, blocks=lambda: blocks.value, enabled=show_progress
            ):
                counts = assigned(plan).mapInArrow(task, COUNTS).groupBy("name").agg(f.sum("count")).collect()
        finally:
            for broadcast in broadcasts:
                broadcast.destroy()
        return {row[0]: row[1] for row in counts}

    def _broadcast(self, step: PageStep, broadcasts: list[Any]) -> PageStep:
        if not isinstance(step, ModelStep):
            return step
        data = step.model.data.value
        opened_folder(data, step.opening, step.model.name)  # a broken model is one error here, not one per task
        broadcasts.append(self.spark.sparkContext.broadcast(data))
        return replace(step, model=ModelArchive(step.model.name, broadcasts[-1]))

    def table(self, store: Store, name: str, crawl: str) -> Any:
        """Return the rows of a crawl."""
        return frame(self.spark, store, name).where(having(crawl=crawl))

    def map_batches(self, rows: Any, function: BatchFunction, schema: pa.Schema) -> Any:
        """Return the rows that a function makes from batches of rows."""
        from pyspark.sql.pandas.types import from_arrow_schema

        return rows.mapInArrow(function, from_arrow_schema(schema))

    def sql(self, text: str, **views: Any) -> Any:
        """Select from rows."""
        names = {}
        for name, rows in views.items():
            self._view_count += 1
            names[name] = f"parcels_{name}_{self._view_count}"
            rows.createOrReplaceTempView(names[name])
        try:
            return self.spark.sql(text.format(explode="explode", **names))
        finally:
            for name in names.values():
                self.spark.catalog.dropTempView(name)

    @contextmanager
    def cached(self, rows: Any) -> Iterator[Any]:
        """Compute rows once for several uses."""
        rows = rows.cache()
        try:
            yield rows
        finally:
            rows.unpersist()

    def replace_rows(
        self, rows: Any, store: Store, table: str, *, crawl: str, run_id: str, by: Sequence[str]
    ) -> int:  # fmt: skip
        """Replace the rows of a crawl by a sorted DataFrame, and return the number of rows."""
        return replace_rows(rows, store, table, crawl=crawl, run_id=run_id, by=by)

    def for_each(self, paths: Sequence[str], function: Callable[[str], None]) -> None:
        """Call a function with each path, on the executors."""
        rows = self.spark.createDataFrame([(path,) for path in paths], "path string")
        rows.repartition(min(len(paths), MOST_TASKS)).mapInArrow(_ForEach(function), "path string").count()

    def close(self) -> None:
        """Stop the session if this engine opened it."""
        if self._open_session and "spark" in self.__dict__:
            self.spark.stop()


@dataclass(frozen=True)
class _ForEach:
    """Call a function with each path of a task."""

    function: Callable[[str], None]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path in batch.column("path").to_pylist():
                self.function(path)
            yield batch


def _is_small(store: Store, crawl: str) -> bool:
    return len(store.files("pages", crawl=crawl)) <= FEW_FILES and page_count(store, crawl) <= FEW_PAGES


def page_count(store: Store, crawl: str | None) -> int:
    """Return the number of rows of `pages`, from the metadata of its files."""
    return int(store.dataset("pages", crawl=crawl).count_rows())
