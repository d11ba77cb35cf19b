"""A page's boxes and areas as a PNG, drawn with NumPy alone: areas tinted and named, text as bars, images crossed."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from parcels.layout.areas import AreaMap
from parcels.layout.boxes import AREAS, Boxes, Layout
from parcels.page import Page
from parcels.tags import IS_BLOCK_LEVEL

Canvas = NDArray[np.uint8]
Colour = tuple[int, int, int]

MAX_HEIGHT = 8000
MAX_WIDTH = 3000
LINE_PX = 18  # a text box is drawn as bars about this far apart
COLOURS: dict[str, Colour] = {
    "header": (31, 119, 180),
    "footer": (148, 103, 189),
    "left": (44, 160, 44),
    "right": (230, 120, 20),
    "centre": (120, 120, 120),
}
FRAME: Colour = (215, 215, 215)
HIDDEN: Colour = (230, 60, 60)
_TINT = 0.15
_WRITING = 2  # pixels a dot of a letter

# Letters of the areas' names, five dots wide and seven high, a number a row.
_LETTERS = {
    "a": (0, 0, 14, 1, 15, 17, 15),
    "c": (0, 0, 14, 16, 16, 17, 14),
    "d": (1, 1, 13, 19, 17, 17, 15),
    "e": (0, 0, 14, 17, 31, 16, 14),
    "f": (6, 9, 8, 28, 8, 8, 8),
    "g": (0, 15, 17, 17, 15, 1, 14),
    "h": (16, 16, 22, 25, 17, 17, 17),
    "i": (4, 0, 12, 4, 4, 4, 14),
    "l": (12, 4, 4, 4, 4, 4, 14),
    "n": (0, 0, 22, 25, 17, 17, 17),
    "o": (0, 0, 14, 17, 17, 17, 14),
    "r": (0, 0, 22, 25, 16, 16, 16),
    "t": (8, 8, 28, 8, 8, 9, 6),
}


def draw(page: Page, layout: Layout, areas: AreaMap) -> bytes:
    """The PNG of a page; leaves that nobody sees are not drawn, but those a page hides by trickery are, in red."""
    height = int(min(max(layout.height, 1.0), MAX_HEIGHT))
    width = int(min(max(layout.width, 1.0), MAX_WIDTH))
    canvas: Canvas = np.full((height, width, 3), 255, np.uint8)
    roots = [row for row in areas.roots(page) if np.isfinite(layout.nodes[row]).all()]
    for row in roots:
        name = AREAS[areas.nodes[row]]
        if name != "centre":
            _tint(canvas, layout.nodes[row].tolist(), COLOURS[name])
    is_block = IS_BLOCK_LEVEL[page.nodes.tag] & page.nodes.is_visible
    for row in np.flatnonzero(is_block & np.isfinite(layout.nodes).all(axis=1)).tolist():
        _frame(canvas, layout.nodes[row].tolist(), FRAME)
    for leaf, kind in enumerate(page.leaves.kind):
        _draw_leaf(canvas, layout.leaves, leaf, kind, AREAS[areas.leaves[leaf]], layout.hidden_reason[leaf])
    for row in roots:
        name = AREAS[areas.nodes[row]]
        if name != "centre":
            box = layout.nodes[row].tolist()
            _frame(canvas, box, COLOURS[name], thick=2)
            _write(canvas, name, box[0] + 4, box[1] + 4, COLOURS[name])
    return png(canvas)


def _draw_leaf(canvas: Canvas, boxes: Boxes, leaf: int, kind: str, area: str, reason: str | None) -> None:
    box = boxes[leaf].tolist()
    if not all(np.isfinite(box)) or reason in ("display", "visibility", "size", "off-screen"):
        return
    colour = COLOURS[area] if reason is None else HIDDEN
    if kind == "text":
        x, y, w, h = box
        lines = max(1, round(h / LINE_PX))
        for line in range(lines):
            _fill(canvas, [x, y + (line + 0.25) * h / lines, w, 0.5 * h / lines], _mixed(colour, 0.55))
    else:
        _fill(canvas, box, _mixed(colour, 0.25))
        _frame(canvas, box, colour)
        if kind in ("img", "video", "iframe", "embed"):
            _cross(canvas, box, colour)


def _mixed(colour: Colour, share: float) -> Colour:
    """The colour thinned with white."""
    return tuple(round(255 - share * (255 - part)) for part in colour)  # type: ignore[return-value]


def _cut(canvas: Canvas, box: list[float]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom inside the canvas."""
    height, width = canvas.shape[:2]
    x, y, w, h = (min(max(part, -1e6), 1e6) for part in box)
    left, top = min(max(round(x), 0), width), min(max(round(y), 0), height)
    return left, top, min(max(round(x + w), left), width), min(max(round(y + h), top), height)


def _fill(canvas: Canvas, box: list[float], colour: Colour) -> None:
    left, top, right, bottom = _cut(canvas, box)
    canvas[top:bottom, left:right] = colour


def _tint(canvas: Canvas, box: list[float], colour: Colour) -> None:
    left, top, right, bottom = _cut(canvas, box)
    part = canvas[top:bottom, left:right]
    part[:] = (part * (1 - _TINT) + np.array(colour) * _TINT).astype(np.uint8)


def _frame(canvas: Canvas, box: list[float], colour: Colour, *, thick: int = 1) -> None:
    left, top, right, bottom = _cut(canvas, box)
    for part in (
        canvas[top : top + thick, left:right],
        canvas[max(bottom - thick, top) : bottom, left:right],
        canvas[top:bottom, left : left + thick],
        canvas[top:bottom, max(right - thick, left) : right],
    ):
        part[:] = colour


def _cross(canvas: Canvas, box: list[float], colour: Colour) -> None:
    left, top, right, bottom = _cut(canvas, box)
    steps = max(right - left, bottom - top)
    if not steps or right == left or bottom == top:
        return
    along = np.arange(steps)
    x = left + along * (right - left) // steps
    y = top + along * (bottom - top) // steps
    canvas[y, x] = colour
    canvas[y, left + right - 1 - x] = colour


def _write(canvas: Canvas, word: str, x: float, y: float, colour: Colour) -> None:
    width = len(word) * 6 * _WRITING
    _fill(canvas, [x - 2, y - 2, width + 4, 7 * _WRITING + 4], (255, 255, 255))
    for place, letter in enumerate(word):
        for down, dots in enumerate(_LETTERS[letter]):
            for across in range(5):
                if dots & (16 >> across):
                    at = [x + (place * 6 + across) * _WRITING, y + down * _WRITING, _WRITING, _WRITING]
                    _fill(canvas, at, colour)


def png(canvas: Canvas) -> bytes:
    r"""An image as PNG.

    >>> png(np.zeros((1, 1, 3), np.uint8))[:8]
    b'\x89PNG\r\n\x1a\n'
    """
    height, width = canvas.shape[:2]
    lines = np.concatenate([np.zeros((height, 1), np.uint8), canvas.reshape(height, -1)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )
