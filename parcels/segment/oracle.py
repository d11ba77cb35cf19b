"""The feasible labelling of a WPS-graph that agrees best with a gold segmentation: what a learner can reach at most.

The adjusted Rand index is a ratio of two sums over final segments: of pairs of leaves that a segment and the gold both
hold together, and of pairs that the segment holds together. Such a ratio is made as large as it can be by Dinkelbach's
method: for a guessed index, one pass from the smallest segments upwards finds the labelling with the largest
difference, whose index is the next guess.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from parcels.segment.gold import OUTSIDE
from parcels.segment.graph import WpsGraph
from parcels.segment.labelling import Labels, final_of_leaves, segments_of
from parcels.segment.metrics import adjusted_rand

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
ROUNDS = 20
FEW = 1e-7  # what a cut costs: of labellings that score alike the one with the fewest cuts is taken
LONGEST = 400  # parts that may be joined into one segment; longer runs are not tried


def best_labelling(graph: WpsGraph, gold: Ints) -> Labels:
    """The labelling with the best index over the leaves that are in a block."""
    counts = _counts(graph, gold)
    whole = counts[0].sum()
    labels = np.zeros(len(graph), np.bool_)
    if whole < 2 or not len(graph):
        return labels
    of_gold, all_pairs = _pairs(counts[0]).sum(), _pairs(whole)
    guess = _index(graph, labels, gold)
    for _ in range(ROUNDS):
        cost = of_gold / all_pairs + guess * (0.5 - of_gold / all_pairs)
        found = _best(graph, counts, cost)
        index = _index(graph, found, gold)
        if index <= guess + 1e-12:
            break
        guess, labels = index, found
    everywhere = np.ones(len(graph), np.bool_)  # where every block has one leaf there are no pairs to go by
    return everywhere if _index(graph, everywhere, gold) > guess else labels


def _index(graph: WpsGraph, labels: Labels, gold: Ints) -> float:
    is_told = gold != OUTSIDE
    finals = final_of_leaves(segments_of(graph, labels), len(gold))
    return adjusted_rand(gold[is_told], finals[is_told])


def _counts(graph: WpsGraph, gold: Ints) -> Floats:
    """How many leaves of each block every segment of the graph holds."""
    blocks, place = np.unique(gold[gold != OUTSIDE], return_inverse=True)
    steps = np.zeros((len(gold) + 1, len(blocks)))
    steps[1:][gold != OUTSIDE, place] = 1
    before = np.cumsum(steps, axis=0)
    counts = np.zeros((graph.segments, len(blocks)))
    for number, units in enumerate(graph.units):
        for unit in units:
            counts[number] += before[unit.end] - before[unit.first]
    return counts


def _best(graph: WpsGraph, counts: Floats, cost: float) -> Labels:
    """The labelling with the largest sum, over final segments, of pairs in common less `cost` times own pairs."""
    value = _worth(counts, cost)  # of each segment as a final one; then of the best that can be made of it
    ends: dict[int, list[int]] = {}
    for segment in np.flatnonzero(graph.cuts)[::-1].tolist():
        first, parts = int(graph.child[segment]), int(graph.cuts[segment]) + 1
        best, cuts = _best_chain(counts[first : first + parts], value[first : first + parts], cost)
        if best > value[segment] + 1e-9:
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


def _best_chain(counts: Floats, single: Floats, cost: float) -> tuple[float, list[int]]:
    """The best way to join neighbouring parts: its value and where it cuts."""
    parts = len(counts)
    before = np.concatenate([np.zeros((1, counts.shape[1])), np.cumsum(counts, axis=0)])
    best, come = np.zeros(parts + 1), [0] * (parts + 1)
    for end in range(1, parts + 1):
        low = max(0, end - LONGEST)
        values = best[low:end] + _worth(before[end] - before[low:end], cost) - FEW * (np.arange(low, end) > 0)
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
