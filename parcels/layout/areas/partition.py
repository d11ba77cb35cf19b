"""The cut of a page that explains the leaves' scores best.

A whole part goes to an area when its leaves' advantage over the centre, taken together, is larger than the price of one
more part. What no part covers is the centre. An area is seldom in pieces: what lies outside its largest piece must gain
more than the price, or a leaf that only resembles a header joins the header from afar.
"""

import numpy as np

from parcels.layout.areas.map import CENTRE
from parcels.layout.areas.scene import Floats, Parts, sums

Pieces = list[tuple[int, int]]


def partition(parts: Parts, gains: Floats, *, price: float, further: float = 0.0) -> tuple[Pieces, Pieces]:
    """The parts (part, area) and single leaves (leaf, area) that gain most over a page that is all centre.

    `gains` has a row a leaf and a column an area: what it gains there against the centre. `further` is the least that a
    piece of an area must gain besides the area's largest.
    """
    running = np.zeros((len(gains) + 1, gains.shape[1]))
    np.cumsum(gains, axis=0, out=running[1:])
    whole = running[parts.end_leaf] - running[parts.first_leaf] - price
    whole[:, CENTRE] = 0.0
    whole_area, whole_gain = whole.argmax(axis=1).tolist(), whole.max(axis=1).tolist()
    alone = gains - price
    alone[:, CENTRE] = 0.0
    alone_area, alone_gain = alone.argmax(axis=1), alone.max(axis=1)
    pieces = np.bincount(parts.of_leaf, weights=alone_gain, minlength=len(parts)).tolist()
    parent = parts.parent.tolist()
    takes_whole = []
    may_gain = np.flatnonzero(sums(parts, gains.max(axis=1) > 0.0))
    for part in reversed(may_gain.tolist()):  # children come before their parents
        best, gain = pieces[part], whole_gain[part]
        if gain > 0.0 and gain >= best:
            takes_whole.append(part)
            best = gain
        if part:
            pieces[parent[part]] += best
    regions, covered, is_covered = [], -1, np.zeros(len(gains), np.bool_)
    for part in reversed(takes_whole):
        if part > covered:
            regions.append((part, whole_area[part]))
            covered = int(parts.last[part])
            is_covered[parts.first_leaf[part] : parts.end_leaf[part]] = True
    loose = np.flatnonzero(~is_covered & (alone_area != CENTRE)).tolist()
    singles = [(leaf, int(alone_area[leaf])) for leaf in loose]
    gained = [(area, whole_gain[part]) for part, area in regions] + [(n, alone_gain[leaf]) for leaf, n in singles]
    least = [further - price] * gains.shape[1]
    for area in range(len(least)):
        least[area] = min(least[area], max((gain for other, gain in gained if other == area), default=0.0))
    return (
        [(part, area) for part, area in regions if whole_gain[part] >= least[area]],
        [(leaf, area) for leaf, area in singles if alone_gain[leaf] >= least[area]],
    )
