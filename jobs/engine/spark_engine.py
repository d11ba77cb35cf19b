"""Jobs on Spark: a task for some units of pages, DataFrames for what whole crawls say."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import pyarrow as pa

from jobs.engine.interface import Mapped
from jobs.engine.local_units import local_plan
from jobs.engine.model_step import ModelStep, SentModel, opened_folder
from jobs.engine.page import Finished, PageStep
from jobs.engine.passing import COUNTS, Pass
from jobs.engine.replacing import replace_rows
from jobs.engine.telling import progress
from jobs.engine.units import Plan, plan, spread
from jobs.engine.views import frame, having
from parcels.store import Store

MOST_TASKS = 1000
FEW_FILES, FEW_PAGES = 1000, 100_000  # up to so many it is found here, without Spark, that nothing is to be done


class SparkEngine:
    """Runs jobs on Spark. The session may be given, or a function that opens it when it is first needed."""

    has_spark = True

    def __init__(self, session: Any = None, *, opening: Callable[[], Any] | None = None):
        self._given, self._opening = session, opening
        self._views = 0

    @cached_property
    def spark(self) -> Any:
        """The session."""
        return self._opening() if self._opening else self._given

    @property
    def about(self) -> Mapping[str, Any]:
        """Master and version."""
        context = self.spark.sparkContext
        return {"engine": "spark", "master": context.master, "spark": context.version}

    @contextmanager
    def planned(self, store: Store, crawl: str, steps: Sequence[PageStep]) -> Iterator[Any]:
        """The units of pages for which a step is not done."""
        if _is_small(store, crawl):
            here = local_plan(store, crawl, steps, workers=1)
            if not here.pages:
                yield here
                return
        done = [self._done(store, crawl, step.finished) for step in steps]
        found = plan(self.spark, store, crawl, done, cores=self.spark.sparkContext.defaultParallelism)
        try:
            yield found
        finally:
            found.units.unpersist()

    def _done(self, store: Store, crawl: str, finished: Finished) -> Any:
        from pyspark.sql import functions as f

        processed = [
            frame(self.spark, store, table).where(having(crawl=crawl, **finished.having)).select("page_id")
            for table in finished.tables
        ]
        rejects = frame(self.spark, store, "rejects").where(having(crawl=crawl)).where("page_id IS NOT NULL")
        left_out = rejects.where(f.col("step").isin(*finished.rejecting))
        return reduce(lambda one, other: one.union(other), [*processed, left_out.select("page_id")])

    def run_pass(self, plan: Plan, job: Pass, *, tells: bool) -> Mapping[str, int]:
        """Run a plan: broadcast the models, report the counts of finished tasks."""
        from pyspark.sql import functions as f

        context = self.spark.sparkContext
        pages, blocks = context.accumulator(0), context.accumulator(0)

        def told(more_pages: int, more_blocks: int) -> None:
            pages.add(more_pages)
            blocks.add(more_blocks)

        sent: list[Any] = []
        try:
            steps = tuple(self._sent(step, sent) for step in job.steps)
            task = replace(job, steps=steps, told=told)
            with progress(plan.pages, pages=lambda: pages.value, blocks=lambda: blocks.value, enabled=tells):
                counted = spread(plan).mapInArrow(task, COUNTS).groupBy("name").agg(f.sum("count")).collect()
        finally:
            for one in sent:
                one.destroy()
        return {row[0]: row[1] for row in counted}

    def _sent(self, step: PageStep, sent: list[Any]) -> PageStep:
        if not isinstance(step, ModelStep):
            return step
        data = step.model.data.value
        opened_folder(data, step.opening, step.model.name)  # a broken model is one error here, not one per task
        sent.append(self.spark.sparkContext.broadcast(data))
        return replace(step, model=SentModel(step.model.name, sent[-1]))

    def table(self, store: Store, name: str, crawl: str) -> Any:
        """The rows of a crawl."""
        return frame(self.spark, store, name).where(having(crawl=crawl))

    def mapped(self, rows: Any, function: Mapped, schema: pa.Schema) -> Any:
        """The batches that a function makes of the batches of rows."""
        from pyspark.sql.pandas.types import from_arrow_schema

        return rows.mapInArrow(function, from_arrow_schema(schema))

    def sql(self, text: str, **views: Any) -> Any:
        """Select from rows."""
        names = {}
        for name, rows in views.items():
            self._views += 1
            names[name] = f"parcels_{name}_{self._views}"
            rows.createOrReplaceTempView(names[name])
        try:
            return self.spark.sql(text.format(explode="explode", **names))
        finally:
            for name in names.values():
                self.spark.catalog.dropTempView(name)

    @contextmanager
    def kept(self, rows: Any) -> Iterator[Any]:
        """Rows that are computed once."""
        rows = rows.cache()
        try:
            yield rows
        finally:
            rows.unpersist()

    def replace_rows(
        self, rows: Any, store: Store, table: str, *, crawl: str, run_id: str, by: Sequence[str]
    ) -> int:  # fmt: skip
        """Write a DataFrame as the only rows of a crawl, sorted; returns how many there are."""
        return replace_rows(rows, store, table, crawl=crawl, run_id=run_id, by=by)

    def for_each(self, paths: Sequence[str], function: Callable[[str], None]) -> None:
        """Call a function with each path, in tasks of their own."""
        rows = self.spark.createDataFrame([(path,) for path in paths], "path string")
        rows.repartition(min(len(paths), MOST_TASKS)).mapInArrow(_ForEach(function), "path string").count()

    def close(self) -> None:
        """Stop the session, where this engine has opened it."""
        if self._opening and "spark" in self.__dict__:
            self.spark.stop()


@dataclass(frozen=True)
class _ForEach:
    """Calls a function with each path of a task."""

    function: Callable[[str], None]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for path in batch.column("path").to_pylist():
                self.function(path)
            yield batch


def _is_small(store: Store, crawl: str) -> bool:
    return len(store.files("pages", crawl=crawl)) <= FEW_FILES and page_count(store, crawl) <= FEW_PAGES


def page_count(store: Store, crawl: str | None) -> int:
    """The rows of `pages`, as the files state them."""
    return int(store.dataset("pages", crawl=crawl).count_rows())
