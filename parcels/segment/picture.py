"""A page and its segments as a PNG: text as bars, media as boxes, each final segment in a colour of its own."""

import numpy as np

from parcels.layout.picture import COLOURS, MAX_HEIGHT, MAX_WIDTH, Canvas, Colour, png
from parcels.layout.render import LaidOut
from parcels.segment.graph import leaf_edges
from parcels.segment.result import PageSegments

LINE_PX = 18.0
FRAME_PX = 3
TEXT, MEDIUM = 0.6, 0.3  # how strong their colours are
INFORMATIVE: Colour = (200, 30, 30)
PALETTE: tuple[Colour, ...] = (*COLOURS.values(), (180, 140, 20), (20, 150, 150), (160, 60, 120), (90, 90, 200))


def draw(laid: LaidOut, found: PageSegments) -> bytes:
    """The picture; the informative segment is framed in red, all others in their colour."""
    height = int(min(max(laid.layout.height, 1.0), MAX_HEIGHT))
    canvas: Canvas = np.full((height, int(min(max(laid.layout.width, 1.0), MAX_WIDTH)), 3), 255, np.uint8)
    edges = leaf_edges(laid)
    for number, segment in enumerate(found.finals()):
        colour = PALETTE[number % len(PALETTE)]
        for leaf in segment.leaves:
            left, top, right, bottom = edges[leaf].tolist()
            if not np.isfinite(left):
                continue
            if found.leaves[leaf].kind != "text":
                _fill(canvas, left, top, right, bottom, _mixed(colour, MEDIUM))
                continue
            lines = max(1, round((bottom - top) / LINE_PX))
            step = (bottom - top) / lines
            for line in range(lines):
                bar = top + (line + 0.25) * step
                _fill(canvas, left, bar, right, bar + 0.5 * step, _mixed(colour, TEXT))
        if segment.box is not None:
            left, top, wide, high = segment.box
            _frame(
                canvas, left, top, left + wide, top + high, INFORMATIVE if segment.n == found.informative else colour
            )
    return png(canvas)


def _mixed(colour: Colour, share: float) -> Colour:
    """The colour thinned with white."""
    red, green, blue = (round(255 - share * (255 - part)) for part in colour)
    return red, green, blue


def _fill(canvas: Canvas, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
    height, width = canvas.shape[:2]
    across = slice(round(min(max(left, 0), width)), round(min(max(right, 0), width)))
    canvas[round(min(max(top, 0), height)) : round(min(max(bottom, 0), height)), across] = colour


def _frame(canvas: Canvas, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
    _fill(canvas, left, top, right, top + FRAME_PX, colour)
    _fill(canvas, left, bottom - FRAME_PX, right, bottom, colour)
    _fill(canvas, left, top, left + FRAME_PX, bottom, colour)
    _fill(canvas, right - FRAME_PX, top, right, bottom, colour)
