"""A support vector machine with a radial kernel: fitted by scikit-learn, stored as arrays, applied with NumPy."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from parcels.articles.body.parts import Floats, Ints
from parcels.errors import ModelMismatch
from parcels.learn.stored import Arrays, Reader

ROWS_AT_ONCE = 256  # rows per batch of kernel values
MOST_SUPPORTS = 200_000
CACHE_MB = 300


@dataclass(frozen=True)
class Scale:
    """Scales every column to -1 to 1; values beyond the training range are clipped."""

    low: Floats
    high: Floats

    @classmethod
    def of(cls, rows: Floats, *, tail: float) -> "Scale":
        """Fit the range of each column; `tail` is the share of rows clipped at either end."""
        low, high = np.quantile(rows, [tail, 1 - tail], axis=0)
        is_flat = high <= low  # a rare name has equal quantiles; its range is still 0 to 1
        return cls(np.where(is_flat, rows.min(axis=0), low), np.where(is_flat, rows.max(axis=0), high))

    def __call__(self, rows: Floats) -> Floats:
        """Return the scaled rows.

        >>> Scale(np.array([0.0]), np.array([4.0]))(np.array([[1.0], [9.0]])).tolist()
        [[-0.5], [1.0]]
        """
        width = np.where(self.high > self.low, self.high - self.low, 1.0)
        scaled: Floats = 2 * np.clip((rows - self.low) / width, 0, 1) - 1
        return scaled


@dataclass(frozen=True)
class Machine:
    """The fitted machine: scaled support vectors and their weights."""

    scale: Scale
    supports: Floats
    weights: Floats
    constant: float
    gamma: float

    @classmethod
    def fitted(
        cls, rows: Floats, y: Ints, weight: Floats, *, strength: float, gamma: float | None, tail: float
    ) -> "Machine":
        """Fit a machine; `gamma` None is LIBSVM's default, 1 / columns."""
        from sklearn.svm import SVC  # type: ignore[import-untyped]

        scale = Scale.of(rows, tail=tail)
        width = gamma or 1 / rows.shape[1]
        learned = SVC(C=strength, gamma=width, cache_size=CACHE_MB).fit(scale(rows), y, sample_weight=weight)
        supports = learned.support_vectors_.astype(np.float32).astype(np.float64)
        weights = learned.dual_coef_[0].astype(np.float32).astype(np.float64)
        return cls(scale, supports, weights, float(learned.intercept_[0]), width)

    def decide(self, rows: Floats) -> Floats:
        """Return the decision value of each row, positive for content."""
        scaled, parts = self.scale(rows), []
        own = np.einsum("sc,sc->s", self.supports, self.supports)
        for first in range(0, len(scaled), ROWS_AT_ONCE):
            part = scaled[first : first + ROWS_AT_ONCE]
            squares = np.einsum("rc,rc->r", part, part)[:, None] + own - 2 * part @ self.supports.T
            parts.append(np.exp(-self.gamma * np.maximum(squares, 0)) @ self.weights + self.constant)
        return np.concatenate(parts) if parts else np.zeros(0)

    def arrays(self) -> Arrays:
        """Return the machine as arrays."""
        return {
            "low": self.scale.low, "high": self.scale.high, "supports": self.supports.astype(np.float32),
            "weights": self.weights.astype(np.float32), "numbers": np.array([self.constant, self.gamma]),
        }  # fmt: skip

    @classmethod
    def of_arrays(cls, arrays: dict[str, Any], width: int) -> "Machine":
        """Parse a machine from arrays; raises ModelMismatch where they are invalid."""
        reader = Reader(arrays)
        low, high = (reader.take(name, np.float64, (width,)) for name in ("low", "high"))
        supports = reader.take("supports", np.float32, (None, width), low=-1, high=1)
        if len(supports) > MOST_SUPPORTS:
            raise ModelMismatch(f"it has {len(supports)} support vectors, more than {MOST_SUPPORTS}")
        weights = reader.take("weights", np.float32, (len(supports),))
        constant, gamma = reader.take("numbers", np.float64, (2,)).tolist()
        if gamma <= 0:
            raise ModelMismatch(f"its gamma must be greater than 0, got {gamma:g}")
        return cls(Scale(low, high), supports.astype(np.float64), weights.astype(np.float64), constant, gamma)
