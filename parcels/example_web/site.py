"""Define a site: its routes from path to page, and how its server answers."""

import gzip
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import format_datetime, parsedate_to_datetime
from functools import cached_property
from urllib.parse import parse_qsl, urlencode, urlsplit

from parcels.example_web.gold import unmarked
from parcels.example_web.markup import moment
from parcels.example_web.stories import Story

HTML = "text/html"


@dataclass(frozen=True)
class Response:
    """A server's response."""

    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Route:
    """One address of a site.

    `render` gives the marked page (or another file's content). `story` is the article that the page shows, and
    `is_article` is true for its main address only, not for the printer's version or a duplicate.
    """

    render: Callable[[], str | bytes]
    media: str = HTML
    status: int = 200
    location: str = ""
    modified: str = ""
    story: Story | None = None
    is_article: bool = False
    is_listed: bool = True


@dataclass(frozen=True)
class Site:
    """A host with its routes and habits."""

    host: str
    build: Callable[[], dict[str, Route]]
    not_found: Callable[[str], str]
    picture: Callable[[str], tuple[str, bytes] | None]
    encode: Callable[[str], bytes] = field(default=lambda html: html.encode())
    charset: str = "utf-8"  # sent in the header; nothing means that the page itself must say it
    modified: str = "2012-05-18T12:00:00+00:00"
    server: str = "Apache"
    is_gzipped: bool = False
    ignored: frozenset[str] = frozenset()  # parameters that do not change the page

    @cached_property
    def routes(self) -> dict[str, Route]:
        """Return the routes of the site by path, without pictures."""
        return self.build()

    def key(self, url: str) -> str:
        """Return the path and query that identify a route: without fragment and campaign parameters."""
        parts = urlsplit(url)
        pairs = [
            (name, value)
            for name, value in parse_qsl(parts.query, keep_blank_values=True)
            if not name.startswith("utm_") and name not in self.ignored
        ]
        return (parts.path or "/") + (f"?{urlencode(pairs)}" if pairs else "")

    def marked(self, route: Route) -> bytes:
        """Return the page of a route with its gold marks, encoded as on this site."""
        content = route.render()
        return content if isinstance(content, bytes) else self.encode(content)

    def answer(self, url: str, request: Mapping[str, str]) -> Response:
        """Return the response to a GET; `request` has lower-case header names."""
        key = self.key(url)
        route = self.routes.get(key)
        if route is None:
            picture = self.picture(key)
            if picture is None:
                return self._response(404, HTML, self.encode(unmarked(self.not_found(key))), request, self.modified)
            return self._response(200, picture[0], picture[1], request, self.modified)
        content = route.render()
        body = content if isinstance(content, bytes) else self.encode(unmarked(content))
        response = self._response(route.status, route.media, body, request, route.modified or self.modified)
        if route.location:
            response.headers["Location"] = route.location
        return response

    def _response(self, status: int, media: str, body: bytes, request: Mapping[str, str], modified: str) -> Response:
        is_text = media.startswith("text/")
        headers = {"Content-Type": f"{media}; charset={self.charset}" if is_text and self.charset else media}
        headers["Server"] = self.server
        if status == 200:
            tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            headers |= {"ETag": tag, "Last-Modified": http_date(modified)}
            if _is_fresh(request, tag, modified):
                return Response(304, headers, b"")
        if self.is_gzipped and not media.startswith("image/"):
            headers["Vary"] = "Accept-Encoding"
            if "gzip" in request.get("accept-encoding", ""):
                headers["Content-Encoding"] = "gzip"
                body = gzip.compress(body, 6, mtime=0)
        headers["Content-Length"] = str(len(body))
        return Response(status, headers, body)


def http_date(iso: str) -> str:
    """Format a time for an HTTP header.

    >>> http_date("2012-05-18T13:00:00+01:00")
    'Fri, 18 May 2012 12:00:00 GMT'
    """
    when = moment(iso)
    when = when.astimezone(UTC) if when.tzinfo else when.replace(tzinfo=UTC)
    return format_datetime(when, usegmt=True)


def _is_fresh(request: Mapping[str, str], tag: str, modified: str) -> bool:
    if "if-none-match" in request:
        known = [name.strip().removeprefix("W/") for name in request["if-none-match"].split(",")]
        return tag in known or "*" in known
    if "if-modified-since" in request:
        try:
            since = parsedate_to_datetime(request["if-modified-since"])
        except ValueError:
            return False  # a date that cannot be read is to be ignored (RFC 9110, 13.1.3)
        since = since if since.tzinfo else since.replace(tzinfo=UTC)
        return parsedate_to_datetime(http_date(modified)) <= since
    return False


def moved(location: str, *, status: int = 301) -> Route:
    """Return a route that redirects."""
    body = f'<html><head><title>{status} Moved</title></head><body><a href="{location}">Moved here</a></body></html>\n'
    return Route(lambda: body, status=status, location=location, is_listed=False)


def plain_file(content: str, media: str = "text/plain") -> Route:
    """Return a route to a file that is not a page."""
    return Route(lambda: content.encode(), media=media, is_listed=False)
