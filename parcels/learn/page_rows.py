"""Pages as rows of a network: one page to label, or several one below the other to learn from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from parcels.learn.groups import Groups

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

MOST_ROWS = 3072  # of one step of the training


@dataclass(frozen=True, eq=False)
class PageRows:
    """The blocks of one page: numbers, groups and, to learn from, each block's target and weight."""

    numbers: npt.NDArray[Any]
    groups: tuple[Ints, ...]
    target: Floats | None = None  # a row a block, a column a class
    weight: Floats | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def means(self) -> "list[Groups]":
        """How to take the means of the groups: the same for every network."""
        return [Groups(group) for group in self.groups]

    @cached_property
    def standard(self) -> dict[bytes, Floats]:
        """The numbers as networks read them, by the networks' means and scales: most often these are the same."""
        return {}


@dataclass
class Batch:
    """Pages one below the other with empty rows between them."""

    numbers: Floats
    is_real: Floats  # a column of 1 for blocks, 0 for the rows between pages
    groups: list[Groups]
    starts: list[int]
    target: Floats | None = None
    weight: Floats | None = None

    @classmethod
    def of(cls, pages: Sequence[PageRows], standard: Callable[[npt.NDArray[Any]], Floats], gap: int) -> "Batch":
        """The pages with `gap` rows behind each, their numbers as `standard` gives them."""
        starts, row = [], 0
        for page in pages:
            starts.append(row)
            row += len(page) + gap
        numbers = np.zeros((row, pages[0].numbers.shape[1]), np.float32)
        is_real = np.zeros((row, 1), np.float32)
        groups = [np.full(row, -1, np.int64) for _ in pages[0].groups]
        first = [0] * len(groups)
        has_target = pages[0].target is not None
        target = np.zeros((row, pages[0].target.shape[1]), np.float32) if pages[0].target is not None else None
        weight = np.zeros(row, np.float32) if has_target else None
        for page, start in zip(pages, starts, strict=True):
            place = slice(start, start + len(page))
            numbers[place], is_real[place] = standard(page.numbers), 1
            for number, group in enumerate(page.groups):
                groups[number][place] = group + first[number]
                first[number] += int(group.max(initial=-1)) + 1
            if target is not None and weight is not None:
                target[place], weight[place] = page.target, page.weight
        return cls(numbers, is_real, [Groups(group) for group in groups], starts, target, weight)


def weight_of(page: PageRows) -> Floats:
    """The weight of each block; 1 where none is given."""
    return np.ones(len(page), np.float32) if page.weight is None else page.weight


def packs_of(pages: Sequence[PageRows], order: Sequence[int], gap: int) -> list[list[int]]:
    """Pages in the given order, as many at a time as fit into MOST_ROWS; a larger page goes alone."""
    packs: list[list[int]] = []
    rows = MOST_ROWS
    for number in order:
        size = len(pages[number]) + gap
        if rows + size > MOST_ROWS:
            packs.append([])
            rows = 0
        packs[-1].append(number)
        rows += size
    return packs
