"""`parcels run JOB[..JOB]`: the jobs in their order, each on what the ones before it have left."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from jobs.articles import articles
from jobs.classify import classify
from jobs.cotraining.frequencies import document_frequencies, site_blocks
from jobs.divide import Divide
from jobs.duplicates import near_duplicates
from jobs.engine.model_step import ModelStep, Packed, SentModel, packed
from jobs.engine.page import PageStep
from jobs.engine.spark_engine import SparkEngine
from jobs.engine.telling import summary
from jobs.engine.work import Options, Work, pass_over_pages
from jobs.featurize import Featurize, add_site_features
from jobs.pagetypes import page_types
from jobs.segment import segment
from jobs.topics import topics
from jobs.topics_train import have_topic_model
from parcels.common.suggestions import did_you_mean
from parcels.errors import ConfigError, InputMissing
from parcels.store import Store

ORDER = (
    "divide", "featurize", "duplicates", "cotrain", "classify", "articles", "segment", "pagetypes", "topics",
)  # fmt: skip
# Steps of a pass over pages without a model.
PLAIN_STEPS: dict[str, Callable[[Options], PageStep]] = {
    "divide": lambda options: Divide(options.divider),
    "featurize": lambda options: Featurize(),
}
# Steps of a pass over pages that need a model: the option that names it, and the step.
MODEL_STEPS: dict[str, tuple[str, Callable[[SentModel], ModelStep]]] = {
    "classify": ("model", classify),
    "articles": ("content_model", articles),
    "segment": ("segmenter", segment),
    "pagetypes": ("page_type_model", page_types),
    "topics": ("topic_model", topics),
}
# In the order of a pass.
OF_PAGES = (
    "divide", "classify", "featurize", "articles", "segment", "pagetypes", "topics",
)  # fmt: skip


def jobs_of(text: str) -> list[str]:
    """The jobs that a name or a range means.

    >>> jobs_of("divide..cotrain"), jobs_of("classify")
    (['divide', 'featurize', 'duplicates', 'cotrain'], ['classify'])
    """
    first, dots, last = text.partition("..")
    for name in (first, last) if dots else (first,):
        if name not in ORDER:
            hint = did_you_mean(name, ORDER)
            raise ConfigError(
                f"there is no job '{name}'.{hint} Jobs are {', '.join(ORDER)}, or a range: divide..articles"
            )
    begin, end = ORDER.index(first), ORDER.index(last or first)
    if begin > end:
        raise ConfigError(f"{text} goes backwards: write {last}..{first}")
    return list(ORDER[begin : end + 1])


def crawls_of(store: Store, crawl: str | None) -> list[str]:
    """The crawls to work on: the named one, or all that have pages."""
    found = sorted({str(file.partition["crawl"]) for file in store.files("pages", crawl=crawl)})
    if not found:
        what = f"crawl '{crawl}' of {store.location.uri}" if crawl else store.location.uri
        raise InputMissing(f"{what} holds no pages: parcels crawl ... or parcels import html ... --store")
    return found


def run_jobs(
    engine: Any, store: Store, jobs: Sequence[str], *, crawl: str | None = None, options: Options | None = None,
    tells: bool = True, say: Callable[[str], None] = print,
) -> None:  # fmt: skip
    """Run jobs over the crawls of a store; what is done already is left alone. `engine` may be a Spark session."""
    if not hasattr(engine, "run_pass"):
        engine = SparkEngine(engine)
    options = options or Options()
    for one in crawls_of(store, crawl):
        _run_crawl(Work(engine, store, one, options, tells=tells, say=say), jobs)


def _run_crawl(work: Work, jobs: Sequence[str]) -> None:
    # A model that cotrain is about to make cannot label pages in the pass that measures them for it.
    waits = "cotrain" in jobs and work.options.model == work.options.cotrain.get("name")
    steps = [name for name in OF_PAGES if name in jobs and not (waits and name == "classify")]
    if "topics" in jobs and not have_topic_model(work, is_asked=len(jobs) == 1):
        steps.remove("topics")
    if steps:
        _pages(work, steps)
    if "featurize" in jobs or "duplicates" in jobs:
        _count(work, "site_blocks", site_blocks, of="blocks")
    if "featurize" in jobs:
        add_site_features(work.engine, work.store, work.crawl)
        _count(work, "document_frequencies", document_frequencies, of="features")
    if "duplicates" in jobs:
        _duplicates(work)
    if "cotrain" in jobs:
        _cotrain(work, is_asked=len(jobs) == 1 or waits)
    if waits and "classify" in jobs:
        _pages(work, ["classify"])


def _pages(work: Work, names: Sequence[str]) -> None:
    """Take the pages through several steps in one pass, so that each page is processed once."""
    steps: list[PageStep] = []
    models = {}
    for name in names:
        if name in PLAIN_STEPS:
            steps.append(PLAIN_STEPS[name](work.options))
            continue
        option, make = MODEL_STEPS[name]
        models[option] = getattr(work.options, option)
        partition, data = packed(models[option], work.store)
        steps.append(make(SentModel(partition, Packed(data))))
    pass_over_pages(work, tuple(steps), divider=work.options.divider, **models)


def _count(work: Work, table: str, counting: Callable[..., int], *, of: str) -> int | None:
    """Count a table anew where what it counts has newer files; returns its rows, or None where there are none."""
    if work.newest(of) <= work.newest(table):
        return None
    with work.run(table) as run:
        run.counts[table] = counting(work.engine, work.store, work.crawl, run_id=run.run_id)
    return run.counts[table]


def _duplicates(work: Work) -> None:
    started = time.monotonic()
    found = _count(work, "near_duplicates", near_duplicates, of="blocks")
    counts = {} if found is None else {"near duplicates": found}
    work.say(summary("duplicates", counts, time.monotonic() - started))


def _cotrain(work: Work, *, is_asked: bool) -> None:
    if not is_asked and not work.store.files("annotations", crawl=work.crawl):
        work.say("cotrain: nothing to learn from: no annotations (parcels annotate, or parcels import annotations)")
        return
    if not work.can_use_spark("cotrain", is_asked=is_asked):
        return
    _count(work, "site_blocks", site_blocks, of="blocks")
    _count(work, "near_duplicates", near_duplicates, of="blocks")
    from jobs.cotrain import cotrain  # with the learners, which only training needs

    cotrain(work)
