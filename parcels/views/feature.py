"""A feature is a small pure function with a promise: its name, its range, its version.

The decorator marks the function and returns it, so that it pickles and its doctest is found. Nothing is registered: a
view lists its features in a table, in the order of its columns.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
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


Column = Callable[[Any], NDArray[Any]]


def row_of(of: Column, row: int) -> Callable[[_Function], _Function]:
    """Mark a feature as one row of what a function gives for a whole family: neighbours are then taken together.

    >>> @row_of(lambda page: np.array([[1, 2], [3, 4]]), 1)
    ... def second(page):
    ...     return np.array([3, 4])
    >>> columns((second,), None, 2).tolist()
    [[3.0], [4.0]]
    """

    def mark(function: _Function) -> _Function:
        function.__family__ = (of, row)  # type: ignore[attr-defined]
        return function

    return mark


def family(of: Column, functions: Sequence[Column]) -> tuple[Column, ...]:
    """Functions, each marked as the next row of what a function gives for all of them."""
    return tuple(row_of(of, row)(function) for row, function in enumerate(functions))


def columns(features: Sequence[Column], subject: Any, rows: int) -> Numbers:
    """One column a feature, one row a block."""
    found = np.empty((len(features), rows), np.float32)
    if rows:  # a feature need not think of a page without blocks
        for first, end, function in _steps(tuple(features)):
            found[first:end] = function(subject)
    return np.ascontiguousarray(found.T)


@cache
def _steps(features: tuple[Column, ...]) -> list[tuple[int, int, Column]]:
    """The columns from one to another that one call gives."""
    found: list[tuple[int, int, Column]] = []
    place = 0
    while place < len(features):
        function, first = features[place], place
        of, row = getattr(function, "__family__", (None, 0))
        place += 1
        while of and place < len(features):
            if getattr(features[place], "__family__", None) != (of, row + place - first):
                break
            place += 1
        found.append((first, place, partial(_rows, of, row, row + place - first) if of else function))
    return found


def _rows(of: Column, first: int, end: int, subject: Any) -> NDArray[Any]:
    return of(subject)[first:end]
