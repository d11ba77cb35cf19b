"""Inference: the labelling of a WPS-graph with the largest sum of gains (section 5).

The gain of a boundary is the score of cutting there over not cutting. A boundary may cut only where all boundaries that
it depends on do. Three methods give the same optimum:

- `by_chains`, the default: boundaries of one segment form a chain, and the inside of a part counts only where both its
  sides cut. So one pass from the smallest segments upwards is exact and linear in time.
- `by_programme`: the paper's linear programme, whose matrix is totally unimodular, by HiGHS.
- `by_cut`: a maximum-weight closure, by a minimum cut.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.wps_graph import WpsGraph

Floats = NDArray[np.float64]


def by_chains(graph: WpsGraph, gains: Floats) -> Labels:
    """Return the best labelling by dynamic programming; ties go to fewer cuts."""
    gain: list[float] = gains.tolist()
    inner = [0.0] * graph.segments  # largest sum of gains inside each segment
    chosen: dict[int, list[int]] = {}
    child, boundary, cuts = graph.child.tolist(), graph.boundary.tolist(), graph.cuts.tolist()
    for segment in np.flatnonzero(graph.cuts)[::-1].tolist():
        first, at, count = child[segment], boundary[segment], cuts[segment]
        # Best sums up to a boundary that does not cut, and up to one that does.
        stays, splits = 0.0, inner[first] + gain[at]
        from_split: list[tuple[bool, bool]] = []
        for cut in range(1, count):
            middle = inner[first + cut]
            is_stay, is_split = splits > stays, splits + middle > stays
            from_split.append((is_stay, is_split))
            stays, splits = (
                splits if is_stay else stays,
                (splits + middle if is_split else stays) + gain[at + cut],
            )
        splits += inner[first + count]
        best = max(stays, splits)
        if best <= 0:
            continue
        inner[segment] = best
        is_cut = splits > stays
        cutting = [at + count - 1] if is_cut else []
        for cut in range(count - 2, -1, -1):
            is_cut = from_split[cut][is_cut]
            if is_cut:
                cutting.append(at + cut)
        chosen[segment] = cutting
    return from_top(graph, chosen)


def from_top(graph: WpsGraph, chosen: dict[int, list[int]]) -> Labels:
    """Return the labels from the top downwards; choices inside a part count where both its sides cut."""
    labels = np.zeros(len(graph) + 1, np.bool_)
    labels[-1] = True  # an edge of the segment
    above, below = graph.sides()
    for segment in sorted(chosen):
        if labels[above[segment]] and labels[below[segment]]:
            labels[chosen[segment]] = True
    return labels[:-1]


def by_programme(graph: WpsGraph, gains: Floats) -> Labels:
    """Return the best labelling by the linear programme (formula 18), after pruning."""
    from scipy.optimize import linprog  # type: ignore[import-untyped]
    from scipy.sparse import csr_array  # type: ignore[import-untyped]

    kept, edges = pruned(graph, gains)
    labels = np.zeros(len(graph), np.bool_)
    if not len(kept):
        return labels
    rows = np.repeat(np.arange(len(edges)), 2)
    signs = np.tile([-1.0, 1.0], len(edges))  # x of a boundary minus x of one it depends on is at most 0
    limits = csr_array((signs, (rows, edges.ravel())), shape=(len(edges), len(kept)))
    solution = linprog(-gains[kept], limits, np.zeros(len(edges)), bounds=(0, 1), method="highs")
    labels[kept] = solution.x > 0.5
    return labels


def by_cut(graph: WpsGraph, gains: Floats) -> Labels:
    """Return the best labelling as a maximum-weight closure: the source side of a minimum cut."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow  # type: ignore[import-untyped]

    kept, edges = pruned(graph, gains)
    labels = np.zeros(len(graph), np.bool_)
    if not len(kept):
        return labels
    weight = gains[kept]
    scale = (2**30 - 1) / max(float(np.abs(weight).sum()), 1e-300)  # flows are 32-bit integers
    capacity = np.maximum(1, np.round(np.abs(weight) * scale)).astype(np.int32)
    capacity[weight == 0] = 0
    count = len(kept)
    source, sink = count, count + 1
    places = np.arange(count)
    gains_at, costs_at = places[weight > 0], places[weight < 0]
    tails = np.concatenate([np.full(len(gains_at), source), costs_at, edges[:, 1]])
    heads = np.concatenate([gains_at, np.full(len(costs_at), sink), edges[:, 0]])
    sizes = np.concatenate([capacity[gains_at], capacity[costs_at], np.full(len(edges), 2**30, np.int32)])
    network = csr_array((sizes.astype(np.int32), (tails, heads)), shape=(count + 2, count + 2))
    rest = network - maximum_flow(network, source, sink).flow
    rest.data = np.maximum(rest.data, 0)
    rest.eliminate_zeros()
    reached = breadth_first_order(rest, source, return_predecessors=False)
    labels[kept[reached[reached < count]]] = True
    return labels


def pruned(graph: WpsGraph, gains: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the boundaries left after pruning, and the dependencies between them (section 5).

    Boundaries with no gain and no remaining dependants are removed until none is left.
    """
    edges = np.array(graph.dependencies(), np.intp).reshape(-1, 2)
    needed = np.zeros(len(graph), np.int64)
    np.add.at(needed, edges[:, 0], 1)
    above: list[list[int]] = [[] for _ in range(len(graph))]
    for one, other in edges.tolist():
        above[other].append(one)
    is_kept = np.ones(len(graph), np.bool_)
    stack = np.flatnonzero((needed == 0) & (gains <= 0)).tolist()
    while stack:
        gone = stack.pop()
        is_kept[gone] = False
        for one in above[gone]:
            needed[one] -= 1
            if not needed[one] and gains[one] <= 0:
                stack.append(one)
    kept = np.flatnonzero(is_kept)
    place = np.cumsum(is_kept) - 1
    left = edges[is_kept[edges].all(axis=1)]
    return kept, place[left]


def objective(gains: Floats, labels: Labels) -> float:
    """Return the sum of gains of a labelling."""
    return float(gains[labels].sum())
