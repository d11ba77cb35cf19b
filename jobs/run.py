"""`parcels run JOB[..JOB]`: the jobs in their order, each on what the ones before it have left."""

from collections.abc import Callable, Sequence
from typing import Any

from jobs.classify import Classify, SentModel, opened_model, packed
from jobs.divide import Divide
from jobs.duplicates import near_duplicates
from jobs.featurize import Featurize
from jobs.frequencies import document_frequencies, site_blocks
from jobs.page import PageStep
from jobs.work import Options, Work, pass_over_pages
from parcels.errors import ConfigError, InputMissing
from parcels.store import Store

ORDER = ("divide", "featurize", "cotrain", "classify")
TO_COME = ("articles", "segment", "pagetypes", "topics")  # they fit in as steps of a pass over pages


def jobs_of(text: str) -> list[str]:
    """The jobs that a name or a range means.

    >>> jobs_of("divide..cotrain"), jobs_of("classify")
    (['divide', 'featurize', 'cotrain'], ['classify'])
    """
    first, dots, last = text.partition("..")
    for name in (first, last) if dots else (first,):
        if name not in ORDER:
            yet = " yet" if name in TO_COME else ""
            raise ConfigError(
                f"there is no job '{name}'{yet}; jobs are {', '.join(ORDER)}, or a range: divide..classify"
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
    steps = [name for name in ("featurize", "classify") if name in jobs and not (waits and name == "classify")]
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
    """Featurize and classify share a pass where both are wanted. The labeller comes first: it measures the page."""
    steps: list[PageStep] = []
    if "classify" in names:
        name, data = packed(work.options.model, work.store)
        opened_model(data)  # what is wrong with it is told here, once, and not by every task
        sent = work.spark.sparkContext.broadcast(data)
        steps.append(Classify(SentModel(name, sent)))
    if "featurize" in names:
        steps.append(Featurize())
    try:
        pass_over_pages(work, tuple(steps), divider=work.options.divider, model=work.options.model)
    finally:
        if "classify" in names:
            sent.destroy()


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
