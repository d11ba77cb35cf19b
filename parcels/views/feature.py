"""A feature is a small pure function with a promise: its name, its range, its version.

`@feature(view="style", low=0, high=1)` registers a function that fills one column of a view from a BlockTable and
returns it unchanged, so that it can be called, tested and documented like any other. The order of the columns is that
of registration in the view's modules, whatever was imported first. Without a view the decorator only marks a function,
which its own table then lists.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from parcels.views.block_table import BlockTable

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


@dataclass(frozen=True, slots=True)
class Feature:
    """A registered feature: a column of a view."""

    promise: Promise
    meaning: str
    function: Callable[..., Any]  # of a BlockTable and the column to fill, and of `parameter` unless that is None
    parameter: int | None = None
    scale: str | None = None  # "log": see fill_columns


_REGISTERED: dict[tuple[str, str], list[Feature]] = {}  # by view and module, in the order of their definition


def feature(
    *,
    low: float,
    high: float,
    version: int = 1,
    name: str | None = None,
    view: str | None = None,
    parameter: int | None = None,
    scale: str | None = None,
    meaning: str | None = None,
) -> Callable[[_Function], _Function]:
    """Register a function as a feature of a view, or mark it as a feature where no view is given.

    Its name is the function's unless one is given (with hyphens where it is only marked), its meaning the first line of
    the docstring. A function with a parameter is registered once for each of its values.

    >>> @feature(low=0, high=1)
    ... def link_density(words, link_words):
    ...     return link_words / words
    >>> str(promise(link_density)), link_density(9, 3) == 1 / 3
    ('link-density@1', True)
    """

    def mark(function: _Function) -> _Function:
        if view is None:
            of = function.__name__.replace("_", "-") if name is None else name
            function.__feature__ = Promise(of, low, high, version)  # type: ignore[attr-defined]
            return function
        made = Promise(function.__name__ if name is None else name, low, high, version)
        said = meaning_of(function) if meaning is None else meaning
        _REGISTERED.setdefault((view, function.__module__), []).append(Feature(made, said, function, parameter, scale))
        return function

    return mark


def meaning_of(function: Callable[..., Any]) -> str:
    """Return the first paragraph of a function's docstring as one line."""
    return " ".join((function.__doc__ or "").partition("\n\n")[0].split())


def registered(view: str, modules: Sequence[ModuleType]) -> tuple[Feature, ...]:
    """Return the features of a view that some modules have registered, in the order of the view's columns."""
    found = tuple(one for module in modules for one in _REGISTERED.get((view, module.__name__), ()))
    names = [one.promise.name for one in found]
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"The view '{view}' has two features named {', '.join(twice)}. Rename one of them.")
    return found


def fill_columns(features: Sequence[Feature], blocks: "BlockTable") -> Numbers:
    """Return one row per block, one column per registered feature.

    A column with the scale "log" becomes log1p of its numbers' sizes, with their signs; NaN becomes -1.
    """
    found = np.empty((len(features), blocks.count), np.float32)
    if blocks.count:  # a feature need not think of a page without blocks
        for of, column in zip(features, found, strict=True):
            if of.parameter is None:
                of.function(blocks, column)
            else:
                of.function(blocks, column, of.parameter)
        logs = [place for place, of in enumerate(features) if of.scale == "log"]
        found[logs] = _on_log_scale(found[logs])
    return np.ascontiguousarray(found.T)


def _on_log_scale(values: Numbers) -> Numbers:
    """Return numbers on a logarithmic scale, in 32 bits, in which models have learnt it."""
    found = np.copysign(np.log1p(np.abs(values)), values)
    found[np.isnan(found)] = -1
    return found


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
