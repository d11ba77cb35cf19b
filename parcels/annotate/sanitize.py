"""Sanitize a stored page: keep its appearance, remove everything that runs, navigates or sends a request.

What is kept is listed, the rest goes: elements that load or run something, every attribute that is not known to be
harmless, all addresses. Each leaf's element, or a `parcels-leaf` around its text, carries the number of its block. The
frame that shows it forbids scripts and requests once more (see `guard.py`).
"""

import copy
import html as html_text
import re
from typing import Any
from urllib.parse import quote

from lxml import etree

from parcels.annotate.leaf_marks import mark_leaves
from parcels.annotate.safe_css import safe_css
from parcels.css.sheets.source import SheetSource
from parcels.divide import Division
from parcels.html.page import Page
from parcels.html.parse import is_in_quirks_mode
from parcels.layout.boxes import Layout
from parcels.layout.chromium.sheets import Inliner

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
PLACEHOLDER_TAG = "parcels-gone"  # stands where something was, so that `:nth-child` counts as before
# What loads, runs or leads on. In the head they are dropped; elsewhere something empty takes their place.
_EMPTIED_NAMES = (
    "script noscript template meta base link title object applet param frame frameset portal animate animatetransform "
    "animatemotion set foreignobject bgsound isindex keygen noembed noframes math"
)
_EMPTIED = frozenset(_EMPTIED_NAMES.split())
_RAW = frozenset(["plaintext", "xmp", "listing"])  # what is in them would be read as text only, or to the page's end
_KEPT_NAMES = (
    "class id style title alt width height align valign bgcolor border cellpadding cellspacing colspan rowspan dir "
    "lang type value placeholder size rows cols checked disabled hidden open start face color hspace vspace nowrap "
    "media role span clear noshade compact reversed multiple selected label link vlink alink text topmargin leftmargin "
    "marginwidth marginheight char charoff frame rules d viewbox fill stroke stroke-width stroke-linecap "
    "stroke-linejoin points x y x1 y1 x2 y2 cx cy r rx ry transform fill-rule clip-rule opacity fill-opacity "
    "stroke-opacity preserveaspectratio offset stop-color xmlns version datetime"
)
_KEPT = frozenset(_KEPT_NAMES.split())
_KEPT_PREFIXES = ("data-", "aria-")
_DATA_IMAGE = re.compile(r"data:image/(?:png|gif|jpe?g|webp);base64,[A-Za-z0-9+/=\s]+", re.I)
MIN_IMAGE_CHARS, MAX_IMAGE_CHARS = 300, 400_000  # characters: what is shorter is a pixel that waits for a script
UNKNOWN_SIZE = (300.0, 150.0)  # of an image of which nothing says its size: HTML's own for what it does not know

FRAME_CSS = f"""
parcels-leaf {{ all: unset !important }}
{PLACEHOLDER_TAG} {{ display: none !important }}
html, body {{ overflow: visible !important }}
html {{ scrollbar-width: none }}
video, audio, iframe, embed {{ background: #d5dbe1; border: 0 }}
* {{ animation: none !important; transition: none !important; caret-color: transparent !important }}
"""


def clean_html(page: Page, division: Division, sheets: SheetSource, layout: Layout | None = None) -> str:
    """Return the sanitized page for the frame."""
    root = copy.deepcopy(page.root)
    rows = list(root.iter(etree.Element))
    base = next((element.get("href") or "" for element in root.iter("base")), "")
    inliner = Inliner(sheets, page.url, base)
    mark_leaves(rows, page, division)
    for remark in root.iter(etree.Comment, etree.ProcessingInstruction):
        remark.text = ""  # its place stays: it keeps two texts apart
    for row, element in enumerate(rows):
        _clean(element, inliner, None if layout is None else layout.nodes[row].tolist())
    _head(root).append(_style(FRAME_CSS))
    doctype = "<!DOCTYPE html>" if _is_standard(page) else ""
    text: str = etree.tostring(root, method="html", encoding="unicode", with_tail=False)
    return f"{doctype}\n{text}"


def _is_standard(page: Page) -> bool:
    """Return whether browsers render the page in standards mode: the frame must do so too."""
    return not is_in_quirks_mode(page.root)


def _clean(element: Any, inliner: Inliner, box: list[float] | None) -> None:
    tag = str(element.tag).lower()
    if tag == "style" and next(element.iterancestors("svg"), None) is not None:
        _empty(element)  # a browser reads tags there, the parser does not
    elif tag == "style":
        text = inliner.complete(element.text or "")
        _clean_attributes(element)
        element.text = _storable(safe_css(text))
    elif tag == "link" and (sheet := _linked(element, inliner)) is not None:
        media = element.get("media")
        element.attrib.clear()
        element.tag, element.text = "style", _storable(safe_css(sheet))
        if media:
            element.set("media", media)
    elif tag in _EMPTIED or not re.fullmatch(r"[a-z][a-z0-9.-]*", tag):
        _empty(element)
    else:
        _clean_attributes(element)
        if tag in ("img", "image"):
            _show_placeholder(element, box)
        elif tag == "iframe":
            element.text = None
            element.set("sandbox", "")
        elif tag in _RAW:
            element.tag = "pre"


def _linked(link: Any, inliner: Inliner) -> str | None:
    words = (link.get("rel") or "").lower().split()
    address = link.get("href")
    is_sheet = "stylesheet" in words and "alternate" not in words and link.get("disabled") is None
    return inliner.linked(address) if is_sheet and address else None


def _empty(element: Any) -> None:
    """Empty an element but keep its place; in the head, make it a style element, which does not end the head."""
    parent = element.getparent()
    for child in list(element):
        element.remove(child)
    element.text = None
    element.attrib.clear()
    if parent is None:
        element.tag = "html"
    elif parent.tag in ("head", "html"):
        element.tag = "style"
    else:
        element.tag = PLACEHOLDER_TAG


def _clean_attributes(element: Any) -> None:
    """Remove all attributes but the harmless ones, and sanitize their values."""
    has_target = element.tag in ("a", "area") and element.get("href") is not None
    for name, value in list(element.attrib.items()):
        low = name.lower()
        if low == "src" and element.tag == "img" and _DATA_IMAGE.fullmatch(value.strip()):
            continue
        if element.tag == "use" and low in ("href", "xlink:href") and re.fullmatch(r"#[\w.:-]+", value):
            continue  # a picture that stands elsewhere on the page
        if low not in _KEPT and not low.startswith(_KEPT_PREFIXES):
            del element.attrib[name]
        elif low == "style":
            element.set(name, _storable(safe_css(value)))
        elif "url(" in value.lower() and low != "title":
            del element.attrib[name]
    if has_target:
        element.set("href", "#")  # a browser colours links by this, and only then
    if element.tag == "input" and (element.get("type") or "").lower() in ("file", "image", "password"):
        element.set("type", "text")


def _show_placeholder(image: Any, box: list[float] | None) -> None:
    """Replace a missing picture by a grey one of the same size."""
    source = (image.get("src") or "").strip()
    if MIN_IMAGE_CHARS <= len(source) <= MAX_IMAGE_CHARS:
        return
    width, height = _size(image, box)
    image.tag = "img"
    image.set("src", placeholder(width, height))
    image.set("alt", "")


def _size(image: Any, box: list[float] | None) -> tuple[float, float]:
    stated = [_pixels(image.get(name)) for name in ("width", "height")]
    if stated[0] and stated[1]:
        return stated[0], stated[1]
    if box is not None and all(2 <= side <= 5000 for side in box[2:]):  # NaN is not between
        return box[2], box[3]
    return stated[0] or UNKNOWN_SIZE[0], stated[1] or UNKNOWN_SIZE[1]


def _pixels(value: str | None) -> float | None:
    match = re.match(r"\s*(\d{1,4}(?:\.\d+)?)\s*(?:px)?\s*$", value or "")
    return float(match[1]) if match and float(match[1]) >= 1 else None


def placeholder(width: float, height: float) -> str:
    """Return an image of a size as a data URL.

    >>> placeholder(20, 10)[:40]
    'data:image/svg+xml,%3Csvg xmlns=%22http:'
    """
    w, h = f"{width:g}", f"{height:g}"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
        f'preserveAspectRatio="none"><rect width="{w}" height="{h}" fill="#d5dbe1"/>'
        f'<path d="M0 0L{w} {h}M{w} 0L0 {h}" stroke="#b8c1ca" vector-effect="non-scaling-stroke"/></svg>'
    )
    return "data:image/svg+xml," + quote(svg, safe=" /:=")


def _head(root: Any) -> Any:
    head = root.find("head")
    if head is None:
        head = etree.Element("head")
        root.insert(0, head)
    return head


def _style(text: str) -> Any:
    style: Any = etree.Element("style")
    style.text = text
    return style


def _storable(text: str) -> str:
    return _NOT_XML.sub(" ", text)


def error_html(message: str) -> str:
    """Return a page that shows an error message."""
    return f"<!DOCTYPE html><meta charset=utf-8><p style='font: 16px sans-serif'>{html_text.escape(message)}"
