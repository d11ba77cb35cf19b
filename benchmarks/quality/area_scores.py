"""Scores of areas against a gold: F1 where an area exists, false alarms where it does not, and the paper's marks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from parcels.layout.boxes import AREAS

MARKS = ("not recognised", "bad", "good", "excellent")  # worth 0 to 3: Kovacevic et al. 2003, section 4
TOLERANCE = 0.1  # one leaf in ten outside, as a person who marks a page may overlook
MARKED = ("header", "footer", "left", "right")  # the centre is what is left, and has no mark


@dataclass(frozen=True, slots=True)
class PageScore:
    """One page: for each area of AREAS the leaves of the gold, those found, and those in both."""

    gold: tuple[int, ...]
    found: tuple[int, ...]
    both: tuple[int, ...]

    def f1(self, area: int) -> float:
        return 2 * self.both[area] / max(self.gold[area] + self.found[area], 1)

    def mark(self, area: int, *, tolerance: float = 0.0) -> int:
        """The paper's mark: what is found must lie inside the area, and more than half, or 90 %, of the area in it.

        "If area X exists but it is not labelled at all, or if X does not exist but something is labelled as X, then a
        mark 'not recognised' is evidenced": where nothing of X is labelled, what else is called so does not help.
        `tolerance` is the share of what is found that may lie outside; the paper allows nothing.

        >>> PageScore((10,), (9,), (9,)).mark(0), PageScore((10,), (10,), (9,)).mark(0)
        (2, 1)
        >>> [PageScore((gold,), (found,), (0,)).mark(0) for gold, found in ((10, 2), (10, 0), (0, 2), (0, 0))]
        [0, 0, 0, 3]
        """
        gold, found, both = self.gold[area], self.found[area], self.both[area]
        if (gold and not both) or (found and not gold):
            return 0
        if gold == 0:
            return 3
        if found - both > tolerance * found or both < 0.5 * gold:
            return 1
        return 3 if both > 0.9 * gold else 2

    def overall(self, *, tolerance: float = 0.0) -> int:
        """The page's mark, from the sum S of the four."""
        total = sum(self.mark(AREAS.index(name), tolerance=tolerance) for name in MARKED)
        return 3 if total == 12 else 2 if total >= 8 else 1 if total >= 4 else 0


def score(gold: np.ndarray, found: np.ndarray) -> PageScore:
    """Compare leaf by leaf where the gold says something."""
    is_scored = gold >= 0
    gold, found = gold[is_scored], found[is_scored]
    counts = [
        (int((gold == area).sum()), int((found == area).sum()), int(((gold == area) & (found == area)).sum()))
        for area in range(len(AREAS))
    ]
    return PageScore(*map(tuple, zip(*counts, strict=True)))


@dataclass(frozen=True, slots=True)
class Summary:
    """Many pages."""

    f1: dict[str, float]  # mean over the pages that have the area
    pooled_f1: dict[str, float]  # over all leaves of all pages, false alarms included
    false_alarms: dict[str, float]  # share of the pages without the area where something is called so
    marks: dict[str, tuple[float, ...]]  # share of the pages, by mark; also "overall", and "tolerant", see TOLERANCE

    @property
    def macro_f1(self) -> float:
        return float(np.mean(list(self.f1.values())))

    @property
    def macro_pooled(self) -> float:
        return float(np.mean(list(self.pooled_f1.values())))

    @property
    def good(self) -> float:
        """Share of the pages that are good or excellent overall."""
        return self.marks["overall"][2] + self.marks["overall"][3]


def summary(pages: Sequence[PageScore]) -> Summary:
    f1, pooled, alarms, marks = {}, {}, {}, {}
    for area, name in enumerate(AREAS):
        having = [page for page in pages if page.gold[area]]
        lacking = [page for page in pages if not page.gold[area]]
        f1[name] = float(np.mean([page.f1(area) for page in having])) if having else float("nan")
        sums = [sum(getattr(page, field)[area] for page in pages) for field in ("gold", "found", "both")]
        pooled[name] = 2 * sums[2] / max(sums[0] + sums[1], 1)
        alarms[name] = float(np.mean([page.found[area] > 0 for page in lacking])) if lacking else 0.0
        if name in MARKED:
            marks[name] = _shares([page.mark(area) for page in pages])
    marks["overall"] = _shares([page.overall() for page in pages])
    marks["tolerant"] = _shares([page.overall(tolerance=TOLERANCE) for page in pages])
    return Summary(f1, pooled, alarms, marks)


def _shares(marks: Sequence[int]) -> tuple[float, ...]:
    return tuple(float(np.mean([mark == number for mark in marks])) for number in range(len(MARKS)))
