"""The declaration of features: small pure functions with a name, a range, a version and a view.

`@feature(view="style", low=0, high=1)` registers a function as a column of a view and returns it unchanged, so that it
can be called and tested like any other. The columns of a view are its features in the order of their declaration. The
reference of features and the feature lists of models are made from these declarations.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from parcels.features.table import BlockTable

Numbers = NDArray[np.float32]
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Feature:
    """A column of a view, with values from `low` to `high`. `version` is raised whenever its values change."""

    name: str
    low: float
    high: float
    version: int
    meaning: str
    function: Callable[..., Any]  # its last argument is `parameter`, unless that is None
    parameter: Any = None
    scale: str | None = None  # "log": see fill_columns

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


HYPHENATED = ("lexical", "segment", "boundary", "segment-content")  # as the papers, and models, name their features
_DECLARED: dict[tuple[str, str], list[Feature]] = {}  # by view and module, in declaration order


def feature(
    *,
    view: str,
    low: float,
    high: float,
    version: int = 1,
    name: str | None = None,
    parameter: Any = None,
    scale: str | None = None,
    meaning: str | None = None,
) -> Callable[[_Function], _Function]:
    """Declare a function as a feature of a view.

    The name defaults to the function's name, the meaning to the first paragraph of its docstring. A function with a
    parameter is declared once per value of the parameter.

    >>> @feature(view="example", low=0, high=1)
    ... def link_density(page):
    ...     "Share of the words that are in links."
    ...     return page["link_words"] / page["words"]
    >>> (declared,) = features_of("example", __name__)
    >>> str(declared), declared.meaning
    ('link_density@1', 'Share of the words that are in links.')
    >>> page = {"words": np.array([4, 8]), "link_words": np.array([1, 6])}
    >>> columns([declared], page, 2).tolist()
    [[0.25], [0.75]]
    """

    def declare(function: _Function) -> _Function:
        default_name = function.__name__.replace("_", "-") if view in HYPHENATED else function.__name__
        summary = " ".join((function.__doc__ or "").partition("\n\n")[0].split()) if meaning is None else meaning
        declared = Feature(name or default_name, low, high, version, summary, function, parameter, scale)
        _DECLARED.setdefault((view, function.__module__), []).append(declared)
        return function

    return declare


def features_of(view: str, *modules: ModuleType | str) -> tuple[Feature, ...]:
    """Return the features of a view that the given modules declare, in the order of the view's columns."""
    declaring = [module if isinstance(module, str) else module.__name__ for module in modules]
    features = tuple(one for module in declaring for one in _DECLARED.get((view, module), ()))
    names = [one.name for one in features]
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"The view '{view}' has two features named {', '.join(twice)}. Rename one of them.")
    return features


def columns(features: Sequence[Feature], subject: Any, rows: int) -> Numbers:
    """Return one row per block, from functions that each return a column."""
    values = np.empty((len(features), rows), np.float32)
    if rows:  # features are never called for a page without blocks
        for of, column in zip(features, values, strict=True):
            column[:] = of.function(subject) if of.parameter is None else of.function(subject, of.parameter)
    return np.ascontiguousarray(values.T)


def fill_columns(features: Sequence[Feature], blocks: "BlockTable") -> Numbers:
    """Return one row per block, from compiled functions that each fill a column.

    Columns with the scale "log" hold sign(x) * log1p(|x|) instead of x; NaN becomes -1.
    """
    values = np.empty((len(features), blocks.count), np.float32)
    if blocks.count:
        for of, column in zip(features, values, strict=True):
            if of.parameter is None:
                of.function(blocks, column)
            else:
                of.function(blocks, column, of.parameter)
        logs = [place for place, of in enumerate(features) if of.scale == "log"]
        values[logs] = _on_log_scale(values[logs])
    return np.ascontiguousarray(values.T)


def _on_log_scale(values: Numbers) -> Numbers:
    """Return numbers on a signed logarithmic scale, in 32 bits as models were trained."""
    scaled = np.copysign(np.log1p(np.abs(values)), values)
    scaled[np.isnan(scaled)] = -1
    return scaled
