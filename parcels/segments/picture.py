"""A page and its segments as a PNG: each final segment in a colour, its number in the corner."""

import numpy as np

from parcels.layout.boxes.canvas import Box, Colour, blank, frame, png, tag
from parcels.layout.picture import COLOURS, draw_leaves
from parcels.layout.render import LaidOut
from parcels.segments.graph.wps_graph import leaf_edges
from parcels.segments.result import PageSegments

FRAME_PX = 3
INFORMATIVE: Colour = (200, 30, 30)
PALETTE: tuple[Colour, ...] = (*COLOURS.values(), (180, 140, 20), (20, 150, 150), (160, 60, 120), (90, 90, 200))


def draw(laid: LaidOut, segments: PageSegments) -> bytes:
    """Return the picture as PNG; the informative segment is framed in red and named, the others in their colour."""
    canvas = blank(laid.layout.width, laid.layout.height)
    edges = leaf_edges(laid)
    boxes = np.concatenate([edges[:, :2], edges[:, 2:] - edges[:, :2]], axis=1)
    colours: dict[int, Colour] = {}
    framed: list[tuple[str, Box, Colour]] = []
    for number, segment in enumerate(segments.finals()):
        colour = PALETTE[number % len(PALETTE)]
        colours.update(dict.fromkeys(segment.leaves, colour))
        if segment.box is not None:
            is_informative = segment.n == segments.informative
            name = f"{segment.n} informative" if is_informative else str(segment.n)
            framed.append((name, list(segment.box), INFORMATIVE if is_informative else colour))
    draw_leaves(canvas, laid.page, boxes, colours.get)
    for name, (x, y, width, height), colour in framed:
        box = [x - FRAME_PX, y - FRAME_PX, width + 2 * FRAME_PX, height + 2 * FRAME_PX]  # around the text, not over it
        frame(canvas, box, colour, thick=FRAME_PX)
        tag(canvas, name, box, colour)
    return png(canvas)
