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
from typing import Any

import parcels
from crawler.answers import Reading
from crawler.canonical import Canonicals
from crawler.desk import Desk
from crawler.failures import ENDS, told
from crawler.frontier import open_frontier
from crawler.frontier.contract import Frontier, Offer
from crawler.guides import Guide, LearningGuide
from crawler.kinds import KeptTypes
from crawler.learning import Learning
from crawler.metrics import serve_metrics
from crawler.options import SPIDERS, CrawlOptions
from crawler.seeds import read_seeds
from crawler.sinks.sink import Sink
from crawler.sinks.spool import Spool
from crawler.sinks.warc import warc_writer
from crawler.telling import Teller
from parcels.errors import ConfigError
from parcels.store import open_store
from parcels.urls import new_run_id

OFFERS_AT_ONCE = 1000
YOUNG = 10_000  # objects that may be made before a collection looks for cycles: those of a page come and go faster
LIBRARIES = ("scrapy", "twisted", "pyarrow", "lxml", "ada-url")


class CrawlRun:
    """A crawl that is open: its desk, and what to write down at its end."""

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
        learner = guide if isinstance(guide, LearningGuide) else None
        learning = Learning(learner, self.frontier) if learner else None
        self.left_out: Counter[str] = Counter()
        _admit(self.frontier, guide.seeds(read_seeds(options.seeds, left_out=self.left_out)))
        reading = Reading(
            guide, options.css, options.revisit, options.retry_seconds, options.user_agent, learner,
            Canonicals(self.frontier.dead), kept_types,
        )  # fmt: skip
        self.desk = Desk(self.frontier, self.sink, reading, learning=learning, limit=options.limit, spools=spools)

    def close(self) -> None:
        """Settle, seal, write the run down, and let go of everything."""
        try:
            self.desk.close()
            if self.desk.failure is None:
                self.frontier.close()
        except ENDS as error:
            self.desk.fail(told(error))
        failure = self.desk.failure
        if failure is not None:
            self.frontier.abandon()
        outcome = "failed" if failure else "stopped" if self.desk.is_stopped else "done"
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
            "error": str(failure) if failure else None,
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
