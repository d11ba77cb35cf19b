"""Extract the links of a page in one pass: canonical addresses, anchors, rel, and the links of the head.

The tree is walked once, without Request objects. An address is canonicalised once per page, however often it is linked.
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
    """A link of a page."""

    target: str
    anchor: str
    rel: str | None


@dataclass(slots=True)
class PageLinks:
    """The links of a page. `root` is its tree, for further reading."""

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
    """Return the links of a page; an unreadable page has none, and the reason is stated.

    >>> page = links_of(b'<base href=/b/><a href="c#x" rel=NoFollow>One <b>two</b></a>', "http://a.example/")
    >>> page.links
    [Link(target='http://a.example/b/c', anchor='One two', rel='nofollow')]
    """
    page_links = PageLinks(html, base=url)
    try:
        page_links.root = parse(decode(html, content_type, where=url).utf8, where=url)
    except SkipRecord as skipped:
        page_links.skipped = skipped.reason
        return page_links
    known = page_links.known

    def address(element: etree._Element) -> str | None:
        href = (element.get("href") or "").strip()
        if not href or href[0] == "#":
            return None
        if href not in known:
            known[href] = canonical(href, page_links.base)
        return known[href]

    has_base = False
    for element in page_links.root.iter(*_TAGS):
        tag = element.tag
        if tag in ("a", "area"):
            target = address(element)
            if target is not None and len(page_links.links) < MAX_LINKS:
                rel = element.get("rel")
                page_links.links.append(Link(target, _anchor(element), rel.strip().lower() if rel else None))
        elif tag == "link":
            _read_head(page_links, element, address(element))
        elif tag == "meta":
            name = element.get("name")
            if name:
                page_links.metas.append((name, element.get("content") or ""))
        elif not has_base and element.get("href"):
            has_base = True
            page_links.base = canonical(element.get("href") or "", url) or url
            known.clear()
    return page_links


def _read_head(page_links: PageLinks, element: etree._Element, target: str | None) -> None:
    rel = (element.get("rel") or "").lower()
    if target is None or not rel:
        return
    words = rel.split()
    if "stylesheet" in words and "alternate" not in words:
        if target not in page_links.sheets:
            page_links.sheets.append(target)
    else:
        page_links.heads.append((rel, (element.get("type") or "").lower(), target))


def _anchor(element: etree._Element) -> str:
    if len(element) == 0:
        text = element.text or ""
    else:
        text = "".join(map(str, element.itertext("*"))) if element.tag == "a" else ""
        if not text.strip():
            text = next((image.get("alt") or "" for image in element.iter("img")), "")
    text = " ".join(text.split())
    return text[:MAX_ANCHOR] or (element.get("alt") or element.get("title") or "")[:MAX_ANCHOR]
