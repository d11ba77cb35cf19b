"""Inference with prizes for segments left whole, and the cost of leaving each segment whole.

The boundaries of one segment form a chain, as in `inference.by_chains`. Best sums up to each cut from both ends of the
chain give the largest gain with a part cut out by itself.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.segments.graph.inference import from_top
from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.wps_graph import WpsGraph

Floats = NDArray[np.float64]


def costs_of_whole(graph: WpsGraph, gains: Floats) -> Floats:
    """Return the cost of each segment as a final one: the loss of gains against the best labelling."""
    gain = gains.tolist()
    inner = [0.0] * graph.segments
    beside = [0.0] * graph.segments  # largest sum in the parent segment with this segment cut out
    child, boundary, cuts = graph.child.tolist(), graph.boundary.tolist(), graph.cuts.tolist()
    for segment in np.flatnonzero(graph.cuts)[::-1].tolist():
        first, at, count = child[segment], boundary[segment], cuts[segment]
        inside, own = inner[first : first + count + 1], gain[at : at + count]
        before = [0.0, *_sums(inside, own)[0]]
        after = [0.0, *_sums(inside[::-1], own[::-1])[0]][::-1]
        beside[first : first + count + 1] = [one + other for one, other in zip(before, after, strict=True)]
        inner[segment] = max(0.0, _best_row(inside, own)[0])
    total = [0.0] * graph.segments
    for segment, around in enumerate(graph.parent.tolist()):
        if around >= 0:
            total[segment] = total[around] + beside[segment]
    return inner[0] - np.array(total)


def by_prizes(graph: WpsGraph, gains: Floats, prizes: Floats) -> Labels:
    """Return the labelling with the largest sum of gains and of prizes for the segments left whole.

    Only segments of the graph have prizes; neighbours that are joined have none.
    """
    gain, worth = gains.tolist(), prizes.tolist()
    chosen: dict[int, list[int]] = {}
    child, boundary, cuts = graph.child.tolist(), graph.boundary.tolist(), graph.cuts.tolist()
    for segment in np.flatnonzero(graph.cuts)[::-1].tolist():
        first, at, count = child[segment], boundary[segment], cuts[segment]
        best, cutting = _best_row(worth[first : first + count + 1], gain[at : at + count])
        if best > worth[segment]:
            worth[segment] = best
            chosen[segment] = [at + cut for cut in cutting]
    return from_top(graph, chosen)


def _sums(inside: list[float], gain: list[float]) -> tuple[list[float], list[int]]:
    """Return for each boundary the best sum up to it if it cuts, and the previous cut (-1 for none).

    A part counts where it is alone between two cuts, or between a cut and the row's end.
    """
    best: list[float] = []
    come: list[int] = []
    joined, joined_at = 0.0, -1  # the best sum with at least two parts between the last cut and this boundary
    for cut, own in enumerate(gain):
        alone = (best[-1] if cut else 0.0) + inside[cut]
        is_joined = cut > 0 and joined > alone
        if cut and best[-1] > joined:
            next_joined, next_at = best[-1], cut - 1
        else:
            next_joined, next_at = joined, joined_at
        best.append((joined if is_joined else alone) + own)
        come.append(joined_at if is_joined else cut - 1)
        joined, joined_at = next_joined, next_at
    return best, come


def _best_row(inside: list[float], gain: list[float]) -> tuple[float, list[int]]:
    """Return the best sum of a row of parts with at least one cut, and its cuts."""
    best, come = _sums(inside, gain)
    last = len(gain) - 1
    total, at = best[last] + inside[-1], last
    for cut, value in enumerate(best[:-1]):
        if value > total:
            total, at = value, cut
    cutting = []
    while at >= 0:
        cutting.append(at)
        at = come[at]
    return total, cutting
