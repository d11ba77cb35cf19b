"""Collect the visible leaves of a tree in one pass over its rows, in reading order.

An element opens with its own text, its content follows, and it closes with its tail.
"""

import re

import numpy as np

from parcels.html.tags import BLOCK_LEVEL, CONTROLS, MEDIA, NAMES
from parcels.html.tree import OPAQUE, Attributes, FlatTree
from parcels.scan import fold

_HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_BREAKS_LINE = frozenset([*BLOCK_LEVEL.split(), "br", "button"])
# By tag number: whether the tag is a leaf itself, opaque, and breaks the line before and after it.
_IS_LEAF = bytes(name in MEDIA or name in CONTROLS for name in NAMES)
_IS_OPAQUE = bytes(name in OPAQUE for name in NAMES)
_IS_BREAKING = bytes(name in _BREAKS_LINE for name in NAMES)
_IS_LINK = bytes(name == "a" for name in NAMES)


class LeafWalk:
    """The traversal; `run` fills the public attributes."""

    def __init__(self, tree: FlatTree, shows_hidden: bool):
        count = len(tree.tags)
        self.tree = tree
        self.shows_hidden = shows_hidden
        self.is_visible = np.zeros(count, np.uint8)
        self.link = np.zeros(count, np.int32)
        self.first_leaf = np.zeros(count, np.int32)
        self.end_leaf = np.zeros(count, np.int32)
        self.styled: list[int] = []
        self.kinds: list[str] = []
        self.texts: list[str] = []
        most = 3 * count + len(tree.comment_tails)  # an element may be a leaf, have a text and a tail
        self.owners = np.empty(most, np.int32)  # of these three only as many are filled as there are leaves
        self.opened = np.empty(most, np.int32)
        self.spaced = np.empty(most, np.uint8)
        self.blank = ""  # the white space that came last; mostly the same string comes next
        self.is_spaced = True

    def run(self) -> None:
        """Fill the lists."""
        tree = self.tree
        texts, tails, comment_tails, hiding_rows = tree.texts, tree.tails, tree.comment_tails, tree.hiding_rows
        number, parent = np.asarray(tree.number, np.int16), np.asarray(tree.parent, np.int32)
        is_visible, link, first_leaf, end_leaf = self.is_visible, self.link, self.first_leaf, self.end_leaf
        is_leaf, is_opaque, is_breaking, is_link = _IS_LEAF, _IS_OPAQUE, _IS_BREAKING, _IS_LINK
        leaf_texts = self.texts
        count = len(tree.tags)
        comment, comments = 0, len(comment_tails)
        before = comment_tails[0][0] if comments else count + 1  # rows before the next text that follows a comment
        hiding, hiding_count = 0, len(hiding_rows)
        if hiding_count and not hiding_rows[0]:
            hiding = 1  # the root is always shown
        next_hiding_row = hiding_rows[hiding] if hiding < hiding_count else count
        is_visible[0] = True
        link[0] = 0 if is_link[number[0]] else -1
        text = texts[0]
        if text:
            self.text(text, 0, 1)
        above = 0  # the row that is open
        for row in range(1, count + 1):
            while before <= row:
                owner = comment_tails[comment][1]
                while above != owner:
                    above = self.close(above, row, parent[above], number[above], tails)
                if is_visible[owner]:
                    self.text(comment_tails[comment][2], owner, row)
                comment += 1
                before = comment_tails[comment][0] if comment < comments else count + 1
            if row == count:
                break
            owner = parent[row]
            while above != owner:
                above = self.close(above, row, parent[above], number[above], tails)
            above = row
            kind = number[row]
            link[row] = row if is_link[kind] else link[owner]
            first_leaf[row] = len(leaf_texts)
            is_shown = is_visible[owner]
            if row == next_hiding_row:
                hiding += 1
                next_hiding_row = hiding_rows[hiding] if hiding < hiding_count else count
                if is_shown:
                    is_shown = self.is_shown(row, tree.attributes[row])
            if is_shown:
                if is_leaf[kind]:
                    self.leaf(row, tree.tags[row], tree.attributes[row], texts[row])
                elif not is_opaque[kind]:
                    if is_breaking[kind]:
                        self.is_spaced = True
                    text = texts[row]
                    if text:
                        self.text(text, row, row + 1)
                if is_opaque[kind]:
                    is_shown = False
            is_visible[row] = is_shown
        while above:
            above = self.close(above, count, parent[above], number[above], tails)
        end_leaf[0] = len(leaf_texts)

    def close(self, row: int, opened: int, owner: int, kind: int, tails: list[str | None]) -> int:
        """Close an element, add the text behind it, and return the row that is open then."""
        self.end_leaf[row] = len(self.texts)
        if self.is_visible[owner]:
            if _IS_BREAKING[kind]:
                self.is_spaced = True
            text = tails[row]
            if text:
                self.text(text, owner, opened)
        return owner

    def is_shown(self, row: int, attributes: Attributes) -> bool:
        """Return whether the element's own attributes leave it visible."""
        style = attributes.get("style")
        if style is not None:
            self.styled.append(row)
            lowered = style.lower()
            if ("none" in lowered or "dden" in lowered) and _HIDING.search(style):  # few styles have either
                return self.shows_hidden
        return self.shows_hidden or "hidden" not in attributes

    def text(self, text: str, owner: int, opened: int) -> None:
        """Add a text, where it is more than white space."""
        if text is self.blank:
            self.is_spaced = True
            return
        sign = text[0]
        begins_spaced = sign.isspace()
        if begins_spaced:  # most of these are nothing else
            for sign in text:
                if not sign.isspace():
                    break
            else:
                self.blank = text
                self.is_spaced = True
                return
        self.add("text", fold(text), owner, opened, self.is_spaced or begins_spaced)
        sign = text[len(text) - 1]
        self.is_spaced = sign.isspace()

    def leaf(self, row: int, tag: str, attributes: Attributes, inside: str | None) -> None:
        """Add an image, medium or control."""
        if tag == "input" and attributes.get("type", "").lower() == "hidden":
            return
        text = _medium_text(attributes) if tag in MEDIA else _control_text(inside, tag, attributes)
        self.add(tag, text, row, row + 1, True)
        self.is_spaced = True
        # Text inside a video is its fallback.
        if inside and tag not in OPAQUE:
            self.text(inside, row, row + 1)

    def add(self, kind: str, text: str, owner: int, opened: int, is_spaced: bool) -> None:
        """Add a leaf."""
        at = len(self.kinds)
        self.owners[at] = owner
        self.opened[at] = opened
        self.spaced[at] = is_spaced
        self.kinds.append(kind)
        self.texts.append(text)


def _medium_text(attributes: Attributes) -> str:
    return fold(attributes.get("alt") or attributes.get("title") or "")


def _control_text(inside: str | None, tag: str, attributes: Attributes) -> str:
    value = (inside if tag == "textarea" else attributes.get("value")) or ""
    return fold(attributes.get("placeholder") or value or attributes.get("aria-label") or attributes.get("name") or "")
