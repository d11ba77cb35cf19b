"""Cross-validation by groups: no page of a site is on both sides."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from parcels.errors import ConfigError
from parcels.learn.learner import Features, Labels, Learner, in_order_of
from parcels.learn.words import Floats, Ints

FOLDS = 5  # as in the PARCELS papers


def fold_of_group(groups: npt.NDArray[Any], *, folds: int = FOLDS, seed: int = 0) -> Ints:
    """The fold of each row: groups stay whole, and the largest groups are dealt out first, to the smallest fold.

    >>> fold_of_group(np.array(["a", "a", "b", "c"]), folds=2).tolist()
    [0, 0, 1, 1]
    """
    names, place, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    if len(names) < folds or folds < 2:
        raise ConfigError(
            f"{len(names)} groups cannot be dealt into {folds} folds: at least two, and no more than groups"
        )
    order = np.random.default_rng(seed).permutation(len(names))
    order = order[np.argsort(-sizes[order], kind="stable")]
    fold, filled = np.zeros(len(names), np.int64), np.zeros(folds, np.int64)
    for group in order:
        fold[group] = filled.argmin()
        filled[fold[group]] += sizes[group]
    return fold[place]


def splits(fold: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Rows to fit on and rows held out, fold by fold."""
    for number in np.unique(fold):
        yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)


def out_of_fold(
    new_learner: Callable[[], Learner], rows: Features, y: Labels, fold: Ints, *, sample_weight: Floats | None = None
) -> Floats:
    """Probabilities of each row by a learner that has not seen its fold, a column each of the sorted labels."""
    classes = np.unique(y)
    proba = np.zeros((len(y), len(classes)))
    for fitted, held_out in splits(fold):
        part, weight = rows.take(fitted), None if sample_weight is None else sample_weight[fitted]
        learner = new_learner().fit(part.numbers, part.words, y[fitted], sample_weight=weight)
        other = rows.take(held_out)
        proba[held_out] = in_order_of(classes, learner.predict_proba(other.numbers, other.words), learner.classes_)
    return proba
