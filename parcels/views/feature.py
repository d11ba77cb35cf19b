"""A feature is a small pure function with a promise: its name, its range, its version.

The decorator marks the function and returns it, so that it pickles and its doctest is found. Nothing is registered: a
view lists its features in a table, in the order of its columns.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Promise:
    """What a feature promises: values from `low` to `high`; `version` is raised whenever its values change."""

    name: str
    low: float
    high: float
    version: int

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


def feature(*, low: float, high: float, version: int = 1, name: str | None = None) -> Callable[[_Function], _Function]:
    """Mark a function as a feature; its name is the function's with hyphens unless one is given.

    >>> @feature(low=0, high=1)
    ... def link_density(words, link_words):
    ...     return link_words / words
    >>> str(promise(link_density)), link_density(9, 3) == 1 / 3
    ('link-density@1', True)
    """

    def mark(function: _Function) -> _Function:
        of = function.__name__.replace("_", "-") if name is None else name
        function.__feature__ = Promise(of, low, high, version)  # type: ignore[attr-defined]
        return function

    return mark


def promise(function: Callable[..., Any]) -> Promise:
    """The promise of a marked function."""
    found = getattr(function, "__feature__", None)
    if not isinstance(found, Promise):
        raise TypeError(f"{getattr(function, '__qualname__', function)} is not marked as a feature")
    return found


def columns(features: Sequence[Callable[[Any], NDArray[Any]]], subject: Any, rows: int) -> Numbers:
    """One column a feature, one row a block."""
    found = np.empty((len(features), rows), np.float32)
    if rows:  # a feature need not think of a page without blocks
        for column, function in zip(found, features, strict=True):
            column[:] = function(subject)
    return np.ascontiguousarray(found.T)
