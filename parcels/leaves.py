"""One walk over the tree: every element a row of flat arrays, every visible leaf in document order.

A leaf is a text node, an image or other medium, or a form control of the body that neither the `hidden` attribute nor
an inline `display:none` / `visibility:hidden` hides, itself or by an ancestor; what style sheets hide is marked later.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from parcels.tags import BLOCK_LEVEL, COMMENT, CONTROLS, MEDIA, NUMBER, OTHER, PASSED_OVER, VOID_BUT_NESTED, lookup

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_LEAF_TAGS = MEDIA | CONTROLS
# What stands inside these is the element's own value, or another document. The head is looked into: an unknown
# element there ends it for a browser, but not for the parser, which then hangs the whole page below it.
_OPAQUE = (PASSED_OVER - {"head"}) | {"iframe", "textarea", "select"}
_IS_VOID = lookup(" ".join(VOID_BUT_NESTED))
_NUMBER: dict[Any, int] = {
    **NUMBER,
    etree.Comment: COMMENT,
    etree.ProcessingInstruction: COMMENT,
    etree.Entity: COMMENT,
}
_BREAKS_LINE = frozenset([*BLOCK_LEVEL.split(), "br", "button"])


@dataclass(frozen=True, slots=True)
class Nodes:
    """The page's elements in document order; row 0 is the root."""

    elements: list[etree._Element]
    tag: NDArray[np.int16]  # number in parcels.tags
    parent: Ints  # -1 for the root
    depth: Ints
    last: Ints  # the last row of the element's subtree (its own row where it has no children)
    first_leaf: Ints  # the leaves of the subtree: from this one
    end_leaf: Ints  # up to the one before this
    is_visible: Bools
    link: Ints  # the row of the nearest `a`, itself or an ancestor; -1 outside links
    styled: Ints  # the rows that have a style attribute, of those in sight

    def __len__(self) -> int:
        return len(self.elements)


@dataclass(frozen=True, slots=True)
class Leaves:
    """The page's visible leaves in document order."""

    kind: list[str]  # text, img, video, audio, iframe, embed, input, textarea, select
    text: list[str]  # white space folded
    node: Ints  # the row of the element that holds the text, or is the medium or control
    opened: Ints  # how many elements were opened before the leaf ends: what opens between two leaves lies between these
    is_spaced: Bools  # white space or a line's end stands between this leaf and the one before it
    is_link: Bools

    def __len__(self) -> int:
        return len(self.kind)


def fold(text: str) -> str:
    r"""Text with every run of white space as one blank, none at the ends.

    >>> fold("  Two\n\t words ")
    'Two words'
    """
    return " ".join(text.split())


def walk(root: etree._Element) -> tuple[Nodes, Leaves]:
    """The nodes and the visible leaves of a page.

    >>> _, leaves = walk(etree.HTML("<p>One <b>two</b><img alt=three> <i hidden>four</i>"))
    >>> list(zip(leaves.kind, leaves.text))
    [('text', 'One'), ('text', 'two'), ('img', 'three')]
    """
    return _Walk(root).result()


class _Walk:
    """The walk, step by step. A row is an element or a comment (text stands behind comments too), in document order.

    Each row has two moments: it opens (then comes its own text) and it closes (then comes its tail). Moments are
    counted beforehand, so that texts come out in document order without sorting.
    """

    def __init__(self, root: etree._Element):
        self.elements = list(root.iter())
        count = len(self.elements)
        row_of: dict[etree._Element | None, int] = dict(zip(self.elements, range(count), strict=True))
        self.tags = [element.tag for element in self.elements]
        self.parent = [-1, *[row_of[element.getparent()] for element in self.elements[1:]]]
        depth, size = [0] * count, [1] * count
        for row in range(1, count):
            depth[row] = depth[self.parent[row]] + 1
        for row in range(count - 1, 0, -1):
            size[self.parent[row]] += size[row]
        self.depth, self.size = np.array(depth, np.int32), np.array(size, np.int32)
        self.opens = 2 * np.arange(count, dtype=np.int32) - self.depth
        self.closes = self.opens + 2 * self.size - 1
        # What happens at a moment: a text, or an element that is a leaf (by its row); and whose it is.
        self.moments: list[str | int | None] = [None] * (2 * count)
        self.owners = [0] * (2 * count)
        self.is_visible = [True] * count
        self.link = [-1] * count
        self.styled: list[int] = []

    def result(self) -> tuple[Nodes, Leaves]:
        self.fill_openings()
        self.fill_closings()
        kinds, texts, spaced, moments = self.leaves()
        moment = np.array(moments, np.int32)
        is_opening = np.zeros(len(self.moments), np.int32)
        is_opening[self.opens] = 1
        link = np.array(self.link, np.int32)
        nodes = Nodes(
            self.elements,
            np.array([_NUMBER.get(tag, OTHER) for tag in self.tags], np.int16),
            np.array(self.parent, np.int32),
            self.depth,
            np.arange(len(self.size), dtype=np.int32) + self.size - 1,
            np.searchsorted(moment, self.opens).astype(np.int32),
            np.searchsorted(moment, self.closes).astype(np.int32),
            np.array(self.is_visible),
            link,
            np.array(self.styled, np.int32),
        )
        node = np.array(self.owners, np.int32)[moment]
        leaves = Leaves(kinds, texts, node, np.cumsum(is_opening, dtype=np.int32)[moment], spaced, link[node] >= 0)
        return _without_comments(*_without_nesting(nodes, leaves))

    def fill_openings(self) -> None:
        """Visibility and links from the root downwards, and what stands where an element opens."""
        elements, tags, parent, is_visible, link = self.elements, self.tags, self.parent, self.is_visible, self.link
        moments, owners, styled = self.moments, self.owners, self.styled
        moments[0] = elements[0].text
        for row, moment in enumerate(self.opens.tolist()):
            above = parent[row]
            tag = tags[row]
            link[row] = row if tag == "a" else link[above]
            if row == 0:
                continue
            if not is_visible[above] or tag.__class__ is not str:
                is_visible[row] = False
                continue
            element = elements[row]
            style = element.get("style")
            if style is not None:
                styled.append(row)
            if (style is not None and _HIDING.search(style)) or element.get("hidden") is not None:
                is_visible[row] = False
                continue
            owners[moment] = row
            if tag in _LEAF_TAGS:
                if tag != "input" or (element.get("type") or "").lower() != "hidden":
                    moments[moment] = row
            elif tag not in _OPAQUE:
                text = element.text
                moments[moment] = " " + (text or "") if tag in _BREAKS_LINE else text
            if tag in _OPAQUE:
                is_visible[row] = False

    def fill_closings(self) -> None:
        """The text behind each element and comment."""
        elements, tags, parent, is_visible = self.elements, self.tags, self.parent, self.is_visible
        moments, owners = self.moments, self.owners
        for row, moment in enumerate(self.closes.tolist()):
            above = parent[row]
            if row and is_visible[above]:
                tail = elements[row].tail
                moments[moment] = " " + (tail or "") if tags[row] in _BREAKS_LINE else tail
                owners[moment] = above

    def leaves(self) -> tuple[list[str], list[str], Bools, list[int]]:
        """Kind, text, white space before, and moment of each leaf in document order."""
        kinds: list[str] = []
        texts: list[str] = []
        spaced: list[bool] = []
        at: list[int] = []
        is_spaced = True
        for moment, happens in enumerate(self.moments):
            if not happens:
                continue
            if isinstance(happens, int):
                element, tag = self.elements[happens], self.tags[happens]
                kinds.append(tag)
                texts.append(_medium_text(element) if tag in MEDIA else _control_text(element, tag))
                spaced.append(True)
                at.append(moment)
                is_spaced = True
                # Text inside a video stands in for it where it cannot be played.
                happens = (None if tag in _OPAQUE else element.text) or ""
                if not happens:
                    continue
            text = " ".join(happens.split())
            if not text:
                is_spaced = True
                continue
            kinds.append("text")
            texts.append(text)
            spaced.append(is_spaced or happens[0].isspace())
            at.append(moment)
            is_spaced = happens[-1].isspace()
        return kinds, texts, np.array(spaced, np.bool_), at


def _without_nesting(nodes: Nodes, leaves: Leaves) -> tuple[Nodes, Leaves]:
    """What the parser hung below an empty element (`source`, `wbr`) stands beside it."""
    is_void = _IS_VOID[nodes.tag]
    nesting = np.flatnonzero(is_void)
    if not len(nesting):
        return nodes, leaves
    parent = nodes.parent.copy()
    while (is_below := is_void[parent] & (parent > 0)).any():
        parent[is_below] = parent[parent[is_below]]
    steps = np.zeros(len(nodes) + 1, np.int32)  # +1 where a wrongly nested part begins, -1 behind its end
    np.add.at(steps, nesting + 1, 1)
    np.add.at(steps, nodes.last[nesting] + 1, -1)
    last, end_leaf = nodes.last.copy(), nodes.end_leaf.copy()
    last[nesting] = nesting
    is_own = np.array([kind != "text" for kind in leaves.kind], np.bool_)
    node = np.where(is_void[leaves.node] & ~is_own, parent[leaves.node], leaves.node)
    end_leaf[nesting] = nodes.first_leaf[nesting] + np.isin(nesting, node[is_own])  # an `embed` is a leaf itself
    lifted = replace(nodes, parent=parent, depth=nodes.depth - np.cumsum(steps[:-1]), last=last, end_leaf=end_leaf)
    return lifted, replace(leaves, node=node)


def _without_comments(nodes: Nodes, leaves: Leaves) -> tuple[Nodes, Leaves]:
    """The same with rows for elements only."""
    is_element = nodes.tag != COMMENT
    if is_element.all():
        return nodes, leaves
    before = np.cumsum(is_element, dtype=np.int32)  # elements up to a row, itself included
    keep = np.flatnonzero(is_element)
    links = nodes.link[keep]
    kept = Nodes(
        [nodes.elements[row] for row in keep.tolist()],
        nodes.tag[keep],
        before[nodes.parent[keep]] - 1,
        nodes.depth[keep],
        before[nodes.last[keep]] - 1,
        nodes.first_leaf[keep],
        nodes.end_leaf[keep],
        nodes.is_visible[keep],
        np.where(links < 0, -1, before[links] - 1),
        before[nodes.styled] - 1,
    )
    kept.parent[0] = -1
    return kept, replace(leaves, node=before[leaves.node] - 1, opened=before[leaves.opened - 1])


def _medium_text(element: etree._Element) -> str:
    return fold(element.get("alt") or element.get("title") or "")


def _control_text(element: etree._Element, tag: str) -> str:
    value = (element.text if tag == "textarea" else element.get("value")) or ""
    text = element.get("placeholder") or value or element.get("aria-label") or element.get("name")
    return fold(text or "")
