"""A raster image in NumPy: rectangles, frames and text, saved as PNG."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

from parcels.layout.boxes import font

Canvas = NDArray[np.uint8]
Colour = tuple[int, int, int]
Box = list[float]  # x, y, width, height

MAX_HEIGHT, MAX_WIDTH = 8000, 3000
LINE_DOTS = font.HEIGHT + 1  # from one line of text to the next
MAX_LETTERS = 4000  # of one text
BAR_PX = 18  # text that cannot be written is drawn as bars about this far apart
SLACK = 4  # pixels by which text may overflow its box: the page's own letters are narrower
SLACK_SHARE = 0.2  # of the width of a single line, likewise
DARK = 140  # the mean of a pixel's colours below which it is ink
WHITE: Colour = (255, 255, 255)
_TINT = 0.15


def blank(width: float, height: float) -> Canvas:
    """Return a white canvas, within bounds."""
    size = int(min(max(height, 1.0), MAX_HEIGHT)), int(min(max(width, 1.0), MAX_WIDTH)), 3
    return np.full(size, 255, np.uint8)


def mixed(colour: Colour, share: float) -> Colour:
    """Return the colour thinned with white.

    >>> mixed((0, 100, 200), 0.5)
    (128, 178, 228)
    """
    red, green, blue = (round(255 - share * (255 - part)) for part in colour)
    return red, green, blue


def darker(colour: Colour) -> Colour:
    """Return the colour as ink that can be read on white."""
    red, green, blue = (round(0.6 * part) for part in colour)
    return red, green, blue


def fill(canvas: Canvas, box: Box, colour: Colour) -> None:
    """Fill a rectangle."""
    left, top, right, bottom = _cut(canvas, box)
    canvas[top:bottom, left:right] = colour


def tint(canvas: Canvas, box: Box, colour: Colour) -> None:
    """Tint what is in a rectangle."""
    left, top, right, bottom = _cut(canvas, box)
    part = canvas[top:bottom, left:right]
    part[:] = (part * (1 - _TINT) + np.array(colour) * _TINT).astype(np.uint8)


def frame(canvas: Canvas, box: Box, colour: Colour, *, thick: int = 1) -> None:
    """Draw the border of a rectangle."""
    left, top, right, bottom = _cut(canvas, box)
    for part in (
        canvas[top : top + thick, left:right],
        canvas[max(bottom - thick, top) : bottom, left:right],
        canvas[top:bottom, left : left + thick],
        canvas[top:bottom, max(right - thick, left) : right],
    ):
        part[:] = colour


def cross(canvas: Canvas, box: Box, colour: Colour) -> None:
    """Draw the diagonals of a rectangle."""
    left, top, right, bottom = _cut(canvas, box)
    steps = max(right - left, bottom - top)
    if not steps or right == left or bottom == top:
        return
    along = np.arange(steps)
    x = left + along * (right - left) // steps
    y = top + along * (bottom - top) // steps
    canvas[y, x] = colour
    canvas[y, left + right - 1 - x] = colour


def tag(canvas: Canvas, words: str, box: Box, colour: Colour) -> None:
    """Write a name, white on its colour, into the corner of a box in which it covers least."""
    text = font.drawable(words)
    width, height = font.width_of(text) * 2 + 6, font.HEIGHT * 2 + 4

    def corner(x: float, y: float) -> tuple[float, float]:
        return min(max(x, 0), canvas.shape[1] - width), min(max(y, 0), canvas.shape[0] - height)

    left, top, right, bottom = box[0], box[1], box[0] + box[2] - width, box[1] + box[3] - height
    outside = box[0] + box[2], top  # of a box that is full
    corners = [corner(*at) for at in ((right, top), (left, top), (right, bottom), (left, bottom), outside)]
    x, y = min(corners, key=lambda at: _ink(canvas, [*at, width, height]))
    fill(canvas, [x, y, width, height], colour)
    _write(canvas, text, x + 4, y + 4, WHITE, size=2)


def write_into(canvas: Canvas, words: str, box: Box, colour: Colour) -> None:
    """Write text into a box, large where there is room for it, cut off where it is too long; bars for other scripts."""
    x, y, width, height = box
    text = font.drawable(words[:MAX_LETTERS])
    if not text.strip():
        if words.strip():
            _bars(canvas, box, mixed(colour, 0.55))
        return
    is_one_line = height < 2 * LINE_DOTS
    size, lines = _fitted(text, width + max(SLACK, SLACK_SHARE * width * is_one_line), height + SLACK)
    step = min(height / max(len(lines), 1), 2.0 * LINE_DOTS * size)
    for number, line in enumerate(lines):
        _write(canvas, line, x, y + number * step + max(0.0, (step - LINE_DOTS * size) / 2), colour, size=size)


def _fitted(text: str, width: float, height: float) -> tuple[int, list[str]]:
    """Return the size of the letters and the lines."""
    for size in (2, 1):
        lines, most = font.wrapped(text, width / size), int(height // (LINE_DOTS * size))
        if len(lines) <= most and all(font.width_of(line) * size <= width for line in lines):
            return size, lines
    most = max(most, 1)
    kept = lines[:most] if len(lines) <= most else [*lines[: most - 1], " ".join(lines[most - 1 : most + 1])]
    return 1, [font.cut(line, width) for line in kept]


def _ink(canvas: Canvas, box: Box) -> int:
    """Return the number of dark pixels in a rectangle."""
    left, top, right, bottom = _cut(canvas, box)
    return int((canvas[top:bottom, left:right].mean(axis=2) < DARK).sum())


def _write(canvas: Canvas, text: str, x: float, y: float, colour: Colour, *, size: int) -> None:
    dots = font.dots_of(text, size)
    at = round(x), round(y)
    left, top, right, bottom = _cut(canvas, [*at, dots.shape[1], dots.shape[0]])
    skipped = left - at[0], top - at[1]  # outside the canvas
    part = dots[skipped[1] : skipped[1] + bottom - top, skipped[0] : skipped[0] + right - left]
    canvas[top : top + part.shape[0], left : left + part.shape[1]][part] = colour


def _bars(canvas: Canvas, box: Box, colour: Colour) -> None:
    x, y, width, height = box
    lines = min(max(1, round(height / BAR_PX)), MAX_HEIGHT // BAR_PX)
    for line in range(lines):
        fill(canvas, [x, y + (line + 0.25) * height / lines, width, 0.5 * height / lines], colour)


def _cut(canvas: Canvas, box: Box) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom inside the canvas."""
    height, width = canvas.shape[:2]
    x, y, w, h = (min(max(part, -1e6), 1e6) for part in box)
    left, top = min(max(round(x), 0), width), min(max(round(y), 0), height)
    return left, top, min(max(round(x + w), left), width), min(max(round(y + h), top), height)


def png(canvas: Canvas) -> bytes:
    r"""Return the image as PNG.

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
