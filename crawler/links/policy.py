"""Define the interface of link policies: which links a crawl follows, and in which order."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

import orjson

from crawler.frontier.contract import FEED, PAGE, SITEMAP, Lease, Offer
from crawler.links.extract import Link, PageLinks
from crawler.seeds import Document, Seed
from parcels.urls import host_of

KINDS = {"page": PAGE, "home": PAGE, "feed": FEED, "sitemap": SITEMAP}
SEED_PRIORITY = 100.0
MOST_KNOWN = 50_000  # origins in the cache


class LinkPolicy(Protocol):
    """The interface of a link policy."""

    def seeds(self, seeds: Iterable[Seed]) -> Iterator[Offer]:
        """Yield the offers that a crawl begins with."""

    def scores(self, lease: Lease, page_links: PageLinks) -> Sequence[float | None]:
        """Return the priority of each link of a page; None for those that are not followed."""

    def topic(self, lease: Lease, link: Link) -> str | None:
        """Return the topic that a followed link carries."""

    def discovered(self, lease: Lease, page_links: PageLinks) -> list[Offer]:
        """Return the feeds and site maps that a page names."""

    def from_document(self, lease: Lease, document: Document) -> list[Offer]:
        """Return the addresses in a feed, site map or list."""

    def from_robots(self, origin: str, sitemaps: Sequence[str]) -> list[Offer]:
        """Return the site maps that an origin's robots.txt names."""


@runtime_checkable
class LearningLinkPolicy(LinkPolicy, Protocol):
    """The interface of a link policy that learns: `scores` is called for every page whose links may be followed."""

    def note(self, lease: Lease, link: Link) -> str | None:
        """Return a text to store with a followed link while it is queued; `note_of` reads it from the lease."""

    def wants_rescore(self) -> bool:
        """Return True if enough was learned to reorder the queue now."""

    def rescored(self, offers: Sequence[Offer]) -> Sequence[float]:
        """Return the new priorities of queued addresses."""

    def state(self) -> bytes:
        """Return all that was learned, as plain data."""

    def restore(self, state: bytes) -> None:
        """Restore what `state` returned; raise ValueError if that is not possible."""


@runtime_checkable
class ReportingLinkPolicy(Protocol):
    """The interface of a link policy that reports its progress."""

    def messages(self) -> list[str]:
        """Return short messages about the progress."""

    def counts(self) -> dict[str, int]:
        """Return the counts for the row of the run."""


def note_of(address: Lease | Offer) -> str | None:
    """Return the note that a learning link policy stored with the link to an address."""
    note: str | None = orjson.loads(address.extra).get("note") if address.extra else None
    return note


def encode_note(note: str | None) -> str | None:
    """Encode a note for an offer."""
    return None if note is None else orjson.dumps({"note": note}).decode()


class Scope:
    """The hosts that a crawl stays on: those of its seeds, with and without `www.`, and their subdomains.

    >>> scope = Scope()
    >>> scope.add("http://www.a.example/")
    >>> [scope.holds(url) for url in ("http://a.example/x", "http://sport.a.example/", "http://b.example/")]
    [True, True, False]
    """

    def __init__(self) -> None:
        self._hosts: set[str] = set()
        self._known: dict[str, bool] = {}

    def add(self, url: str) -> None:
        """Add the host of a seed."""
        host = host_of(url)
        if host:
            self._hosts.add(host.removeprefix("www."))
            self._known.clear()

    def holds(self, url: str) -> bool:
        """Return True if the address is on one of the hosts."""
        path = url.find("/", len("https://"))
        origin = url[:path] if path > 0 else url
        known = self._known.get(origin)
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            parts = (host_of(url) or "").split(".")
            known = self._known[origin] = any(".".join(parts[n:]) in self._hosts for n in range(len(parts)))
        return known
