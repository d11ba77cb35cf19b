"""The oracle: the feasible labelling of a WPS-graph with the best adjusted Rand index to a gold segmentation.

It is the gold labelling for training, and the ceiling of any learner. The index is a ratio of two sums over final
segments: of pairs of leaves that are together in a segment and in the gold, and of pairs that are together in the
segment. Dinkelbach's method maximises such a ratio: for an estimate of the index, one pass from the smallest segments
upwards finds the labelling with the largest difference, whose index is the next estimate.

Ties go to the labelling that also separates parts without scored text, such as blocks of images and leaves outside all
blocks, since readers see these boundaries too.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from parcels.segments.gold import OUTSIDE
from parcels.segments.graph.labelling import Labels, final_of_leaves, segments_of
from parcels.segments.graph.wps_graph import WpsGraph
from parcels.segments.metrics import adjusted_rand

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
ROUNDS = 20
WORDLESS = 1e-6  # weight of a pair that is not scored, to break ties
FEW = 1e-8  # cost of a cut, to break remaining ties by fewest cuts
LONGEST = 400  # parts that may be joined into one segment; longer runs are not tried


def best_labelling(graph: WpsGraph, gold: Ints, every: Ints | None = None) -> Labels:
    """Return the labelling with the best index over the leaves inside blocks.

    `every` has the block of each leaf, scored or not; it breaks ties.
    """
    counts = _counts(graph, gold)
    others = _counts(graph, every) if every is not None else None
    whole = counts[0].sum()
    labels = np.zeros(len(graph), np.bool_)
    if whole < 2 or not len(graph):
        return labels
    of_gold, all_pairs = _pairs(counts[0]).sum(), _pairs(whole)
    estimate = _index(graph, labels, gold)
    for _ in range(ROUNDS):
        cost = of_gold / all_pairs + estimate * (0.5 - of_gold / all_pairs)
        candidate = _best(graph, counts, others, cost)
        index = _index(graph, candidate, gold)
        if index < estimate - 1e-12:
            break
        is_same = index <= estimate + 1e-12
        estimate, labels = index, candidate
        if is_same:
            break
    everywhere = np.ones(len(graph), np.bool_)  # for blocks of one leaf each, which have no pairs
    return everywhere if _index(graph, everywhere, gold) > estimate else labels


def _index(graph: WpsGraph, labels: Labels, gold: Ints) -> float:
    is_told = gold != OUTSIDE
    finals = final_of_leaves(segments_of(graph, labels), len(gold))
    return adjusted_rand(gold[is_told], finals[is_told])


def _counts(graph: WpsGraph, gold: Ints) -> Floats:
    """Return the number of leaves of each block in each segment of the graph."""
    blocks, place = np.unique(gold[gold != OUTSIDE], return_inverse=True)
    steps = np.zeros((len(gold) + 1, len(blocks)))
    steps[1:][gold != OUTSIDE, place] = 1
    before = np.cumsum(steps, axis=0)
    counts = np.zeros((graph.segments, len(blocks)))
    for number, units in enumerate(graph.units):
        for unit in units:
            counts[number] += before[unit.end] - before[unit.first]
    return counts


def _best(graph: WpsGraph, counts: Floats, others: Floats | None, cost: float) -> Labels:
    """Return the labelling with the largest sum over final segments of common pairs minus `cost` times own pairs."""
    kinds = [(counts, 1.0)] if others is None else [(counts, 1.0), (others, WORDLESS)]
    # First the value of each segment as a final one, then of its best division.
    value = np.sum([weight * _worth(own, cost) for own, weight in kinds], axis=0)
    ends: dict[int, list[int]] = {}
    for segment in np.flatnonzero(graph.cuts)[::-1].tolist():
        parts = slice(int(graph.child[segment]), int(graph.child[segment]) + int(graph.cuts[segment]) + 1)
        best, cuts = _best_chain([(own[parts], weight) for own, weight in kinds], value[parts], cost)
        if best > value[segment] + FEW / 10:
            value[segment], ends[segment] = best, cuts
    labels = np.zeros(len(graph), np.bool_)
    stack = [0]
    while stack:
        segment = stack.pop()
        if segment not in ends:
            continue
        first, cuts = int(graph.child[segment]), ends[segment]
        labels[[int(graph.boundary[segment]) + end - 1 for end in cuts]] = True
        bounds = [0, *cuts, int(graph.cuts[segment]) + 1]
        stack += [first + low for low, high in pairwise(bounds) if high - low == 1]
    return labels


def _best_chain(kinds: list[tuple[Floats, float]], single: Floats, cost: float) -> tuple[float, list[int]]:
    """Return the value and the cuts of the best way to join neighbouring parts."""
    parts = len(single)
    before = [(np.concatenate([np.zeros((1, own.shape[1])), np.cumsum(own, axis=0)]), weight) for own, weight in kinds]
    best, come = np.zeros(parts + 1), [0] * (parts + 1)
    for end in range(1, parts + 1):
        low = max(0, end - LONGEST)
        values = best[low:end] - FEW * (np.arange(low, end) > 0)
        for own, weight in before:
            values += weight * _worth(own[end] - own[low:end], cost)
        values[-1] = best[end - 1] + single[end - 1] - FEW * (end > 1)
        come[end] = low + int(values.argmax())
        best[end] = values[come[end] - low]
    cuts, end = [], come[parts]
    while end > 0:
        cuts.append(end)
        end = come[end]
    return float(best[parts]), cuts[::-1]


def _worth(counts: Floats, cost: float) -> Floats:
    worth: Floats = _pairs(counts).sum(axis=-1) - cost * _pairs(counts.sum(axis=-1))
    return worth


def _pairs(counts: Floats) -> Floats:
    return counts * (counts - 1) / 2
