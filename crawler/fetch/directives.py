"""Read a page's directives for robots: meta robots, X-Robots-Tag, rel=canonical."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from lxml import etree

from crawler.fetch.robots import AGENT
from crawler.seeds.discover import base_of
from parcels.urls import canonical

HEADER = "x-robots-tag"
_ALL_ROBOTS = "robots"
_AGENT_FORM = re.compile(r"\s*([\w.-]+)\s*:\s*(.*)", re.S)
_WITH_VALUE = frozenset(["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"])
_LINK = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+\s*(?:=\s*(?:\"[^\"]*\"|[^\s\",;]*))?)*)")
_WORD = re.compile(r"(?<![\w:.-])[A-Za-z][A-Za-z_-]{2,39}(?![\w])")
_REL = re.compile(r";\s*rel\s*=\s*\"?([^\";]*)", re.I)


class Directives(NamedTuple):
    """The directives for one agent; `words` are those that applied, sorted, for the record."""

    noindex: bool = False
    nofollow: bool = False
    noarchive: bool = False
    words: tuple[str, ...] = ()


def page_directives(
    headers: Iterable[tuple[str, str]], metas: Iterable[tuple[str, str]], agent: str = AGENT
) -> Directives:
    """Return the directives for an agent from a page's headers and meta tags (name, content).

    Directives for other agents do not count. Those for all agents and for this one are combined: the stricter wins.

    >>> page_directives([("X-Robots-Tag", "otherbot: noindex, nofollow")], [("ROBOTS", "NoArchive")])
    Directives(noindex=False, nofollow=False, noarchive=True, words=('noarchive',))
    >>> page_directives([], [("parcels", "none")]).noindex
    True
    """
    token = agent.partition("/")[0].strip().lower()
    words: set[str] = set()
    for name, value in headers:
        if name.lower() == HEADER:
            words |= _words_of_header(value, token)
    for name, content in metas:
        if name.strip().lower() in (_ALL_ROBOTS, token):
            words |= _words(content)
    is_none = "none" in words
    return Directives(
        is_none or "noindex" in words, is_none or "nofollow" in words, "noarchive" in words or "nocache" in words,
        tuple(sorted(words)),
    )  # fmt: skip


def metas_of(root: etree._Element) -> list[tuple[str, str]]:
    """Return name and content of a page's meta tags, for `page_directives`."""
    return [(element.get("name") or "", element.get("content") or "") for element in root.iter("meta")]


def canonical_link(root: etree._Element | None, headers: Iterable[tuple[str, str]], *, url: str) -> str | None:
    """Return the first valid canonical address in the Link headers or the `link` elements of a page.

    >>> canonical_link(None, [("Link", '<https://a.example/x?utm_source=y>; rel="canonical"')], url="http://a.example/")
    'https://a.example/x'
    """
    for name, value in headers:
        if name.lower() == "link":
            for target, parameters in _LINK.findall(value):
                rel = _REL.search(parameters)
                if rel and "canonical" in rel[1].lower().split() and (address := canonical(target.strip(), url)):
                    return address
    if root is None:
        return None
    for element in root.iter("link"):
        href = (element.get("href") or "").strip()
        if href and "canonical" in (element.get("rel") or "").lower().split():
            address = canonical(href, base_of(root, url))
            if address:
                return address
    return None


def _words_of_header(value: str, token: str) -> set[str]:
    """Return the directives of a header for an agent: a header may name the agents that its parts are for.

    >>> sorted(_words_of_header("bot: noindex, parcels: nofollow, noarchive", "parcels"))
    ['noarchive', 'nofollow']
    """
    words: set[str] = set()
    is_ours = True
    for part in value.split(","):
        form = _AGENT_FORM.fullmatch(part)
        if form and form[1].lower() not in _WITH_VALUE:
            is_ours, part = form[1].lower() in (token, "*", _ALL_ROBOTS), form[2]
        if is_ours:
            words |= _words(part)
    return words


def _words(text: str) -> set[str]:
    """Return the directives in a list, with commas or without; values (`max-snippet:-1`) are left out."""
    return {word.lower() for word in _WORD.findall(text)}
