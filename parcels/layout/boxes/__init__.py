"""The result of a renderer, virtual or Chromium: a box for every node and every leaf."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Boxes = NDArray[np.float32]  # one row per node or leaf: x, y, width, height in px; NaN without a box

AREAS = ("header", "footer", "left", "right", "centre")


@dataclass(frozen=True, slots=True)
class Layout:
    """A page on a screen of a given width."""

    width: float  # of the screen
    height: float  # of the page: the lowest edge of a box
    nodes: Boxes  # one row per node of the page
    leaves: Boxes  # one row per leaf of the page: the bounding box of its lines
    hidden_reason: tuple[str | None, ...]  # of each leaf: None, display, visibility, size, colour, off-screen, covered
    renderer: str  # virtual, chromium
