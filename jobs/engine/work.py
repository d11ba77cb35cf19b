"""What every job is given, and one pass over pages with its rows in `runs`."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from jobs.engine.interface import Engine
from jobs.engine.page import PageStep
from jobs.engine.passing import Pass
from jobs.engine.telling import summary, tell
from jobs.engine.views import address
from parcels.errors import ConfigError
from parcels.importing.run_record import RunRecord
from parcels.limits import PAGE_SECONDS
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
    """An engine, a store, a crawl, and where results are printed."""

    engine: Engine
    store: Store
    crawl: str
    options: Options
    tells: bool = True
    say: Callable[[str], None] = print  # results; progress goes to standard error

    @property
    def spark(self) -> Any:
        """The Spark session; ConfigError where the engine has none."""
        return self.engine.spark

    def can_use_spark(self, job: str, *, is_asked: bool) -> bool:
        """True where Spark is there; where it is not, tell that the job is left out, or raise if it was asked for."""
        if self.engine.has_spark:
            return True
        needs = f"{job} needs Spark: leave out --engine local; parcels doctor tells what is missing"
        if is_asked:
            raise ConfigError(needs)
        self.say(f"{job}: left out: {needs}")
        return False

    def run(self, step: str, **settings: Any) -> RunRecord:
        """A row in `runs`: leaving its context writes it."""
        return RunRecord(self.store, step=step, crawl=self.crawl, settings={**self.engine.about, **settings})

    def newest(self, table: str) -> str:
        """The last run that wrote a table, or that counted it and found nothing to write; runs sort by their start."""
        files = self.store.files(table, crawl=self.crawl)
        runs = self.store.read("runs", columns=["run_id", "step", "outcome"], crawl=self.crawl).to_pylist()
        counted = [run["run_id"] for run in runs if run["step"] == table and run["outcome"] == "done"]
        return max([*counted, *(file.path.rpartition("/")[2].split("-")[2] for file in files)], default="")


def pass_over_pages(work: Work, steps: tuple[PageStep, ...], **settings: Any) -> int:
    """Take every page for which a step is not done through the steps; returns how many pages there were."""
    started = time.monotonic()
    with work.engine.planned(work.store, work.crawl, steps) as found:
        if not found.pages:
            for step in steps:
                work.say(summary(step.name, {}, 0))
            return 0
        if work.tells:
            tell(f"{' and '.join(step.name for step in steps)}: {found.pages:,} pages in {found.tasks:,} tasks")
        with ExitStack() as stack:
            runs = {step.name: stack.enter_context(work.run(step.name, **settings)) for step in steps}
            ids = tuple(run.run_id for run in runs.values())
            job = Pass(address(work.store), work.crawl, ids, steps, work.options.divider, work.options.seconds)
            counted = work.engine.run_pass(found, job, tells=work.tells)
            seconds = time.monotonic() - started
            for name, counts in by_step(counted).items():
                runs[name].counts.update(counts)
        for name, run in runs.items():
            work.say(summary(name, run.counts, seconds))
        return found.pages


def by_step(counted: Mapping[str, int]) -> dict[str, Counter[str]]:
    """Counts by step, pages first.

    >>> by_step({"divide: blocks": 7, "divide: pages": 2, "divide: rejected: empty": 1})
    {'divide': Counter({'blocks': 7, 'pages': 2, 'rejected: empty': 1})}
    """
    steps: dict[str, Counter[str]] = {}
    for name, count in sorted(counted.items(), key=lambda item: (not item[0].endswith(": pages"), item[0])):
        step, _, what = name.partition(": ")
        steps.setdefault(step, Counter())[what] += count
    return steps
