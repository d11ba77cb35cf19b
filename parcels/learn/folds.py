"""Cross-validation by groups: the pages of a site are never on both sides."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from parcels.errors import ConfigError
from parcels.learn.learner import Features, Labels, Learner, in_order_of
from parcels.learn.words import Floats, Ints

FOLDS = 5  # as in the PARCELS papers


def fold_of_group(groups: npt.NDArray[Any], *, folds: int = FOLDS, seed: int = 0) -> Ints:
    """Return the fold of each row. Groups stay whole; large groups are assigned first, each to the smallest fold.

    >>> fold_of_group(np.array(["a", "a", "b", "c"]), folds=2).tolist()
    [0, 0, 1, 1]
    """
    names, place, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    if len(names) < folds or folds < 2:
        raise ConfigError(
            f"cannot make {folds} folds of {len(names)} groups: use at least 2 folds, and no more folds than groups"
        )
    order = np.random.default_rng(seed).permutation(len(names))
    order = order[np.argsort(-sizes[order], kind="stable")]
    fold, filled = np.zeros(len(names), np.int64), np.zeros(folds, np.int64)
    for group in order:
        fold[group] = filled.argmin()
        filled[fold[group]] += sizes[group]
    return fold[place]


def splits(fold: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield for each fold the rows to fit on and the rows held out."""
    for number in np.unique(fold):
        yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)


def out_of_fold(
    new_learner: Callable[[], Learner], rows: Features, y: Labels, fold: Ints, *, sample_weight: Floats | None = None
) -> Floats:
    """Return out-of-fold probabilities of each row, one column per label in sorted order."""
    classes = np.unique(y)
    proba = np.zeros((len(y), len(classes)))
    for fitted, held_out in splits(fold):
        part, weight = rows.take(fitted), None if sample_weight is None else sample_weight[fitted]
        learner = new_learner().fit(part.numbers, part.words, y[fitted], sample_weight=weight)
        other = rows.take(held_out)
        proba[held_out] = in_order_of(classes, learner.predict_proba(other.numbers, other.words), learner.classes_)
    return proba
