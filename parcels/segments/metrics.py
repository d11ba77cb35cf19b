"""Similarity of two segmentations: adjusted Rand index and normalised mutual information over leaves."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Counts = NDArray[np.float64]


def adjusted_rand(one: ArrayLike, other: ArrayLike) -> float:
    """Return the adjusted Rand index (Hubert and Arabie 1985): 1 for equal clusters, 0 on average by chance.

    >>> adjusted_rand([0, 0, 1, 1], [5, 5, 7, 7]), round(adjusted_rand([0, 0, 1, 1], [0, 0, 1, 2]), 3)
    (1.0, 0.571)
    """
    table = _table(one, other)
    if table.sum() < 2:
        return 0.0
    same, of_one, of_other = _pairs(table), _pairs(table.sum(axis=1)), _pairs(table.sum(axis=0))
    expected, most = of_one * of_other / _pairs(table.sum()), (of_one + of_other) / 2
    return 1.0 if most == expected else float((same - expected) / (most - expected))


def normalised_mutual_information(one: ArrayLike, other: ArrayLike) -> float:
    """Return mutual information divided by the geometric mean of the entropies (Strehl and Ghosh 2003).

    >>> normalised_mutual_information([0, 0, 1, 1], [1, 1, 0, 0]), normalised_mutual_information([0, 1], [0, 0])
    (1.0, 0.0)
    """
    table = _table(one, other)
    whole = table.sum()
    if whole < 2:
        return 0.0
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    seen = table > 0
    shared = float((table[seen] / whole * np.log(table[seen] * whole / np.outer(rows, columns)[seen])).sum())
    product = _entropy(rows / whole) * _entropy(columns / whole)
    if not product:
        return float(_entropy(rows / whole) == _entropy(columns / whole))
    return shared / float(np.sqrt(product))


def _table(one: ArrayLike, other: ArrayLike) -> Counts:
    """Return the contingency table of two clusterings."""
    a, b = np.unique(one, return_inverse=True)[1], np.unique(other, return_inverse=True)[1]
    table = np.zeros((a.max(initial=-1) + 1, b.max(initial=-1) + 1))
    np.add.at(table, (a, b), 1)
    return table


def _pairs(counts: Counts) -> float:
    return float((counts * (counts - 1) / 2).sum())


def _entropy(shares: Counts) -> float:
    return float(-(shares * np.log(shares)).sum())
