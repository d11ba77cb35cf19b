"""Crawl news sites from home pages, lists, feeds and site maps to articles, through section pages."""

from collections.abc import Iterable, Iterator, Sequence

from crawler.frontier.contract import SITEMAP, Lease, Offer
from crawler.links.extract import Link, PageLinks
from crawler.links.policy import KINDS, SEED_PRIORITY, Scope
from crawler.options import CrawlOptions
from crawler.seeds import Document, Seed
from crawler.seeds.article_urls import url_score
from crawler.seeds.discover import discover
from crawler.spiders.base import FrontierSpider

FEED_PRIORITY = 50.0  # feeds and site maps list new pages
FROM_FEED, FROM_NEWS_SITEMAP, FROM_SITEMAP = 10.0, 8.0, 2.0
DEPTH_COST = 1.0  # an article one click deeper is worth as much as an index page here
DISCOVER_DEPTH = 1  # feeds are named by home and section pages


class NewsLinkPolicy:
    """A link policy that stays on the hosts of its seeds and prefers feeds, then addresses that look like articles."""

    def __init__(self) -> None:
        self.scope = Scope()

    @classmethod
    def from_options(cls, options: CrawlOptions) -> "NewsLinkPolicy":
        """Return the link policy of a crawl."""
        return cls()

    def seeds(self, seeds: Iterable[Seed]) -> Iterator[Offer]:
        """Yield the seeds with the highest priority, and allow all pages of their hosts."""
        for seed in seeds:
            self.scope.add(seed.url)
            yield Offer(seed.url, SEED_PRIORITY, topic=seed.topic, kind=KINDS[seed.kind])

    def scores(self, lease: Lease, page_links: PageLinks) -> Sequence[float | None]:
        """Score links by the probability that the address is an article's, minus a cost per click from the seed."""
        cost = DEPTH_COST * (lease.depth + 1)
        known: dict[str, float | None] = {}
        for link in page_links.links:
            if link.target not in known:
                known[link.target] = url_score(link.target) - cost if self.scope.holds(link.target) else None
        return [known[link.target] for link in page_links.links]

    def topic(self, lease: Lease, link: Link) -> str | None:
        """Return the topic of the page: links inherit it from the seed."""
        return lease.topic

    def discovered(self, lease: Lease, page_links: PageLinks) -> list[Offer]:
        """Return the feeds and site maps that a home or section page names."""
        if lease.depth > DISCOVER_DEPTH or page_links.root is None:
            return []
        return [
            Offer(seed.url, FEED_PRIORITY, lease.depth, lease.url, lease.topic, KINDS[seed.kind])
            for seed in discover(page_links.root, url=lease.url)
            if self.scope.holds(seed.url)
        ]

    def from_document(self, lease: Lease, document: Document) -> list[Offer]:
        """Return the pages and the further feeds and site maps of a document."""
        priority = {"feed": FROM_FEED, "news-sitemap": FROM_NEWS_SITEMAP}.get(document.kind, FROM_SITEMAP)
        return [
            Offer(
                seed.url, priority if seed.kind in ("page", "home") else FEED_PRIORITY, lease.depth + 1, lease.url,
                seed.topic or lease.topic, KINDS[seed.kind],
            )
            for seed in document.seeds
            if self.scope.holds(seed.url)
        ]  # fmt: skip

    def from_robots(self, origin: str, sitemaps: Sequence[str]) -> list[Offer]:
        """Return the site maps that robots.txt names."""
        return [Offer(url, FEED_PRIORITY, kind=SITEMAP) for url in sitemaps if self.scope.holds(url)]


class NewsSpider(FrontierSpider):
    """The spider of `scrapy crawl news -a seeds=http://… -s STORE=…`."""

    name = "news"
