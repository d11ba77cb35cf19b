"""Columns of numbers, one a node or leaf, in the shape that inner loops read fastest.

Interpreted that is a list, since a NumPy scalar costs ten times as much. Compiled modules take functions of the same
names in `column_pointers.pxd` instead: the array's own memory, which `keep` holds on to.
"""

from array import array
from bisect import bisect_right
from typing import Any

import numpy as np
from numpy.typing import NDArray


def doubles(keep: list[Any], memory: NDArray[Any]) -> list[float]:
    """Numbers of 64 bits."""
    numbers: list[float] = memory.tolist()
    return numbers


def fresh_doubles(keep: list[Any], memory: NDArray[Any]) -> list[float]:
    """Numbers that are all alike so far."""
    first: list[float] = memory[:1].tolist()
    return first * len(memory)


def ints(keep: list[Any], memory: NDArray[Any]) -> list[int]:
    """Whole numbers of 32 bits."""
    numbers: list[int] = memory.tolist()
    return numbers


def shorts(keep: list[Any], memory: NDArray[Any]) -> list[int]:
    """Whole numbers of 16 bits."""
    numbers: list[int] = memory.tolist()
    return numbers


def codes(keep: list[Any], memory: NDArray[Any]) -> list[int]:
    """Members of enums as plain numbers, and truth values."""
    numbers: list[int] = memory.tolist()
    return numbers


def rare_codes(keep: list[Any], memory: NDArray[Any]) -> list[int]:
    """Codes that are 0 all over most pages."""
    return codes(keep, memory) if memory.any() else [0] * len(memory)


def rare_doubles(keep: list[Any], memory: NDArray[Any]) -> list[float]:
    """Numbers that are 0 all over most pages."""
    return doubles(keep, memory) if memory.any() else [0.0] * len(memory)


def seldom_codes(keep: list[Any], memory: NDArray[Any]) -> Any:
    """Codes of which few are ever read: to make a list of them would not pay."""
    return memory.ravel()


def seldom_doubles(keep: list[Any], memory: NDArray[Any]) -> Any:
    """Numbers of which few are ever read."""
    return memory.ravel()


def new_doubles(keep: list[Any], count: int, value: float) -> list[float]:
    """A column that no array is made from: so many times one number."""
    return [value] * count


def new_ints(keep: list[Any], count: int, value: int) -> list[int]:
    """The same of whole numbers."""
    return [value] * count


def double_bytes(column: list[float], count: int) -> bytes:
    """The first numbers of a column, in the shape that arrays are made from."""
    return array("d", column[:count]).tobytes()


def int_bytes(column: list[int], count: int) -> bytes:
    """The same of whole numbers."""
    return array("i", column[:count]).tobytes()


def written(memory: NDArray[Any], column: list[float]) -> NDArray[Any]:
    """The array that a column was made from, with what was written to the column since."""
    return np.array(array("d", column))  # by way of `array`: several times as fast as from the list


def written_ints(memory: NDArray[Any], column: list[int]) -> NDArray[Any]:
    """The same of whole numbers."""
    return np.array(array("i", column))


def written_codes(memory: NDArray[Any], column: list[int]) -> NDArray[Any]:
    """The same of codes."""
    return np.array(array("b", column))


def first_beyond(column: list[float], number: float, first: int, end: int) -> int:
    """Where in a growing column the numbers become larger than this one, from `first` up to `end`."""
    return bisect_right(column, number, first, end)
