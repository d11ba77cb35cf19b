"""What the compiled module offers."""

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

def holds(
    numbers: _Array,
    columns: _Array,
    cut_start: _Array,
    cuts: _Array,
    or_missing: _Array,
    missing_column: _Array,
    found: _Array,
) -> None: ...
def leaf_sums(
    held: _Array,
    sizes: _Array,
    condition: _Array,
    left: _Array,
    right: _Array,
    leaf_value: _Array,
    sums: _Array,
) -> None: ...
def counted(rows: list[Any], vocabulary: dict[str, int]) -> tuple[_Array, _Array, _Array]: ...
def product(starts: _Array, columns: _Array, counts: _Array, weights: _Array, found: _Array) -> None: ...
def normal(rows: _Array, tiny: float, found: _Array) -> None: ...
def activated(sums: _Array, bias: _Array) -> None: ...
def seen(
    rows: _Array,
    moves: _Array,
    orders: Sequence[_Array],
    starts: Sequence[_Array],
    places: Sequence[_Array],
    found: _Array,
) -> None: ...
