"""The inputs of the page network: the rows of one page to label, or batches of pages for training."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from parcels.learn.network import mean_rows

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

MOST_ROWS = 3072  # of one batch


class Groups:
    """The rows of each group: `order[starts[g]:starts[g + 1]]` are those of group g, and row r is of group `place[r]`.

    >>> groups = Groups(np.array([7, 3, 7]))
    >>> groups.each(np.array([[1], [5], [2]], np.float32)).tolist(), groups.place.tolist(), groups.sizes.tolist()
    ([[5.0], [1.5]], [1, 0, 1], [[1.0], [2.0]])
    """

    def __init__(self, group: Ints):
        self.order = np.argsort(group, kind="stable")
        ordered = group[self.order]
        is_first = np.ones(len(group), bool)
        np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
        self.starts = np.flatnonzero(is_first)
        self.place = np.empty(len(group), np.int64)
        self.place[self.order] = np.cumsum(is_first) - 1

    @property
    def sizes(self) -> Floats:
        """The number of rows of each group, as a column."""
        return np.diff(self.starts, append=len(self.order)).astype(np.float32)[:, None]

    def each(self, rows: Floats) -> Floats:
        """Return the mean of each group's rows."""
        means = np.empty((len(self.starts), rows.shape[1]), np.float32)
        mean_rows(rows, self.order, self.starts, means)
        return means


@dataclass(frozen=True, eq=False)
class PageRows:
    """The blocks of one page: numbers, groups and, for training, targets and weights."""

    numbers: npt.NDArray[Any]
    groups: tuple[Ints, ...]
    target: Floats | None = None  # one row per block, one column per class
    weight: Floats | None = None

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def means(self) -> list[Groups]:
        """The groups in the form that `Groups.each` needs, shared by all networks."""
        return [Groups(group) for group in self.groups]

    @cached_property
    def standard(self) -> dict[bytes, Floats]:
        """The standardised numbers, by the means and scales of networks, which often share them."""
        return {}


@dataclass
class Batch:
    """Several pages stacked vertically, with empty rows between them."""

    numbers: Floats
    is_real: Floats  # a column of 1 for blocks, 0 for the rows between pages
    groups: list[Groups]
    starts: list[int]
    target: Floats | None = None
    weight: Floats | None = None

    @classmethod
    def of(cls, pages: Sequence[PageRows], standard: Callable[[npt.NDArray[Any]], Floats], gap: int) -> "Batch":
        """Stack pages with `gap` empty rows after each; `standard` standardises their numbers."""
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
    """Return the weight of each block, 1 by default."""
    return np.ones(len(page), np.float32) if page.weight is None else page.weight


def packs_of(pages: Sequence[PageRows], order: Sequence[int], gap: int) -> list[list[int]]:
    """Pack pages in the given order into batches of at most MOST_ROWS rows; a larger page is its own batch."""
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
