"""Calibration of confidences: of the labels with confidence 0.8, four in five should be right."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from parcels.learn.learner import log_softmax
from parcels.learn.words import Floats, Ints

COLDEST, HOTTEST = 0.02, 50.0
GOLDEN = (np.sqrt(5) - 1) / 2
BINS = 15  # Guo et al. 2017, On Calibration of Modern Neural Networks
LEAST = 1e-12  # floor of probabilities, so that one row does not dominate the likelihood


def fitted_temperature(log_proba_at: Callable[[float], Floats], y: Ints) -> float:
    """Return the temperature that maximises the likelihood of labels `y` (class indices), by golden-section search."""
    row = np.arange(len(y))

    def loss(logarithm: float) -> float:
        own = log_proba_at(float(np.exp(logarithm)))[row, y]
        return float(-np.maximum(own, np.log(LEAST)).mean())

    low, high = np.log(COLDEST), np.log(HOTTEST)
    inner = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)]
    values = [loss(point) for point in inner]
    while high - low > 1e-4:
        if values[0] <= values[1]:
            high, inner = inner[1], [inner[1] - GOLDEN * (inner[1] - low), inner[0]]
            values = [loss(inner[0]), values[0]]
        else:
            low, inner = inner[0], [inner[1], inner[0] + GOLDEN * (high - inner[0])]
            values = [values[1], loss(inner[1])]
    return float(np.exp((low + high) / 2))


@dataclass(frozen=True)
class Temperature:
    """Division of log-probabilities by a constant: it changes confidences but not labels.

    >>> Temperature(2.0).log_proba(np.log([[0.8, 0.2]])).round(3).tolist()
    [[-0.405, -1.099]]
    """

    value: float

    @classmethod
    def fitted(cls, log_proba: Floats, y: Ints) -> "Temperature":
        """Fit to predictions on held-out rows and their labels (class indices)."""
        return cls(fitted_temperature(lambda value: log_softmax(log_proba / value), y))

    def log_proba(self, log_proba: Floats) -> Floats:
        """Return calibrated log-probabilities."""
        return log_softmax(log_proba / self.value)


@dataclass(frozen=True, eq=False)
class Isotonic:
    """One rising step function per class, then normalised. It fits any shape, needs many rows and may change labels."""

    points: tuple[Floats, ...]
    values: tuple[Floats, ...]

    @classmethod
    def fitted(cls, log_proba: Floats, y: Ints) -> "Isotonic":
        """Fit to predictions on held-out rows and their labels (class indices)."""
        proba = np.exp(log_proba)
        curves = [rising(column, y == place) for place, column in enumerate(proba.T)]
        return cls(tuple(curve[0] for curve in curves), tuple(curve[1] for curve in curves))

    def log_proba(self, log_proba: Floats) -> Floats:
        """Return calibrated log-probabilities."""
        curves = zip(np.exp(log_proba).T, self.points, self.values, strict=True)
        columns = [np.interp(column, points, values) for column, points, values in curves]
        # A small part of the uncalibrated probability breaks ties within a step.
        return log_softmax(np.log(np.stack(columns, axis=1) + 1e-6 * np.exp(log_proba) + LEAST))


def rising(x: Floats, is_true: npt.NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return the non-decreasing function of x nearest to the flags, by pooling adjacent violators.

    >>> rising(np.array([0.1, 0.2, 0.3, 0.4]), np.array([False, True, False, True]))
    (array([0.1, 0.2, 0.3, 0.4]), array([0. , 0.5, 0.5, 1. ]))
    """
    points, place, counts = np.unique(x, return_inverse=True, return_counts=True)
    sums = np.bincount(place, is_true.astype(np.float64), len(points))
    pools: list[tuple[float, float, int, int]] = []  # sum, weight, first and last point
    for number, (total, weight) in enumerate(zip(sums.tolist(), counts.tolist(), strict=True)):
        pool = (total, float(weight), number, number)
        while pools and pools[-1][0] * pool[1] >= pool[0] * pools[-1][1]:
            before = pools.pop()
            pool = (before[0] + pool[0], before[1] + pool[1], before[2], pool[3])
        pools.append(pool)
    ends = [end for pool in pools for end in ({pool[2], pool[3]} if pool[2] == pool[3] else (pool[2], pool[3]))]
    heights = [pool[0] / pool[1] for pool in pools for _ in range(1 if pool[2] == pool[3] else 2)]
    return points[ends], np.array(heights)


class Bin(NamedTuple):
    """Rows of similar confidence: their number, mean confidence and accuracy."""

    rows: int
    confidence: float
    accuracy: float


def reliability(confidence: Floats, is_right: npt.NDArray[np.bool_], *, bins: int = BINS) -> list[Bin]:
    """Return the non-empty bins of equal width, from low to high confidence."""
    place = np.minimum((confidence * bins).astype(np.int64), bins - 1)
    members = [(place == number) for number in np.unique(place)]
    return [Bin(int(rows.sum()), float(confidence[rows].mean()), float(is_right[rows].mean())) for rows in members]


def calibration_error(confidence: Floats, is_right: npt.NDArray[np.bool_], *, bins: int = BINS) -> float:
    """Return the expected calibration error: mean |confidence - accuracy| over the bins, weighted by rows.

    >>> calibration_error(np.array([0.9, 0.9, 0.9, 0.9]), np.array([True, True, True, False]))
    0.15000000000000002
    """
    table = reliability(confidence, is_right, bins=bins)
    return sum(part.rows * abs(part.confidence - part.accuracy) for part in table) / len(confidence)
