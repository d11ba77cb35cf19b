"""The interface of learners, and the checks of their inputs."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from parcels.errors import ConfigError, ModelMismatch
from parcels.learn.words import Floats, Ints, Words

Labels = npt.NDArray[Any]
_Scores = TypeVar("_Scores", npt.NDArray[np.float32], npt.NDArray[np.float64])


class Learner(Protocol):
    """A classifier of rows of numbers and words.

    `__init__` only stores settings; learned attributes end in `_`. Rows of weight zero are ignored. Predictions have
    one column per class, in the order of `classes_` (sorted). The prediction for a row does not depend on other rows.
    """

    classes_: Labels

    @property
    def reads_numbers(self) -> bool:
        """Whether the learner accepts numbers."""

    @property
    def reads_words(self) -> bool:
        """Whether the learner accepts words."""

    @property
    def takes_missing(self) -> bool:
        """Whether the learner accepts NaN among the numbers."""

    def fit(
        self,
        numbers: Floats | None,
        words: Words | None,
        y: Sequence[Any] | Labels,
        *,
        sample_weight: Floats | None = None,
    ) -> Self:
        """Fit to rows with known labels."""

    def predict_log_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return log-probabilities: they distinguish rows whose probability rounds to 1."""

    def predict_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return probabilities."""

    def save(self, folder: Path) -> None:
        """Write the learner as plain data into a folder."""

    @classmethod
    def load(cls, folder: Traversable) -> Self:
        """Load the data that `save` wrote; nothing in it is executed."""

    def to_bytes(self) -> bytes:
        """Return the same data as bytes, to send it to other machines."""


@dataclass(frozen=True, eq=False)
class Features:
    """The rows of one view: numbers and words, either possibly without columns."""

    numbers: Floats
    words: Words

    @classmethod
    def of(cls, numbers: npt.ArrayLike | None = None, words: Words | None = None) -> "Features":
        """Make rows from numbers, words or both.

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
        """Return some rows."""
        return Features(self.numbers[rows], self.words.take(rows))

    def and_below(self, other: "Features") -> "Features":
        """Return these rows followed by those of another."""
        return Features(np.concatenate([self.numbers, other.numbers]), self.words.and_below(other.words))

    def and_beside(self, other: "Features") -> "Features":
        """Return the columns of both: the papers' single view."""
        return Features(np.concatenate([self.numbers, other.numbers], axis=1), self.words.and_beside(other.words))


@dataclass(frozen=True, eq=False)
class Labelled:
    """Rows with known labels: one id and label per row, and the features of each view."""

    ids: Labels
    y: Labels
    views: tuple[Features, ...]

    def __post_init__(self) -> None:
        if len(self.y) != len(self.ids) or any(len(view) != len(self.ids) for view in self.views):
            raise ConfigError(
                f"ids, labels and views must have equally many rows, got {len(self.ids)} ids, {len(self.y)} labels and "
                f"views of {', '.join(str(len(view)) for view in self.views)} rows"
            )

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, rows: npt.NDArray[Any]) -> "Labelled":
        """Return some rows."""
        return Labelled(self.ids[rows], self.y[rows], tuple(view.take(rows) for view in self.views))

    def and_below(self, other: "Labelled") -> "Labelled":
        """Return these rows followed by those of another."""
        views = tuple(one.and_below(more) for one, more in zip(self.views, other.views, strict=True))
        return Labelled(np.concatenate([self.ids, other.ids]), np.concatenate([self.y, other.y]), views)


@dataclass(frozen=True, eq=False)
class Training:
    """Checked training rows: `y` has indices of `classes`, and every weight is positive."""

    numbers: Floats
    words: Words
    y: Ints
    classes: Labels
    weight: Floats


def checked(learner: Learner, numbers: Floats | None, words: Words | None) -> Features:
    """Check the inputs of a learner: equal numbers of rows, accepted kinds, no infinities. Raise ConfigError."""
    name = type(learner).__name__
    try:
        rows = Features.of(numbers, words)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{name}: numbers is not a matrix of numbers ({error})") from error
    if rows.numbers.ndim != 2:
        raise ConfigError(
            f"{name}: numbers has {rows.numbers.ndim} dimensions; give one row per block and one column per feature"
        )
    if len(rows.numbers) != len(rows.words):
        raise ConfigError(
            f"{name}: numbers has {len(rows.numbers)} rows and words {len(rows.words)}; both need one row per block"
        )
    for part, width, is_read in (
        ("numbers", rows.numbers.shape[1], learner.reads_numbers),
        ("words", rows.words.width, learner.reads_words),
    ):
        if width and not is_read:
            raise ConfigError(f"{name} does not accept {part}, got {width} columns: leave them out")
    if np.isfinite(rows.numbers.sum()) and np.isfinite(rows.words.counts.sum()) and not (rows.words.counts < 0).any():
        return rows  # fast path: a sum is finite only if all numbers are
    if not learner.takes_missing:
        _refuse(
            name,
            rows.numbers,
            np.isnan(rows.numbers),
            "NaN, which this learner does not accept: fill in missing values",
        )
    _refuse(name, rows.numbers, np.isinf(rows.numbers), "infinity: give a finite number, or NaN for a missing value")
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
    """Check the inputs of `fit`, and drop rows of weight zero."""
    name = type(learner).__name__
    rows, labels = checked(learner, numbers, words), np.asarray(y)
    weight = np.ones(len(rows)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    if labels.shape != (len(rows),) or weight.shape != (len(rows),):
        raise ConfigError(
            f"{name}.fit: {len(rows)} rows, {labels.shape} labels and {weight.shape} weights: give one per row"
        )
    if labels.dtype.kind not in "iuU":
        raise ConfigError(f"{name}.fit: labels must be strings or integers, got {labels.dtype}")
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise ConfigError(f"{name}.fit: a weight is negative, infinite or NaN")
    is_used = weight > 0
    if not is_used.any():
        raise ConfigError(f"{name}.fit: no row has a weight greater than 0")
    if not is_used.all():
        rows, labels, weight = rows.take(is_used), labels[is_used], weight[is_used]
    classes, places = np.unique(labels, return_inverse=True)
    return Training(rows.numbers, rows.words, places.astype(np.int64), classes, weight)


def checked_rows(
    learner: Learner, numbers: Floats | None, words: Words | None, n_numbers: int, n_words: int
) -> Features:
    """Check the inputs of a prediction: the columns must be those of the fit."""
    rows = checked(learner, numbers, words)
    for part, width, fitted in (("numbers", rows.numbers.shape[1], n_numbers), ("words", rows.words.width, n_words)):
        if width != fitted:
            raise ModelMismatch(
                f"{type(learner).__name__} was trained on {fitted} columns of {part} and was given {width}. "
                "Use the features that it was trained on, or train it again."
            )
    return rows


def in_order_of(classes: Labels, proba: Floats, seen: Labels) -> Floats:
    """Return columns in the order of `classes`; classes that the learner has not seen get 0.

    >>> in_order_of(np.array(["a", "b", "c"]), np.array([[0.9, 0.1]]), np.array(["a", "c"]))
    array([[0.9, 0. , 0.1]])
    """
    places = np.searchsorted(classes, seen)
    if (places >= len(classes)).any() or (classes[np.minimum(places, len(classes) - 1)] != seen).any():
        raise ConfigError(f"a learner has classes that are not among {', '.join(map(str, classes))}")
    wide = np.zeros((len(proba), len(classes)))
    wide[:, places] = proba
    return wide


def log_softmax(scores: _Scores) -> _Scores:
    """Return the log-softmax of each row of scores.

    >>> log_softmax(np.log([[1.0, 3.0]])).round(3).tolist()
    [[-1.386, -0.288]]
    """
    shifted = _below_largest(scores)
    shifted -= np.log(np.exp(shifted).sum(axis=0))
    return np.ascontiguousarray(shifted.T)


def softmax(scores: _Scores) -> _Scores:
    """Return the softmax of each row of scores.

    >>> softmax(np.log([[1.0, 3.0]])).round(3).tolist()
    [[0.25, 0.75]]
    """
    proba = _below_largest(scores)
    np.exp(proba, out=proba)
    proba /= proba.sum(axis=0)
    return np.ascontiguousarray(proba.T)


def _below_largest(scores: _Scores) -> _Scores:
    """Return scores minus the largest of their row, with one row per column: NumPy reduces few long rows faster."""
    shifted = np.array(scores.T, order="C")
    shifted -= shifted.max(axis=0)
    return shifted


def _refuse(name: str, numbers: Floats, is_bad: npt.NDArray[np.bool_], what: str) -> None:
    if is_bad.any():
        row, column = np.argwhere(is_bad)[0]
        raise ConfigError(f"{name}: column {column} of numbers holds {what} (first in row {row})")
