"""Which final segment of a page holds what the page is there for: the likeliest one where the segmenter tells, or the
largest one that is seen on the first screen."""

from typing import TYPE_CHECKING

import numpy as np

from parcels.layout.render import LaidOut
from parcels.segments.graph.wps_graph import leaf_edges

if TYPE_CHECKING:
    from parcels.segments.segmenters import Part

SCREEN_PX = 1000.0  # section 8.2


def informative_segment(laid: LaidOut, parts: "list[Part]") -> int | None:
    """The number of the segment; None where no segmenter tells, and nothing is seen on the first screen.

    Without a segmenter that tells it is the one with the most text outside links: of two segments of one size the one
    that is read, not the menu.
    """
    parents = {part.parent for part in parts}
    told = {
        number: part.chance for number, part in enumerate(parts) if number not in parents and part.chance is not None
    }
    return max(told, key=told.__getitem__) if told else _largest(laid, parts, parents)


def _largest(laid: LaidOut, parts: "list[Part]", parents: set[int | None]) -> int | None:
    edges = leaf_edges(laid)
    leaves = laid.page.leaves
    chars = np.array([len(text) if kind == "text" else 0 for kind, text in zip(leaves.kind, leaves.text, strict=True)])
    chars = np.where(leaves.is_link, chars // 4, chars)
    best, found = 0, None
    for number, part in enumerate(parts):
        if number in parents or not part.leaves or edges[part.leaves, 1].min() > SCREEN_PX:
            continue
        size = int(chars[part.leaves][np.isfinite(edges[part.leaves, 1])].sum())
        if size > best:
            best, found = size, number
    return found
