"""Define the base of all spiders: it turns leases into requests and responses into entries."""

import time
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Any

import scrapy
from scrapy.exceptions import IgnoreRequest

from crawler.errors import FATAL_ERRORS
from crawler.fetch.dns import AddressBusy
from crawler.fetch.render import FLAG, RENDERED
from crawler.frontier.contract import PRIVATE, ROBOTS, Lease
from crawler.responses import Response, Retry, read_response, reject_entry
from crawler.sinks.entry import Entry
from parcels.urls import canonical

if TYPE_CHECKING:
    from crawler.session import CrawlSession

REASONS = {
    "DNSLookupError": "dns", "CannotResolveHostError": "dns", "TimeoutError": "timeout",
    "DownloadTimeoutError": "timeout", "UserTimeoutError": "timeout", "TCPTimedOutError": "timeout",
    "ConnectionRefusedError": "refused", "DownloadConnectionRefusedError": "refused", "TunnelError": "proxy",
    "DownloadCancelledError": "too-large", "ResponseDataLossError": "cut-off",
}  # fmt: skip
ROBOTS_HOPS = 5
NOT_FOUND = 404
AT_ONCE_DEAD = frozenset(["too-large"])  # the next attempt would end in the same way


class FrontierSpider(scrapy.Spider):  # type: ignore[misc]
    """A spider whose requests come from the frontier. The scheduler sets its session when it opens."""

    session: "CrawlSession"

    async def start(self) -> AsyncIterator[Any]:
        """Yield no request: the seeds are in the frontier."""
        nothing: tuple[Any, ...] = ()
        for request in nothing:
            yield request

    def on_response(self, response: Any) -> Any:
        """Handle a response with any status; robots.txt may lead to another request."""
        lease: Lease = response.meta["lease"]
        self.session.responded(lease)
        if self.session.failure is not None:
            return None  # nothing can be stored any more: the next run fetches it
        headers = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, values in response.headers.items()
            for value in values
        ]
        if FLAG in response.flags:  # the bytes are the browser's: record it in the row
            headers.append((RENDERED, " ".join(response.flags)))
        is_cut = "dataloss" in response.flags or "partial" in response.flags
        answer = Response(response.status, headers, response.body, time.time(), is_cut)
        if lease.kind == ROBOTS:
            return self._robots(response, lease, answer)
        try:
            outcome = read_response(lease, answer, self.session.context)
        except Exception as error:  # one page must neither end the crawl nor disappear
            self.logger.exception("cannot read %s", lease.url)
            outcome = reject_entry(lease, "error", at=answer.at, detail=f"{type(error).__name__}: {error}"[:500])
        self._take(lease, outcome)
        return None

    def _robots(self, response: Any, lease: Lease, answer: Response) -> Any:
        """Store the rules, or follow a redirect: RFC 9309, 2.3.1.2, asks for up to five, also to other hosts."""
        hops = response.meta.get("robots_hops", 0)
        location = canonical(answer.get("location") or "", response.url) if 300 <= answer.status < 400 else None
        if location is None or hops >= ROBOTS_HOPS:
            self._guarded(lambda: self.session.robots_received(lease, answer))
            return None
        return response.request.replace(url=location, meta=response.meta | {"robots_hops": hops + 1})

    def on_failure(self, failure: Any) -> None:
        """Handle a request without a response."""
        lease: Lease = failure.request.meta["lease"]
        error = failure.value
        if isinstance(error, AddressBusy):
            return
        self.session.released(lease)
        if self.session.failure is not None:
            return
        is_refused = isinstance(error, IgnoreRequest)
        reason = getattr(error, "reason", "ignored") if is_refused else REASONS.get(type(error).__name__, "connection")
        if not is_refused and reason not in AT_ONCE_DEAD:
            self._guarded(lambda: self.session.unreachable_host(lease, reason, detail=str(error)[:500]))
        elif lease.kind == ROBOTS:
            # A robots.txt that redirects to a private address counts as missing. If the site itself is private, its
            # pages are refused for the same reason, and a later run that allows them fetches the rules again.
            is_none = reason == PRIVATE and "robots_hops" in failure.request.meta
            answer = Response(NOT_FOUND, [], b"", time.time()) if is_none else None
            why = f"{reason} {getattr(error, 'detail', '')}".strip()
            self._guarded(lambda: self.session.robots_received(lease, answer, why))
        else:
            self._take(lease, reject_entry(lease, reason, at=time.time(), detail=str(error)[:500]))

    def _take(self, lease: Lease, outcome: Entry | Retry) -> None:
        if isinstance(outcome, Retry):
            self._guarded(lambda: self.session.give_back(lease, outcome))
        else:
            self._guarded(lambda: self.session.take(outcome))

    def _guarded(self, step: Callable[[], None]) -> None:
        """Run a step; end the crawl with its error if the frontier or the disk is gone."""
        try:
            step()
        except FATAL_ERRORS as error:
            self.session.fail(error)
