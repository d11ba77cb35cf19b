"""Network addresses of hosts, looked up before a host is asked, so that the frontier can be polite to machines too."""

from typing import Any

from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.resolver import dnscache
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred
from twisted.internet.error import DNSLookupError
from twisted.internet.interfaces import IResolutionReceiver
from zope.interface import implementer

from crawler.frontier.contract import Lease
from parcels.urls import host_of


class AddressBusy(IgnoreRequest):  # type: ignore[misc]
    """The network address of a host is busy; its page is in the queue again."""


class DnsMiddleware:
    """A Scrapy downloader middleware: tells the frontier where the host of a lease is.

    Behind a proxy (setting PROXY) names are the proxy's business, and with PER_ADDRESS 0 nobody asks.
    """

    def __init__(self, crawler: Any):
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any) -> "DnsMiddleware":
        """As Scrapy makes it; it is left out where names are not looked up here."""
        if crawler.settings.get("PROXY") or not crawler.settings.getint("PER_ADDRESS"):
            raise NotConfigured
        return cls(crawler)

    async def process_request(self, request: Any) -> None:
        """Look the host up where the frontier does not know it. What cannot be found fails here as it would later."""
        lease: Lease = request.meta["lease"]
        if lease.is_located or "robots_hops" in request.meta:
            return
        host = (host_of(request.url) or "").strip("[]")
        dnscache.pop(host, None)  # it has no limit of time, and names move
        number = await maybe_deferred_to_future(self._number(host))
        if not self._crawler.spider.session.set_address(lease, number):
            raise AddressBusy(lease.host)

    def _number(self, host: str) -> "Deferred[str]":
        """Look a host up with the resolver that connections use."""
        from twisted.internet import reactor

        found = _Numbers(host)
        reactor.nameResolver.resolveHostName(found, host)
        return found.answer.addTimeout(self._crawler.settings.getfloat("DNS_TIMEOUT"), reactor)


@implementer(IResolutionReceiver)
class _Numbers:
    """Receives the numbers of a host; the answer is the first, IPv4 before IPv6."""

    def __init__(self, host: str):
        self.answer: Deferred[str] = Deferred()
        self._host = host
        self._found: list[str] = []

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802 - Twisted's name, as below
        """Nothing to do."""

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        """Take a number."""
        self._found.append(address.host)

    def resolutionComplete(self) -> None:  # noqa: N802
        """Response, unless nobody waits any more."""
        if self.answer.called:
            return
        if self._found:
            self.answer.callback(min(self._found, key=lambda number: ":" in number))
        else:
            self.answer.errback(DNSLookupError(f"no number is known for {self._host}"))
