"""The feasible labelling of a WPS-graph that agrees best with a gold segmentation: what a learner can reach at most.

The adjusted Rand index is a ratio of two sums over final segments: of pairs of leaves that a segment and the gold both
hold together, and of pairs that the segment holds together. Such a ratio is made as large as it can be by Dinkelbach's
method: for a guessed index, one pass from the smallest segments upwards finds the labelling with the largest
difference, whose index is the next guess.

Of labellings with the same index the one is taken that also keeps apart what has no text to score by: blocks of images
only, and what lies outside all blocks. They are boundaries to a reader all the same.
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
WORDLESS = 1e-6  # what a pair counts that is not scored: it decides between labellings that score alike
FEW = 1e-8  # what a cut costs: of labellings that are alike even then the one with the fewest cuts is taken
LONGEST = 400  # parts that may be joined into one segment; longer runs are not tried


def best_labelling(graph: WpsGraph, gold: Ints, every: Ints | None = None) -> Labels:
    """The labelling with the best index over the leaves that are in a block.

    `every` has the block of each leaf, whether or not it is scored: it decides between labellings that score alike.
    """
    counts = _counts(graph, gold)
    others = _counts(graph, every) if every is not None else None
    whole = counts[0].sum()
    labels = np.zeros(len(graph), np.bool_)
    if whole < 2 or not len(graph):
        return labels
    of_gold, all_pairs = _pairs(counts[0]).sum(), _pairs(whole)
    guess = _index(graph, labels, gold)
    for _ in range(ROUNDS):
        cost = of_gold / all_pairs + guess * (0.5 - of_gold / all_pairs)
        found = _best(graph, counts, others, cost)
        index = _index(graph, found, gold)
        if index < guess - 1e-12:
            break
        is_same = index <= guess + 1e-12
        guess, labels = index, found
        if is_same:
            break
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


def _best(graph: WpsGraph, counts: Floats, others: Floats | None, cost: float) -> Labels:
    """The labelling with the largest sum, over final segments, of pairs in common less `cost` times own pairs."""
    kinds = [(counts, 1.0)] if others is None else [(counts, 1.0), (others, WORDLESS)]
    # Of each segment as a final one; then of the best that can be made of it.
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
    """The best way to join neighbouring parts: its value and where it cuts."""
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
