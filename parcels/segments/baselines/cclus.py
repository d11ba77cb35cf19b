"""CCLUS (Chakrabarti et al. 2008): correlation clustering of a page's leaves.

Two leaves in one segment cost the evidence against it, two in different segments the evidence for it; `tradeoff` weighs
one against the other. Clusters are built around random pivots (Ailon et al. 2005), and the cheapest of several runs is
kept.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.layout.render import LaidOut
from parcels.segments.baselines.pair_features import Floats, places_of, same_segment

Ints = NDArray[np.int32]
DRAWS = 10
MOST_LEAVES = 1500  # all pairs are compared, so the leaves of a longer page are split into chunks of this size


def clusters(laid: LaidOut, weights: Floats, tradeoff: float) -> Ints:
    """Return the segment of each leaf."""
    return joined(likely_pairs(laid, weights), tradeoff)


def likely_pairs(laid: LaidOut, weights: Floats) -> list[Floats]:
    """Return the probability that each pair of leaves is in one segment, one matrix per chunk of leaves."""
    count = len(laid.page.leaves)
    places, squares = places_of(laid) if count else None, []
    for low in range(0, count, MOST_LEAVES):
        assert places is not None
        size = min(MOST_LEAVES, count - low)
        one, other = np.triu_indices(size, 1)
        likely = np.zeros((size, size))
        likely[one, other] = same_segment(places, one + low, other + low, weights)
        squares.append(likely + likely.T)
    return squares


def joined(squares: list[Floats], tradeoff: float) -> Ints:
    """Return the segment of each leaf of all chunks."""
    parts, low = [np.zeros(0, np.int32)], 0
    for likely in squares:
        parts.append(low + pivoted(likely, tradeoff))
        low += len(likely)
    return np.concatenate(parts).astype(np.int32)


def pivoted(likely: Floats, tradeoff: float) -> Ints:
    """Return the cheapest of several clusterings, given the probability of each pair."""
    gain = tradeoff * likely - (1 - tradeoff) * (1 - likely)
    np.fill_diagonal(gain, 0)
    best, clusters = -np.inf, np.zeros(len(likely), np.int32)
    for draw in range(DRAWS):
        drawn = _around_pivots(gain, np.random.default_rng(draw))
        worth = float(gain[drawn[:, None] == drawn[None, :]].sum())
        if worth > best:
            best, clusters = worth, drawn
    return clusters


def _around_pivots(gain: Floats, rng: np.random.Generator) -> Ints:
    clusters = np.full(len(gain), -1, np.int32)
    for number, pivot in enumerate(rng.permutation(len(gain)).tolist()):
        if clusters[pivot] < 0:
            clusters[(clusters < 0) & (gain[pivot] > 0)] = number
            clusters[pivot] = number
    return clusters
