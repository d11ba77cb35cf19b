"""Guides: which links a crawl follows, and in which order. A spider is a guide with Scrapy around it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

import orjson

from crawler.frontier.contract import FEED, PAGE, SITEMAP, Lease, Offer
from crawler.links.extract import Link, PageLinks
from crawler.seeds import Document, Seed
from parcels.urls import host_of

KINDS = {"page": PAGE, "home": PAGE, "feed": FEED, "sitemap": SITEMAP}
SEED_PRIORITY = 100.0
MOST_KNOWN = 50_000  # origins that are remembered to be inside or outside of a crawl


class LinkPolicy(Protocol):
    """What decides where a crawl goes."""

    def seeds(self, seeds: Iterable[Seed]) -> Iterator[Offer]:
        """The offers that a crawl begins with."""

    def scores(self, lease: Lease, found: PageLinks) -> Sequence[float | None]:
        """The priority of each link of a page; None for those that are not followed."""

    def topic(self, lease: Lease, link: Link) -> str | None:
        """The topic that a followed link carries."""

    def discovered(self, lease: Lease, found: PageLinks) -> list[Offer]:
        """What else a page leads to: feeds, site maps."""

    def from_document(self, lease: Lease, document: Document) -> list[Offer]:
        """What a feed, site map or list leads to."""

    def from_robots(self, origin: str, sitemaps: Sequence[str]) -> list[Offer]:
        """What an origin's robots.txt leads to."""


@runtime_checkable
class LearningLinkPolicy(LinkPolicy, Protocol):
    """A guide whose scores change with what it sees: `scores` shows it every page whose links may be followed."""

    def note(self, lease: Lease, link: Link) -> str | None:
        """What to remember of a followed link as long as it is queued, and to find again with its lease: `note_of`."""

    def wants_rescore(self) -> bool:
        """True where it has learned so much that the queue should be put in a new order now."""

    def rescored(self, offers: Sequence[Offer]) -> Sequence[float]:
        """The new priorities of queued addresses."""

    def state(self) -> bytes:
        """All that it has learned, as plain data."""

    def restore(self, state: bytes) -> None:
        """Know what `state` gave; ValueError where that is not possible."""


@runtime_checkable
class ReportingLinkPolicy(Protocol):
    """A guide that has something to say while a crawl runs."""

    def told(self) -> list[str]:
        """How it goes, in few words each."""

    def counts(self) -> dict[str, int]:
        """What is written down at the end of a run."""


def note_of(found: Lease | Offer) -> str | None:
    """The note that a learning guide made of the link that led to an address."""
    note: str | None = orjson.loads(found.extra).get("note") if found.extra else None
    return note


def encode_note(note: str | None) -> str | None:
    """A note as an offer carries it."""
    return None if note is None else orjson.dumps({"note": note}).decode()


class Scope:
    """The hosts that a crawl stays on: those of its seeds, with and without `www.`, and what is below them.

    >>> scope = Scope()
    >>> scope.add("http://www.a.example/")
    >>> [scope.holds(url) for url in ("http://a.example/x", "http://sport.a.example/", "http://b.example/")]
    [True, True, False]
    """

    def __init__(self) -> None:
        self._hosts: set[str] = set()
        self._known: dict[str, bool] = {}

    def add(self, url: str) -> None:
        """Take the host of a seed in."""
        host = host_of(url)
        if host:
            self._hosts.add(host.removeprefix("www."))
            self._known.clear()

    def holds(self, url: str) -> bool:
        """True where the address is on one of the hosts."""
        path = url.find("/", len("https://"))
        origin = url[:path] if path > 0 else url
        known = self._known.get(origin)
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            parts = (host_of(url) or "").split(".")
            known = self._known[origin] = any(".".join(parts[n:]) in self._hosts for n in range(len(parts)))
        return known
