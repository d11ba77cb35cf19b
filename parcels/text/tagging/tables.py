"""The weight tables of a greedy tagger (greedy.py), and the windows of words around tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Indices = NDArray[np.intp]
Bools = NDArray[np.bool_]

# Word numbers of sentence boundaries; words of texts begin at FIRST_WORD.
START, START2, END, END2, FIRST_WORD = range(5)
OWN, LEFT, LEFT2, RIGHT, RIGHT2 = range(5)  # the positions of a token's window
LANE = 8  # labels per SIMD addition
NEVER = -(1 << 30)  # no sum of weights is so low


@dataclass(frozen=True, slots=True)
class Table:
    """The weights of the word at one position: one row per entry of a vocabulary, row 0 for unknown words."""

    place: int
    vocabulary: int
    weights: NDArray[np.int16] | Ints


class Stack:
    """Tables stacked vertically, with rows padded to whole lanes, as the greedy tagger uses them."""

    def __init__(self, tables: Sequence[Table], further: Sequence[NDArray[np.int16] | Ints]):
        parts = [*(table.weights for table in tables), *further]
        ends = np.cumsum([len(part) for part in parts])
        base = parts[0].base
        if base is not None and len(base) == ends[-1] and all(part.base is base for part in parts):
            self.weights: NDArray[Any] = base  # made by `stacked`
        else:
            self.weights = np.zeros((int(ends[-1]), lanes(parts[0].shape[1])), np.result_type(*parts))
            for part, end in zip(parts, ends.tolist(), strict=True):
                self.weights[end - len(part) : end, : part.shape[1]] = part
        firsts = [0, *ends[:-1].tolist()]
        self.vocabulary = np.array([table.vocabulary for table in tables], np.intp)
        self.first = np.array(firsts[: len(tables)], np.int64)  # where the rows of each table begin
        self.further: list[int] = firsts[len(tables) :]  # where the rows of each further table begin
        self.places = np.array([table.place for table in tables], np.intp)

    def rows(self, keys: Ints) -> Ints:
        """Return the rows of words in the tables: one row per word, one column per table."""
        return (keys.take(self.vocabulary, axis=1) + self.first).astype(np.int32)


def stacked(sizes: Sequence[int], labels: int, kind: Any) -> list[NDArray[Any]]:
    """Return zero tables with the given numbers of rows, as parts of one array that Stack uses without a copy."""
    base = np.zeros((sum(sizes), lanes(labels)), kind)
    ends = np.cumsum(sizes).tolist()
    return [base[end - size : end, :labels] for size, end in zip(sizes, ends, strict=True)]


def lanes(labels: int) -> int:
    """Return the padded width of a row of weights.

    >>> lanes(7), lanes(8)
    (8, 8)
    """
    return -(-labels // LANE) * LANE


def in_lanes(both: Ints) -> Ints:
    """Return the weights of previous labels in whole lanes; padding labels never win."""
    padded = np.full((len(both), lanes(both.shape[1])), NEVER, np.int32)
    padded[:, : both.shape[1]] = both
    return padded


def label_lists(key: Indices, previous: Indices, rows: Indices, count: int) -> tuple[Ints, Ints]:
    """Return the lists of previous labels: start * 64 + length of each key's list, and the lists of (label, row).

    `rows` are rows of a stack for each pair of `key` and `previous` label; `count` is the number of keys.
    """
    order = np.lexsort((previous, key))
    lists = np.stack([previous[order], rows[order]], axis=1).astype(np.int32)
    counts = np.bincount(key, minlength=count)
    if counts.max(initial=0) > 63 or len(lists) >= 1 << 25:
        raise ValueError("a list of previous labels holds at most 63 labels")
    return ((np.cumsum(counts) - counts) * 64 + counts).astype(np.int32), np.ascontiguousarray(lists)


class TokenWindows:
    """The words around each token, and whether it is the first or second of its sentence."""

    def __init__(self, own: Indices, is_first: Bools):
        self.own, self.is_first = own, is_first

    @classmethod
    def of(cls, words: Indices, is_first: Bools) -> "TokenWindows":
        """Return the windows for word numbers and sentence starts; the first token always begins a sentence."""
        is_first = is_first.copy()
        is_first[:1] = True
        return cls(words, is_first)

    @cached_property
    def is_second(self) -> Bools:
        """Return the tokens that are second in their sentence."""
        is_first = self.is_first
        is_second = np.zeros_like(is_first)
        is_second[1:] = is_first[:-1] & ~is_first[1:]
        return is_second

    @cached_property
    def words(self) -> tuple[Indices, Indices, Indices, Indices, Indices]:
        """Return the words at OWN, LEFT, LEFT2, RIGHT and RIGHT2."""
        words, is_first, is_second = self.own, self.is_first, self.is_second
        is_last = np.ones_like(is_first)
        is_last[:-1] = is_first[1:]
        is_next_last = np.zeros_like(is_first)
        is_next_last[:-1] = is_last[1:] & ~is_last[:-1]
        left, left2, right, right2 = (np.empty_like(words) for _ in range(4))
        left[1:], left2[2:], right[:-1], right2[:-2] = words[:-1], words[:-2], words[1:], words[2:]
        left[is_first], left2[is_first], left2[is_second] = START2, START, START2
        right[is_last], right2[is_last], right2[is_next_last] = END, END2, END
        return words, left, left2, right, right2

    def __len__(self) -> int:
        return len(self.is_first)
