"""Which records of an archive are imported: conditions on headers, checked before the body is read, and on the page."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from parcels.errors import ConfigError, SkipRecord
from parcels.inputs import MAX_BYTES
from parcels.urls import host_of

HTML_TYPES = ("text/html", "application/xhtml+xml")
SUCCESS = ((200, 299),)
LANGUAGE_BYTES = 100_000  # of a page, whose text decides the language
ROBOTS_HEAD = 50_000  # bytes of a page in which <meta name="robots"> is looked for
_HIDDEN = re.compile(r"<(script|style|noscript|template)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<[^>]*>", re.I | re.S)
_META = re.compile(rb"<meta\b[^>]*>", re.I)
_ROBOTS_NAME = re.compile(rb"\bname\s*=\s*[\"']?\s*(?:robots|googlebot)\b", re.I)
_CONTENT = re.compile(rb"\bcontent\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.I)
_WORD = re.compile(r"[a-z]+")


class LeftOut(Exception):
    """Raised for a record that is out of scope: counted, without a row in `rejects`."""

    def __init__(self, reason: str):
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True)
class RecordFilter:
    """The conditions of one import. The default takes every HTML page with a status of 200 to 299.

    >>> RecordFilter(hosts=("example.com",)).has_host("news.example.com"), RecordFilter().check_address("http://a/")
    (True, None)
    """

    statuses: tuple[tuple[int, int], ...] = SUCCESS
    types: tuple[str, ...] = HTML_TYPES
    hosts: tuple[str, ...] = ()  # these and their subdomains; empty for all
    not_hosts: tuple[str, ...] = ()
    url: str = ""  # a regular expression that an address must match somewhere
    not_url: str = ""
    languages: tuple[str, ...] = ()  # ISO 639-1; empty for all
    min_bytes: int = 0
    max_bytes: int = MAX_BYTES
    robots: tuple[str, ...] = ()  # directives that leave a page out: noindex, noarchive, ...
    is_unique: bool = False  # one page per content
    page_types: tuple[str, ...] = ()  # empty for all

    def __post_init__(self) -> None:
        for flag, pattern in (("--url", self.url), ("--not-url", self.not_url)):
            try:
                re.compile(pattern)
            except re.error as error:
                raise ConfigError(f"{flag} {pattern!r} is not a regular expression: {error}.") from error

    def settings(self) -> dict[str, Any]:
        """Return the conditions as plain data."""
        return asdict(self)

    def check_address(self, url: str | None) -> None:
        """Raise LeftOut for an address that is out of scope."""
        if (self.hosts or self.not_hosts) and not self.has_host(host_of(url or "") or ""):
            raise LeftOut("host")
        if self.url and not self._wanted.search(url or ""):
            raise LeftOut("address")
        if self.not_url and self._unwanted.search(url or ""):
            raise LeftOut("address")

    def has_host(self, host: str) -> bool:
        """Return whether a host is in scope."""
        return not _is_below(host, self.not_hosts) and (not self.hosts or _is_below(host, self.hosts))

    def check_status(self, status: int | None) -> None:
        """Raise SkipRecord for a status that is out of scope."""
        if status is not None and not any(first <= status <= last for first, last in self.statuses):
            raise SkipRecord("http-status", detail=str(status))

    def check_page(self, html: bytes, headers: Sequence[tuple[str, str]], content_type: str | None) -> None:
        """Raise SkipRecord for a page that is out of scope by its length, robots directives or language."""
        if len(html) < self.min_bytes:
            raise SkipRecord("too-short", detail=f"{len(html):,} bytes")
        if self.robots and (directives := robots_directives(html, headers) & set(self.robots)):
            raise SkipRecord("robots", detail=", ".join(sorted(directives)))
        if self.languages:
            language = language_of_page(html, content_type)
            if language not in self.languages:
                raise SkipRecord("language", detail=language or "unknown")

    @cached_property
    def _wanted(self) -> re.Pattern[str]:
        return re.compile(self.url)

    @cached_property
    def _unwanted(self) -> re.Pattern[str]:
        return re.compile(self.not_url)


def _is_below(host: str, domains: Sequence[str]) -> bool:
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def robots_directives(html: bytes, headers: Sequence[tuple[str, str]]) -> set[str]:
    """Return the directives of X-Robots-Tag and of <meta name="robots">; `none` counts as noindex and nofollow.

    >>> page = b"<meta content='NOINDEX, noarchive' name=robots>"
    >>> sorted(robots_directives(page, [("X-Robots-Tag", "noai")]))
    ['noai', 'noarchive', 'noindex']
    """
    stated = [value for name, value in headers if name.lower() == "x-robots-tag"]
    for tag in _META.findall(html[:ROBOTS_HEAD]):
        if _ROBOTS_NAME.search(tag) and (content := _CONTENT.search(tag)):
            stated.append(b"".join(part or b"" for part in content.groups()).decode("latin-1"))
    words = set(_WORD.findall(" ".join(stated).lower()))
    return words | {"noindex", "nofollow"} if "none" in words else words


def language_of_page(html: bytes, content_type: str | None) -> str | None:
    """Return the language of a page's text without parsing it; None where it is uncertain.

    >>> language_of_page("<p>Сильный пожар на старом пирсе начался ночью, никто не пострадал.".encode(), None)
    'ru'
    """
    from parcels.articles.fields.language import language_of
    from parcels.html.decode import decode

    head = html if len(html) <= LANGUAGE_BYTES else html[:LANGUAGE_BYTES].rpartition(b"<")[0]  # no half character
    text = decode(head, content_type).utf8.decode("utf-8", "replace")
    return language_of(" ".join(_HIDDEN.sub(" ", text).split()))
