"""Find the feeds and site maps of a site: those that a page or robots.txt names, and the usual places."""

import re

from lxml import etree

from crawler.seeds.seed import Seed, seed
from parcels.urls import canonical, host_of

FEED_TYPES = frozenset([
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "text/rss+xml",
])  # fmt: skip
USUAL_FEEDS = ("/feed", "/rss", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml", "/feeds/all.atom.xml")
USUAL_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml", "/sitemap-news.xml", "/news-sitemap.xml", "/sitemap.xml.gz")
MAX_FOUND = 100  # of one page: a page that lists every feed of a large site is enough of a beginning
_FEED_PATH = re.compile(r"(?:/|\b)(?:rss|atom|feeds?)(?:\d?\.(?:xml|rdf|rss|atom)|/?$|/)|\.(?:rss|atom|rdf)$", re.I)
_SITEMAP_PATH = re.compile(r"sitemap[\w-]*\.xml(?:\.gz)?$", re.I)
_COMMENTS = re.compile(r"/comments?/feed|comments.*\.(?:xml|rss)|/feed/comments|\breplies\b", re.I)


def discover(root: etree._Element, *, url: str) -> list[Seed]:
    """Return the feeds (those of the head first) and site maps that a page names, without feeds of comments.

    >>> from parcels.html.page import read_page
    >>> html = '<link rel=alternate type="application/rss+xml" title=News href=/rss><a href="/feed.xml">RSS</a>'
    >>> [(s.url, s.kind) for s in discover(read_page(html).root, url="http://a.example/")]
    [('http://a.example/rss', 'feed'), ('http://a.example/feed.xml', 'feed')]
    """
    base = base_of(root, url)
    site = host_of(url)
    seeds: dict[str, Seed] = {}

    def add(href: str, kind: str, title: str | None = None) -> None:
        one = seed(href, base=base, kind=kind, title=title)
        if one is not None and not _COMMENTS.search(one.url) and len(seeds) < MAX_FOUND:
            seeds.setdefault(one.url, one)

    for link in root.iter("link"):
        rel, kind = (link.get("rel") or "").lower().split(), (link.get("type") or "").lower().partition(";")[0].strip()
        href = link.get("href") or ""
        if "alternate" in rel and kind in FEED_TYPES and href:
            add(href, "feed", link.get("title"))
        elif "sitemap" in rel and href:
            add(href, "sitemap")
    for link in root.iter("a"):
        path = (link.get("href") or "").partition("#")[0].partition("?")[0]
        if _SITEMAP_PATH.search(path):
            add(path, "sitemap")
        elif _FEED_PATH.search(path) and host_of(canonical(path, base) or "") == site:
            add(link.get("href") or "", "feed")
    return list(seeds.values())


def base_of(root: etree._Element, url: str) -> str:
    """Return the address that a page's relative addresses start from."""
    for element in root.iter("base"):
        if element.get("href"):
            return canonical(str(element.get("href")), url) or url
    return url


def usual_places(url: str) -> list[Seed]:
    """Return the usual addresses of feeds and site maps, to try last on a site that names none.

    >>> usual_places("http://a.example/news")[0].url
    'http://a.example/sitemap.xml'
    """
    guesses = [(path, "sitemap") for path in USUAL_SITEMAPS] + [(path, "feed") for path in USUAL_FEEDS]
    return [one for path, kind in guesses if (one := seed(path, base=url, kind=kind)) is not None]
