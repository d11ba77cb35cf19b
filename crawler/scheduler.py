"""Implement Scrapy's scheduler with the frontier: no queue of its own, no request before it can be sent."""

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import orjson
from scrapy import Request
from scrapy.core.scheduler import BaseScheduler

from crawler.errors import FATAL_ERRORS
from crawler.frontier.contract import ROBOTS, Lease

if TYPE_CHECKING:
    from crawler.run import CrawlRun

T = TypeVar("T")

TICK_SECONDS = 0.25


class FrontierScheduler(BaseScheduler):  # type: ignore[misc]
    """The scheduler from which Scrapy's engine takes its requests."""

    run: "CrawlRun | None" = None  # of a subclass that `parcels crawl` makes; `scrapy crawl` opens its own
    on_tick: Callable[[], None] | None = None

    def __init__(self, crawler: Any, run: "CrawlRun", *, proxy: str | None):
        self._crawler, self._run, self._session, self._proxy = crawler, run, run.session, proxy
        self._spider: Any = None
        self._moved: deque[tuple[float, Request]] = deque()
        self._timer: Any = None
        self._ticker: Any = None

    @classmethod
    def from_crawler(cls, crawler: Any) -> "FrontierScheduler":
        """Return the scheduler of a crawl; open the run from the settings if there is none yet."""
        run = cls.run
        if run is None:
            from crawler.options import from_settings
            from crawler.run import CrawlRun

            run = CrawlRun(from_settings(crawler.settings, crawler.spider))
        return cls(crawler, run, proxy=crawler.settings.get("PROXY"))

    def open(self, spider: Any) -> None:
        """Give the spider its session and start the ticks."""
        from twisted.internet.task import LoopingCall

        self._spider = spider
        spider.session = self._session
        self._ticker = LoopingCall(self._guarded, self._tick)
        self._ticker.start(TICK_SECONDS, now=False)

    def _tick(self) -> None:
        self._session.tick()
        if self.on_tick is not None:
            self.on_tick()

    def _guarded(self, step: Callable[[], T]) -> T | None:
        """Run a step; end the crawl with its error if the frontier or the disk is gone."""
        try:
            return step()
        except FATAL_ERRORS as error:
            self._session.fail(error)
            self._wake()
            return None

    def has_pending_requests(self) -> bool:
        """Return True while the crawl has not ended."""
        is_busy = bool(self._guarded(lambda: self._session.is_busy))
        if is_busy:
            self._wake_later()
        return is_busy

    def enqueue_request(self, request: Request) -> bool:
        """Queue the one kind of request that does not come from the frontier: the target of a moved robots.txt.

        The lease holds its host until the rules are known, so waiting for the usual delay is enough.
        """
        if "robots_hops" not in request.meta:
            return False
        self._moved.append((time.monotonic() + self._session.frontier.policy.delay, request))
        return True

    def next_request(self) -> Request | None:
        """Return the next request whose host is free."""
        downloader = self._crawler.engine.downloader
        room = max(downloader.total_concurrency - len(downloader.active), 0)
        if self._moved and self._moved[0][0] <= time.monotonic():
            return self._moved.popleft()[1]
        lease = self._guarded(lambda: self._session.next(room))
        if lease is None:
            self._wake_later()
            return None
        return self._request(lease)

    def _request(self, lease: Lease) -> Request:
        meta: dict[str, Any] = {"lease": lease, "download_slot": lease.host}
        if self._proxy:
            meta["proxy"] = self._proxy
        if lease.kind == ROBOTS:
            meta["wanted_types"] = _Any()
        headers = {}
        if lease.extra:
            known = orjson.loads(lease.extra)
            if known.get("etag"):
                headers["If-None-Match"] = known["etag"]
            if known.get("modified"):
                headers["If-Modified-Since"] = known["modified"]
        return Request(
            lease.url, callback=self._spider.on_response, errback=self._spider.on_failure, meta=meta, headers=headers,
            dont_filter=True,
        )  # fmt: skip

    def _wake_later(self) -> None:
        """Wake the engine after a while: it asks for requests only after an event."""
        from twisted.internet import reactor

        wait = self._session.wait
        if self._moved:
            wait = min(wait, max(self._moved[0][0] - time.monotonic(), 0.0))
        if self._timer is not None and self._timer.active():
            if self._timer.getTime() <= reactor.seconds() + wait:
                return
            self._timer.cancel()
        self._timer = reactor.callLater(wait, self._wake)

    def _wake(self) -> None:
        slot = getattr(self._crawler.engine, "_slot", None)
        if slot is not None:
            slot.nextcall.schedule()

    def close(self, reason: str) -> None:
        """End the crawl: settle and seal everything, and store the run."""
        self._session.is_stopped = self._session.is_stopped or reason == "shutdown"
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        if self._ticker is not None and self._ticker.running:
            self._ticker.stop()
        self._guarded(self._run.close)


class _Any:
    """A set that contains every content type."""

    def __contains__(self, kind: object) -> bool:
        return True
