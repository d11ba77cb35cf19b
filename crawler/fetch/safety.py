"""Refuse private addresses in any spelling, endless redirects, unwanted types and decompression bombs.

Links and DNS records may point anywhere, so both are checked: the URL before every request and redirect, and the IP
address in the resolver itself, so that the connection goes to the IP address that was checked.
"""

import ipaddress
import re
from collections.abc import Collection, Sequence
from typing import Any

from scrapy import signals
from scrapy.downloadermiddlewares.httpcompression import HttpCompressionMiddleware
from scrapy.exceptions import CannotResolveHostError, IgnoreRequest, StopDownload
from scrapy.resolver import CachingHostnameResolver
from twisted.internet.error import DNSLookupError
from twisted.internet.interfaces import IResolutionReceiver
from zope.interface import implementer

from crawler.fetch.header_limit import is_header_too_large, limit_header_size
from parcels.importing.http import media_type
from parcels.urls import canonical, host_of

MAX_REDIRECTS = 10
PAGES = frozenset(["text/html", "application/xhtml+xml", "text/plain"])
FEEDS = frozenset([
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/xml", "text/xml", "text/x-opml",
    "application/gzip", "application/x-gzip", "application/octet-stream",
])  # fmt: skip
SHEETS = frozenset(["text/css"])
WANTED = PAGES | FEEDS | SHEETS
# Addresses that are public by number but belong to the machine's own network.
_METADATA = frozenset(map(ipaddress.ip_address, ["168.63.129.16", "169.254.169.254", "fd00:ec2::254"]))
_PRIVATE_NETS = tuple(map(ipaddress.ip_network, ["192.0.0.0/24", "64:ff9b:1::/48", "fec0::/10"]))
_CARRIED = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("::/96"))  # NAT64, IPv4-compatible
_PRIVATE_NAME = re.compile(r"(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa|onion)$")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_private_address(text: str) -> bool:
    """Return True for an IP address outside the public internet, also if an IPv6 address contains it.

    >>> [is_private_address(a) for a in ("10.0.0.1", "::ffff:127.0.0.1", "2002:7f00:1::", "64:ff9b::a9fe:a9fe")]
    [True, True, True, True]
    >>> [is_private_address(a) for a in ("93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c")]
    [False, False]
    """
    try:
        address = ipaddress.ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return True
    return any(_is_private(one) for one in _all_of(address))


def _is_private(address: Address) -> bool:
    is_special = not address.is_global or address.is_multicast or address.is_reserved
    return is_special or address in _METADATA or any(address in net for net in _PRIVATE_NETS)


def _all_of(address: Address) -> list[Address]:
    """Return an IP address and the IPv4 addresses in it: mapped, 6to4, Teredo, NAT64, compatible."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address in _CARRIED[0]:
        return [ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)]
    carried: list[Address] = [address]
    if address.sixtofour is not None:
        carried.append(address.sixtofour)
    if address.teredo is not None:
        carried += address.teredo
    if address in _CARRIED[1]:
        carried.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return carried


def is_private_host(host: str) -> bool:
    """Return True for a private IP address or a name that no public server has, in lower case.

    >>> is_private_host("printer.local"), is_private_host("[::1]"), is_private_host("news.example")
    (True, True, False)
    """
    bare = host.rstrip(".")
    if _is_number(bare):
        return is_private_address(bare)
    return "." not in bare or bool(_PRIVATE_NAME.search(bare))


def _is_number(host: str) -> bool:
    return host.startswith("[") or host.rpartition(".")[2].isdigit()


def refusal(url: str) -> str | None:
    """Return why an address may not be fetched, in one word, or None.

    Decimal, octal and hexadecimal hosts are read as IP addresses, as in the URL standard.

    >>> [refusal(f"http://{host}/") for host in ("2130706433", "0177.0.0.1", "0x7f.1", "127.1", "news.example")]
    ['private-address', 'private-address', 'private-address', 'private-address', None]
    >>> refusal("file:///etc/passwd"), refusal("http://user:word@news.example/")
    ('not-web', 'credentials')
    """
    address = canonical(url)
    if address is None:
        return "not-web"
    host = host_of(address)
    if not host:
        return "not-web"
    if is_private_host(host):
        return "private-address"
    return "credentials" if "@" in address.partition("://")[2].partition("/")[0] else None


def redirect_refusal(chain: Sequence[str], target: str) -> str | None:
    """Return why a redirect may not be followed, or None; `chain` are the addresses so far, in order.

    One return to an address is common (the first response set a cookie); a second one is a loop.

    >>> redirect_refusal(["http://a.example/", "http://a.example/x", "http://a.example/"], "http://a.example/")
    'redirect-loop'
    """
    if len(chain) > MAX_REDIRECTS:
        return "too-many-redirects"
    return "redirect-loop" if list(chain).count(target) >= 2 else None


def type_refusal(content_type: str | None, *, wanted: Collection[str] = WANTED) -> str | None:
    """Return why a body of this Content-Type is not wanted, or None; a missing type is accepted.

    >>> type_refusal("text/html; charset=utf-8"), type_refusal("video/mp4"), type_refusal(None)
    (None, 'content-type', None)
    """
    kind = media_type(content_type)[0]
    return None if kind is None or kind in wanted or ("xml" in kind and kind != "image/svg+xml") else "content-type"


class Refused(IgnoreRequest):  # type: ignore[misc]
    """Raised for a refused request or response; `reason` is one word for counting."""

    def __init__(self, reason: str, url: str, detail: str = ""):
        self.reason, self.url, self.detail = reason, url, detail
        super().__init__(f"{reason}: {url}" + (f" ({detail})" if detail else ""))


class SafetyMiddleware:
    """A Scrapy downloader middleware that applies these functions to every request and response.

    Settings: ALLOW_PRIVATE, WANTED_TYPES (`meta["wanted_types"]` of a request comes first), DOWNLOAD_MAXSIZE.
    """

    def __init__(self, *, is_private_allowed: bool, wanted: Collection[str], max_bytes: int):
        self._is_private_allowed, self._wanted, self._max_bytes = is_private_allowed, frozenset(wanted), max_bytes

    @classmethod
    def from_crawler(cls, crawler: Any) -> "SafetyMiddleware":
        """Make the middleware as Scrapy does."""
        settings = crawler.settings
        middleware = cls(
            is_private_allowed=settings.getbool("ALLOW_PRIVATE"),
            wanted=settings.getlist("WANTED_TYPES") or WANTED,
            max_bytes=settings.getint("DOWNLOAD_MAXSIZE"),
        )
        crawler.signals.connect(middleware.headers_received, signals.headers_received)
        limit_header_size()
        return middleware

    def process_request(self, request: Any) -> None:
        """Refuse a private address, and a redirect that goes in circles."""
        reason = refusal(request.url)
        if reason == "private-address" and self._is_private_allowed:
            reason = None
        reason = reason or redirect_refusal(request.meta.get("redirect_urls") or (), request.url)
        if reason:
            raise Refused(reason, request.url)

    def headers_received(self, headers: Any, body_length: int | str, request: Any) -> None:
        """Stop a download that is not wanted before its body comes.

        Twisted passes the constant UNKNOWN_LENGTH, which is a string, for an answer without Content-Length.
        """
        if self._reason_against(headers, request, body_length if isinstance(body_length, int) else None):
            raise StopDownload(fail=False)

    def process_response(self, request: Any, response: Any) -> Any:
        """Refuse a response whose download was stopped."""
        length = response.headers.get("Content-Length", b"")
        stated = int(length) if length.isdigit() and len(length) < 20 else None
        reason = self._reason_against(response.headers, request, stated)
        if reason and 200 <= response.status < 300:
            raise Refused(reason, request.url, response.headers.get("Content-Type", b"").decode("latin-1"))
        return response

    def process_exception(self, request: Any, exception: Exception) -> None:
        """Name the reason where the next attempt would end alike: a name of private numbers, a head without an end."""
        if is_header_too_large(exception):
            raise Refused("too-large", request.url, "the head of the answer") from exception
        host = host_of(request.url) or ""
        if isinstance(exception, (DNSLookupError, CannotResolveHostError)) and host in SafeResolver.refused:
            raise Refused("private-address", request.url, SafeResolver.refused[host]) from exception

    def _reason_against(self, headers: Any, request: Any, length: int | None) -> str | None:
        if self._max_bytes and length is not None and length > self._max_bytes:
            return "too-large"
        stated = headers.get("Content-Type", b"").decode("latin-1")
        return type_refusal(stated, wanted=request.meta.get("wanted_types") or self._wanted)


class SafeResolver(CachingHostnameResolver):  # type: ignore[misc]
    """Scrapy's resolver for IPv4 and IPv6 (setting TWISTED_DNS_RESOLVER), without private IP addresses.

    A connection goes to one of the IP addresses that were checked here. The proxy (setting PROXY) and, with
    ALLOW_PRIVATE, all hosts are exempt.
    """

    refused: dict[str, str] = {}  # noqa: RUF012 - one for the process, as the cache that it stands beside
    MAX_REFUSED = 10_000
    is_private_allowed = False
    proxy_host: str | None = None

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: Any) -> "SafeResolver":
        """Make the resolver as Scrapy does."""
        resolver: SafeResolver = super().from_crawler(crawler, reactor)
        resolver.is_private_allowed = crawler.settings.getbool("ALLOW_PRIVATE")
        resolver.proxy_host = host_of(crawler.settings.get("PROXY") or "")
        return resolver

    def resolveHostName(self, receiver: Any, name: str, *words: Any, **named: Any) -> Any:  # noqa: N802 - Twisted's name
        """Pass the numbers of a name to the receiver."""
        host = name if ":" in name else host_of(f"http://{name}/") or name  # Twisted gives an IDN in letters
        if not self.is_private_allowed and host != self.proxy_host:
            receiver = _PublicOnly(receiver, host, self.refused)
        return super().resolveHostName(receiver, host, *words, **named)


@implementer(IResolutionReceiver)
class _PublicOnly:
    """A receiver that passes on public IP addresses only, and records names that have none."""

    def __init__(self, receiver: Any, host: str, refused: dict[str, str]):
        self._receiver, self._host, self._refused = receiver, host, refused
        self._private: str | None = None
        self._has_public = False

    def resolutionBegan(self, resolution: Any) -> None:  # noqa: N802 - Twisted's name, as below
        self._receiver.resolutionBegan(resolution)

    def addressResolved(self, address: Any) -> None:  # noqa: N802
        if is_private_address(address.host):
            self._private = address.host
        else:
            self._has_public = True
            self._receiver.addressResolved(address)

    def resolutionComplete(self) -> None:  # noqa: N802
        if self._private and not self._has_public and len(self._refused) < SafeResolver.MAX_REFUSED:
            self._refused[self._host] = self._private
        self._receiver.resolutionComplete()


class BoundedDecompression(HttpCompressionMiddleware):  # type: ignore[misc]
    """Scrapy's decompression up to DOWNLOAD_MAXSIZE, with a countable reason for bombs."""

    def process_response(self, request: Any, response: Any) -> Any:
        """Return the response with its body unpacked."""
        try:
            return super().process_response(request, response)
        except IgnoreRequest as error:
            raise Refused("too-large", request.url, "when unpacked") from error
