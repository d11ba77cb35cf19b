"""Rewrite a page in the markup of twenty years ago: identical leaves in the same order, other elements.

Labelled pages are of the last ten years; pages of archives are not. Training on both forms of a page keeps a model from
leaning on what only new pages have: `<nav>`, `<article>`, lists, paragraphs, telling classes, structured data. Each
form of ageing happens to a page or not, by chance that follows from the page's name.
"""

import random
import re
from dataclasses import dataclass
from typing import Any

import lxml.html
from lxml import etree

from parcels.html.page import Page

KEPT = frozenset([
    "href", "src", "alt", "title", "width", "height", "type", "name", "value", "placeholder", "action", "method",
    "hidden", "border", "colspan", "rowspan",
])  # fmt: skip
NEW_BLOCKS = (
    "header", "nav", "main", "section", "article", "aside", "footer", "figure", "figcaption", "hgroup", "details",
    "summary",
)  # fmt: skip
PLAIN = dict.fromkeys(NEW_BLOCKS, "div") | dict.fromkeys(["time", "mark", "output", "data"], "span")
HEADINGS = {"h1": "5", "h2": "4", "h3": "3", "h4": "3", "h5": "2", "h6": "2"}
HIDES = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
SIDE = re.compile(r"side|aside|column|\bcol\b|col-|left|right|rail", re.I)
LEAST_LEAVES = 3  # of each part of a page that becomes a cell
MOST_TABLES = 5  # one in another
LEAFY = frozenset(["img", "input", "select", "textarea", "iframe", "video", "audio", "embed"])
AGED_SHARE = 0.5  # of the labelled pages: the others are learned from as they are only
# How often each form of ageing happens to a page.
NO_NAMES, NO_HEADINGS, NO_PARAGRAPHS, NO_LISTS, TABLES = 0.6, 0.6, 0.4, 0.6, 0.8


@dataclass(frozen=True, slots=True)
class Age:
    """The changes to one page."""

    no_names: bool
    no_headings: bool
    no_paragraphs: bool
    no_lists: bool
    tables: bool

    @classmethod
    def of(cls, name: str) -> "Age":
        """Draw the changes at random from a seed, the page's name."""
        draw = random.Random(f"aged {name}").random
        return cls(*(draw() < share for share in (NO_NAMES, NO_HEADINGS, NO_PARAGRAPHS, NO_LISTS, TABLES)))


def is_aged(name: str) -> bool:
    """Return True for the half of the pages, by name, that are also learned from in old markup."""
    return random.Random(f"is aged {name}").random() < AGED_SHARE


def aged(page: Page, age: Age | None = None) -> bytes:
    """Return the page's document in old markup."""
    age = age or Age.of(page.name or page.url or "")
    root = lxml.html.document_fromstring(etree.tostring(page.root, encoding="utf-8", method="html"), parser=_parser())
    etree.strip_elements(root, "script", "style", "link", "meta", with_tail=False)
    body = root.find("body")
    if body is not None:
        if age.tables:
            _lay_in_tables(body, 0)
        for element in list(body.iter(etree.Element)):
            _age_element(element, age)
    text: bytes = etree.tostring(root, encoding="utf-8", method="html")
    return b'<meta charset="utf-8">' + text


def _parser() -> lxml.html.HTMLParser:
    return lxml.html.HTMLParser(encoding="utf-8", huge_tree=True)


def _age_element(element: Any, age: Age) -> None:
    """Replace elements newer than tables, and drop attributes that describe the content."""
    attributes = element.items()
    element.attrib.clear()  # at once: a damaged page has attributes whose names lxml cannot look up (`<p {a="1">`)
    for key, value in attributes:
        if key in KEPT or (key == "style" and HIDES.search(value)) or (key in ("class", "id") and not age.no_names):
            element.set(key, value)
    tag = PLAIN.get(element.tag, element.tag)
    if age.no_headings and tag in HEADINGS:
        element.set("size", HEADINGS[tag])
        tag = "font"
        _break_after(element)
    elif age.no_paragraphs and tag == "p":
        tag = "span"
        _break_after(element, 2)
    elif age.no_lists and tag in ("li", "dt", "dd"):
        tag = "span"
        _break_after(element)
    elif age.no_lists and tag in ("ul", "ol", "dl"):
        tag = "div"
    if tag != element.tag:  # what a damaged page made an element of (`<ahref="…">`) cannot be named again
        element.tag = tag


def _break_after(element: Any, count: int = 1) -> None:
    parent = element.getparent()
    if parent is None:
        return
    tail, element.tail = element.tail, None
    place = parent.index(element) + 1
    for number in range(count):
        parent.insert(place + number, etree.Element("br"))
    parent[place + count - 1].tail = tail


def _lay_in_tables(element: Any, depth: int) -> None:
    """Turn containers of large parts into tables: a row a part, or a cell a part where one is called a side."""
    parts = [child for child in element if isinstance(child.tag, str)]
    large = [child for child in parts if _leaves(child) >= LEAST_LEAVES]
    if depth >= MOST_TABLES or not large:
        return
    for child in large:
        _lay_in_tables(child, depth + (len(large) > 1))
    has_text = bool((element.text or "").strip()) or any((child.tail or "").strip() for child in element)
    if len(large) < 2 or has_text or element.tag not in ("body", "div", "section", "main", "article"):
        return
    is_row = len(large) <= 4 and any(SIDE.search(f"{c.get('class')} {c.get('id')} {c.tag}") for c in large)
    table = etree.Element("table", width="100%", border="0")
    row = None
    for child in parts:
        if row is None or not is_row:
            row = etree.SubElement(table, "tr")
        etree.SubElement(row, "td", valign="top").append(child)
    if element.tag == "body":
        element.append(table)
    else:
        element.insert(0, table)


def _leaves(element: Any) -> int:
    """Return the approximate number of leaves of an element."""
    count = 0
    for inner in element.iter(etree.Element):
        count += inner.tag in LEAFY
        count += bool((inner.text or "").strip()) + (inner is not element and bool((inner.tail or "").strip()))
        if count > 3 * LEAST_LEAVES:
            break
    return count
