"""The list of pages: searched, filtered and cut into parts by the server, so that 10,000 pages are as quick as ten."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from parcels.annotate.desk import Desk
from parcels.annotate.predicted import UNSURE_BELOW
from parcels.annotate.shelf import Entry, StoreShelf
from parcels.store import Store
from parcels.urls import host_of

PART = 50  # pages of one answer
MOST_HOSTS = 300  # that are offered to choose from; others can be typed
UNCERTAIN_SHARE = 0.1  # of a page's blocks: with so many below the threshold the page is uncertain
LABELLED, MINE, UNLABELLED = "labelled", "mine", "unlabelled"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The pages that somebody looks for; what is empty allows all."""

    words: str = ""  # all of them stand in the address, the name or the title
    host: str = ""
    state: str = ""  # labelled by anybody, by oneself (mine), or by nobody (unlabelled)
    page_type: str = ""
    is_uncertain: bool = False
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Listed:
    """One page as the list knows it."""

    entry: Entry
    host: str
    title: str
    page_type: str
    unsure: int  # blocks whose confidence is below the threshold
    is_uncertain: bool  # they are a considerable share of its blocks
    searched: str = field(repr=False)  # what the words are looked for in


@dataclass(frozen=True, slots=True)
class Listing:
    """All pages, what there is to choose from, and whether anything is known of confidence."""

    pages: tuple[Listed, ...]
    hosts: tuple[tuple[str, int], ...]
    page_types: tuple[tuple[str, int], ...]
    has_confidence: bool

    @classmethod
    def of(cls, desk: Desk) -> "Listing":
        """Gather what the list shows: once per session, as the pages and the stored labels are."""
        store = desk.shelf.store if isinstance(desk.shelf, StoreShelf) else None
        unsure = desk.shelf.stored.unsure if isinstance(desk.shelf, StoreShelf) else {}
        articles = _articles(store, desk.crawl) if store is not None else {}
        types = _page_types(store, desk.crawl) if store is not None else {}
        pages = []
        for page, entry in desk.shelf.entries.items():
            title, of_article = articles.get(page, ("", ""))
            host = host_of(entry.url) or ""
            searched = f"{entry.url}\n{entry.name or ''}\n{title}".casefold()
            pages.append(
                Listed(entry, host, title, types.get(page) or of_article, *_unsure(unsure.get(page)), searched)
            )
        hosts = Counter(one.host for one in pages if one.host)
        kinds = Counter(one.page_type for one in pages if one.page_type)
        return cls(tuple(pages), tuple(hosts.most_common()), tuple(kinds.most_common()), bool(unsure))

    def matching(self, desk: Desk, annotator: str, wanted: Wanted) -> Iterator[Listed]:
        """Yield the pages that are wanted, in the order of the store."""
        words, host = wanted.words.casefold().split(), wanted.host.casefold()
        for one in self.pages:
            if host and host not in one.host:
                continue
            if wanted.page_type and wanted.page_type != one.page_type:
                continue
            if wanted.is_uncertain and not one.is_uncertain:
                continue
            if words and not all(word in one.searched for word in words):
                continue
            if wanted.state and not _is_in_state(desk.said.people(one.entry.page_id), annotator, wanted.state):
                continue
            yield one


def list_pages(desk: Desk, annotator: str, wanted: Wanted) -> dict[str, Any]:
    """Return one part of the pages that are wanted, how many there are, and what there is to choose from."""
    listing = listing_of(desk)
    found = list(listing.matching(desk, annotator, wanted))
    if wanted.is_uncertain:
        found.sort(key=lambda one: -one.unsure)
    return {
        "all": len(listing.pages), "found": len(found), "offset": wanted.offset, "part": PART,
        "pages": [_plain(desk, annotator, one) for one in found[wanted.offset : wanted.offset + PART]],
        "hosts": listing.hosts[:MOST_HOSTS], "page_types": listing.page_types, "has_confidence": listing.has_confidence,
        "unsure_below": UNSURE_BELOW, "uncertain_share": UNCERTAIN_SHARE,
    }  # fmt: skip


def listing_of(desk: Desk) -> Listing:
    """Return the desk's list, made when it is first asked for."""
    with desk.listing_lock:
        if desk.listing is None:
            desk.listing = Listing.of(desk)
        found: Listing = desk.listing
        return found


def _plain(desk: Desk, annotator: str, one: Listed) -> dict[str, Any]:
    people = desk.said.people(one.entry.page_id)
    return {
        "page": one.entry.page_id, "url": one.entry.url, "name": one.entry.name, "host": one.host, "title": one.title,
        "page_type": one.page_type, "unsure": one.unsure, "people": len(people), "is_mine": annotator in people,
    }  # fmt: skip


def _unsure(counts: tuple[int, int] | None) -> tuple[int, bool]:
    unsure, blocks = counts or (0, 0)
    return unsure, unsure > 0 and unsure >= UNCERTAIN_SHARE * blocks


def _is_in_state(people: set[str], annotator: str, state: str) -> bool:
    if state == MINE:
        return annotator in people
    return bool(people) == (state == LABELLED)


def _articles(store: Store, crawl: str | None) -> Mapping[str, tuple[str, str]]:
    """The title and the page type that `articles` has of each page."""
    found = {}
    for batch in store.batches("articles", columns=["page_id", "title", "page_type"], crawl=crawl):
        columns = (batch.column(name).to_pylist() for name in ("page_id", "title", "page_type"))
        found.update({page: (title or "", kind or "") for page, title, kind in zip(*columns, strict=True)})
    return found


def _page_types(store: Store, crawl: str | None) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for batch in store.batches("page_types", columns=["page_id", "page_type"], crawl=crawl):
        found.update(zip(batch.column("page_id").to_pylist(), batch.column("page_type").to_pylist(), strict=True))
    return found
