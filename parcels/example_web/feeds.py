"""Feeds and site maps: RSS 2.0, Atom, sitemap, sitemap index, news sitemap."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC
from email.utils import format_datetime

from parcels.example_web.markup import attr, moment, text

XML = '<?xml version="1.0" encoding="{charset}"?>\n'


@dataclass(frozen=True)
class FeedEntry:
    """One article in a feed."""

    url: str
    title: str
    summary: str
    published: str
    updated: str
    section: str
    authors: tuple[str, ...] = ()


def stamp(iso: str) -> str:
    """Format an RFC 822 date; a time without a zone is taken as UTC.

    >>> stamp("2004-03-12")
    'Fri, 12 Mar 2004 00:00:00 +0000'
    """
    when = moment(iso)
    return format_datetime(when if when.tzinfo else when.replace(tzinfo=UTC))


def zoned(iso: str) -> str:
    """Add the zone UTC to an ISO time without one."""
    when = moment(iso)
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).isoformat()


def rss(title: str, home: str, about: str, entries: Iterable[FeedEntry], *, charset: str = "utf-8") -> str:
    """Return an RSS 2.0 feed."""
    items = "".join(
        f"<item><title>{text(entry.title)}</title><link>{text(entry.url)}</link>"
        f'<guid isPermaLink="true">{text(entry.url)}</guid><category>{text(entry.section)}</category>'
        f"<pubDate>{stamp(entry.published)}</pubDate><description>{text(entry.summary)}</description></item>\n"
        for entry in entries
    )
    return (
        f'{XML.format(charset=charset)}<rss version="2.0"><channel><title>{text(title)}</title>'
        f"<link>{home}</link><description>{text(about)}</description><language>en</language>\n{items}</channel></rss>\n"
    )


def atom(title: str, home: str, feed: str, entries: Iterable[FeedEntry]) -> str:
    """Return an Atom feed."""
    listed = list(entries)
    items = "".join(
        f'<entry><title>{text(entry.title)}</title><link rel="alternate" href="{attr(entry.url)}"/>'
        f"<id>{text(entry.url)}</id><published>{zoned(entry.published)}</published>"
        f"<updated>{zoned(entry.updated or entry.published)}</updated>"
        + "".join(f"<author><name>{text(name)}</name></author>" for name in entry.authors)
        + f'<category term="{attr(entry.section)}"/><summary>{text(entry.summary)}</summary></entry>\n'
        for entry in listed
    )
    newest = max(zoned(entry.updated or entry.published) for entry in listed)
    return (
        f'{XML.format(charset="utf-8")}<feed xmlns="http://www.w3.org/2005/Atom"><title>{text(title)}</title>'
        f'<link href="{home}"/><link rel="self" href="{feed}"/><id>{home}</id><updated>{newest}</updated>'
        f"<author><name>{text(title)}</name></author>\n{items}</feed>\n"
    )


def sitemap(pages: Iterable[tuple[str, str]]) -> str:
    """Return a site map of (address, last change or nothing)."""
    rows = "".join(
        f"<url><loc>{text(url)}</loc>{f'<lastmod>{changed}</lastmod>' if changed else ''}</url>\n"
        for url, changed in pages
    )
    return (
        f'{XML.format(charset="UTF-8")}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}</urlset>\n'
    )


def sitemap_index(maps: Iterable[str]) -> str:
    """Return an index of site maps."""
    rows = "".join(f"<sitemap><loc>{text(url)}</loc></sitemap>\n" for url in maps)
    return (
        f'{XML.format(charset="UTF-8")}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}'
        "</sitemapindex>\n"
    )


def news_sitemap(name: str, entries: Iterable[FeedEntry]) -> str:
    """Return a site map with the news extension."""
    rows = "".join(
        f"<url><loc>{text(entry.url)}</loc><news:news><news:publication><news:name>{text(name)}</news:name>"
        f"<news:language>en</news:language></news:publication><news:publication_date>{zoned(entry.published)}"
        f"</news:publication_date><news:title>{text(entry.title)}</news:title></news:news></url>\n"
        for entry in entries
    )
    return (
        f'{XML.format(charset="UTF-8")}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
        f'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">\n{rows}</urlset>\n'
    )
