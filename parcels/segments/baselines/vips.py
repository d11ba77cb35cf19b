"""VIPS (Cai et al. 2003) on the boundaries of the WPS-graph: separators with weights, blocks with a coherence.

A separator weighs more the wider it is, where a line or another background marks it, where fonts differ, and less
where both sides are built alike. A block's degree of coherence falls with its heaviest separator; a block below the
permitted degree is cut at its heaviest separators, and its parts are looked at in turn.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from parcels.layout.render import LaidOut
from parcels.segments.graph.labelling import Labels, final_of_leaves, segments_of
from parcels.segments.graph.measured import Floats, Measured, floats
from parcels.segments.graph.relation import background_differs, font_size_difference, gap_px, structure_similarity
from parcels.segments.graph.wps_graph import build_graph

Ints = NDArray[np.int32]
DEGREES = 10  # of coherence, 1 to 10
GAPS_PX = (2.0, 5.0, 10.0, 20.0, 40.0)  # a separator gains a step at each
SMALL_SHARE = 0.02  # of the page's area: a block below it is coherent
HEAVIEST = 9.0


def clusters(laid: LaidOut, coherence: int) -> Ints:
    """The segment of each leaf for a permitted degree of coherence."""
    return cut(Measured(build_graph(laid)), coherence)


def cut(measured: Measured, coherence: int) -> Ints:
    """The same, of a graph that was measured before."""
    graph = measured.graph
    segments = segments_of(graph, cut_by_coherence(measured, coherence))
    return final_of_leaves(segments, len(graph.laid.page.leaves))


def separator_weights(measured: Measured) -> Floats:
    """The weight of each boundary, from 0 to HEAVIEST."""
    gap = gap_px(measured)
    weight = np.sum([gap >= px for px in GAPS_PX], axis=0).astype(np.float64)
    weight += 2 * background_differs(measured)
    weight += np.minimum(2 * font_size_difference(measured), 1.0)
    weight += np.where(structure_similarity(measured) > 0.9, -1.0, 1.0)
    return floats(np.clip(weight, 0, HEAVIEST))


def cut_by_coherence(measured: Measured, coherence: int) -> Labels:
    """Which boundaries cut where blocks must have at least this degree."""
    graph = measured.graph
    weights = separator_weights(measured)
    area = measured.size_px.prod(axis=1) / max(float(measured.size_px[0].prod()), 1.0)
    labels = np.zeros(len(graph), np.bool_)
    stack = [0]
    while stack:
        segment = stack.pop()
        count = int(graph.cuts[segment])
        if not count:
            continue
        own = slice(int(graph.boundary[segment]), int(graph.boundary[segment]) + count)
        heaviest = float(weights[own].max())
        degree = DEGREES - heaviest + (2 if area[segment] < SMALL_SHARE else 0)
        if degree >= coherence:
            continue
        is_cut = weights[own] >= heaviest - 1
        labels[own] = is_cut
        bounds = [0, *(np.flatnonzero(is_cut) + 1).tolist(), count + 1]
        first = int(graph.child[segment])
        stack += [first + low for low, high in pairwise(bounds) if high - low == 1]
    return labels
