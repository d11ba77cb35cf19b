"""Chromium's DOM snapshot as a `Layout`: the boxes of rows and leaves, and why leaves are hidden."""

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.html.leaves import fold
from parcels.html.page import Page
from parcels.layout.boxes import Boxes, Layout

COMPUTED = ("visibility", "opacity", "color", "background-color", "background-image", "overflow-x", "position", "clip")
_VISIBILITY, _OPACITY, _COLOUR, _BACKGROUND, _IMAGE, _OVERFLOW, _POSITION, _CLIP = range(len(COMPUTED))
ELEMENT_NODE, TEXT_NODE = 1, 3
MIN_VISIBLE_PX = 1.0  # narrower or lower leaves are invisible
_NUMBERS = re.compile(r"[\d.]+")
_NO_STYLE = ("visible", "1", "", "", "none", "visible", "static", "auto")
Clip = tuple[float, float, float, float]
_UNCLIPPED: Clip = (-np.inf, -np.inf, np.inf, np.inf)


@dataclass(slots=True)
class _Snapshot:
    """The browser's snapshot, by the index of its own nodes."""

    strings: list[str]
    parent: list[int]
    node_type: list[int]
    value: list[int]
    row: list[int]  # of the page's nodes; -1 for others
    box: dict[int, list[float]]  # x, y, width, height
    style: dict[int, tuple[str, ...]]
    paint: dict[int, int]
    background: dict[int, str]  # the colour behind a text


def layout_of(page: Page, answer: dict[str, Any], *, width: float, row_attribute: str) -> Layout:
    """Return the layout of the page's nodes and leaves."""
    snapshot = _read(answer, row_attribute)
    nodes: Boxes = np.full((len(page.nodes), 4), np.nan, np.float32)
    index_of_row: dict[int, int] = {}
    for index, row in enumerate(snapshot.row):
        if 0 <= row < len(nodes) and row not in index_of_row:
            index_of_row[row] = index
            if index in snapshot.box:
                nodes[row] = snapshot.box[index]
    shown_by = _text_indices(page, snapshot)
    leaves: Boxes = np.full((len(page.leaves), 4), np.nan, np.float32)
    index_of_leaf = []
    for leaf, (kind, row) in enumerate(zip(page.leaves.kind, page.leaves.node.tolist(), strict=True)):
        index = shown_by.get(leaf, -1) if kind == "text" else index_of_row.get(row, -1)
        index_of_leaf.append(index)
        if index in snapshot.box:
            leaves[leaf] = snapshot.box[index]
    lowest = [box[1] + box[3] for box in (*nodes.tolist(), *leaves.tolist()) if box[2] > 0 and box[3] > 0]
    reasons = _Visibility(snapshot).reasons(index_of_leaf)
    return Layout(width, max(lowest, default=0.0), nodes, leaves, reasons, "chromium")


def _read(answer: dict[str, Any], row_attribute: str) -> _Snapshot:
    strings: list[str] = answer["strings"]
    document = answer["documents"][0]
    nodes, layout = document["nodes"], document["layout"]
    key = strings.index(row_attribute) if row_attribute in strings else -1
    row = []
    for attributes in nodes["attributes"]:
        row_of_node = -1
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            if name == key and strings[value].isdecimal() and len(strings[value]) < 10:
                row_of_node = int(strings[value])
        row.append(row_of_node)
    box: dict[int, list[float]] = {}
    style, paint, background = {}, {}, {}
    paints = layout.get("paintOrders") or [0] * len(layout["nodeIndex"])
    backdrops = layout.get("blendedBackgroundColors") or [-1] * len(layout["nodeIndex"])
    for n, index in enumerate(layout["nodeIndex"]):
        bounds = layout["bounds"][n]
        box[index] = _around(box[index], bounds) if index in box else bounds
        if layout["styles"][n] and nodes["nodeType"][index] == ELEMENT_NODE:  # a text repeats its parent's
            style[index] = tuple(strings[number] for number in layout["styles"][n])
        paint[index] = paints[n]
        if backdrops[n] >= 0:
            background[index] = strings[backdrops[n]]
    return _Snapshot(
        strings, nodes["parentIndex"], nodes["nodeType"], nodes["nodeValue"], row, box, style, paint, background
    )


def _around(one: list[float], other: list[float]) -> list[float]:
    """Return the bounding rectangle of two; an empty one does not count."""
    if not one[2] and not one[3]:
        return other
    if not other[2] and not other[3]:
        return one
    left, top = min(one[0], other[0]), min(one[1], other[1])
    right, bottom = max(one[0] + one[2], other[0] + other[2]), max(one[1] + one[3], other[1] + other[3])
    return [left, top, right - left, bottom - top]


def _text_indices(page: Page, snapshot: _Snapshot) -> dict[int, int]:
    """Return the browser's text node of each text leaf: the next one with the same text in the same element.

    Where the browser has put a text into another element (text that stood loose in a table), the same text anywhere.
    """
    waiting: dict[tuple[int, str], list[int]] = defaultdict(list)
    for leaf in range(len(page.leaves) - 1, -1, -1):
        if page.leaves.kind[leaf] == "text":
            waiting[int(page.leaves.node[leaf]), page.leaves.text[leaf]].append(leaf)
    index_of_leaf: dict[int, int] = {}
    astray: list[tuple[int, str]] = []
    for index, kind in enumerate(snapshot.node_type):
        if kind != TEXT_NODE or snapshot.value[index] < 0:
            continue
        text = fold(snapshot.strings[snapshot.value[index]])
        if not text:
            continue
        above = snapshot.parent[index]
        leaves = waiting.get((snapshot.row[above], text))
        if leaves:
            index_of_leaf[leaves.pop()] = index
        else:
            astray.append((index, text))
    if astray:
        by_text: dict[str, list[int]] = defaultdict(list)
        for (_, text), leaves in waiting.items():
            by_text[text] += leaves
        for leaves in by_text.values():
            leaves.sort(reverse=True)
        for index, text in astray:
            if by_text.get(text):
                index_of_leaf[by_text[text].pop()] = index
    return index_of_leaf


class _Visibility:
    """Why a reader cannot see a leaf, by the browser's own styles, boxes and paint order."""

    def __init__(self, snapshot: _Snapshot):
        self.snapshot = snapshot
        self.clips: dict[int, Clip] = {}
        self.opacity: dict[int, float] = {}
        for index in sorted(snapshot.box):
            self._inherit(index)
        covers = [index for index, style in snapshot.style.items() if self._is_cover(index, style)]
        self.cover_index = covers
        self.cover_box: NDArray[np.float64] = np.array([snapshot.box[index] for index in covers], float).reshape(-1, 4)
        self.cover_paint = np.array([snapshot.paint[index] for index in covers], int)

    def reasons(self, indices: list[int]) -> tuple[str | None, ...]:
        return tuple(map(self.reason, indices))

    def reason(self, index: int) -> str | None:
        """Return why a leaf is hidden; None if it is visible."""
        snapshot = self.snapshot
        if index < 0 or index not in snapshot.box:
            return "display"
        holder = index if index in snapshot.style else self._above(index)
        style = snapshot.style.get(holder, _NO_STYLE)
        if style[_VISIBILITY] != "visible" or self.opacity.get(holder, 1.0) < 0.01:
            return "visibility"
        x, y, w, h = snapshot.box[index]
        if w < MIN_VISIBLE_PX or h < MIN_VISIBLE_PX:
            return "size"
        if x + w <= 0 or y + h <= 0:
            return "off-screen"
        left, top, right, bottom = self.clips.get(holder, _UNCLIPPED)
        if min(x + w, right) - max(x, left) < MIN_VISIBLE_PX or min(y + h, bottom) - max(y, top) < MIN_VISIBLE_PX:
            return "size"
        if snapshot.node_type[index] == TEXT_NODE and self._is_invisible_ink(index, style):
            return "colour"
        return "covered" if self._is_covered(index, holder) else None

    def _above(self, index: int) -> int:
        """Return the nearest element with a box and a style."""
        while index >= 0 and index not in self.snapshot.style:
            index = self.snapshot.parent[index]
        return index

    def _inherit(self, index: int) -> None:
        """Compute an element's clip and opacity from its parent's; parents come before children."""
        style = self.snapshot.style.get(index)
        if style is None:
            return
        above = self._above(self.snapshot.parent[index]) if self.snapshot.parent[index] >= 0 else -1
        clip = self.clips.get(above, _UNCLIPPED)
        self.opacity[index] = self.opacity.get(above, 1.0) * float(style[_OPACITY] or 1)
        if style[_POSITION] in ("absolute", "fixed"):  # clipped only by its containing block
            while above >= 0 and self.snapshot.style[above][_POSITION] == "static":
                above = self._above(self.snapshot.parent[above]) if self.snapshot.parent[above] >= 0 else -1
            clip = self.clips.get(above, _UNCLIPPED) if style[_POSITION] == "absolute" else _UNCLIPPED
            sides = [float(number) for number in _NUMBERS.findall(style[_CLIP])]
            if len(sides) == 4 and (
                sides[2] - sides[0] < 2 * MIN_VISIBLE_PX or sides[1] - sides[3] < 2 * MIN_VISIBLE_PX
            ):
                clip = (0.0, 0.0, 0.0, 0.0)  # text for screen readers only
        if style[_OVERFLOW] in ("hidden", "clip"):
            x, y, w, h = self.snapshot.box[index]
            clip = (max(clip[0], x), max(clip[1], y), min(clip[2], x + w), min(clip[3], y + h))
        self.clips[index] = clip

    def _is_cover(self, index: int, style: tuple[str, ...]) -> bool:
        """Return whether a box hides what is behind it with an opaque background."""
        colour = _rgba(style[_BACKGROUND])
        w, h = self.snapshot.box[index][2:]
        is_seen = style[_VISIBILITY] == "visible" and self.opacity.get(index, 1.0) > 0.95
        return colour is not None and colour[3] > 0.95 and w >= MIN_VISIBLE_PX and h >= MIN_VISIBLE_PX and is_seen

    def _is_covered(self, index: int, holder: int) -> bool:
        if not len(self.cover_index):
            return False
        x, y, w, h = self.snapshot.box[index]
        boxes = self.cover_box
        is_over = (
            (self.cover_paint > self.snapshot.paint[index])
            & (boxes[:, 0] <= x + 1)
            & (boxes[:, 1] <= y + 1)
            & (boxes[:, 0] + boxes[:, 2] >= x + w - 1)
            & (boxes[:, 1] + boxes[:, 3] >= y + h - 1)
        )
        over = {self.cover_index[n] for n in np.flatnonzero(is_over).tolist()}
        while over and holder >= 0:
            over.discard(holder)
            holder = self.snapshot.parent[holder]
        return any(not self._is_cut_off(cover, x, y, w, h) for cover in over)

    def _is_cut_off(self, cover: int, x: float, y: float, w: float, h: float) -> bool:
        """Return whether a box above the leaf is itself clipped before it reaches the leaf."""
        left, top, right, bottom = self.clips.get(cover, _UNCLIPPED)
        return x < left - 1 or y < top - 1 or x + w > right + 1 or y + h > bottom + 1

    def _is_invisible_ink(self, index: int, style: tuple[str, ...]) -> bool:
        ink = _rgba(style[_COLOUR])
        if ink is not None and ink[3] < 0.01:
            return True
        paper = _rgba(self.snapshot.background.get(self._above(index), ""))
        if ink is None or paper is None or ink[:3] != paper[:3]:
            return False
        above = self._above(index)
        while above >= 0:  # a picture behind the text may make it readable
            if self.snapshot.style[above][_IMAGE] != "none":
                return False
            above = self._above(self.snapshot.parent[above]) if self.snapshot.parent[above] >= 0 else -1
        return True


def _rgba(colour: str) -> tuple[float, float, float, float] | None:
    """Parse a colour of computed styles and snapshots.

    >>> _rgba("rgb(255, 0, 0)"), _rgba("rgba(0, 0, 0, 0)"), _rgba("#ff000080"), _rgba("")
    ((255.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0), (255, 0, 0, 0.502), None)
    """
    if colour.startswith("#"):
        digits = colour[1:]
        if len(digits) not in (6, 8):
            return None
        parts = [int(digits[at : at + 2], 16) for at in range(0, len(digits), 2)]
        return parts[0], parts[1], parts[2], round(parts[3] / 255, 3) if len(parts) == 4 else 1.0
    parts_ = [float(number) for number in _NUMBERS.findall(colour)]
    if not colour.startswith("rgb") or len(parts_) < 3:
        return None
    return parts_[0], parts_[1], parts_[2], parts_[3] if len(parts_) > 3 else 1.0
