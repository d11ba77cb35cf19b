"""What the compiled module offers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

_Array = npt.NDArray[Any]

def greedy(
    words: _Array,
    is_first: _Array,
    is_open: _Array,
    labels: _Array,
    cells: _Array,
    places: _Array,
    keys: _Array,
    first: int,
    beside: _Array,
    both: _Array,
    behind: _Array,
    behind_key: _Array,
    on_tie: Callable[[int, int, int], int] | None,
) -> None: ...
def clued(
    shape: _Array,
    case: _Array,
    phrase: _Array,
    tag: _Array,
    is_first: _Array,
    shapes: int,
    of_case: _Array,
    of_phrase: _Array,
    of_tag_shape: _Array,
    of_tag: _Array,
    of_left: _Array,
    of_right: _Array,
    found: _Array,
) -> None: ...
def cased(
    shapes: _Array,
    is_long: _Array,
    is_first: _Array,
    upper: int,
    title: int,
    lower: int,
    title_share: float,
    found: _Array,
) -> None: ...
def read(
    texts: list[list[str]], known: dict[str, tuple[int, ...]]
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_], npt.NDArray[np.intp]] | None: ...
