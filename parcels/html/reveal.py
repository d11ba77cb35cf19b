"""Show what a page hides only until its scripts have run. The tree is changed in place.

React streams late parts of a page as hidden elements at its end, each with a short script that moves it to
a `template` which keeps its place; and many pages hide their whole body until they are drawn.
"""

import re
from typing import Any

from lxml import etree

from parcels.scan import find

STREAMED = b'id="S:'  # React's id of a streamed part
_MOVES = re.compile(rb'\$R[CRB]\("(B:[^"]{1,80})","(S:[^"]{1,80})"|\$RS\("(S:[^"]{1,80})","(P:[^"]{1,80})"')
_HIDING = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)(?:\s*!\s*important)?\s*;?", re.I)
MAX_MOVED_PARTS = 2000  # parts that are moved; the others are shown at the page's end


def reveal(root: etree._Element, utf8: bytes) -> None:
    """Show the body, and what was streamed.

    >>> page = b'<body style="visibility:hidden"><p>a<template id="B:0"></template><p>c<div hidden id="S:0"><p>b</div>'
    >>> root = etree.HTML(page)
    >>> reveal(root, page)
    >>> "".join(root.itertext()), root.find("body").attrib
    ('abc', {})
    """
    for body in (root, next(root.iterchildren("body"), None)):
        if body is None:
            continue
        style = body.get("style")
        if style and _HIDING.search(style):
            left = _HIDING.sub("", style).strip()
            body.attrib.pop("style")
            if left:
                body.set("style", left)
        _show(body)
    if find(utf8, STREAMED, STREAMED.index(b"S")) >= 0:
        _place_streamed(root, utf8)


def _place_streamed(root: etree._Element, utf8: bytes) -> None:
    parts: dict[str, Any] = {}
    places: dict[str, Any] = {}
    for element in root.iter():
        name = element.get("id") if isinstance(element.tag, str) else None
        if name and name[:2] == "S:":
            parts.setdefault(name, element)
        elif name and element.tag == "template" and name[:2] in ("B:", "P:"):
            places.setdefault(name, element)
    for number, (name, place) in enumerate(_named_places(parts, utf8).items()):
        part, wrapper = parts[name], parts[name].getparent()
        _show(part)
        if wrapper is not None and wrapper.tag in ("table", "svg", "math"):
            _show(wrapper)  # rows came in a table of their own
        target = next((places[one] for one in place if one in places), None)
        if target is None or number >= MAX_MOVED_PARTS or part is target or part in target.iterancestors():
            continue
        _move(part, target)


def _show(element: Any) -> None:
    if element.get("hidden") is not None:
        del element.attrib["hidden"]


def _named_places(parts: dict[str, Any], utf8: bytes) -> dict[str, list[str]]:
    """Return for each streamed part the ids of its placeholder: from the script that moves it, else the same number."""
    placeholders = {name: [f"B:{name[2:]}", f"P:{name[2:]}"] for name in parts}
    for boundary, content, part, place in _MOVES.findall(utf8):
        name = (content or part).decode("utf-8", "replace")
        if name in placeholders:
            placeholders[name].insert(0, (boundary or place).decode("utf-8", "replace"))
    return placeholders


def _move(part: Any, target: Any) -> None:
    """Put an element before another; the text behind it stays where it was."""
    parent, tail = part.getparent(), part.tail
    if parent is None or target.getparent() is None:
        return
    if tail:
        before = part.getprevious()
        if before is not None:
            before.tail = (before.tail or "") + tail
        else:
            parent.text = (parent.text or "") + tail
        part.tail = None
    target.addprevious(part)
