"""The tables of a greedy tagger (greedy.py), and the tokens that it labels with the words around them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Indices = NDArray[np.intp]
Bools = NDArray[np.bool_]

# Word numbers of what stands before and behind a sentence; words of texts begin at FIRST_WORD.
START, START2, END, END2, FIRST_WORD = range(5)
OWN, LEFT, LEFT2, RIGHT, RIGHT2 = range(5)  # the places around a token that are looked at
LANE = 8  # labels that a processor adds at a time
NEVER = -(1 << 30)  # no sum of weights is so low


@dataclass(frozen=True, slots=True)
class Table:
    """What the words at one place around a token say of its label: a row a key of one vocabulary, row 0 for unknown."""

    place: int
    vocabulary: int
    weights: NDArray[np.int16] | Ints


class Stack:
    """Tables one below the other, as the greedy tagger reads them, in rows of whole lanes."""

    def __init__(self, tables: Sequence[Table], further: Sequence[NDArray[np.int16] | Ints]):
        parts = [*(table.weights for table in tables), *further]
        ends = np.cumsum([len(part) for part in parts])
        base = parts[0].base
        if base is not None and len(base) == ends[-1] and all(part.base is base for part in parts):
            self.weights: NDArray[Any] = base  # they were made by `stacked`
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
        """The rows of words in the tables: a row a word, a column a table."""
        return (keys.take(self.vocabulary, axis=1) + self.first).astype(np.int32)


def stacked(sizes: Sequence[int], labels: int, kind: Any) -> list[NDArray[Any]]:
    """Tables of zeros of so many rows each, one below the other in one array, as a stack has them."""
    base = np.zeros((sum(sizes), lanes(labels)), kind)
    ends = np.cumsum(sizes).tolist()
    return [base[end - size : end, :labels] for size, end in zip(sizes, ends, strict=True)]


def lanes(labels: int) -> int:
    """How many numbers a row of weights has in memory.

    >>> lanes(7), lanes(8)
    (8, 8)
    """
    return -(-labels // LANE) * LANE


def in_lanes(both: Ints) -> Ints:
    """What the labels before say, in whole lanes; the labels that are none never win."""
    found = np.full((len(both), lanes(both.shape[1])), NEVER, np.int32)
    found[:, : both.shape[1]] = both
    return found


def behind(key: Indices, previous: Indices, rows: Indices, count: int) -> tuple[Ints, Ints]:
    """What labels before say: for each key where its list begins, times 64, plus its length; and the lists: label, row.

    `rows` are rows of a stack, by key, of which there are so many, and label before.
    """
    order = np.lexsort((previous, key))
    found = np.stack([previous[order], rows[order]], axis=1).astype(np.int32)
    counts = np.bincount(key, minlength=count)
    if counts.max(initial=0) > 63 or len(found) >= 1 << 25:
        raise ValueError("there are more labels than a list can hold")
    return ((np.cumsum(counts) - counts) * 64 + counts).astype(np.int32), np.ascontiguousarray(found)


class Places:
    """For each token the words around it, and whether it stands first or second in its sentence."""

    def __init__(self, own: Indices, is_first: Bools):
        self.own, self.is_first = own, is_first

    @classmethod
    def of(cls, words: Indices, is_first: Bools) -> "Places":
        """From word numbers and the beginnings of sentences (the first token always begins one)."""
        is_first = is_first.copy()
        is_first[:1] = True
        return cls(words, is_first)

    @cached_property
    def is_second(self) -> Bools:
        """Which tokens stand second in their sentence."""
        is_first = self.is_first
        is_second = np.zeros_like(is_first)
        is_second[1:] = is_first[:-1] & ~is_first[1:]
        return is_second

    @cached_property
    def words(self) -> tuple[Indices, Indices, Indices, Indices, Indices]:
        """The words at OWN, LEFT, LEFT2, RIGHT and RIGHT2."""
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
