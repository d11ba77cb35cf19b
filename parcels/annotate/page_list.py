"""The list of pages: the server searches, filters and cuts it into parts."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from parcels.annotate.page_sources import PageEntry, StorePageSource
from parcels.annotate.predictions import UNSURE_BELOW
from parcels.annotate.session import AnnotationSession
from parcels.store import Store
from parcels.urls import host_of

PART = 50  # pages of one answer
MAX_HOSTS = 300  # that are suggested; others can be typed
UNCERTAIN_SHARE = 0.1  # of a page's blocks: with so many below the threshold the page is uncertain
LABELLED, MINE, UNLABELLED = "labelled", "mine", "unlabelled"


@dataclass(frozen=True, slots=True)
class PageFilter:
    """Conditions on listed pages; an empty field allows all."""

    words: str = ""  # all must occur in the address, the name or the title
    host: str = ""
    state: str = ""  # labelled (by anybody), mine, or unlabelled
    page_type: str = ""
    is_uncertain: bool = False
    offset: int = 0


@dataclass(frozen=True, slots=True)
class ListedPage:
    """One page of the list."""

    entry: PageEntry
    host: str
    title: str
    page_type: str
    unsure: int  # blocks whose confidence is below the threshold
    is_uncertain: bool  # they are a considerable share of its blocks
    searched: str = field(repr=False)  # the text that words are searched in


@dataclass(frozen=True, slots=True)
class PageListing:
    """All pages, the values to filter by, and whether confidences are known."""

    pages: tuple[ListedPage, ...]
    hosts: tuple[tuple[str, int], ...]
    page_types: tuple[tuple[str, int], ...]
    has_confidence: bool

    @classmethod
    def of(cls, session: AnnotationSession) -> "PageListing":
        """Build the list of a session's pages; the pages and the stored labels do not change during a session."""
        store = session.source.store if isinstance(session.source, StorePageSource) else None
        unsure = session.source.stored.unsure if isinstance(session.source, StorePageSource) else {}
        articles = _articles(store, session.crawl) if store is not None else {}
        types = _page_types(store, session.crawl) if store is not None else {}
        pages = []
        for page, entry in session.source.entries.items():
            title, of_article = articles.get(page, ("", ""))
            host = host_of(entry.url) or ""
            searched = f"{entry.url}\n{entry.name or ''}\n{title}".casefold()
            pages.append(
                ListedPage(entry, host, title, types.get(page) or of_article, *_unsure(unsure.get(page)), searched)
            )
        hosts = Counter(listed.host for listed in pages if listed.host)
        type_counts = Counter(listed.page_type for listed in pages if listed.page_type)
        return cls(tuple(pages), tuple(hosts.most_common()), tuple(type_counts.most_common()), bool(unsure))

    def matching(self, session: AnnotationSession, annotator: str, filter_: PageFilter) -> Iterator[ListedPage]:
        """Yield the pages that a filter lets through, in the order of the store."""
        words, host = filter_.words.casefold().split(), filter_.host.casefold()
        for page in self.pages:
            if host and host not in page.host:
                continue
            if filter_.page_type and filter_.page_type != page.page_type:
                continue
            if filter_.is_uncertain and not page.is_uncertain:
                continue
            if words and not all(word in page.searched for word in words):
                continue
            if filter_.state and not _is_in_state(
                session.label_index.annotators_of(page.entry.page_id), annotator, filter_.state
            ):
                continue
            yield page


def list_pages(session: AnnotationSession, annotator: str, filter_: PageFilter) -> dict[str, Any]:
    """Return one part of the pages that a filter lets through, their number, and the values to filter by."""
    listing = listing_of(session)
    pages = list(listing.matching(session, annotator, filter_))
    if filter_.is_uncertain:
        pages.sort(key=lambda page: -page.unsure)
    return {
        "all": len(listing.pages), "found": len(pages), "offset": filter_.offset, "part": PART,
        "pages": [_plain(session, annotator, page) for page in pages[filter_.offset : filter_.offset + PART]],
        "hosts": listing.hosts[:MAX_HOSTS], "page_types": listing.page_types, "has_confidence": listing.has_confidence,
        "unsure_below": UNSURE_BELOW, "uncertain_share": UNCERTAIN_SHARE,
    }  # fmt: skip


def listing_of(session: AnnotationSession) -> PageListing:
    """Return the session's list of pages, built on first use."""
    with session.listing_lock:
        if session.listing is None:
            session.listing = PageListing.of(session)
        listing: PageListing = session.listing
        return listing


def _plain(session: AnnotationSession, annotator: str, listed: ListedPage) -> dict[str, Any]:
    annotators = session.label_index.annotators_of(listed.entry.page_id)
    return {
        "page": listed.entry.page_id, "url": listed.entry.url, "name": listed.entry.name, "host": listed.host,
        "title": listed.title, "page_type": listed.page_type, "unsure": listed.unsure, "people": len(annotators),
        "is_mine": annotator in annotators,
    }  # fmt: skip


def _unsure(counts: tuple[int, int] | None) -> tuple[int, bool]:
    unsure, blocks = counts or (0, 0)
    return unsure, unsure > 0 and unsure >= UNCERTAIN_SHARE * blocks


def _is_in_state(people: set[str], annotator: str, state: str) -> bool:
    if state == MINE:
        return annotator in people
    return bool(people) == (state == LABELLED)


def _articles(store: Store, crawl: str | None) -> Mapping[str, tuple[str, str]]:
    """Return the title and page type of each page in `articles`."""
    articles = {}
    for batch in store.batches("articles", columns=["page_id", "title", "page_type"], crawl=crawl):
        columns = (batch.column(name).to_pylist() for name in ("page_id", "title", "page_type"))
        articles.update({page: (title or "", kind or "") for page, title, kind in zip(*columns, strict=True)})
    return articles


def _page_types(store: Store, crawl: str | None) -> Mapping[str, str]:
    types: dict[str, str] = {}
    for batch in store.batches("page_types", columns=["page_id", "page_type"], crawl=crawl):
        types.update(zip(batch.column("page_id").to_pylist(), batch.column("page_type").to_pylist(), strict=True))
    return types
