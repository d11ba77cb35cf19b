"""Network addresses of hosts, looked up before a host is asked, so that the frontier can be polite to machines too."""

from typing import Any

from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.utils.defer import maybe_deferred_to_future

from crawler.frontier.contract import Lease
from parcels.urls import host_of


class NotYet(IgnoreRequest):  # type: ignore[misc]
    """The network address of a host is busy; its page is in the queue again."""


class LocateMiddleware:
    """A Scrapy downloader middleware: tells the frontier where the host of a lease is.

    Behind a proxy (setting PROXY) names are the proxy's business, and with PER_ADDRESS 0 nobody asks.
    """

    def __init__(self, crawler: Any):
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any) -> "LocateMiddleware":
        """As Scrapy makes it; it is left out where names are not looked up here."""
        if crawler.settings.get("PROXY") or not crawler.settings.getint("PER_ADDRESS"):
            raise NotConfigured
        return cls(crawler)

    async def process_request(self, request: Any) -> None:
        """Look the host up where the frontier does not know it. What cannot be found fails here as it would later."""
        lease: Lease = request.meta["lease"]
        if lease.is_located or "robots_hops" in request.meta:
            return
        from twisted.internet import reactor

        host = host_of(request.url) or ""
        is_number = host.startswith("[")  # of IPv6; the resolver itself knows those of IPv4
        number = host if is_number else str(await maybe_deferred_to_future(reactor.resolve(host)))
        if not self._crawler.spider.desk.locate(lease, number):
            raise NotYet(lease.host)
