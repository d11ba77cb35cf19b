"""Crawl the sites of a directory with their topics, from a dump or list, or a directory site walked by category."""

from collections.abc import Iterable, Iterator, Sequence

from crawler.frontier.contract import PAGE, Lease, Offer
from crawler.links.extract import Link, PageLinks
from crawler.links.policy import KINDS, SEED_PRIORITY, Scope
from crawler.options import CrawlOptions
from crawler.seeds import Document, Seed
from crawler.seeds.directory import directory_links
from crawler.seeds.sample import by_topic
from crawler.spiders.base import FrontierSpider

CATEGORY_PRIORITY = 10.0


class DirectoryLinkPolicy:
    """A link policy that fetches the sites of a directory; only category pages are followed."""

    def __init__(self, *, per_topic: int | None = None) -> None:
        self._scope, self._per_topic = Scope(), per_topic
        self._topics: dict[str, str] = {}  # of the links of the page at hand

    @classmethod
    def from_options(cls, options: CrawlOptions) -> "DirectoryLinkPolicy":
        """Return the link policy of a crawl."""
        return cls(per_topic=options.per_topic)

    def seeds(self, seeds: Iterable[Seed]) -> Iterator[Offer]:
        """Yield seeds with a topic as sites of a directory, and those without as directories to walk."""
        listed = (seed for seed in seeds if seed.topic) if self._per_topic else seeds
        chosen: Iterable[Seed] = by_topic(listed, per_topic=self._per_topic) if self._per_topic else listed
        for seed in chosen:
            if seed.topic is None:
                self._scope.add(seed.url)
            yield Offer(seed.url, SEED_PRIORITY, topic=seed.topic, kind=KINDS[seed.kind])

    def scores(self, lease: Lease, page_links: PageLinks) -> Sequence[float | None]:
        """Score sub-categories first, then the sites of a category; the links of listed sites are not followed."""
        self._topics = {}
        if page_links.root is None or not self._scope.holds(lease.url):
            return [None] * len(page_links.links)
        listed = directory_links(page_links.root, url=lease.url, topic=lease.topic)
        scores: dict[str, float] = {}
        for priority, seeds in ((CATEGORY_PRIORITY, listed.sub_categories), (0.0, listed.sites)):
            for seed in seeds:
                scores.setdefault(seed.url, priority - lease.depth)
                if seed.topic:
                    self._topics.setdefault(seed.url, seed.topic)
        return [scores.get(link.target) for link in page_links.links]

    def topic(self, lease: Lease, link: Link) -> str | None:
        """Return the category that lists the link."""
        return self._topics.get(link.target)

    def discovered(self, lease: Lease, page_links: PageLinks) -> list[Offer]:
        """Return no offers: a directory is walked by its categories."""
        return []

    def from_document(self, lease: Lease, document: Document) -> list[Offer]:
        """Return the pages that a dump or list contains."""
        return [
            Offer(seed.url, 0.0, lease.depth + 1, lease.url, seed.topic or lease.topic, PAGE)
            for seed in document.seeds
            if seed.kind in ("page", "home")
        ]

    def from_robots(self, origin: str, sitemaps: Sequence[str]) -> list[Offer]:
        """Return no offers: a directory is walked by its categories."""
        return []


class DirectorySpider(FrontierSpider):
    """The spider of `scrapy crawl directory -a seeds=urls.tsv -s STORE=…`."""

    name = "directory"
