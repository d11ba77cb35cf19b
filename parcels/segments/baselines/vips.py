"""VIPS (Cai et al. 2003) on the boundaries of the WPS-graph: weighted separators and degrees of coherence.

A separator is heavier the wider it is, and where a line, another background or another font marks it; it is lighter
where both sides have the same structure. A block's degree of coherence falls with its heaviest separator. A block below
the permitted degree is cut at its heaviest separators, and then its parts in turn.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from parcels.layout.render import LaidOut
from parcels.segments.graph.labelling import Labels, final_of_leaves, segments_of
from parcels.segments.graph.measures import Floats, SegmentMeasures, floats
from parcels.segments.graph.relation import background_differs, font_size_difference, gap_px, structure_similarity
from parcels.segments.graph.wps_graph import build_graph

Ints = NDArray[np.int32]
DEGREES = 10  # degrees of coherence, 1 to 10
GAPS_PX = (2.0, 5.0, 10.0, 20.0, 40.0)  # widths at which a separator gains a step
SMALL_SHARE = 0.02  # share of the page's area below which a block is coherent
HEAVIEST = 9.0


def clusters(laid: LaidOut, coherence: int) -> Ints:
    """Return the segment of each leaf for a permitted degree of coherence."""
    return cut(SegmentMeasures(build_graph(laid)), coherence)


def cut(measured: SegmentMeasures, coherence: int) -> Ints:
    """Return the segment of each leaf of a measured graph."""
    graph = measured.graph
    segments = segments_of(graph, cut_by_coherence(measured, coherence))
    return final_of_leaves(segments, len(graph.laid.page.leaves))


def separator_weights(measured: SegmentMeasures) -> Floats:
    """Return the weight of each boundary, from 0 to HEAVIEST."""
    gap = gap_px(measured)
    weight = np.sum([gap >= px for px in GAPS_PX], axis=0).astype(np.float64)
    weight += 2 * background_differs(measured)
    weight += np.minimum(2 * font_size_difference(measured), 1.0)
    weight += np.where(structure_similarity(measured) > 0.9, -1.0, 1.0)
    return floats(np.clip(weight, 0, HEAVIEST))


def cut_by_coherence(measured: SegmentMeasures, coherence: int) -> Labels:
    """Return the labelling in which all blocks have at least this degree of coherence."""
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
