"""The most violated labelling under the two losses of the paper (sections 6.2 and 6.3).

In the paper, slack re-scaling requires a margin of 1 between the gold labelling and any other. That is little for a
page with a hundred boundaries and tens of training pages. Here the margin is the Hamming distance, as in margin
re-scaling, and the violation is scaled by the loss of the informative segment.
"""

from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.segments.graph.counted import best_by_wrong
from parcels.segments.graph.inference import by_chains
from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.wps_graph import WpsGraph

Floats = NDArray[np.float64]


class Violation(NamedTuple):
    """A labelling, the required margin of the gold over it, and the factor for its violation."""

    labels: Labels
    margin: float
    scale: float


def most_violated_margin(graph: WpsGraph, gains: Floats, gold: Labels, informative: tuple[int, ...]) -> Violation:
    """Return the most violated labelling under margin re-scaling (formula 26)."""
    labels = by_chains(graph, _with_hamming(gains, gold))
    return Violation(labels, float((labels != gold).sum()), 1.0)


def _with_hamming(gains: Floats, gold: Labels) -> Floats:
    return gains + np.where(gold, -1.0, 1.0)


def informative_loss(wrong: int, informative: int) -> float:
    """Return the loss of the informative segment (formula 22)."""
    return exp(wrong / informative) if informative else 1.0


def most_violated_slack(graph: WpsGraph, gains: Floats, gold: Labels, informative: tuple[int, ...]) -> Violation:
    """Return the most violated labelling under slack re-scaling (proposition 1)."""
    raised = _with_hamming(gains, gold)
    candidates = [by_chains(graph, raised)]
    if informative:
        counted = best_by_wrong(graph, raised, gold, informative, most=len(informative))
        candidates += [labels for wrong, labels in counted.items() if wrong]
    places, own = list(informative), float(gains[gold].sum())
    worst, most = None, -np.inf
    for labels in candidates:
        scale = informative_loss(int((labels[places] != gold[places]).sum()), len(places))
        margin = float((labels != gold).sum())
        violated = scale * (margin - own + float(gains[labels].sum()))
        if violated > most:
            worst, most = Violation(labels, margin, scale), violated
    assert worst is not None
    return worst
