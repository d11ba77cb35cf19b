# cython: wraparound=False
"""Memory for the number columns of one page, cut from a few arrays: one array per column would cost more."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    Doubles = memoryview[float]
    Ints = memoryview[int]

MIN_CHUNK = 1024  # numbers


class ColumnStore:
    """Columns of 64-bit reals, 32-bit integers and 8-bit codes; each column keeps its memory alive.

    Columns are views of `data`, whose items are plain numbers when interpreted.
    """

    def __init__(self, chunk: int):
        self.chunk = max(chunk, MIN_CHUNK)  # numbers that one array holds
        self.used_doubles = self.used_ints = self.used_codes = 0
        self.room_for_doubles = self.room_for_ints = self.room_for_codes = 0
        self.double_memory: Any = None
        self.int_memory: Any = None
        self.code_memory: Any = None

    def doubles(self, count: int) -> "Doubles":
        """Return a column of reals that are not set yet."""
        if self.used_doubles + count >= self.room_for_doubles:
            self.used_doubles, self.room_for_doubles = 0, max(count + 1, self.chunk)
            self.double_memory = np.empty(self.room_for_doubles, np.float64).data
        first = self.used_doubles
        self.used_doubles = first + count
        column: Doubles = self.double_memory[first : first + count]
        return column

    def ints(self, count: int) -> "Ints":
        """Return a column of integers that are not set yet."""
        if self.used_ints + count >= self.room_for_ints:
            self.used_ints, self.room_for_ints = 0, max(count + 1, self.chunk)
            self.int_memory = np.empty(self.room_for_ints, np.intc).data
        first = self.used_ints
        self.used_ints = first + count
        column: Ints = self.int_memory[first : first + count]
        return column

    def codes(self, count: int) -> "Ints":
        """Return a column of codes that are not set yet."""
        if self.used_codes + count >= self.room_for_codes:
            self.used_codes, self.room_for_codes = 0, max(count + 1, self.chunk)
            self.code_memory = np.empty(self.room_for_codes, np.int8).data
        first = self.used_codes
        self.used_codes = first + count
        column: Ints = self.code_memory[first : first + count]
        return column

    def filled_doubles(self, count: int, value: float) -> "Doubles":
        """Return a column of reals that are all alike."""
        column = self.doubles(count)
        for n in range(count):
            column[n] = value
        return column

    def filled_ints(self, count: int, value: int) -> "Ints":
        """Return a column of integers that are all alike."""
        column = self.ints(count)
        for n in range(count):
            column[n] = value
        return column

    def filled_codes(self, count: int, value: int) -> "Ints":
        """Return a column of codes that are all alike."""
        column = self.codes(count)
        for n in range(count):
            column[n] = value
        return column
