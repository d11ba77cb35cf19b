"""CCLUS (Chakrabarti et al. 2008): correlation clustering of a page's leaves.

Two leaves in one segment cost what speaks against it, two in different ones what speaks for it; `tradeoff` weighs the
one against the other. Clusters are made around pivots drawn at random (Ailon et al. 2005); the cheapest of several
draws counts.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.layout.render import LaidOut
from parcels.segments.baselines.pair_features import Floats, places_of, same_segment

Ints = NDArray[np.int32]
DRAWS = 10
MOST_LEAVES = 1500  # every pair is weighed; the leaves of a longer page are taken in stretches of this many


def clusters(laid: LaidOut, weights: Floats, tradeoff: float) -> Ints:
    """The segment of each leaf."""
    return joined(likely_pairs(laid, weights), tradeoff)


def likely_pairs(laid: LaidOut, weights: Floats) -> list[Floats]:
    """How likely each pair of leaves is of one segment, a square for each stretch of leaves."""
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
    """The segment of each leaf of the stretches."""
    found, low = [np.zeros(0, np.int32)], 0
    for likely in squares:
        found.append(low + pivoted(likely, tradeoff))
        low += len(likely)
    return np.concatenate(found).astype(np.int32)


def pivoted(likely: Floats, tradeoff: float) -> Ints:
    """Clusters from how likely each pair is of one cluster."""
    gain = tradeoff * likely - (1 - tradeoff) * (1 - likely)
    np.fill_diagonal(gain, 0)
    best, found = -np.inf, np.zeros(len(likely), np.int32)
    for draw in range(DRAWS):
        drawn = _around_pivots(gain, np.random.default_rng(draw))
        worth = float(gain[drawn[:, None] == drawn[None, :]].sum())
        if worth > best:
            best, found = worth, drawn
    return found


def _around_pivots(gain: Floats, rng: np.random.Generator) -> Ints:
    found = np.full(len(gain), -1, np.int32)
    for number, pivot in enumerate(rng.permutation(len(gain)).tolist()):
        if found[pivot] < 0:
            found[(found < 0) & (gain[pivot] > 0)] = number
            found[pivot] = number
    return found
