"""Small functions on the arrays that features are made of."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.compiled import loaded

loops = loaded("parcels.views.loops")  # None where it is not compiled: the same by NumPy, slower

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

CAP = 1e4  # no feature is larger
_LOGS = np.log1p(np.arange(8192, dtype=np.float32))  # of whole numbers, which most are
_LOGS_OF_COUNTS = np.log1p(np.arange(8192)).astype(np.float32)


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
    if loops is not None and values.dtype == np.int64:
        ranked = np.empty(len(values), np.int64)
        loops.ranks(values, ranked)
        return ranked
    from_zero = values - values.min()
    found: Ints = (np.cumsum(np.bincount(from_zero) > 0) - 1).take(from_zero)
    return found


def times(values: Ints) -> Ints:
    """How often each value occurs among all; values are from -1 on.

    >>> times(np.array([3, -1, 3])).tolist()
    [2, 1, 2]
    """
    return np.bincount(values + 1).take(values + 1)


def logs(values: Floats) -> Floats:
    """np.log1p of numbers; those of whole ones are looked up.

    >>> logs(np.array([0, 1, 1.5], np.float32)).round(3).tolist()
    [0.0, 0.6930000185966492, 0.9160000085830688]
    """
    if loops is None:
        return np.log1p(values)
    found, rest = np.empty(values.shape, np.float32), np.empty(values.size, np.int64)
    flat, to = values.reshape(-1), found.reshape(-1)
    count = loops.logs(flat, _LOGS, to, rest)
    if count:
        to[rest[:count]] = np.log1p(flat[rest[:count]])
    return found


def logs_of_counts(values: Ints) -> Floats:
    """np.log1p of whole numbers, rounded at the end.

    >>> logs_of_counts(np.array([0, 1])).round(3).tolist()
    [0.0, 0.6930000185966492]
    """
    if loops is None or (values.size and int(values.max()) >= len(_LOGS_OF_COUNTS)):
        return np.log1p(values).astype(np.float32)
    return _LOGS_OF_COUNTS.take(values)
