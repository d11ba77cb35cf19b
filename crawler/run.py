"""Run one crawl: open the store, the frontier and the spool, run Scrapy, seal the spool, store the run."""

import datetime as dt
import gc
import json
import platform
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from importlib import import_module, metadata
from itertools import islice
from pathlib import Path
from typing import Any

import parcels
from crawler.errors import FATAL_ERRORS, StoreGone, as_parcels_error
from crawler.frontier import open_frontier
from crawler.frontier.contract import PRIVATE, UNREACHABLE, Frontier, Offer
from crawler.links.canonical import Canonicals
from crawler.links.copies import Copies
from crawler.links.learning import Learning
from crawler.links.page_types import PageTypeFilter
from crawler.links.policy import LearningLinkPolicy, LinkPolicy
from crawler.metrics import serve_metrics
from crawler.options import SPIDERS, CrawlOptions
from crawler.progress import ProgressReporter, why_nothing
from crawler.responses import MAX_ATTEMPTS, ReadContext
from crawler.seeds import read_seeds
from crawler.session import CrawlSession
from crawler.sinks.sink import Sink
from crawler.sinks.spool import Spool
from crawler.sinks.warc import warc_writer
from parcels.errors import ConfigError
from parcels.store import open_store
from parcels.urls import new_run_id

OFFERS_AT_ONCE = 1000
GC_THRESHOLD = 10_000  # objects before a collection: those of a page are made and freed faster
LIBRARIES = ("scrapy", "twisted", "pyarrow", "lxml", "ada-url")


class CrawlRun:
    """An open crawl: its session, and the row of its run.

    After `close`, `problem` states why nothing was stored and what to do; it is None if something was stored, or if
    there was nothing to do.
    """

    problem: str | None = None

    def __init__(self, options: CrawlOptions, link_policy: LinkPolicy | None = None):
        self.options = options
        self.run_id = new_run_id()
        self.started_at = dt.datetime.now(dt.UTC)
        link_policy = link_policy or make_link_policy(options)
        kept_types = PageTypeFilter.of(options.page_types) if options.page_types else None
        self.store = open_store(options.store, create=True)
        folder = options.folder(self.store)
        spools = folder / "spool"
        spool = Spool.adopt(spools) or Spool.new(spools)
        try:
            self.frontier = open_frontier(
                options.frontier_at(folder), crawl=options.crawl, worker=spool.worker, policy=options.policy()
            )
        except FATAL_ERRORS as error:
            spool.close()
            raise as_parcels_error(error) from error
        self.sink = Sink(
            self.store, options.crawl, self.frontier, spool, run_id=self.run_id, segment_bytes=options.segment_bytes,
            segment_seconds=options.segment_seconds,
            before_seal=[warc_writer(options.warc_folder(self.store))] if options.warc else (),
        )  # fmt: skip
        self.saved = self.sink.recover() + self.sink.adopt(spools)
        self._retry()
        learner = link_policy if isinstance(link_policy, LearningLinkPolicy) else None
        learning = Learning(learner, self.frontier) if learner else None
        self.left_out: Counter[str] = Counter()
        _admit(self.frontier, link_policy.seeds(read_seeds(options.seeds, left_out=self.left_out)))
        context = ReadContext(
            link_policy, options.css, options.revisit, options.retry_seconds, options.user_agent, learner,
            Canonicals(self.frontier.dead_reason), kept_types, None if options.follow_copies else Copies(),
        )  # fmt: skip
        self.session = CrawlSession(
            self.frontier, self.sink, context, learning=learning, limit=options.limit, spools=spools
        )

    def _retry(self) -> None:
        """Retry unreachable addresses of earlier runs once, and private ones from the start if they are allowed now."""
        self.frontier.retry(reasons=UNREACHABLE, attempt=MAX_ATTEMPTS - 1)
        if self.options.allow_private:
            self.frontier.retry(reasons=[PRIVATE])

    def _why_nothing(self) -> str | None:
        """Return why this run stored no page, or None if there was nothing to do or the crawl has pages already."""
        counts = self.session.counts
        if counts["pages"] or self.session.is_stopped:
            return None
        known = self.frontier.stats()
        if not known.seen:
            return (
                "No seed is a web address, so nothing can be crawled. Give some: parcels crawl http://... --store ..."
            )
        has_tried = any(name.startswith(("rejected: ", "retried: ")) for name in counts)
        has_pages = bool(self.store.files("pages", crawl=self.options.crawl))
        is_shared = not self.options.frontier_at(Path()).startswith("sqlite:")
        if not has_tried or (not self.session.is_offline and (has_pages or (is_shared and known.done))):
            return None
        return why_nothing(self.session, self.options)

    def close(self) -> None:
        """Settle, seal, store the run, and close everything."""
        try:
            self.session.close()
            if self.session.failure is None:
                self.problem = self._why_nothing()
                self.frontier.close()
        except FATAL_ERRORS as error:
            self.session.fail(error)
        failure = self.session.failure
        if failure is not None:
            self.frontier.abandon()
        if isinstance(failure, StoreGone):
            return  # storing the run would create a store with nothing else in it
        outcome = "failed" if failure or self.problem else "stopped" if self.session.is_stopped else "done"
        counts = self.session.counts + Counter({f"sealed {name}": n for name, n in self.sink.counts.items()})
        if self.session.learning is not None:
            counts.update(self.session.learning.counts())
        versions = {"parcels": parcels.__version__, "python": platform.python_version()}
        versions |= {name: metadata.version(name) for name in LIBRARIES}
        row = {
            "run_id": self.run_id, "step": "crawl", "outcome": outcome, "started_at": self.started_at,
            "ended_at": dt.datetime.now(dt.UTC), "settings": json.dumps(asdict(self.options), ensure_ascii=False),
            "versions": [{"name": name, "version": version} for name, version in versions.items()],
            "counts": [{"name": name, "count": count} for name, count in sorted(counts.items())],
            "error": str(failure) if failure else self.problem,
        }  # fmt: skip
        self.store.write("runs", [row], crawl=self.options.crawl, run_id=self.run_id)


def make_link_policy(options: CrawlOptions) -> LinkPolicy:
    """Return the link policy of the spider that the options name."""
    if options.spider not in SPIDERS:
        raise ConfigError(f"Unknown spider '{options.spider}'. Known spiders: {', '.join(SPIDERS)}.")
    module = import_module(f"crawler.spiders.{options.spider}")
    policy_class: Any = getattr(module, f"{options.spider.capitalize()}LinkPolicy")
    link_policy: LinkPolicy = policy_class.from_options(options)
    return link_policy


def _admit(frontier: Frontier, offers: Iterator[Offer]) -> None:
    while batch := list(islice(offers, OFFERS_AT_ONCE)):
        frontier.admit(batch)


def crawl(options: CrawlOptions, *, link_policy: LinkPolicy | None = None, show_progress: bool = False) -> CrawlRun:
    """Run a crawl to its end, its limit, or Ctrl-C, with the given link policy or that of the spider."""
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.settings import Settings

    from crawler.scheduler import FrontierScheduler

    try:
        run = CrawlRun(options, link_policy)
    except FATAL_ERRORS as error:
        raise as_parcels_error(error) from error
    reporter = ProgressReporter(run.session, limit=options.limit, enabled=show_progress)
    server = serve_metrics(run.session, options.metrics) if options.metrics else None
    settings = Settings()
    settings.setmodule("crawler.settings", priority="project")
    settings.setdict(options.as_settings(), priority="cmdline")
    bound = type("BoundScheduler", (FrontierScheduler,), {"run": run, "on_tick": staticmethod(reporter.tick)})
    settings.set("SCHEDULER", bound, priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    process.crawl(options.spider)
    gc.collect()
    gc.freeze()  # modules, models and settings stay to the end: leave them out of all collections
    gc.set_threshold(GC_THRESHOLD, *gc.get_threshold()[1:])
    try:
        process.start()
    finally:
        reporter.end()
        if server is not None:
            server.shutdown()
    if run.session.failure is not None:
        raise run.session.failure
    return run
