"""Small functions on the arrays that features are made of."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

CAP = 1e4  # no feature is larger


def safe(values: NDArray[Any]) -> Floats:
    """Finite numbers within bounds; NaN becomes -1."""
    numbers: Floats = np.minimum(np.maximum(values.astype(np.float32), -CAP), CAP)  # both keep NaN
    numbers[np.isnan(numbers)] = -1
    return numbers


def ranks(values: Ints) -> Ints:
    """The place of each value among the different values, without sorting: they lie close together.

    >>> ranks(np.array([7, -1, 9, 7])).tolist()
    [1, 0, 2, 1]
    """
    if not len(values):
        return np.zeros(0, np.int64)
    from_zero = values - values.min()
    found: Ints = (np.cumsum(np.bincount(from_zero) > 0) - 1).take(from_zero)
    return found


def times(values: Ints) -> Ints:
    """How often each value occurs among all; values are from -1 on.

    >>> times(np.array([3, -1, 3])).tolist()
    [2, 1, 2]
    """
    return np.bincount(values + 1).take(values + 1)
