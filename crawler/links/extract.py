"""The links of a page in one pass: canonical addresses, anchors, rel, and what the head names.

One tree, one walk, no Request object: an address is canonicalised once a page however often it is linked.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from lxml import etree

from parcels.errors import SkipRecord
from parcels.html.decode import decode
from parcels.html.parse import parse
from parcels.urls import canonical

MAX_LINKS = 10_000  # of one page; what has more is a trap or a dump
MAX_ANCHOR = 500  # characters
_TAGS = ("a", "area", "link", "base", "meta")


class Link(NamedTuple):
    """One link, in document order."""

    target: str
    anchor: str
    rel: str | None


@dataclass(slots=True)
class PageLinks:
    """What a page leads to. `root` is its tree, for whoever wants to know more."""

    html: bytes = b""
    root: etree._Element | None = None
    base: str = ""
    links: list[Link] = field(default_factory=list)
    sheets: list[str] = field(default_factory=list)  # canonical addresses, each once
    metas: list[tuple[str, str]] = field(default_factory=list)  # name and content
    heads: list[tuple[str, str, str]] = field(default_factory=list)  # rel, type and address of the other head links
    known: dict[str, str | None] = field(default_factory=dict)  # what each href stands for
    skipped: str | None = None  # why the page could not be read


def links_of(html: bytes, url: str, content_type: str | None = None) -> PageLinks:
    """The links of a page; a page that cannot be read has none, and says why.

    >>> found = links_of(b'<base href=/b/><a href="c#x" rel=NoFollow>One <b>two</b></a>', "http://a.example/")
    >>> found.links
    [Link(target='http://a.example/b/c', anchor='One two', rel='nofollow')]
    """
    found = PageLinks(html, base=url)
    try:
        found.root = parse(decode(html, content_type, where=url).utf8, where=url)
    except SkipRecord as skipped:
        found.skipped = skipped.reason
        return found
    known = found.known

    def address(element: etree._Element) -> str | None:
        href = (element.get("href") or "").strip()
        if not href or href[0] == "#":
            return None
        if href not in known:
            known[href] = canonical(href, found.base)
        return known[href]

    has_base = False
    for element in found.root.iter(*_TAGS):
        tag = element.tag
        if tag in ("a", "area"):
            target = address(element)
            if target is not None and len(found.links) < MAX_LINKS:
                rel = element.get("rel")
                found.links.append(Link(target, _anchor(element), rel.strip().lower() if rel else None))
        elif tag == "link":
            _read_head(found, element, address(element))
        elif tag == "meta":
            name = element.get("name")
            if name:
                found.metas.append((name, element.get("content") or ""))
        elif not has_base and element.get("href"):
            has_base = True
            found.base = canonical(element.get("href") or "", url) or url
            known.clear()
    return found


def _read_head(found: PageLinks, element: etree._Element, target: str | None) -> None:
    rel = (element.get("rel") or "").lower()
    if target is None or not rel:
        return
    words = rel.split()
    if "stylesheet" in words and "alternate" not in words:
        if target not in found.sheets:
            found.sheets.append(target)
    else:
        found.heads.append((rel, (element.get("type") or "").lower(), target))


def _anchor(element: etree._Element) -> str:
    if len(element) == 0:
        text = element.text or ""
    else:
        text = "".join(map(str, element.itertext("*"))) if element.tag == "a" else ""
        if not text.strip():
            text = next((image.get("alt") or "" for image in element.iter("img")), "")
    text = " ".join(text.split())
    return text[:MAX_ANCHOR] or (element.get("alt") or element.get("title") or "")[:MAX_ANCHOR]
