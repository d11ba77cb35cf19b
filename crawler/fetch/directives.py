"""What a page asks of robots: meta robots, X-Robots-Tag, rel=canonical."""

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
    """`said` are the words that applied, sorted, so that they can be recorded as they were."""

    noindex: bool = False
    nofollow: bool = False
    noarchive: bool = False
    said: tuple[str, ...] = ()


def page_directives(
    headers: Iterable[tuple[str, str]], metas: Iterable[tuple[str, str]], agent: str = AGENT
) -> Directives:
    """The directives for an agent of a page's headers and meta tags (name, content).

    Those that are addressed to another agent do not count; those for all and those for this one add up, as the stricter
    of two always wins.

    >>> page_directives([("X-Robots-Tag", "otherbot: noindex, nofollow")], [("ROBOTS", "NoArchive")])
    Directives(noindex=False, nofollow=False, noarchive=True, said=('noarchive',))
    >>> page_directives([], [("parcels", "none")]).noindex
    True
    """
    token = agent.partition("/")[0].strip().lower()
    said: set[str] = set()
    for name, value in headers:
        if name.lower() == HEADER:
            said |= _words_of_header(value, token)
    for name, content in metas:
        if name.strip().lower() in (_ALL_ROBOTS, token):
            said |= _words(content)
    is_none = "none" in said
    return Directives(
        is_none or "noindex" in said, is_none or "nofollow" in said, "noarchive" in said or "nocache" in said,
        tuple(sorted(said)),
    )  # fmt: skip


def metas_of(root: etree._Element) -> list[tuple[str, str]]:
    """The meta tags of a page that have a name, for `page_directives`."""
    return [(element.get("name") or "", element.get("content") or "") for element in root.iter("meta")]


def canonical_link(root: etree._Element | None, headers: Iterable[tuple[str, str]], *, url: str) -> str | None:
    """The canonical address that a page or its Link header states; the first that can be one counts.

    >>> canonical_link(None, [("Link", '<https://a.example/x?utm_source=y>; rel="canonical"')], url="http://a.example/")
    'https://a.example/x'
    """
    for name, value in headers:
        if name.lower() == "link":
            for target, parameters in _LINK.findall(value):
                rel = _REL.search(parameters)
                if rel and "canonical" in rel[1].lower().split() and (found := canonical(target.strip(), url)):
                    return found
    if root is None:
        return None
    for element in root.iter("link"):
        href = (element.get("href") or "").strip()
        if href and "canonical" in (element.get("rel") or "").lower().split():
            found = canonical(href, base_of(root, url))
            if found:
                return found
    return None


def _words_of_header(value: str, token: str) -> set[str]:
    """A header may begin with the name of the agent that it is for: `otherbot: noindex`; one header may name several.

    >>> sorted(_words_of_header("bot: noindex, parcels: nofollow, noarchive", "parcels"))
    ['noarchive', 'nofollow']
    """
    said: set[str] = set()
    is_ours = True
    for part in value.split(","):
        form = _AGENT_FORM.fullmatch(part)
        if form and form[1].lower() not in _WITH_VALUE:
            is_ours, part = form[1].lower() in (token, "*", _ALL_ROBOTS), form[2]
        if is_ours:
            said |= _words(part)
    return said


def _words(text: str) -> set[str]:
    """The directives of a list, with commas or without; a value (`max-snippet:-1`) is left out."""
    return {word.lower() for word in _WORD.findall(text)}
