"""Multinomial logistic regression over numbers and words: fitted by scikit-learn, stored as arrays.

Numbers are standardised. Words are weighted by log(1 + count) times their inverse document frequency, and each row of
words is scaled to length 1, so that long blocks do not dominate.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from parcels.errors import ConfigError
from parcels.learn.learner import Labels, checked_fit, checked_rows, log_softmax, softmax
from parcels.learn.products import add_product, weigh
from parcels.learn.stored import Arrays, Reader, Stored
from parcels.learn.words import Floats, Words

DIGITS = 3  # decimals of the weights; rounding keeps the labels and makes files a third as large


@dataclass(eq=False)
class Linear(Stored):
    """A linear model: one weight per column and class.

    >>> model = Linear().fit(np.array([[0.0], [0.1], [0.9], [1.0]]), None, ["low", "low", "high", "high"])
    >>> model.classes_[model.predict_proba(np.array([[0.2], [0.7]]), None).argmax(axis=1)].tolist()
    ['low', 'high']
    """

    kind: ClassVar[str] = "linear"
    reads_numbers: ClassVar[bool] = True
    reads_words: ClassVar[bool] = True
    takes_missing: ClassVar[bool] = False
    is_softmax: ClassVar[bool] = True  # predict_proba is the softmax of scores

    strength: float = 1.0  # C of scikit-learn: larger values regularise less
    most_steps: int = 300
    tolerance: float = 1e-4

    classes_: Labels = field(init=False, repr=False)
    n_numbers_: int = field(init=False, repr=False)
    n_words_: int = field(init=False, repr=False)
    mean_: Floats = field(init=False, repr=False)
    scale_: Floats = field(init=False, repr=False)
    idf_: Floats = field(init=False, repr=False)
    weights_: Floats = field(init=False, repr=False)  # numbers, words, then the constant
    steps_: int = field(init=False, repr=False)

    def fit(
        self,
        numbers: Floats | None,
        words: Words | None,
        y: Sequence[Any] | Labels,
        *,
        sample_weight: Floats | None = None,
    ) -> Self:
        """Standardise numbers, weigh words and fit by L-BFGS."""
        if not self.strength > 0:
            raise ConfigError(f"{self}: strength must be greater than 0")
        training = checked_fit(self, numbers, words, y, sample_weight)
        self._seen(training)
        share = training.weight / training.weight.sum()
        self.mean_ = share @ training.numbers
        deviation = np.sqrt(share @ (training.numbers - self.mean_) ** 2)
        self.scale_ = np.where(deviation > 1e-12 * (1 + abs(self.mean_)), deviation, 1.0)
        rows = np.bincount(training.words.columns, minlength=self.n_words_)
        self.idf_ = np.log((1 + len(training.y)) / (1 + rows)) + 1
        self.weights_, self.steps_ = np.zeros((self.n_numbers_ + self.n_words_ + 1, len(training.classes))), 0
        if len(training.classes) == 1:
            return self
        standard, weighted = (training.numbers - self.mean_) / self.scale_, self._weighted(training.words)
        self.weights_, self.steps_ = self._descended(standard, weighted, training.y, training.weight)
        return self

    def _descended(self, standard: Floats, words: Words, y: Any, weight: Floats) -> tuple[Floats, int]:
        from scipy.sparse import csr_array, hstack  # type: ignore[import-untyped]
        from sklearn.exceptions import ConvergenceWarning  # type: ignore[import-untyped]
        from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

        matrix = hstack([csr_array(standard), words.to_scipy()], format="csr") if words.width else standard
        if not matrix.shape[1]:
            matrix = np.zeros((len(y), 1))
        model = LogisticRegression(C=self.strength, max_iter=self.most_steps, tol=self.tolerance)
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", ConvergenceWarning
            )  # reaching most_steps is intended; steps_ has the number
            model.fit(matrix, y, sample_weight=weight)
        coefficients, constant = model.coef_, model.intercept_
        if len(coefficients) == 1:  # two classes: the logistic function of one sum is the softmax of two halves
            coefficients, constant = np.concatenate([-coefficients, coefficients]) / 2, np.array([-1, 1]) * constant / 2
        coefficients = coefficients[:, : self.n_numbers_ + self.n_words_]
        weights = np.ascontiguousarray(np.concatenate([coefficients.T, constant[None]]).round(DIGITS))
        return weights, int(model.n_iter_.max())

    def _weighted(self, words: Words) -> Words:
        weighted = np.empty(len(words.columns))
        weigh(words.starts, words.columns, np.log1p(words.counts, dtype=np.float64), self.idf_, weighted)
        return Words(words.starts, words.columns, weighted, words.width)

    def scores(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return weighted sums, one column per class."""
        rows = checked_rows(self, numbers, words, self.n_numbers_, self.n_words_)
        result: Floats = self._weighted(rows.words).dot(self.weights_[self.n_numbers_ : -1]) + self.weights_[-1]
        if self.n_numbers_:
            add_product((rows.numbers - self.mean_) / self.scale_, self.weights_[: self.n_numbers_], result)
        return result

    def word_parts(self, words: Words, column: int) -> tuple[Floats, Floats]:
        """Return for each entry of `words` its weighted value, and its part of the score of the class at `column`."""
        weighted = self._weighted(words)
        weights = self.weights_[self.n_numbers_ : -1, column][weighted.columns]
        return weighted.counts, weighted.counts * weights

    def predict_log_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return log-probabilities, one column per class."""
        return log_softmax(self.scores(numbers, words))

    def predict_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return probabilities, one column per class."""
        return softmax(self.scores(numbers, words))

    def _arrays(self) -> Arrays:
        return {"mean": self.mean_, "scale": self.scale_, "idf": self.idf_, "weights": self.weights_}

    def _restore(self, header: dict[str, Any], arrays: Reader) -> None:
        self.mean_ = arrays.take("mean", np.float64, (self.n_numbers_,))
        self.scale_ = arrays.take("scale", np.float64, (self.n_numbers_,), low=1e-300)
        self.idf_ = arrays.take("idf", np.float64, (self.n_words_,), low=0)
        width = self.n_numbers_ + self.n_words_ + 1
        self.weights_ = arrays.take("weights", np.float64, (width, len(self.classes_)))
