"""What the compiled module offers."""

from collections.abc import Callable
from typing import Any

import numpy.typing as npt

_Array = npt.NDArray[Any]

def greedy(
    words: _Array,
    is_first: _Array,
    is_open: _Array,
    labels: _Array,
    weights: _Array,
    tables: _Array,
    keys: _Array,
    beside: _Array,
    both: _Array,
    behind: _Array,
    behind_row: _Array,
    behind_key: _Array,
    on_tie: Callable[[int, int, int], int] | None,
) -> None: ...
