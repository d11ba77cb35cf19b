"""BoosTexter: AdaBoost.MH with real-valued, confidence-rated stumps (Schapire and Singer 2000, Machine Learning 39).

Thresholds of numbers are exact up to `bins` distinct values, and quantiles above that. A stump abstains for a missing
number. Words count as present or absent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from parcels.errors import ConfigError
from parcels.learn.learner import Labels, Training, checked_fit, checked_rows, log_softmax
from parcels.learn.stored import Arrays, Reader, Stored
from parcels.learn.stumps import Search, Stump, one_side
from parcels.learn.words import Floats, Words


@dataclass(eq=False)
class BoosTexter(Stored):
    """A sum of stumps, each with one score per class for either side of one column.

    >>> numbers = np.array([[0.1], [0.2], [0.8], [0.9]])
    >>> model = BoosTexter(rounds=3).fit(numbers, None, ["low", "low", "high", "high"])
    >>> model.classes_[model.predict_proba(np.array([[0.3], [7.0]]), None).argmax(axis=1)].tolist()
    ['low', 'high']
    """

    kind: ClassVar[str] = "boostexter"
    reads_numbers: ClassVar[bool] = True
    reads_words: ClassVar[bool] = True
    takes_missing: ClassVar[bool] = True

    rounds: int = 300  # rounds.choose_rounds chooses it by cross-validation
    bins: int = 64
    temperature: float = 1.0  # divides margins before they become probabilities; also from choose_rounds

    classes_: Labels = field(init=False, repr=False)
    n_numbers_: int = field(init=False, repr=False)
    n_words_: int = field(init=False, repr=False)
    stumps_: list[Stump] = field(init=False, repr=False)
    prior_: Floats = field(init=False, repr=False)  # zero if there is a stump

    def fit(
        self,
        numbers: Floats | None,
        words: Words | None,
        y: Sequence[Any] | Labels,
        *,
        sample_weight: Floats | None = None,
    ) -> Self:
        """Boost: repeatedly find the best stump and raise the weight of the pairs that it gets wrong."""
        if self.rounds < 1 or self.bins < 2 or not self.temperature > 0:
            raise ConfigError(f"{self}: rounds must be at least 1, bins at least 2 and temperature greater than 0")
        training = checked_fit(self, numbers, words, y, sample_weight)
        self._seen(training)
        self.stumps_ = boosted(training, self.rounds, self.bins)
        self.prior_ = np.zeros(len(training.classes)) if self.stumps_ else _prior(training)
        return self._compiled()

    def scores(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return the sum of the stumps' scores, one column per class; positive scores speak for a class."""
        rows = checked_rows(self, numbers, words, self.n_numbers_, self.n_words_)
        result = rows.words.present().dot(self.word_scores_) + self.base_
        for column, cuts, table in self.steps_:
            # NaN sorts after every cut, including the infinite last one: the last row of the table is zero.
            result += table[np.searchsorted(cuts, rows.numbers[:, column])]
        return result

    def staged_scores(self, numbers: Floats | None, words: Words | None) -> Iterator[Floats]:
        """Yield `scores` after each round."""
        rows = checked_rows(self, numbers, words, self.n_numbers_, self.n_words_)
        counts = rows.words.to_scipy().tocsc()
        result = np.zeros((len(rows), len(self.classes_)))
        for stump in self.stumps_:
            word = stump.column - self.n_numbers_
            column = rows.numbers[:, stump.column] if word < 0 else counts[:, [word]].toarray().ravel()
            result = result + _with_abstention(stump.scores)[one_side(stump, column)]
            yield result

    def cut(self, rounds: int) -> Self:
        """Return a copy with only the first rounds."""
        shorter = replace(self, rounds=rounds)
        shorter.classes_, shorter.n_numbers_, shorter.n_words_ = self.classes_, self.n_numbers_, self.n_words_
        shorter.prior_, shorter.stumps_ = self.prior_, self.stumps_[:rounds]
        return shorter._compiled()

    def predict_log_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return log-probabilities, one column per class."""
        return log_proba(self.scores(numbers, words), self.temperature)

    def _compiled(self) -> Self:
        """Merge the stumps of each number into one step function, and those of each word into one row."""
        classes = len(self.classes_)
        self.base_, self.word_scores_ = self.prior_.copy(), np.zeros((self.n_words_, classes))
        by_column: dict[int, list[Stump]] = {}
        for stump in self.stumps_:
            word = stump.column - self.n_numbers_
            if word < 0:
                by_column.setdefault(stump.column, []).append(stump)
            else:
                self.base_ += stump.scores[0]
                self.word_scores_[word] += stump.scores[1] - stump.scores[0]
        self.steps_ = [(column, *_steps(stumps)) for column, stumps in sorted(by_column.items())]
        return self

    def _arrays(self) -> Arrays:
        return {
            "column": np.array([stump.column for stump in self.stumps_], np.int64),
            "threshold": np.array([stump.threshold for stump in self.stumps_], np.float64),
            "prior": self.prior_,
            "scores": np.array([stump.scores for stump in self.stumps_]).reshape(-1, 2, len(self.classes_)),
        }

    def _restore(self, header: dict[str, Any], arrays: Reader) -> None:
        column = arrays.take("column", np.int64, (None,), low=0, high=self.n_numbers_ + self.n_words_ - 1)
        threshold = arrays.take("threshold", np.float64, column.shape)
        scores = arrays.take("scores", np.float64, (len(column), 2, len(self.classes_)))
        self.prior_ = arrays.take("prior", np.float64, self.classes_.shape)
        if not self.temperature > 0:
            raise ValueError("its temperature is not greater than 0")
        self.stumps_ = [Stump(*stump) for stump in zip(column.tolist(), threshold.tolist(), scores, strict=True)]
        self._compiled()


def boosted(training: Training, rounds: int, bins: int) -> list[Stump]:
    """Return the stumps of real AdaBoost.MH, which weighs every pair of a row and a class."""
    search = Search(training, bins)
    row, classes = np.arange(len(training.y)), len(training.classes)
    weights = np.repeat(training.weight[:, None], classes, axis=1)
    weights /= weights.sum()
    smoothing = 1 / weights.size  # Schapire and Singer 2000, section 3.2
    stumps: list[Stump] = []
    while len(stumps) < rounds and (best := search.best(weights, smoothing)) is not None:
        stump, z = best
        if stumps and z >= 1:  # no stump is better than chance
            break
        stumps.append(stump)
        side, scores = search.sides(stump), _with_abstention(stump.scores)
        weights *= np.exp(scores)[side]
        weights[row, training.y] *= np.exp(-2 * scores)[side, training.y]
        weights /= weights.sum()
    return stumps


def log_proba(scores: Floats, temperature: float) -> Floats:
    """Return normalised log-probabilities: the logistic function of twice each margin, from exponential loss."""
    return log_softmax(-np.logaddexp(0, -2 * scores / temperature))


def _with_abstention(scores: Floats) -> Floats:
    """Return the scores of both sides, and zeros for a missing number."""
    return np.concatenate([scores, np.zeros((1, scores.shape[1]))])


def _steps(stumps: list[Stump]) -> tuple[Floats, Floats]:
    """Return the sorted thresholds of one column's stumps, and the sum of the stumps between them."""
    cuts = np.unique([stump.threshold for stump in stumps])
    table = np.zeros((len(cuts) + 2, stumps[0].scores.shape[1]))
    for stump in stumps:
        place = np.searchsorted(cuts, stump.threshold) + 1
        table[:place] += stump.scores[0]
        table[place:-1] += stump.scores[1]
    return np.append(cuts, np.inf), table


def _prior(training: Training) -> Floats:
    """Return scores by class frequency, for data that no column divides."""
    share = np.bincount(training.y, training.weight) / training.weight.sum()
    smoothing = 1 / (len(training.y) * len(training.classes))
    prior: Floats = 0.5 * np.log((share + smoothing) / (1 - share + smoothing))
    return prior
