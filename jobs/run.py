"""`parcels run JOB[..JOB]`: the jobs in their order, each on what the ones before it have left."""

from collections.abc import Callable, Sequence
from typing import Any

from jobs.articles import articles
from jobs.classify import classify
from jobs.divide import Divide
from jobs.duplicates import near_duplicates
from jobs.featurize import Featurize
from jobs.frequencies import document_frequencies, site_blocks
from jobs.model_step import ModelStep, SentModel, opened_folder, packed
from jobs.page import PageStep
from jobs.pagetypes import page_types
from jobs.segment import segment
from jobs.topics import topics
from jobs.topics_train import have_topic_model
from jobs.work import Options, Work, pass_over_pages
from parcels.errors import ConfigError, InputMissing
from parcels.nearest import did_you_mean
from parcels.store import Store

ORDER = ("divide", "featurize", "cotrain", "classify", "articles", "segment", "pagetypes", "topics")
# Steps of a pass over pages that need a model: the option that names it, and the step.
MODEL_STEPS: dict[str, tuple[str, Callable[[SentModel], ModelStep]]] = {
    "classify": ("model", classify),
    "articles": ("content_model", articles),
    "segment": ("segmenter", segment),
    "pagetypes": ("page_type_model", page_types),
    "topics": ("topic_model", topics),
}
_PASS_ORDER = ("classify", "featurize", "articles", "segment", "pagetypes", "topics")
OF_PAGES = ("featurize", "classify", "articles", "segment", "pagetypes", "topics")


def jobs_of(text: str) -> list[str]:
    """The jobs that a name or a range means.

    >>> jobs_of("divide..cotrain"), jobs_of("classify")
    (['divide', 'featurize', 'cotrain'], ['classify'])
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
        what = f"crawl '{crawl}' of {store.place.given}" if crawl else store.place.given
        raise InputMissing(f"{what} holds no pages: parcels crawl ... or parcels import html ... --store")
    return found


def run_jobs(
    spark: Any, store: Store, jobs: Sequence[str], *, crawl: str | None = None, options: Options | None = None,
    tells: bool = True, say: Callable[[str], None] = print,
) -> None:  # fmt: skip
    """Run jobs over the crawls of a store; what is done already is left alone."""
    options = options or Options()
    for one in crawls_of(store, crawl):
        _run_crawl(Work(spark, store, one, options, tells=tells, say=say), jobs)


def _run_crawl(work: Work, jobs: Sequence[str]) -> None:
    if "divide" in jobs:
        pass_over_pages(work, (Divide(work.options.divider),), divider=work.options.divider)
    # A model that cotrain is about to make cannot label pages in the pass that measures them for it.
    waits = "cotrain" in jobs and work.options.model == work.options.cotrain.get("name")
    steps = [name for name in OF_PAGES if name in jobs and not (waits and name == "classify")]
    if "topics" in jobs and not have_topic_model(work, is_asked=len(jobs) == 1):
        steps.remove("topics")
    if "featurize" in jobs:
        _count_sites(work)
    if steps:
        _pages(work, steps)
    if "featurize" in jobs:
        _count_terms(work)
    if "cotrain" in jobs:
        _cotrain(work, is_asked=len(jobs) == 1 or waits)
    if waits and "classify" in jobs:
        _pages(work, ["classify"])


def _pages(work: Work, names: Sequence[str]) -> None:
    """Steps that are wanted together share a pass. The labeller comes first: it measures the page."""
    steps: list[PageStep] = []
    sent, models = [], {}
    try:
        for name in sorted(names, key=_PASS_ORDER.index):
            if name == "featurize":
                steps.append(Featurize())
                continue
            option, make = MODEL_STEPS[name]
            models[option] = getattr(work.options, option)
            partition, data = packed(models[option], work.store)
            # What is wrong with a model is told here, once, and not by every task.
            opened_folder(data, make(SentModel(partition, None)).opening)
            sent.append(work.spark.sparkContext.broadcast(data))
            steps.append(make(SentModel(partition, sent[-1])))
        pass_over_pages(work, tuple(steps), divider=work.options.divider, **models)
    finally:
        for one in sent:
            one.destroy()


def _count_sites(work: Work) -> None:
    if work.newest("blocks") > work.newest("site_blocks"):
        with work.run("site_blocks") as run:
            run.counts["site_blocks"] = site_blocks(work.spark, work.store, work.crawl, run_id=run.run_id)


def _count_terms(work: Work) -> None:
    if work.newest("features") > work.newest("document_frequencies"):
        with work.run("document_frequencies") as run:
            found = document_frequencies(work.spark, work.store, work.crawl, run_id=run.run_id)
            run.counts["document_frequencies"] = found


def _cotrain(work: Work, *, is_asked: bool) -> None:
    if not is_asked and not work.store.files("annotations", crawl=work.crawl):
        work.say("cotrain: nothing to learn from: no annotations (parcels annotate, or parcels import annotations)")
        return
    if work.newest("blocks") > work.newest("near_duplicates"):
        with work.run("near_duplicates") as run:
            found = near_duplicates(work.spark, work.store, work.crawl, run_id=run.run_id)
            run.counts["near_duplicates"] = found
    from jobs.cotrain import cotrain  # with the learners, which only training needs

    cotrain(work)
