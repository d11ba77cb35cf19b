"""The search for the best stump of a boosting round, over all thresholds and words at once.

A stump divides the rows by one column: numbers up to a threshold or above it (it abstains for missing numbers), or a
word absent or present. The bins of every column and all words are rows of one sparse matrix, so one product with the
round's weights gives the weights of all parts of all stumps.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from parcels.learn.learner import Training
from parcels.learn.words import Floats, Ints

SAME = 1e-10  # smaller differences of Z are rounding errors; the first column then wins


class Stump(NamedTuple):
    """A weak hypothesis: one score per class for either side of a column."""

    column: int  # numbers first, then words
    threshold: float  # 0 for a word: absent is at most 0, present above
    scores: Floats  # (2, classes)


class Search:
    """The training rows, binned once for all rounds."""

    def __init__(self, training: Training, bins: int):
        from scipy.sparse import csr_array  # type: ignore[import-untyped]

        numbers, words = training.numbers, training.words
        rows, self.n_numbers = numbers.shape
        self.cuts = [thresholds(column, bins) for column in numbers.T]
        self.width = 1 + max(map(len, self.cuts), default=0)
        self.is_no_cut = np.arange(self.width) >= np.array([[len(cuts)] for cuts in self.cuts]).reshape(-1, 1)
        self.codes = np.full(numbers.shape, self.width, np.int16 if self.width < 2**15 else np.int64)
        for place, cuts in enumerate(self.cuts):
            is_given = ~np.isnan(numbers[:, place])
            self.codes[is_given, place] = np.searchsorted(cuts, numbers[is_given, place])
        is_given = self.codes < self.width
        row, column = np.nonzero(is_given)
        part = np.concatenate(
            [column * self.width + self.codes[is_given], words.columns + self.n_numbers * self.width], dtype=np.int64
        )
        row = np.concatenate([row, words.row_of_entry()])
        self.parts = self.n_numbers * self.width + words.width
        self.classes = len(training.classes)
        ones = np.ones(len(row))
        self.member = csr_array((ones, (part, row)), shape=(self.parts, rows))
        label = part * self.classes + training.y[row]
        self.member_of_class = csr_array((ones, (label, row)), shape=(self.parts * self.classes, rows))
        self.word_rows = words.to_scipy().tocsc()
        self.y, self.rows = training.y, np.arange(rows)

    def best(self, weights: Floats, smoothing: float) -> tuple[Stump, float] | None:
        """Return the stump with the least Z, and that Z; None without columns."""
        own = weights[self.rows, self.y]
        both, right = self.member @ weights, (self.member_of_class @ own).reshape(self.parts, self.classes)
        all_both, all_right = weights.sum(axis=0), np.bincount(self.y, own, self.classes).astype(np.float64)
        candidates = []
        split = self.n_numbers * self.width
        if self.width > 1:
            shape = (self.n_numbers, self.width, self.classes)
            both_at_most, right_at_most = (a[:split].reshape(shape).cumsum(axis=1) for a in (both, right))
            both_known, right_known = both_at_most[:, -1:], right_at_most[:, -1:]
            z = _z(right_at_most, both_at_most, right_known, both_known)
            z += np.maximum(all_both.sum() - both_known.sum(axis=2), 0)
            z[self.is_no_cut] = np.inf
            column, cut = divmod(_first_least(z.ravel()), self.width)
            totals = right_known[column, 0], both_known[column, 0]
            scores = _scores(right_at_most[column, cut], both_at_most[column, cut], *totals, smoothing)
            candidates.append((z[column, cut], Stump(column, float(self.cuts[column][cut]), scores)))
        if self.parts > split:
            z = _z(right[split:], both[split:], all_right, all_both)
            word = _first_least(z)
            present = _scores(right[split + word], both[split + word], all_right, all_both, smoothing)
            candidates.append((z[word], Stump(self.n_numbers + word, 0.0, present[::-1])))
        if not candidates:
            return None
        z_best, stump = candidates[0]
        if len(candidates) == 2 and candidates[1][0] < z_best * (1 - SAME):
            z_best, stump = candidates[1]
        return stump, float(z_best)

    def sides(self, stump: Stump) -> npt.NDArray[np.int8]:
        """Return the side of each row: 0 or 1, or 2 for a missing number."""
        if stump.column < self.n_numbers:
            code = self.codes[:, stump.column]
            cut = np.searchsorted(self.cuts[stump.column], stump.threshold)
            return np.where(code == self.width, 2, code > cut).astype(np.int8)
        sides = np.zeros(len(self.rows), np.int8)
        word = stump.column - self.n_numbers
        sides[self.word_rows.indices[self.word_rows.indptr[word] : self.word_rows.indptr[word + 1]]] = 1
        return sides


def thresholds(column: Floats, bins: int) -> Floats:
    """Return the cuts of a column: between all its values, or at about `bins` quantiles if there are more values.

    >>> thresholds(np.array([3.0, 1.0, np.nan, 1.0, 2.0]), bins=64)
    array([1.5, 2.5])
    >>> len(thresholds(np.arange(1000.0), bins=64))
    63
    """
    given = np.sort(column[~np.isnan(column)])
    values = np.unique(given)
    last = np.arange(len(values) - 1)
    if len(values) > bins:
        wanted = given[np.linspace(0, len(given), bins + 1)[1:-1].astype(np.int64)]
        last = np.unique(np.minimum(np.searchsorted(values, wanted), len(values) - 2))
    low, high = values[last], values[last + 1]
    middle = low / 2 + high / 2
    result: Floats = np.where((middle >= low) & (middle < high), middle, low)
    return result


def one_side(stump: Stump, column: Floats) -> npt.NDArray[np.int8]:
    """Return the sides of rows, given the numbers (or counts) of the stump's column."""
    return np.where(np.isnan(column), 2, column > stump.threshold).astype(np.int8)


def _z(right: Floats, both: Floats, all_right: Floats, all_both: Floats) -> Floats:
    """Return twice the sum over parts and classes of sqrt(right * wrong weight) (Schapire and Singer, equation 4)."""
    wrong, all_wrong = both - right, all_both - all_right
    one = np.sqrt(np.maximum(right * wrong, 0))
    other = np.sqrt(np.maximum((all_right - right) * (all_wrong - wrong), 0))
    z: Floats = 2 * (one + other).sum(axis=-1)
    return z


def _scores(right: Floats, both: Floats, all_right: Floats, all_both: Floats, smoothing: float) -> Floats:
    """Return half the log ratio of right to wrong weight in the part and in the rest (equation 5 and section 3.2)."""
    rights = np.maximum(np.stack([right, all_right - right]), 0) + smoothing
    wrongs = np.maximum(np.stack([both - right, all_both - all_right - both + right]), 0) + smoothing
    scores: Floats = 0.5 * np.log(rights / wrongs)
    return scores


def _first_least(z: npt.NDArray[Any]) -> int:
    """Return the first index of the minimum up to rounding, so that the order of rows does not matter."""
    near: Ints = np.flatnonzero(z <= z.min() * (1 + SAME))
    return int(near[0])
