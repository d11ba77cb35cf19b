"""The informative segment: the most probable final segment, or else the largest one on the first screen.

Probabilities come from a conditional logit: the probability of a segment is proportional to the exponential of a
weighted sum, among the segments of its page. The sum includes the loss of gains where the segment is left whole.
"""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from parcels.layout.render import LaidOut
from parcels.segments.graph.wps_graph import leaf_edges

if TYPE_CHECKING:
    from parcels.segments.segmenters import LeafGroup

Floats = NDArray[np.float64]
SCREEN_PX = 1000.0  # section 8.2
COST = 1.0  # weight of a gain that is lost: a weight learned from few pages would be too small
PRIZE = 4.0  # gains that a whole segment is worth which is surely the informative one


def informative_segment(laid: LaidOut, parts: "list[LeafGroup]") -> int | None:
    """Return the number of the informative segment, or None where there are no probabilities and no visible text.

    Without probabilities it is the segment with the most text outside links that begins on the first screen.
    """
    parents = {part.parent for part in parts}
    known = {
        number: part.probability
        for number, part in enumerate(parts)
        if number not in parents and part.probability is not None
    }
    return max(known, key=known.__getitem__) if known else _largest(laid, parts, parents)


def _largest(laid: LaidOut, parts: "list[LeafGroup]", parents: set[int | None]) -> int | None:
    edges = leaf_edges(laid)
    leaves = laid.page.leaves
    chars = np.array([len(text) if kind == "text" else 0 for kind, text in zip(leaves.kind, leaves.text, strict=True)])
    chars = np.where(leaves.is_link, chars // 4, chars)
    best, largest = 0, None
    for number, part in enumerate(parts):
        if number in parents or not part.leaves or edges[part.leaves, 1].min() > SCREEN_PX:
            continue
        size = int(chars[part.leaves][np.isfinite(edges[part.leaves, 1])].sum())
        if size > best:
            best, largest = size, number
    return largest


def informative_probabilities(rows: Floats, costs: Floats, weights: Floats) -> Floats:
    """Return the probability of each segment of a page to be the informative one; they add up to 1.

    >>> informative_probabilities(np.zeros((2, 1)), np.array([0.0, np.log(3)]), np.ones(1)).round(2).tolist()
    [0.75, 0.25]
    """
    scores = rows @ weights - COST * costs
    odds = np.exp(scores - scores.max())
    probabilities: Floats = odds / odds.sum()
    return probabilities


def prizes_for(probabilities: Floats) -> Floats:
    """Return the prize of each segment for being left whole, in units of gain."""
    return PRIZE * probabilities
