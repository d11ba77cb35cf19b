"""Look up IP addresses of hosts before requests, so that the frontier can limit requests per IP address."""

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
    """Raised when the IP address of a host is busy; the page is queued again."""


class DnsMiddleware:
    """A Scrapy downloader middleware that gives the frontier the IP address of a lease's host.

    It is not used with a proxy (setting PROXY), which resolves names itself, and with PER_ADDRESS 0.
    """

    def __init__(self, crawler: Any):
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Any) -> "DnsMiddleware":
        """Make the middleware as Scrapy does; raise NotConfigured where names are not looked up here."""
        if crawler.settings.get("PROXY") or not crawler.settings.getint("PER_ADDRESS"):
            raise NotConfigured
        return cls(crawler)

    async def process_request(self, request: Any) -> None:
        """Resolve the host if the frontier does not know its IP address; a failure fails the request."""
        lease: Lease = request.meta["lease"]
        if lease.is_located or "robots_hops" in request.meta:
            return
        host = (host_of(request.url) or "").strip("[]")
        dnscache.pop(host, None)  # it has no limit of time, and names move
        number = await maybe_deferred_to_future(self._number(host))
        if not self._crawler.spider.session.set_address(lease, number):
            raise AddressBusy(lease.host)

    def _number(self, host: str) -> "Deferred[str]":
        """Resolve a host with the resolver that connections use."""
        from twisted.internet import reactor

        receiver = _Numbers(host)
        reactor.nameResolver.resolveHostName(receiver, host)
        return receiver.answer.addTimeout(self._crawler.settings.getfloat("DNS_TIMEOUT"), reactor)


@implementer(IResolutionReceiver)
class _Numbers:
    """A receiver of a host's IP addresses; its result is the first one, IPv4 before IPv6."""

    def __init__(self, host: str):
        self.answer: Deferred[str] = Deferred()
        self._host = host
        self._found: list[str] = []

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802 - Twisted's name, as below
        """Do nothing."""

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        """Take a number."""
        self._found.append(address.host)

    def resolutionComplete(self) -> None:  # noqa: N802
        """Set the result, unless nobody waits for it any more."""
        if self.answer.called:
            return
        if self._found:
            self.answer.callback(min(self._found, key=lambda number: ":" in number))
        else:
            self.answer.errback(DNSLookupError(f"no number is known for {self._host}"))
