"""Mark each leaf of a page with its block, in a copy of the page's tree.

An element whose only content is one text carries the mark itself; any other text gets a `parcels-leaf` around it. So
the browser's own parser may move things about, and the marks move with them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from lxml import etree

from parcels.divide import Division
from parcels.html.leaves import fold
from parcels.html.page import Page
from parcels.html.tags import VOID_BUT_NESTED

BLOCK, LEAF = "data-parcels-block", "data-parcels-leaf"
WRAPPER = "parcels-leaf"


def mark_leaves(rows: Sequence[Any], page: Page, division: Division) -> int:
    """Mark the leaves in `rows`, a copy of the page's elements in document order; returns how many were marked.

    >>> from parcels.divide import fine
    >>> from parcels.html.page import read_page
    >>> page = read_page("<p>One <b>two</b></p><img>")
    >>> mark_leaves(list(page.root.iter(etree.Element)), page, fine.divide(page))
    3
    >>> etree.tostring(page.root[0][0]).decode()
    '<p><parcels-leaf data-parcels-block="0" data-parcels-leaf="0">One </parcels-leaf>\
<b data-parcels-block="0" data-parcels-leaf="1">two</b></p>'
    """
    for element in rows:  # a page may carry the marks of another tool, or forge ours
        for name in (BLOCK, LEAF):
            if name in element.attrib:
                del element.attrib[name]
    block_of = np.searchsorted(division.first, np.arange(len(page.leaves)), "right") - 1
    blocks, owners, kinds = block_of.tolist(), page.leaves.node.tolist(), page.leaves.kind
    marked = 0
    for leaf, kind in enumerate(kinds):
        if kind != "text":
            _set(rows[owners[leaf]], leaf, blocks[leaf])
            marked += 1
    for leaf, (where, node) in _text_places(rows, page).items():
        if where == "text" and not len(node) and node.get(LEAF) is None:
            _set(node, leaf, blocks[leaf])
        else:
            _wrap(where, node, leaf, blocks[leaf])
        marked += 1
    return marked


def _set(element: Any, leaf: int, block: int) -> None:
    element.set(BLOCK, str(block))
    element.set(LEAF, str(leaf))


def _wrap(where: str, node: Any, leaf: int, block: int) -> None:
    wrapper: Any = etree.Element(WRAPPER)
    _set(wrapper, leaf, block)
    if where == "text":
        wrapper.text, node.text = node.text, None
        node.insert(0, wrapper)
    else:
        wrapper.text, node.tail = node.tail, None
        node.addnext(wrapper)


def _text_places(rows: Sequence[Any], page: Page) -> dict[int, tuple[str, Any]]:
    """Return where each text leaf is: as the text of an element, or after an element or comment."""
    number = {element: row for row, element in enumerate(rows)}
    texts, owners = page.leaves.text, page.leaves.node.tolist()
    wanted = [leaf for leaf, kind in enumerate(page.leaves.kind) if kind == "text"]
    places: dict[int, tuple[str, Any]] = {}
    at = 0
    for where, node, owner in _slots(rows[0]):
        if at == len(wanted):
            break
        text = node.text if where == "text" else node.tail
        if not text or text.isspace() or fold(text) != texts[wanted[at]]:
            continue
        while owner.tag in VOID_BUT_NESTED and owner.getparent() is not None:
            owner = owner.getparent()
        if number.get(owner) == owners[wanted[at]]:
            places[wanted[at]] = where, node
            at += 1
    return places


def _slots(root: Any) -> Any:
    """Yield every place for a text in document order, and the element that holds it."""
    for event, node in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start":
            yield "text", node, node
        elif node is not root and node.getparent() is not None:
            yield "tail", node, node.getparent()
