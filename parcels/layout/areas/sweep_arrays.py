"""Tables as the sweeps read them: arrays where a sweep is compiled, lists where it is not."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_TYPE_OF: dict[type, Any] = {kind: np.dtype(kind) for kind in (np.float64, np.int64)}


def access(file: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """How the module of this file reads an array, and makes tables of reals and of whole numbers."""
    return (_read, _reals, _numbers) if not file.endswith(".py") else (_read_list, _real_list, _number_list)


def _read(values: NDArray[Any], kind: type = np.float64) -> NDArray[Any]:
    """An array as the loops read it: flat, of one kind; most are so already."""
    if values.dtype is _TYPE_OF[kind] and values.flags.c_contiguous:
        return values if values.ndim == 1 else values.reshape(-1)
    return np.ascontiguousarray(values, kind).ravel()


def _read_list(values: NDArray[Any], kind: type = np.float64) -> list[Any]:
    found: list[Any] = _read(values, kind).tolist()
    return found


def _reals(count: int, value: float = 0.0) -> Floats:
    """A table to be filled."""
    if value == 0.0:
        return np.zeros(count)
    made = np.empty(count)
    made.fill(value)
    return made


def _real_list(count: int, value: float = 0.0) -> list[float]:
    return [value] * count


def _numbers(count: int, value: int = 0) -> Ints:
    if value == 0:
        return np.zeros(count, np.int64)
    made = np.empty(count, np.int64)
    made.fill(value)
    return made


def _number_list(count: int, value: int = 0) -> list[int]:
    return [value] * count
