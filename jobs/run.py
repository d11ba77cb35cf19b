"""`parcels run JOB[..JOB]`: run jobs in their order."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from jobs.articles import articles
from jobs.classify import classify
from jobs.cotraining.frequencies import document_frequencies, site_blocks
from jobs.divide import Divide
from jobs.duplicates import near_duplicates
from jobs.engine.job_context import JobContext, JobOptions, pass_over_pages
from jobs.engine.model_step import ArchiveBytes, ModelArchive, ModelStep, pack_model
from jobs.engine.page import PageStep
from jobs.engine.progress import summary
from jobs.engine.spark_engine import SparkEngine
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
PLAIN_STEPS: dict[str, Callable[[JobOptions], PageStep]] = {
    "divide": lambda options: Divide(options.divider),
    "featurize": lambda options: Featurize(),
}
# Steps of a pass over pages that need a model: the option that names it, and the step.
MODEL_STEPS: dict[str, tuple[str, Callable[[ModelArchive], ModelStep]]] = {
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
    """Return the jobs of a name or a range.

    >>> jobs_of("divide..cotrain"), jobs_of("classify")
    (['divide', 'featurize', 'duplicates', 'cotrain'], ['classify'])
    """
    first, dots, last = text.partition("..")
    for name in (first, last) if dots else (first,):
        if name not in ORDER:
            hint = did_you_mean(name, ORDER)
            raise ConfigError(
                f"there is no job '{name}'.{hint} Jobs are {', '.join(ORDER)}, or a range such as divide..articles."
            )
    begin, end = ORDER.index(first), ORDER.index(last or first)
    if begin > end:
        raise ConfigError(f"{text} goes backwards: write {last}..{first}")
    return list(ORDER[begin : end + 1])


def crawls_of(store: Store, crawl: str | None) -> list[str]:
    """Return the given crawl, or all crawls that have pages."""
    crawls = sorted({str(file.partition["crawl"]) for file in store.files("pages", crawl=crawl)})
    if not crawls:
        what = f"crawl '{crawl}' of {store.location.uri}" if crawl else store.location.uri
        raise InputMissing(f"{what} has no pages: add some with parcels crawl ... or parcels import html ... --store")
    return crawls


def run_jobs(
    engine: Any, store: Store, jobs: Sequence[str], *, crawl: str | None = None, options: JobOptions | None = None,
    show_progress: bool = True, report: Callable[[str], None] = print,
) -> None:  # fmt: skip
    """Run jobs over the crawls of a store, without repeating finished work. `engine` may be a Spark session."""
    if not hasattr(engine, "run_pass"):
        engine = SparkEngine(engine)
    options = options or JobOptions()
    for one in crawls_of(store, crawl):
        _run_crawl(JobContext(engine, store, one, options, show_progress=show_progress, report=report), jobs)


def _run_crawl(context: JobContext, jobs: Sequence[str]) -> None:
    # A model that cotrain makes in this run cannot classify pages in the pass that computes its features.
    is_awaited = "cotrain" in jobs and context.options.model == context.options.cotrain.get("name")
    steps = [name for name in OF_PAGES if name in jobs and not (is_awaited and name == "classify")]
    if "topics" in jobs and not have_topic_model(context, is_requested=len(jobs) == 1):
        steps.remove("topics")
    if steps:
        _pages(context, steps)
    if "featurize" in jobs or "duplicates" in jobs:
        _count(context, "site_blocks", site_blocks, of="blocks")
    if "featurize" in jobs:
        add_site_features(context.engine, context.store, context.crawl)
        _count(context, "document_frequencies", document_frequencies, of="features")
    if "duplicates" in jobs:
        _duplicates(context)
    if "cotrain" in jobs:
        _cotrain(context, is_requested=len(jobs) == 1 or is_awaited)
    if is_awaited and "classify" in jobs:
        _pages(context, ["classify"])


def _pages(context: JobContext, names: Sequence[str]) -> None:
    """Run several steps in one pass, so that each page is parsed, laid out and divided once."""
    steps: list[PageStep] = []
    models = {}
    for name in names:
        if name in PLAIN_STEPS:
            steps.append(PLAIN_STEPS[name](context.options))
            continue
        option, make = MODEL_STEPS[name]
        models[option] = getattr(context.options, option)
        name, data = pack_model(models[option], context.store)
        steps.append(make(ModelArchive(name, ArchiveBytes(data))))
    pass_over_pages(context, tuple(steps), divider=context.options.divider, **models)


def _count(context: JobContext, table: str, counting: Callable[..., int], *, of: str) -> int | None:
    """Recompute a table if the table `of` has newer files. Return its number of rows, or None if it is up to date."""
    if context.newest(of) <= context.newest(table):
        return None
    with context.run(table) as run:
        run.counts[table] = counting(context.engine, context.store, context.crawl, run_id=run.run_id)
    return run.counts[table]


def _duplicates(context: JobContext) -> None:
    started = time.monotonic()
    count = _count(context, "near_duplicates", near_duplicates, of="blocks")
    counts = {} if count is None else {"near duplicates": count}
    context.report(summary("duplicates", counts, time.monotonic() - started))


def _cotrain(context: JobContext, *, is_requested: bool) -> None:
    if not is_requested and not context.store.files("annotations", crawl=context.crawl):
        context.report(
            "cotrain: nothing to learn from: no annotations (parcels annotate, or parcels import annotations)"
        )
        return
    if not context.can_use_spark("cotrain", is_requested=is_requested):
        return
    _count(context, "site_blocks", site_blocks, of="blocks")
    _count(context, "near_duplicates", near_duplicates, of="blocks")
    from jobs.cotrain import cotrain  # imported late: it imports the learners

    cotrain(context)
