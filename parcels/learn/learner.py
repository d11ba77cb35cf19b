"""What every learner promises, and the checks of what it is given."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from parcels.errors import ConfigError, ModelMismatch
from parcels.learn.words import Floats, Ints, Words

Labels = npt.NDArray[Any]


class Learner(Protocol):
    """Fits labels to rows of numbers and words.

    Settings are stored by `__init__` and nothing else happens there; what was learned ends in `_`. Rows of weight zero
    are as if they were absent. Predictions have a column a class, in the order of `classes_` (sorted), and a row's
    prediction does not depend on the rows beside it.
    """

    classes_: Labels

    @property
    def reads_numbers(self) -> bool:
        """False: numbers are refused."""

    @property
    def reads_words(self) -> bool:
        """False: words are refused."""

    @property
    def takes_missing(self) -> bool:
        """False: NaN among the numbers is refused."""

    def fit(
        self,
        numbers: Floats | None,
        words: Words | None,
        y: Sequence[Any] | Labels,
        *,
        sample_weight: Floats | None = None,
    ) -> Self:
        """Learn from rows with known labels."""

    def predict_log_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Logarithm of each class' probability: tells rows apart whose probability rounds to 1."""

    def predict_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Each class' probability."""

    def save(self, folder: Path) -> None:
        """Write plain data into a folder."""

    @classmethod
    def load(cls, folder: Traversable) -> Self:
        """Read what `save` wrote; nothing in it is executed."""

    def to_bytes(self) -> bytes:
        """The same data as one piece, for sending it to other machines."""


@dataclass(frozen=True, eq=False)
class Features:
    """The rows of one view: numbers and words, either of them possibly without columns."""

    numbers: Floats
    words: Words

    @classmethod
    def of(cls, numbers: npt.ArrayLike | None = None, words: Words | None = None) -> "Features":
        """Fill the part that is not given with no columns.

        >>> len(Features.of(words=Words.empty(3)))
        3
        """
        if numbers is None and words is None:
            raise ConfigError("neither numbers nor words were given")
        matrix = np.zeros((len(words or ()), 0)) if numbers is None else np.asarray(numbers, np.float64)
        return cls(matrix, Words.empty(len(matrix)) if words is None else words)

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, rows: npt.NDArray[Any]) -> "Features":
        """Some rows."""
        return Features(self.numbers[rows], self.words.take(rows))

    def and_below(self, other: "Features") -> "Features":
        """These rows, then the other's."""
        return Features(np.concatenate([self.numbers, other.numbers]), self.words.and_below(other.words))

    def and_beside(self, other: "Features") -> "Features":
        """The columns of both: the paper's single view."""
        return Features(np.concatenate([self.numbers, other.numbers], axis=1), self.words.and_beside(other.words))


@dataclass(frozen=True, eq=False)
class Training:
    """Checked rows to learn from: `y` holds places in `classes`, and every weight is above zero."""

    numbers: Floats
    words: Words
    y: Ints
    classes: Labels
    weight: Floats


def checked(learner: Learner, numbers: Floats | None, words: Words | None) -> Features:
    """Numbers and words of one number of rows, of the kinds that the learner reads, without infinities."""
    name = type(learner).__name__
    try:
        rows = Features.of(numbers, words)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{name}: numbers is not a matrix of numbers ({error})") from error
    if rows.numbers.ndim != 2:
        raise ConfigError(
            f"{name}: numbers has {rows.numbers.ndim} dimensions; give a row a block and a column a feature"
        )
    if len(rows.numbers) != len(rows.words):
        raise ConfigError(
            f"{name}: numbers has {len(rows.numbers)} rows and words {len(rows.words)}; both need a row a block"
        )
    for part, width, is_read in (
        ("numbers", rows.numbers.shape[1], learner.reads_numbers),
        ("words", rows.words.width, learner.reads_words),
    ):
        if width and not is_read:
            raise ConfigError(f"{name} does not read {part}, but was given {width} columns of them: leave them out")
    if np.isfinite(rows.numbers.sum()) and np.isfinite(rows.words.counts.sum()) and not (rows.words.counts < 0).any():
        return rows  # the usual case in a few passes: a sum is finite only where all numbers are
    if not learner.takes_missing:
        _refuse(name, rows.numbers, np.isnan(rows.numbers), "NaN, which this learner cannot take: fill it in")
    _refuse(
        name, rows.numbers, np.isinf(rows.numbers), "infinity: give a finite number, or NaN where there is no value"
    )
    if not np.isfinite(rows.words.counts).all() or (rows.words.counts < 0).any():
        raise ConfigError(f"{name}: a count of words is negative, infinite or NaN")
    return rows


def checked_fit(
    learner: Learner,
    numbers: Floats | None,
    words: Words | None,
    y: Sequence[Any] | Labels,
    sample_weight: Floats | None,
) -> Training:
    """What `fit` needs; rows of weight zero are left out here, so that no learner can see them."""
    name = type(learner).__name__
    rows, labels = checked(learner, numbers, words), np.asarray(y)
    weight = np.ones(len(rows)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    if labels.shape != (len(rows),) or weight.shape != (len(rows),):
        raise ConfigError(f"{name}.fit: {len(rows)} rows, {labels.shape} labels and {weight.shape} weights: one a row")
    if labels.dtype.kind not in "iuU":
        raise ConfigError(f"{name}.fit: labels are strings or whole numbers, not {labels.dtype}")
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise ConfigError(f"{name}.fit: a weight is negative, infinite or NaN")
    is_used = weight > 0
    if not is_used.any():
        raise ConfigError(f"{name}.fit: no row with a weight above zero, so there is nothing to learn from")
    if not is_used.all():
        rows, labels, weight = rows.take(is_used), labels[is_used], weight[is_used]
    classes, places = np.unique(labels, return_inverse=True)
    return Training(rows.numbers, rows.words, places.astype(np.int64), classes, weight)


def checked_rows(
    learner: Learner, numbers: Floats | None, words: Words | None, n_numbers: int, n_words: int
) -> Features:
    """What predictions need: the columns that the learner was fitted on."""
    rows = checked(learner, numbers, words)
    for part, width, fitted in (("numbers", rows.numbers.shape[1], n_numbers), ("words", rows.words.width, n_words)):
        if width != fitted:
            raise ModelMismatch(
                f"{type(learner).__name__} was trained on {fitted} columns of {part} and was given {width}. "
                "Give it the features that it was trained on, or train it again."
            )
    return rows


def in_order_of(classes: Labels, proba: Floats, seen: Labels) -> Floats:
    """Columns in the order of `classes`; a class that the learner has not seen gets 0.

    >>> in_order_of(np.array(["a", "b", "c"]), np.array([[0.9, 0.1]]), np.array(["a", "c"]))
    array([[0.9, 0. , 0.1]])
    """
    places = np.searchsorted(classes, seen)
    if (places >= len(classes)).any() or (classes[np.minimum(places, len(classes) - 1)] != seen).any():
        raise ConfigError(f"a learner knows classes that are not among {', '.join(map(str, classes))}")
    wide = np.zeros((len(proba), len(classes)))
    wide[:, places] = proba
    return wide


def log_softmax(scores: Floats) -> Floats:
    """Logarithms of probabilities that are proportional to exp(scores), a row each."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    result: Floats = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return result


def softmax(scores: Floats) -> Floats:
    """Probabilities that are proportional to exp(scores), a row each.

    >>> softmax(np.log([[1.0, 3.0]])).round(3).tolist()
    [[0.25, 0.75]]
    """
    proba: Floats = scores - scores.max(axis=1, keepdims=True)
    np.exp(proba, out=proba)
    proba /= proba.sum(axis=1, keepdims=True)
    return proba


def _refuse(name: str, numbers: Floats, is_bad: npt.NDArray[np.bool_], what: str) -> None:
    if is_bad.any():
        row, column = np.argwhere(is_bad)[0]
        raise ConfigError(f"{name}: column {column} of numbers holds {what} (first in row {row})")
