"""Segments that are to stay whole: what it costs to have one as a final segment, and the best labelling with prizes.

The boundaries of one segment form a chain, as in `inference.by_chains`. Best sums up to each boundary that cuts, from
both ends of the chain, tell at once what is gained at most where a part is cut out by itself.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.segments.graph.inference import from_top
from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.wps_graph import WpsGraph

Floats = NDArray[np.float64]


def costs_of_whole(graph: WpsGraph, gains: Floats) -> Floats:
    """Of each segment, what the best labelling gains less the best one in which this segment is a final one."""
    gain = gains.tolist()
    inner = [0.0] * graph.segments
    beside = [0.0] * graph.segments  # what is gained at most in the segment around it, where it is cut out of that
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
    """The labelling whose gains, with the prizes of the segments that it leaves whole, add up to the most.

    Only segments of the graph have prizes, several neighbours that are left together have none.
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
    """For each boundary of a row of parts the best sum up to it where it cuts, and the one that cuts before it (-1:
    none). A part counts where it is alone between two cuts, or between a cut and the row's end."""
    best: list[float] = []
    come: list[int] = []
    joined, joined_at = 0.0, -1  # the best sum with two parts or more between the last cut and this boundary
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
    """The best sum of a row of parts that is cut at least once, and where it is cut."""
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
