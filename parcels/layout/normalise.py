"""Coordinates as shares of the page: every position over the largest x, y of any box (PARCELS 2004, section 5.2.3)."""

import numpy as np

from parcels.layout.boxes import Boxes, Layout


def extent(layout: Layout) -> tuple[float, float]:
    """The largest x and the largest y of any box: of the page's own and of the leaves that can be seen.

    What nobody sees does not count, or one box at left: 9999px would press the whole page against its left edge.
    """
    is_seen = np.array([reason is None for reason in layout.hidden_reason], np.bool_)
    boxes = np.concatenate([layout.nodes[:1], layout.leaves[is_seen]])
    right, bottom = boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]
    return _largest(right), _largest(bottom)


def normalised(boxes: Boxes, right: float, bottom: float) -> Boxes:
    """Boxes in per cent of the page's extent: x and width of its right edge, y and height of its lower edge.

    What lies left of or above the page is 0; NaN stays where there is no box.

    >>> normalised(np.array([[250.0, 100.0, 500.0, 50.0]], np.float32), 1000.0, 400.0).tolist()
    [[25.0, 25.0, 50.0, 12.5]]
    """
    whole = np.array([right, bottom, right, bottom], np.float32)
    shares: Boxes = np.clip(boxes * np.float32(100) / whole, 0, 100).astype(np.float32)
    return shares


def normalised_leaves(layout: Layout) -> Boxes:
    """The leaves of a page in per cent."""
    return normalised(layout.leaves, *extent(layout))


def normalised_nodes(layout: Layout) -> Boxes:
    """The nodes of a page in per cent."""
    return normalised(layout.nodes, *extent(layout))


def _largest(edges: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> float:
    known = edges[~np.isnan(edges)]
    return max(float(known.max()), 1.0) if len(known) else 1.0
