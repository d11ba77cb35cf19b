"""The context of a job, and a pass over pages with its rows in `runs`."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from jobs.engine.interface import Engine
from jobs.engine.page import PageStep
from jobs.engine.page_pass import PagePass
from jobs.engine.progress import print_message, summary
from jobs.engine.spark_tables import absolute_uri
from parcels.errors import ConfigError
from parcels.importing.run_record import RunRecord
from parcels.limits import PAGE_SECONDS
from parcels.store import Store


@dataclass(frozen=True)
class JobOptions:
    """The settings of a run, which are stored in `runs`."""

    divider: str = "fine"
    model: str = "news"
    content_model: str = "content"  # of the articles
    segmenter: str = "segmenter"
    page_type_model: str = "pagetypes"
    topic_model: str = "topics"  # if there is none of this name, it is trained from the pages with topics
    seconds: float = PAGE_SECONDS  # of CPU per page
    cotrain: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class JobContext:
    """The context of a job: engine, store, crawl, options and where it reports."""

    engine: Engine
    store: Store
    crawl: str
    options: JobOptions
    show_progress: bool = True  # on stderr
    report: Callable[[str], None] = print  # called with each line of the results

    @property
    def spark(self) -> Any:
        """The Spark session. Raise ConfigError if the engine has none."""
        return self.engine.spark

    def can_use_spark(self, job: str, *, is_requested: bool) -> bool:
        """Return whether Spark is available. If not, report that the job is left out, or raise if it was requested."""
        if self.engine.has_spark:
            return True
        needs = f"{job} needs Spark: leave out --engine local (parcels doctor shows what is missing)"
        if is_requested:
            raise ConfigError(needs)
        self.report(f"{job}: left out: {needs}")
        return False

    def run(self, step: str, **settings: Any) -> RunRecord:
        """Return a row of `runs`, which is written when its context is left."""
        return RunRecord(self.store, step=step, crawl=self.crawl, settings={**self.engine.settings, **settings})

    def newest(self, table: str) -> str:
        """Return the last run that wrote a table, or counted it without writing a row. Runs sort by their start."""
        files = self.store.files(table, crawl=self.crawl)
        runs = self.store.read("runs", columns=["run_id", "step", "outcome"], crawl=self.crawl).to_pylist()
        counted = [run["run_id"] for run in runs if run["step"] == table and run["outcome"] == "done"]
        return max([*counted, *(file.path.rpartition("/")[2].split("-")[2] for file in files)], default="")


def pass_over_pages(context: JobContext, steps: tuple[PageStep, ...], **settings: Any) -> int:
    """Run steps on the pages that they have not processed, and return the number of these pages."""
    started = time.monotonic()
    with context.engine.planned(context.store, context.crawl, steps) as plan:
        if not plan.pages:
            for step in steps:
                context.report(summary(step.name, {}, 0))
            return 0
        if context.show_progress:
            print_message(f"{' and '.join(step.name for step in steps)}: {plan.pages:,} pages in {plan.tasks:,} tasks")
        with ExitStack() as stack:
            runs = {step.name: stack.enter_context(context.run(step.name, **settings)) for step in steps}
            ids = tuple(run.run_id for run in runs.values())
            job = PagePass(
                absolute_uri(context.store), context.crawl, ids, steps, context.options.divider, context.options.seconds
            )
            counted = context.engine.run_pass(plan, job, show_progress=context.show_progress)
            seconds = time.monotonic() - started
            for name, counts in by_step(counted).items():
                runs[name].counts.update(counts)
        for name, run in runs.items():
            context.report(summary(name, run.counts, seconds))
        return plan.pages


def by_step(counted: Mapping[str, int]) -> dict[str, Counter[str]]:
    """Return counts by step, pages first.

    >>> by_step({"divide: blocks": 7, "divide: pages": 2, "divide: rejected: empty": 1})
    {'divide': Counter({'blocks': 7, 'pages': 2, 'rejected: empty': 1})}
    """
    steps: dict[str, Counter[str]] = {}
    for name, count in sorted(counted.items(), key=lambda item: (not item[0].endswith(": pages"), item[0])):
        step, _, what = name.partition(": ")
        steps.setdefault(step, Counter())[what] += count
    return steps
