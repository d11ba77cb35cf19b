"""One crawl: open the store, the frontier and the spool, run Scrapy, seal, tell what was done."""

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
from crawler.answers import MAX_ATTEMPTS, Reading
from crawler.desk import Desk
from crawler.failures import ENDS, StoreGone, told
from crawler.frontier import open_frontier
from crawler.frontier.contract import PRIVATE, UNREACHABLE, Frontier, Offer
from crawler.links.canonical import Canonicals
from crawler.links.copies import Copies
from crawler.links.guides import Guide, LearningGuide
from crawler.links.kinds import KeptTypes
from crawler.links.learning import Learning
from crawler.metrics import serve_metrics
from crawler.options import SPIDERS, CrawlOptions
from crawler.seeds import read_seeds
from crawler.sinks.sink import Sink
from crawler.sinks.spool import Spool
from crawler.sinks.warc import warc_writer
from crawler.telling import Teller, why_nothing
from parcels.errors import ConfigError
from parcels.store import open_store
from parcels.urls import new_run_id

OFFERS_AT_ONCE = 1000
YOUNG = 10_000  # objects that may be made before a collection looks for cycles: those of a page come and go faster
LIBRARIES = ("scrapy", "twisted", "pyarrow", "lxml", "ada-url")


class CrawlRun:
    """A crawl that is open: its desk, and what to write down at its end.

    After `close`, `problem` is why nothing was stored and what to do; None where something was, or nothing was to do.
    """

    problem: str | None = None

    def __init__(self, options: CrawlOptions, guide: Guide | None = None):
        self.options = options
        self.run_id = new_run_id()
        self.started_at = dt.datetime.now(dt.UTC)
        guide = guide or make_guide(options)
        kept_types = KeptTypes.of(options.page_types) if options.page_types else None
        self.store = open_store(options.store, create=True)
        folder = options.folder(self.store)
        spools = folder / "spool"
        spool = Spool.adopt(spools) or Spool.new(spools)
        try:
            self.frontier = open_frontier(
                options.frontier_at(folder), crawl=options.crawl, worker=spool.worker, policy=options.policy()
            )
        except ENDS as error:
            spool.close()
            raise told(error) from error
        self.sink = Sink(
            self.store, options.crawl, self.frontier, spool, run_id=self.run_id, segment_bytes=options.segment_bytes,
            segment_seconds=options.segment_seconds,
            before_seal=[warc_writer(options.warc_folder(self.store))] if options.warc else (),
        )  # fmt: skip
        self.saved = self.sink.recover() + self.sink.adopt(spools)
        self._retry()
        learner = guide if isinstance(guide, LearningGuide) else None
        learning = Learning(learner, self.frontier) if learner else None
        self.left_out: Counter[str] = Counter()
        _admit(self.frontier, guide.seeds(read_seeds(options.seeds, left_out=self.left_out)))
        reading = Reading(
            guide, options.css, options.revisit, options.retry_seconds, options.user_agent, learner,
            Canonicals(self.frontier.dead_reason), kept_types, None if options.follow_copies else Copies(),
        )  # fmt: skip
        self.desk = Desk(self.frontier, self.sink, reading, learning=learning, limit=options.limit, spools=spools)

    def _retry(self) -> None:
        """Give what an earlier run could not reach one attempt more, and what may be fetched now all of them."""
        self.frontier.retry(reasons=UNREACHABLE, attempt=MAX_ATTEMPTS - 1)
        if self.options.allow_private:
            self.frontier.retry(reasons=[PRIVATE])

    def _why_nothing(self) -> str | None:
        """Return why this run stored no page; None where nothing was to do, or the crawl has stored some before."""
        counts = self.desk.counts
        if counts["pages"] or self.desk.is_stopped:
            return None
        known = self.frontier.stats()
        if not known.seen:
            return (
                "there is nothing to crawl: no seed is a web address. Name some: parcels crawl http://... --store ..."
            )
        has_tried = any(name.startswith(("rejected: ", "retried: ")) for name in counts)
        has_pages = bool(self.store.files("pages", crawl=self.options.crawl))
        is_shared = not self.options.frontier_at(Path()).startswith("sqlite:")
        if not has_tried or (not self.desk.is_cut_off and (has_pages or (is_shared and known.done))):
            return None
        return why_nothing(self.desk, self.options)

    def close(self) -> None:
        """Settle, seal, write the run down, and let go of everything."""
        try:
            self.desk.close()
            if self.desk.failure is None:
                self.problem = self._why_nothing()
                self.frontier.close()
        except ENDS as error:
            self.desk.fail(error)
        failure = self.desk.failure
        if failure is not None:
            self.frontier.abandon()
        if isinstance(failure, StoreGone):
            return  # writing the run down would make a store with nothing else in it
        outcome = "failed" if failure or self.problem else "stopped" if self.desk.is_stopped else "done"
        counts = self.desk.counts + Counter({f"sealed {name}": n for name, n in self.sink.counts.items()})
        if self.desk.learning is not None:
            counts.update(self.desk.learning.counts())
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


def make_guide(options: CrawlOptions) -> Guide:
    """The guide of the spider that the options name."""
    if options.spider not in SPIDERS:
        raise ConfigError(f"there is no spider '{options.spider}'; there are: {', '.join(SPIDERS)}")
    module = import_module(f"crawler.spiders.{options.spider}")
    guide_class: Any = getattr(module, f"{options.spider.capitalize()}Guide")
    guide: Guide = guide_class.from_options(options)
    return guide


def _admit(frontier: Frontier, offers: Iterator[Offer]) -> None:
    while batch := list(islice(offers, OFFERS_AT_ONCE)):
        frontier.admit(batch)


def crawl(options: CrawlOptions, *, guide: Guide | None = None, tells: bool = False) -> CrawlRun:
    """Run a crawl to its end, its limit, or Ctrl-C; with a guide of your own, or that of the spider."""
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.settings import Settings

    from crawler.scheduler import FrontierScheduler

    try:
        run = CrawlRun(options, guide)
    except ENDS as error:
        raise told(error) from error
    teller = Teller(run.desk, limit=options.limit, enabled=tells)
    server = serve_metrics(run.desk, options.metrics) if options.metrics else None
    settings = Settings()
    settings.setmodule("crawler.settings", priority="project")
    settings.setdict(options.as_settings(), priority="cmdline")
    bound = type("BoundScheduler", (FrontierScheduler,), {"run": run, "on_tick": staticmethod(teller.tick)})
    settings.set("SCHEDULER", bound, priority="cmdline")
    process = AsyncCrawlerProcess(settings)
    process.crawl(options.spider)
    gc.collect()
    gc.freeze()  # modules, models and settings stay to the end: no collection need look at them again
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])
    try:
        process.start()
    finally:
        teller.end()
        if server is not None:
            server.shutdown()
    if run.desk.failure is not None:
        raise run.desk.failure
    return run
