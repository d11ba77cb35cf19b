"""A PNG of a page's boxes and areas: areas tinted and named, text written, images crossed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from parcels.html.page import Page
from parcels.html.tags import IS_BLOCK_LEVEL
from parcels.layout.areas import AreaMap
from parcels.layout.boxes import AREAS, Boxes, Layout
from parcels.layout.boxes.canvas import (
    Box,
    Canvas,
    Colour,
    blank,
    cross,
    darker,
    fill,
    frame,
    mixed,
    png,
    tag,
    tint,
    write_into,
)

COLOURS: dict[str, Colour] = {
    "header": (31, 119, 180),
    "footer": (148, 103, 189),
    "left": (44, 160, 44),
    "right": (230, 120, 20),
    "centre": (120, 120, 120),
}
FRAME: Colour = (215, 215, 215)
HIDDEN: Colour = (230, 60, 60)
UNSEEN = frozenset(["display", "visibility", "size", "off-screen"])  # reasons for which nothing is drawn
MAX_OPEN = 50  # texts of one paragraph that a later one may be written over: bounds the search on hostile pages
MIN_NAMED = (30, 9)  # width and height of a medium that has room for its name
CROSSED = frozenset(["img", "video", "iframe", "embed"])


def draw(page: Page, layout: Layout, areas: AreaMap) -> bytes:
    """Return the PNG of a page; leaves that nobody sees are left out, those a page hides by trickery are red."""
    canvas = blank(layout.width, layout.height)
    roots = [row for row in areas.roots(page) if np.isfinite(layout.nodes[row]).all()]
    named = [(AREAS[areas.nodes[row]], layout.nodes[row].tolist()) for row in roots]
    for name, box in named:
        if name != "centre":
            tint(canvas, box, COLOURS[name])
    is_block = IS_BLOCK_LEVEL[page.nodes.tag] & page.nodes.is_visible
    for row in np.flatnonzero(is_block & np.isfinite(layout.nodes).all(axis=1)).tolist():
        frame(canvas, layout.nodes[row].tolist(), FRAME)
    for name, box in named:
        frame(canvas, box, COLOURS[name], thick=2)

    def colour_of(leaf: int) -> Colour | None:
        reason = layout.hidden_reason[leaf]
        return None if reason in UNSEEN else HIDDEN if reason else COLOURS[AREAS[areas.leaves[leaf]]]

    draw_leaves(canvas, page, layout.leaves, colour_of)
    for name, box in named:
        tag(canvas, name, box, COLOURS[name])
    return png(canvas)


def draw_leaves(canvas: Canvas, page: Page, boxes: Boxes, colour_of: Callable[[int], Colour | None]) -> None:
    """Draw every leaf that has a box and a colour: media as filled boxes, then all text, which nothing covers."""
    for leaf, kind in enumerate(page.leaves.kind):
        colour, box = colour_of(leaf), boxes[leaf].tolist()
        if kind != "text" and colour is not None and all(np.isfinite(box)):
            fill(canvas, box, mixed(colour, 0.25))
            frame(canvas, box, colour)
            if kind in CROSSED:
                cross(canvas, box, mixed(colour, 0.5))
            if box[2] >= MIN_NAMED[0] and box[3] >= MIN_NAMED[1]:
                write_into(canvas, f"[{kind}] {page.leaves.text[leaf]}", box, darker(colour))
    for run in _runs(page, boxes, colour_of):
        write_into(canvas, " ".join(run.words), run.box, darker(run.colour))


@dataclass(slots=True)
class _Run:
    """Overlapping texts of one paragraph: a link among words, and the words before and behind it."""

    colour: Colour
    box: Box
    words: list[str]

    def is_over(self, other: "_Run") -> bool:
        """Return whether the boxes of two runs overlap."""
        (x, y, width, height), (left, top, wide, high) = self.box, other.box
        return x < left + wide and left < x + width and y < top + high and top < y + height

    def joined(self, later: "_Run") -> "_Run":
        """Return both as one."""
        (x, y, width, height), (left, top, wide, high) = self.box, later.box
        near = min(left, x), min(top, y)
        far = max(left + wide, x + width), max(top + high, y + height)
        return _Run(self.colour, [*near, far[0] - near[0], far[1] - near[1]], self.words + later.words)


def _runs(page: Page, boxes: Boxes, colour_of: Callable[[int], Colour | None]) -> Iterator[_Run]:
    """Yield the texts in document order, those that would be written over each other as one."""
    parent, owners = page.nodes.parent.tolist(), page.leaves.node.tolist()
    is_block = IS_BLOCK_LEVEL[page.nodes.tag].tolist()
    runs: list[_Run] = []
    last = -1
    for leaf, kind in enumerate(page.leaves.kind):
        colour, box = colour_of(leaf), boxes[leaf].tolist()
        if kind != "text" or colour is None or not all(np.isfinite(box)):
            continue
        container = owners[leaf]
        while parent[container] >= 0 and not is_block[container]:
            container = parent[container]
        if container != last:
            yield from runs
            runs, last = [], container
        run = _Run(colour, box, [page.leaves.text[leaf]])
        first = next(
            (at for at, one in enumerate(runs[-MAX_OPEN:], max(len(runs) - MAX_OPEN, 0)) if one.is_over(run)), None
        )
        if first is not None:
            for one in reversed(runs[first:]):
                run = one.joined(run)
            del runs[first:]
        runs.append(run)
    yield from runs
