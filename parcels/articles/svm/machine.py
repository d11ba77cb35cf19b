"""A support vector machine with a radial kernel: fitted by scikit-learn, kept as arrays, read by NumPy alone."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from parcels.articles.body.parts import Floats, Ints
from parcels.errors import ModelMismatch
from parcels.learn.stored import Arrays, Reader

ROWS_AT_ONCE = 256  # rows whose kernel is held in memory together
MOST_SUPPORTS = 200_000
CACHE_MB = 300


@dataclass(frozen=True)
class Scale:
    """Every column to the range of -1 to 1, what lies beyond the range that was seen clipped."""

    low: Floats
    high: Floats

    @classmethod
    def of(cls, rows: Floats, *, tail: float) -> "Scale":
        """From rows; `tail` is the share at either end that is clipped: 0 takes the least and the greatest value."""
        low, high = np.quantile(rows, [tail, 1 - tail], axis=0)
        is_flat = high <= low  # a name that hardly any block has is 0 and 1 all the same
        return cls(np.where(is_flat, rows.min(axis=0), low), np.where(is_flat, rows.max(axis=0), high))

    def __call__(self, rows: Floats) -> Floats:
        """The rows in range.

        >>> Scale(np.array([0.0]), np.array([4.0]))(np.array([[1.0], [9.0]])).tolist()
        [[-0.5], [1.0]]
        """
        width = np.where(self.high > self.low, self.high - self.low, 1.0)
        scaled: Floats = 2 * np.clip((rows - self.low) / width, 0, 1) - 1
        return scaled


@dataclass(frozen=True)
class Machine:
    """What was learned: the rows that bear the border between the classes, scaled, and their weights."""

    scale: Scale
    supports: Floats
    weights: Floats
    constant: float
    gamma: float

    @classmethod
    def fitted(
        cls, rows: Floats, y: Ints, weight: Floats, *, strength: float, gamma: float | None, tail: float
    ) -> "Machine":
        """Learn; `gamma` None is LIBSVM's default, one by the number of columns."""
        from sklearn.svm import SVC  # type: ignore[import-untyped]

        scale = Scale.of(rows, tail=tail)
        width = gamma or 1 / rows.shape[1]
        learned = SVC(C=strength, gamma=width, cache_size=CACHE_MB).fit(scale(rows), y, sample_weight=weight)
        supports = learned.support_vectors_.astype(np.float32).astype(np.float64)
        weights = learned.dual_coef_[0].astype(np.float32).astype(np.float64)
        return cls(scale, supports, weights, float(learned.intercept_[0]), width)

    def decide(self, rows: Floats) -> Floats:
        """For each row how far it is on the side of content; negative on the other."""
        scaled, found = self.scale(rows), []
        own = np.einsum("sc,sc->s", self.supports, self.supports)
        for first in range(0, len(scaled), ROWS_AT_ONCE):
            part = scaled[first : first + ROWS_AT_ONCE]
            squares = np.einsum("rc,rc->r", part, part)[:, None] + own - 2 * part @ self.supports.T
            found.append(np.exp(-self.gamma * np.maximum(squares, 0)) @ self.weights + self.constant)
        return np.concatenate(found) if found else np.zeros(0)

    def arrays(self) -> Arrays:
        """As plain data."""
        return {
            "low": self.scale.low, "high": self.scale.high, "supports": self.supports.astype(np.float32),
            "weights": self.weights.astype(np.float32), "numbers": np.array([self.constant, self.gamma]),
        }  # fmt: skip

    @classmethod
    def of_arrays(cls, arrays: dict[str, Any], width: int) -> "Machine":
        """From plain data, checked."""
        reader = Reader(arrays)
        low, high = (reader.take(name, np.float64, (width,)) for name in ("low", "high"))
        supports = reader.take("supports", np.float32, (None, width), low=-1, high=1)
        if len(supports) > MOST_SUPPORTS:
            raise ModelMismatch(f"it has {len(supports)} support vectors, more than {MOST_SUPPORTS}")
        weights = reader.take("weights", np.float32, (len(supports),))
        constant, gamma = reader.take("numbers", np.float64, (2,)).tolist()
        if gamma <= 0:
            raise ModelMismatch("its kernel has no width")
        return cls(Scale(low, high), supports.astype(np.float64), weights.astype(np.float64), constant, gamma)
