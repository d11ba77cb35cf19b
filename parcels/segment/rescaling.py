"""The labelling that violates its margin most, under the two losses of the paper (sections 6.2 and 6.3)."""

from itertools import combinations
from math import exp

import numpy as np
from numpy.typing import NDArray

from parcels.segment.graph import WpsGraph
from parcels.segment.inference import by_chains
from parcels.segment.labelling import Labels

Floats = NDArray[np.float64]
MOST_INFORMATIVE = 12  # boundaries whose subsets are all tried; of more, those that are nearest to being wrong
FORCE = 1e6  # a gain that no sum of others outweighs

Violation = tuple[Labels, float, bool]  # labelling, its loss, whether the margin is scaled by the loss


def most_violated_margin(graph: WpsGraph, gains: Floats, gold: Labels, informative: tuple[int, ...]) -> Violation:
    """Formula 26: the Hamming loss goes into the gains, so that one inference finds it."""
    labels = by_chains(graph, gains + np.where(gold, -1.0, 1.0))
    return labels, float((labels != gold).sum()), False


def informative_loss(wrong: int, informative: int) -> float:
    """Formula 22."""
    return exp(wrong / informative) if informative else 1.0


def most_violated_slack(graph: WpsGraph, gains: Floats, gold: Labels, informative: tuple[int, ...]) -> Violation | None:
    """Proposition 1: the best labelling, or the best of those with more informative boundaries wrong."""
    best = by_chains(graph, gains)
    if (best == gold).all():
        other = second_best(graph, gains, gold)
        if other is None:
            return None
        best = other
    size, found, most = len(informative), best, -np.inf
    wrong = [boundary for boundary in informative if best[boundary] != gold[boundary]]
    candidates = [best]
    near = sorted(informative, key=lambda boundary: float(gains[boundary]) * (1 if gold[boundary] else -1))
    near = near[:MOST_INFORMATIVE]
    for count in range(len(wrong) + 1, len(near) + 1):
        for chosen in combinations(near, count):
            forced = _forced(graph, gains, gold, informative, frozenset(chosen))
            if forced is not None:
                candidates.append(forced)
    for labels in candidates:
        loss = informative_loss(int(sum(labels[one] != gold[one] for one in informative)), size)
        margin = float(gains[gold].sum() - gains[labels].sum())
        if (1 - margin) * loss > most:
            found, most = labels, (1 - margin) * loss
    loss = informative_loss(int(sum(found[one] != gold[one] for one in informative)), size)
    return found, loss, True


def _forced(
    graph: WpsGraph, gains: Floats, gold: Labels, informative: tuple[int, ...], wrong: frozenset[int]
) -> Labels | None:
    """The best labelling with these informative boundaries wrong and the others right; None where it cannot be."""
    places = list(informative)
    wanted = np.array([gold[place] != (place in wrong) for place in places], np.bool_)
    bent = gains.copy()
    bent[places] = np.where(wanted, FORCE, -FORCE)
    labels = by_chains(graph, bent)
    return labels if (labels[places] == wanted).all() else None


def second_best(graph: WpsGraph, gains: Floats, best: Labels) -> Labels | None:
    """The best labelling that differs from the best: it differs in some boundary, so each is turned in turn."""
    found, most = None, -np.inf
    for boundary in range(len(gains)):
        bent = gains.copy()
        bent[boundary] = -FORCE if best[boundary] else FORCE
        labels = by_chains(graph, bent)
        if labels[boundary] != best[boundary] and gains[labels].sum() > most:
            found, most = labels, float(gains[labels].sum())
    return found
