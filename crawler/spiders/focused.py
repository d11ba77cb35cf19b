"""Crawl pages on a topic: follow the links with the best expected harvest, and learn from the pages behind them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from crawler.frontier.contract import Lease, Offer
from crawler.links.extract import Link, PageLinks
from crawler.links.focus import make_focus
from crawler.links.policy import KINDS, SEED_PRIORITY, Scope, note_of
from crawler.options import CrawlOptions
from crawler.seeds import Document, Seed
from crawler.spiders.base import FrontierSpider
from parcels.html.leaves import walk
from parcels.html.page import Page
from parcels.processed_page import ProcessedPage
from parcels.topics.examples import TopicPage, TopicReader
from parcels.topics.features import Constituents
from parcels.topics.focus import Focus
from parcels.topics.links.rows import LinkRow

UNSEEN = 0.0  # priority of a link that is not visible on the page, or beyond the limit
FROM_LIST = 0.2  # priority of pages in a feed or site map: nothing is known about them
WINDOW = 200  # pages over which the recent harvest is computed


class FocusedLinkPolicy:
    """A link policy whose priorities are expected harvest; the queue is reordered after enough was learned."""

    def __init__(self, focus: Focus, *, stays: bool = False, stop_below: float | None = None) -> None:
        self.focus, self.stop_below = focus, stop_below
        self._scope = Scope() if stays else None
        self._rows: dict[str, LinkRow] = {}  # of the page at hand

    @classmethod
    def from_options(cls, options: CrawlOptions) -> "FocusedLinkPolicy":
        """Return the link policy of a crawl."""
        focus = make_focus(
            options.focus, positive=options.positive, negative=options.negative, explore=options.explore,
            doubt=options.doubt,
        )  # fmt: skip
        return cls(focus, stays=options.stay, stop_below=options.stop_below)

    def seeds(self, seeds: Iterable[Seed]) -> Iterator[Offer]:
        """Yield the seeds with the highest priority."""
        for seed in seeds:
            if self._scope is not None:
                self._scope.add(seed.url)
            yield Offer(seed.url, SEED_PRIORITY, topic=seed.topic, kind=KINDS[seed.kind])

    def scores(self, lease: Lease, page_links: PageLinks) -> Sequence[float | None]:
        """Learn from the page, and return the expected harvest of its links.

        Links to other hosts than the crawl's are not followed, so they are not scored and do not make the page a hub.
        """
        is_held = {target: self._holds(target) for target in {link.target for link in page_links.links}}
        is_doubtful = partial(self.focus.is_doubtful, leads_on=any(is_held.values()))
        page = page_of(lease.url, page_links, is_doubtful, None if self._scope is None else is_held.get)
        worths = self.judged(lease, page)
        return [worths.get(link.target, UNSEEN) if is_held[link.target] else None for link in page_links.links]

    def judged(self, lease: Lease, page: TopicPage) -> dict[str, float]:
        """Return the expected harvest of every address that a page links to: that of the best link to it."""
        seen = self.focus.see(page, url=lease.url, row=row_of(lease))
        best: dict[str, float] = {}
        self._rows = {}
        for link, row, worth in zip(page.links, seen.rows, seen.worths, strict=True):
            if worth > best.get(link.target, -1.0):
                best[link.target], self._rows[link.target] = worth, row
        return best

    def _holds(self, url: str) -> bool:
        return self._scope is None or self._scope.holds(url)

    def topic(self, lease: Lease, link: Link) -> str | None:
        """Return the topic of the page: links inherit it from the seed."""
        return lease.topic

    def note(self, lease: Lease, link: Link) -> str | None:
        """Return the link's features, to score it again after more was learned."""
        row = self._rows.get(link.target)
        return row.to_text() if row is not None else None

    def wants_rescore(self) -> bool:
        """Return True if enough was learned since the last reordering."""
        return self.focus.wants_rescore()

    def rescored(self, offers: Sequence[Offer]) -> Sequence[float]:
        """Return the current expected harvest of queued links; those without a note keep their priority."""
        self.focus.rescored()
        rows = [row_of(offer) for offer in offers]
        known = [(n, row) for n, row in enumerate(rows) if row is not None]
        priorities = [offer.priority for offer in offers]
        worths = self.focus.worths([row for _, row in known], [offers[n].url for n, _ in known])
        for (n, _), worth in zip(known, worths, strict=True):
            priorities[n] = worth
        return priorities

    def state(self) -> bytes:
        """Return what was learned."""
        return self.focus.state()

    def restore(self, state: bytes) -> None:
        """Restore what was learned."""
        self.focus.restore(state)

    def messages(self) -> list[str]:
        """Return the harvest rate, of all pages and of the last ones."""
        pages = len(self.focus.outcomes)
        if not pages:
            return []
        recent = f", last {WINDOW}: {self.focus.harvest(WINDOW):.0%}" if pages > WINDOW else ""
        return [f"harvest {self.focus.harvest():.0%}{recent}"]

    def counts(self) -> dict[str, int]:
        """Return how many pages were judged since the crawl began, over all its runs, and how many are on topic."""
        pages = len(self.focus.outcomes)
        return {"judged": pages, "on topic": round(pages * self.focus.harvest())}

    @property
    def is_spent(self) -> bool:
        """Return True if the harvest of the last pages is below `stop_below`."""
        if self.stop_below is None or len(self.focus.outcomes) < WINDOW:
            return False
        return self.focus.harvest(WINDOW) < self.stop_below

    def discovered(self, lease: Lease, page_links: PageLinks) -> list[Offer]:
        """Return no offers: feeds list new pages, not pages on a topic."""
        return []

    def from_document(self, lease: Lease, document: Document) -> list[Offer]:
        """Return the pages that a list, feed or site map contains."""
        return [
            Offer(seed.url, FROM_LIST, lease.depth + 1, lease.url, seed.topic or lease.topic, KINDS[seed.kind])
            for seed in document.seeds
            if self._holds(seed.url)
        ]

    def from_robots(self, origin: str, sitemaps: Sequence[str]) -> list[Offer]:
        """Return no offers: a focused crawl does not want whole sites."""
        return []


def page_of(
    url: str, page_links: PageLinks, is_doubtful: Callable[[Constituents], bool],
    is_wanted: Callable[[str], bool | None] | None = None,
) -> TopicPage:  # fmt: skip
    """Return a fetched page for topic models, with a layout only if its words alone leave a doubt.

    The tree and the canonical addresses of its links are reused.
    """
    if page_links.root is None:
        return TopicPage(url, Constituents(), ())
    nodes, leaves = walk(page_links.root)
    page = Page("", url, "utf-8", "crawl", page_links.root, nodes, leaves)
    reader = TopicReader(page, base=page_links.base, known=page_links.known)
    needs_layout = len(leaves) > 0 and is_doubtful(reader.constituents)
    laid = ProcessedPage.parsed(page).optional_layout if needs_layout else None
    return reader.read(laid, is_wanted=is_wanted)


def row_of(address: Lease | Offer) -> LinkRow | None:
    """Return the stored features of the link to an address; None for seeds and unreadable notes."""
    note = note_of(address)
    try:
        return LinkRow.from_text(note) if note else None
    except ValueError:
        return None


class FocusedSpider(FrontierSpider):
    """The spider of `parcels crawl --spider focused --focus MODEL:TOPIC`."""

    name = "focused"

    def on_response(self, response: Any) -> Any:
        """Handle a response, and end the crawl as at its limit if the harvest is too small."""
        result = super().on_response(response)
        link_policy = self.session.context.link_policy
        if isinstance(link_policy, FocusedLinkPolicy) and link_policy.is_spent:
            self.session.limit = self.session.counts["pages"]
        return result
