"""Confidence of an extraction: the expected word F1, calibrated on pages of unseen sites."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from parcels.articles.body.parts import Floats
from parcels.errors import ModelMismatch

KNOTS = 12  # each is the mean of equally many pages
MOST_KNOTS = 100
BINS = 10  # in the reliability table


@dataclass(frozen=True)
class Curve:
    """A rising piecewise linear function from expected word F1 to confidence."""

    expected: tuple[float, ...] = (0.0, 1.0)
    measured: tuple[float, ...] = (0.0, 1.0)

    @classmethod
    def fitted(cls, expected: Floats, measured: Floats) -> "Curve":
        """Fit the curve through means of equally many pages, with pool adjacent violators.

        >>> curve = Curve.fitted(np.linspace(0, 1, 60), np.linspace(0, 1, 60) ** 2)
        >>> round(curve(0.5), 2)
        0.25
        """
        order = np.argsort(expected, kind="stable")
        pools = [[float(expected[part].mean()), float(measured[part].mean()), float(len(part))]
                 for part in np.array_split(order, min(KNOTS, len(order))) if len(part)]  # fmt: skip
        risen: list[list[float]] = []
        for pool in pools:
            risen.append(pool)
            while len(risen) > 1 and (risen[-1][1] <= risen[-2][1] or risen[-1][0] <= risen[-2][0]):
                (one_x, one_y, one), (two_x, two_y, two) = risen[-2:]
                total = one + two
                risen[-2:] = [[(one_x * one + two_x * two) / total, (one_y * one + two_y * two) / total, total]]
        risen = [[0.0, 0.0, 0.0], *(pool for pool in risen if pool[0] > 0)]  # an empty choice has an F1 of 0
        return cls(tuple(round(pool[0], 4) for pool in risen), tuple(round(pool[1], 4) for pool in risen))

    @classmethod
    def of_plain(cls, plain: Sequence[Sequence[float]]) -> "Curve":
        """Parse a curve from plain data; raises ModelMismatch where it is invalid."""
        expected, measured = (tuple(float(value) for value in values) for values in plain)
        values = np.array([*expected, *measured])
        if not 0 < len(expected) == len(measured) <= MOST_KNOTS or not ((values >= 0) & (values <= 1)).all():
            raise ModelMismatch("its confidence curve is not a list of points from 0 to 1")
        if (np.diff(expected) <= 0).any() or (np.diff(measured) < 0).any():
            raise ModelMismatch("its confidence curve does not rise")
        return cls(expected, measured)

    def __call__(self, expected: float) -> float:
        """Return the confidence for an expected word F1."""
        return float(np.interp(expected, self.expected, self.measured))


UNBENT = Curve()


def reliability(confidence: Sequence[float], measured: Sequence[float]) -> list[tuple[float, float, int]]:
    """Return for each tenth of confidence its mean, the mean measured F1 and the number of pages."""
    sure, got = np.array(confidence), np.array(measured)
    of_bin = np.minimum((sure * BINS).astype(int), BINS - 1)
    return [
        (float(sure[of_bin == n].mean()), float(got[of_bin == n].mean()), int((of_bin == n).sum()))
        for n in np.unique(of_bin).tolist()
    ]


def calibration_error(confidence: Sequence[float], measured: Sequence[float]) -> float:
    """Return the expected calibration error: the mean distance of confidence and F1 by bins.

    >>> round(calibration_error([0.9, 0.9, 0.2], [1.0, 0.6, 0.2]), 4)
    0.0667
    """
    table = reliability(confidence, measured)
    return sum(abs(sure - got) * pages for sure, got, pages in table) / max(1, len(confidence))
