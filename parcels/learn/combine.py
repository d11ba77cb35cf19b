"""Combinations of the predictions of several views."""

from collections.abc import Callable, Sequence

import numpy as np

from parcels.learn.learner import log_softmax
from parcels.learn.select import margins
from parcels.learn.words import Floats

LEAST_LOG = -700.0  # floor of log-probabilities, so that the zero of one view is no absolute veto


def most_confident(views: Sequence[Floats]) -> Floats:
    """Return each row's probabilities from its most confident view (Lee, Kan and Lai 2004, section 6).

    >>> np.exp(most_confident([np.log([[0.6, 0.4]]), np.log([[0.1, 0.9]])])).round(3).tolist()
    [[0.1, 0.9]]
    """
    best = np.stack([margins(view) for view in views]).argmax(axis=0)
    chosen: Floats = np.stack(views)[best, np.arange(len(best))]
    return chosen


def product(views: Sequence[Floats]) -> Floats:
    """Return the normalised product of the views' probabilities (Blum and Mitchell 1998, section 6)."""
    return log_softmax(np.sum([np.maximum(view, LEAST_LOG) for view in views], axis=0))


def average(views: Sequence[Floats]) -> Floats:
    """Return the mean of the views' probabilities."""
    return log_softmax(np.log(np.maximum(np.mean([np.exp(view) for view in views], axis=0), np.exp(LEAST_LOG))))


COMBINATIONS: dict[str, Callable[[Sequence[Floats]], Floats]] = {
    "most-confident": most_confident,
    "product": product,
    "average": average,
}
