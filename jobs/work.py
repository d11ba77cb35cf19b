"""What every job is given, and one pass over pages with its rows in `runs`."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from jobs.bounded import PAGE_SECONDS
from jobs.page import PageStep
from jobs.passing import COUNTS, Pass
from jobs.telling import progress, summary, tell
from jobs.units import plan, spread
from jobs.views import address
from parcels.importing.run import ImportRun
from parcels.store import Store


@dataclass(frozen=True)
class Options:
    """The settings of a run; they are kept in `runs`."""

    divider: str = "fine"
    model: str = "news"
    content_model: str = "content"  # of the articles
    segmenter: str = "segmenter"
    page_type_model: str = "pagetypes"
    topic_model: str = "topics"  # trained from the pages that have topics where there is none of that name
    seconds: float = PAGE_SECONDS  # of CPU a page
    cotrain: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Work:
    """A session, a store, a crawl, and where results are told."""

    spark: Any
    store: Store
    crawl: str
    options: Options
    tells: bool = True
    say: Callable[[str], None] = print  # results; progress goes to standard error

    def run(self, step: str, **settings: Any) -> ImportRun:
        """A row in `runs`: leaving its context writes it."""
        spark = self.spark.sparkContext
        about = {"master": spark.master, "spark": spark.version, **settings}
        return ImportRun(self.store, step=step, crawl=self.crawl, settings=about)

    def newest(self, table: str) -> str:
        """The last run that wrote a table, or that counted it and found nothing to write; runs sort by their start."""
        files = self.store.files(table, crawl=self.crawl)
        runs = self.store.read("runs", columns=["run_id", "step", "outcome"], crawl=self.crawl).to_pylist()
        counted = [run["run_id"] for run in runs if run["step"] == table and run["outcome"] == "done"]
        return max([*counted, *(file.path.rpartition("/")[2].split("-")[2] for file in files)], default="")


def pass_over_pages(work: Work, steps: tuple[PageStep, ...], **settings: Any) -> int:
    """Take every page for which a step is not done through the steps; returns how many pages there were."""
    from pyspark.sql import functions as f

    started = time.monotonic()
    context = work.spark.sparkContext
    done = [step.done(work.spark, work.store, work.crawl) for step in steps]
    found = plan(work.spark, work.store, work.crawl, done, cores=context.defaultParallelism)
    try:
        if not found.pages:
            for step in steps:
                work.say(summary(step.name, {}, 0))
            return 0
        if work.tells:
            tell(f"{' and '.join(step.name for step in steps)}: {found.pages:,} pages in {found.tasks:,} tasks")
        pages, blocks = context.accumulator(0), context.accumulator(0)

        def told(more_pages: int, more_blocks: int) -> None:
            pages.add(more_pages)
            blocks.add(more_blocks)

        with ExitStack() as stack:
            runs = {step.name: stack.enter_context(work.run(step.name, **settings)) for step in steps}
            ids = tuple(run.run_id for run in runs.values())
            job = Pass(address(work.store), work.crawl, ids, steps, work.options.divider, work.options.seconds, told)
            stack.enter_context(
                progress(found.pages, pages=lambda: pages.value, blocks=lambda: blocks.value, enabled=work.tells)
            )
            counted = spread(found).mapInArrow(job, COUNTS).groupBy("name").agg(f.sum("count")).collect()
            seconds = time.monotonic() - started
            for name, counts in by_step({row[0]: row[1] for row in counted}).items():
                runs[name].counts.update(counts)
        for name, run in runs.items():
            work.say(summary(name, run.counts, seconds))
    finally:
        found.units.unpersist()
    return found.pages


def by_step(counted: dict[str, int]) -> dict[str, Counter[str]]:
    """Counts by step, pages first.

    >>> by_step({"divide: blocks": 7, "divide: pages": 2, "divide: rejected: empty": 1})
    {'divide': Counter({'blocks': 7, 'pages': 2, 'rejected: empty': 1})}
    """
    steps: dict[str, Counter[str]] = {}
    for name, count in sorted(counted.items(), key=lambda item: (not item[0].endswith(": pages"), item[0])):
        step, _, what = name.partition(": ")
        steps.setdefault(step, Counter())[what] += count
    return steps
