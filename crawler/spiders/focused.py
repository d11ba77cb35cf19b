"""The focused spider: follows the links that are worth most for its topic, and learns from what they lead to."""

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

UNSEEN = 0.0  # worth of a link that stands nowhere on the page (inside what is passed over, or beyond the limit)
FROM_LIST = 0.2  # worth of what a feed or site map names: nothing is known of it
WINDOW = 200  # pages over which the harvest is looked at


class FocusedLinkPolicy:
    """Priorities are expected harvest; the queue is put in a new order when enough was learned."""

    def __init__(self, focus: Focus, *, stays: bool = False, stop_below: float | None = None) -> None:
        self.focus, self.stop_below = focus, stop_below
        self._scope = Scope() if stays else None
        self._rows: dict[str, LinkRow] = {}  # of the page at hand

    @classmethod
    def from_options(cls, options: CrawlOptions) -> "FocusedLinkPolicy":
        """The guide of a crawl."""
        focus = make_focus(
            options.focus, positive=options.positive, negative=options.negative, explore=options.explore,
            doubt=options.doubt,
        )  # fmt: skip
        return cls(focus, stays=options.stay, stop_below=options.stop_below)

    def seeds(self, seeds: Iterable[Seed]) -> Iterator[Offer]:
        """Seeds before all else."""
        for seed in seeds:
            if self._scope is not None:
                self._scope.add(seed.url)
            yield Offer(seed.url, SEED_PRIORITY, topic=seed.topic, kind=KINDS[seed.kind])

    def scores(self, lease: Lease, found: PageLinks) -> Sequence[float | None]:
        """Learn what the page turned out to be, and what its links are worth.

        Links that lead out of the crawl's hosts are not followed, so they are not scored, nor do they make a hub.
        """
        is_held = {target: self._holds(target) for target in {link.target for link in found.links}}
        is_doubtful = partial(self.focus.is_doubtful, leads_on=any(is_held.values()))
        page = page_of(lease.url, found, is_doubtful, None if self._scope is None else is_held.get)
        worths = self.judged(lease, page)
        return [worths.get(link.target, UNSEEN) if is_held[link.target] else None for link in found.links]

    def judged(self, lease: Lease, page: TopicPage) -> dict[str, float]:
        """The worth of every address that a page links to; of several links to one the most promising counts."""
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
        """Topics of seeds are inherited."""
        return lease.topic

    def note(self, lease: Lease, link: Link) -> str | None:
        """The link as numbers, for another look when more was learned."""
        row = self._rows.get(link.target)
        return row.to_text() if row is not None else None

    def wants_rescore(self) -> bool:
        """True where enough was learned since the last time."""
        return self.focus.wants_rescore()

    def rescored(self, offers: Sequence[Offer]) -> Sequence[float]:
        """The worth of queued links as it is seen now; what came without a note stays where it is."""
        self.focus.rescored()
        rows = [row_of(offer) for offer in offers]
        known = [(n, row) for n, row in enumerate(rows) if row is not None]
        priorities = [offer.priority for offer in offers]
        worths = self.focus.worths([row for _, row in known], [offers[n].url for n, _ in known])
        for (n, _), worth in zip(known, worths, strict=True):
            priorities[n] = worth
        return priorities

    def state(self) -> bytes:
        """What was learned."""
        return self.focus.state()

    def restore(self, state: bytes) -> None:
        """Know it again."""
        self.focus.restore(state)

    def told(self) -> list[str]:
        """The harvest rate, of all pages and of the last ones."""
        pages = len(self.focus.outcomes)
        if not pages:
            return []
        recent = f", last {WINDOW}: {self.focus.harvest(WINDOW):.0%}" if pages > WINDOW else ""
        return [f"harvest {self.focus.harvest():.0%}{recent}"]

    def counts(self) -> dict[str, int]:
        """Pages that were judged since the crawl began, over all its runs, and those of them on topic."""
        pages = len(self.focus.outcomes)
        return {"judged": pages, "on topic": round(pages * self.focus.harvest())}

    @property
    def is_spent(self) -> bool:
        """True where the last pages brought less than was asked for."""
        if self.stop_below is None or len(self.focus.outcomes) < WINDOW:
            return False
        return self.focus.harvest(WINDOW) < self.stop_below

    def discovered(self, lease: Lease, found: PageLinks) -> list[Offer]:
        """Nothing: feeds say what is new, not what is on topic."""
        return []

    def from_document(self, lease: Lease, document: Document) -> list[Offer]:
        """What a list, feed or site map names."""
        return [
            Offer(seed.url, FROM_LIST, lease.depth + 1, lease.url, seed.topic or lease.topic, KINDS[seed.kind])
            for seed in document.seeds
            if self._holds(seed.url)
        ]

    def from_robots(self, origin: str, sitemaps: Sequence[str]) -> list[Offer]:
        """Nothing: a whole site is what a focused crawl does not want."""
        return []


def page_of(
    url: str, found: PageLinks, is_doubtful: Callable[[Constituents], bool],
    is_wanted: Callable[[str], bool | None] | None = None,
) -> TopicPage:  # fmt: skip
    """A fetched page as topics need it, laid out where its words alone leave a doubt.

    The tree and the addresses that its links were read from are used again.
    """
    if found.root is None:
        return TopicPage(url, Constituents(), ())
    nodes, leaves = walk(found.root)
    page = Page("", url, "utf-8", "crawl", found.root, nodes, leaves)
    reader = TopicReader(page, base=found.base, known=found.known)
    needs_layout = len(leaves) > 0 and is_doubtful(reader.constituents)
    laid = ProcessedPage.parsed(page).optional_layout if needs_layout else None
    return reader.read(laid, is_wanted=is_wanted)


def row_of(found: Lease | Offer) -> LinkRow | None:
    """What was noted of the link that led to an address; None for seeds, and for notes that are none of ours."""
    note = note_of(found)
    try:
        return LinkRow.from_text(note) if note else None
    except ValueError:
        return None


class FocusedSpider(FrontierSpider):
    """`parcels crawl --spider focused --focus MODEL:TOPIC`."""

    name = "focused"

    def on_answer(self, response: Any) -> Any:
        """As every spider; and the crawl ends as at its limit where it brings too little."""
        result = super().on_answer(response)
        link_policy = self.session.context.link_policy
        if isinstance(link_policy, FocusedLinkPolicy) and link_policy.is_spent:
            self.session.limit = self.session.counts["pages"]
        return result
