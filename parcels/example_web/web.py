"""Provide the example web as pure functions: hosts, addresses, responses, truth and gold, without a server."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

from parcels.errors import InputMissing
from parcels.example_web.site import HTML, Response, Route, Site

MODULES = {
    "www.harbourcourier.example": "harbourcourier",
    "www.meridianpost.example": "meridianpost",
    "lumen.example": "lumen",
    "directory.example": "directory",
}
GONE = (404, 410)


@dataclass(frozen=True)
class Truth:
    """The content of an article page that its reader can see. `published` is None if the page has no date."""

    url: str
    title: str
    published: str | None
    updated: str | None
    authors: tuple[str, ...]
    source: str | None
    place: str | None
    paragraphs: tuple[str, ...]
    section: str
    tags: tuple[str, ...]

    @property
    def text(self) -> str:
        """Return the paragraphs, separated by blank lines."""
        return "\n\n".join(self.paragraphs)


def hosts() -> tuple[str, ...]:
    """Return the host names of the example web.

    >>> hosts()
    ('www.harbourcourier.example', 'www.meridianpost.example', 'lumen.example', 'directory.example')
    """
    return tuple(MODULES)


@cache
def site(host: str) -> Site:
    """Return the site of a host."""
    if host not in MODULES:
        raise InputMissing(f"{host!r} is not in the example web. Its hosts: {', '.join(MODULES)}")
    module_site: Site = import_module(f"parcels.example_web.sites.{MODULES[host]}").SITE
    return module_site


def fetch(url: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return the response to `GET url`, as the server sends it.

    >>> fetch("http://www.harbourcourier.example/robots.txt").status
    200
    >>> fetch("http://unknown.example/").status
    502
    """
    host = (urlsplit(url).hostname or "").lower()
    if host not in MODULES:
        body = f"502: the example web has no host {host!r}. It has: {', '.join(MODULES)}\n".encode()
        return Response(502, {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body))}, body)
    return site(host).answer(url, {name.lower(): value for name, value in (headers or {}).items()})


def urls(host: str) -> list[str]:
    """Return the addresses of all pages (HTML, status 200) that a crawler may fetch."""
    return [url for url in _pages(host) if _robots(host).can_fetch("*", url)]


def forbidden_urls(host: str) -> list[str]:
    """Return the addresses of existing pages that robots.txt forbids."""
    return [url for url in _pages(host) if not _robots(host).can_fetch("*", url)]


def article_urls(host: str) -> list[str]:
    """Return the main address of every article, newest first."""
    articles = [(route.story, path) for path, route in site(host).routes.items() if route.is_article and route.story]
    articles.sort(key=lambda pair: (pair[0].published, pair[0].slug), reverse=True)
    return [_address(host, path) for _, path in articles]


def dead_urls(host: str) -> list[str]:
    """Return addresses that pages link to and that answer 404 or 410 on purpose."""
    return [_address(host, path) for path, route in site(host).routes.items() if route.status in GONE]


def redirects(host: str) -> dict[str, str]:
    """Return the addresses that redirect, with their targets."""
    return {_address(host, path): route.location for path, route in site(host).routes.items() if route.location}


def truth(url: str) -> Truth:
    """Return the content of the article at `url`; a printer's version or duplicate has that of its article.

    >>> truth("http://www.harbourcourier.example/story.asp?id=1042").authors
    ('Alison Threlkeld',)
    """
    _, route = _site_and_route(url)
    story = route.story
    if story is None:
        raise InputMissing(f"{url} is not an article. parcels.example_web.article_urls(host) lists them")
    return Truth(
        url=url,
        title=story.title,
        published=story.published if story.is_dated else None,
        updated=story.updated or None,
        authors=story.authors,
        source=story.source or None,
        place=story.place or None,
        paragraphs=story.paragraphs,
        section=story.section,
        tags=story.tags,
    )


def gold_html(url: str) -> bytes:
    """Return the page at `url` with its gold marks, otherwise byte for byte as served."""
    site_of_page, route = _site_and_route(url)
    return site_of_page.marked(route)


def _site_and_route(url: str) -> tuple[Site, Route]:
    site_of_page = site((urlsplit(url).hostname or "").lower())
    route = site_of_page.routes.get(site_of_page.key(url))
    if route is None or route.media != HTML or route.status != 200:
        raise InputMissing(f"no page at {url}. parcels.example_web.urls(host) lists them")
    return site_of_page, route


def _address(host: str, path: str) -> str:
    return f"http://{host}{path}"


def _pages(host: str) -> list[str]:
    return [
        _address(host, path)
        for path, route in site(host).routes.items()
        if route.media == HTML and route.status == 200 and route.is_listed
    ]


@cache
def _robots(host: str) -> RobotFileParser:
    parser = RobotFileParser()
    parser.parse(fetch(_address(host, "/robots.txt")).body.decode().splitlines())
    return parser
