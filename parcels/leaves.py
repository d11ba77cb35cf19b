"""One walk over the tree: every element a row of flat arrays, every visible leaf in document order.

A leaf is a text node, an image or other medium, or a form control of the body that neither the `hidden` attribute nor
an inline `display:none` / `visibility:hidden` hides, itself or by an ancestor; what style sheets hide is marked later.
"""

import re
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from parcels.tags import BLOCK_LEVEL, CONTROLS, MEDIA, NAMES, NUMBER, OTHER, PASSED_OVER, VOID_BUT_NESTED, lookup

Attributes = Mapping[str, str]
Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
# What stands inside these is the element's own value, or another document. The head is looked into: an unknown
# element there ends it for a browser, but not for the parser, which then hangs the whole page below it.
_OPAQUE = (PASSED_OVER - {"head"}) | {"iframe", "textarea", "select"}
_BREAKS_LINE = frozenset([*BLOCK_LEVEL.split(), "br", "button"])
_IS_VOID = lookup(" ".join(VOID_BUT_NESTED))
# Of each tag by its number: whether it is a leaf itself, opaque, and whether a line ends before and behind it.
_IS_LEAF = [name in MEDIA or name in CONTROLS for name in NAMES]
_IS_OPAQUE = [name in _OPAQUE for name in NAMES]
_IS_BREAKING = [name in _BREAKS_LINE for name in NAMES]
_NOTHING: Attributes = {}


@dataclass(frozen=True, slots=True)
class Nodes:
    """The page's elements in document order; row 0 is the root."""

    elements: list[etree._Element]
    tags: list[str]  # as the page has them
    attributes: list[Attributes]  # empty for what is inside an `svg`, `noscript`, `select` and their like; shared
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


def walk(root: etree._Element, *, shows_hidden: bool = False) -> tuple[Nodes, Leaves]:
    """The nodes and the visible leaves of a page; what attributes and inline styles hide too, where that is asked for.

    >>> _, leaves = walk(etree.HTML("<p>One <b>two</b><img alt=three> <i hidden>four</i>"))
    >>> list(zip(leaves.kind, leaves.text))
    [('text', 'One'), ('text', 'two'), ('img', 'three')]
    """
    walked = _Walk(root, shows_hidden)
    walked.go()
    return _without_nesting(*walked.result())


class _Walk:
    """The walk: one pass in document order in which each element is read once.

    An element opens (then comes its own text), what is in it follows, and it closes (then comes its tail). Comments and
    their like have no row, but text stands behind them too.
    """

    def __init__(self, root: Any, shows_hidden: bool = False):
        self.shows_hidden = shows_hidden
        self.elements: list[etree._Element] = [root]
        self.tags: list[str] = [root.tag]
        self.attributes: list[Attributes] = [dict(root.items())]
        self.numbers = [NUMBER.get(root.tag, OTHER)]
        self.parent = [-1]
        self.depth = [0]
        self.last = [0]
        self.first_leaf, self.end_leaf = [0], [0]
        self.is_visible = [True]
        self.link = [0 if root.tag == "a" else -1]
        self.styled: list[int] = []
        self.kinds: list[str] = []
        self.texts: list[str] = []
        self.owners: list[int] = []
        self.opened: list[int] = []
        self.spaced: list[bool] = []

    def result(self) -> tuple[Nodes, Leaves]:
        """The lists as arrays."""
        link, owners = _ints(self.link), _ints(self.owners)
        nodes = Nodes(
            self.elements,
            self.tags,
            self.attributes,
            np.array(array("h", self.numbers)),
            _ints(self.parent),
            _ints(self.depth),
            _ints(self.last),
            _ints(self.first_leaf),
            _ints(self.end_leaf),
            _bools(self.is_visible),
            link,
            _ints(self.styled),
        )
        spaced = _bools(self.spaced)
        return nodes, Leaves(self.kinds, self.texts, owners, _ints(self.opened), spaced, link[owners] >= 0)

    def go(self) -> None:
        """Fill the lists."""
        tags, numbers, parent, depth, last = self.tags, self.numbers, self.parent, self.depth, self.last
        elements, attributes, is_visible, link = self.elements, self.attributes, self.is_visible, self.link
        texts, first_leaf, end_leaf = self.texts, self.first_leaf, self.end_leaf
        row = above = 0  # the element that was opened last, and the one that is open
        left = len(elements[0])  # children of the open element that are still to come
        is_seen = is_read = True  # whether the open element's texts are shown, its children's attributes read
        around: list[tuple[int, int, bool, bool]] = []  # the same of the elements around the open one
        is_spaced = self.text(elements[0].text or "", 0, 1, True)
        if not left:
            end_leaf[0] = len(texts)
            return
        rest: Iterator[Any] = elements[0].iter()  # Any: the tag of a comment is a function
        next(rest)
        for element in rest:
            tag = element.tag
            number, below = OTHER, 0
            if tag.__class__ is str:
                row += 1
                number = NUMBER.get(tag, OTHER)
                pairs = element.items() if is_read else None
                given = dict(pairs) if pairs else _NOTHING
                elements.append(element)
                tags.append(tag)
                attributes.append(given)
                numbers.append(number)
                parent.append(above)
                depth.append(len(around) + 1)
                link.append(row if tag == "a" else link[above])
                first_leaf.append(len(texts))
                is_shown = is_seen
                if is_seen and pairs and ("style" in given or "hidden" in given):
                    is_shown = self.is_shown(row, given)
                if is_shown:
                    if _IS_LEAF[number]:
                        is_spaced = self.leaf(element, tag, given, row, is_spaced)
                    elif not _IS_OPAQUE[number]:
                        text = element.text
                        if _IS_BREAKING[number]:
                            is_spaced = True
                        if text:
                            is_spaced = True if text.isspace() else self.text(text, row, row + 1, is_spaced)
                    if _IS_OPAQUE[number]:
                        is_shown = False
                is_visible.append(is_shown)
                last.append(row)
                end_leaf.append(len(texts))
                below = len(element)
            if below:
                around.append((above, left, is_seen, is_read))
                above, left, is_seen = row, below, is_shown
                is_read = is_read and not _IS_OPAQUE[number]
                continue
            while True:  # the element closes, and the one around it where it was its last child
                if is_seen:
                    text = element.tail
                    if _IS_BREAKING[number]:
                        is_spaced = True
                    if text:
                        is_spaced = True if text.isspace() else self.text(text, above, row + 1, is_spaced)
                left -= 1
                if left:
                    break
                last[above], end_leaf[above] = row, len(texts)
                if not above:
                    return
                element, number = elements[above], numbers[above]
                above, left, is_seen, is_read = around.pop()

    def is_shown(self, row: int, given: Attributes) -> bool:
        """False where the element's own attributes hide it."""
        style = given.get("style")
        if style is not None:
            self.styled.append(row)
            if _HIDING.search(style):
                return self.shows_hidden
        return self.shows_hidden or "hidden" not in given

    def text(self, text: str, owner: int, opened: int, is_spaced: bool) -> bool:
        """Add a text; whether white space stands behind it."""
        folded = " ".join(text.split())
        if not folded:
            return is_spaced or bool(text)
        self.add("text", folded, owner, opened, is_spaced or text[0].isspace())
        return text[-1].isspace()

    def leaf(self, element: etree._Element, tag: str, given: Attributes, row: int, is_spaced: bool) -> bool:
        """Add an image, medium or control; whether white space stands behind it."""
        if tag == "input" and given.get("type", "").lower() == "hidden":
            return is_spaced
        text = _medium_text(given) if tag in MEDIA else _control_text(element, tag, given)
        self.add(tag, text, row, row + 1, True)
        # Text inside a video stands in for it where it cannot be played.
        inside = None if tag in _OPAQUE else element.text
        return self.text(inside, row, row + 1, True) if inside else True

    def add(self, kind: str, text: str, owner: int, opened: int, is_spaced: bool) -> None:
        self.kinds.append(kind)
        self.texts.append(text)
        self.owners.append(owner)
        self.opened.append(opened)
        self.spaced.append(is_spaced)


def _ints(values: list[int]) -> Ints:
    return np.array(array("i", values))  # by way of `array`: twice as fast as from the list


def _bools(values: list[bool]) -> Bools:
    return np.array(array("b", values)).view(np.bool_)


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


def _medium_text(given: Attributes) -> str:
    return fold(given.get("alt") or given.get("title") or "")


def _control_text(element: etree._Element, tag: str, given: Attributes) -> str:
    value = (element.text if tag == "textarea" else given.get("value")) or ""
    return fold(given.get("placeholder") or value or given.get("aria-label") or given.get("name") or "")
