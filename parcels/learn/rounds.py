"""The choice of boosting rounds and temperature, by one cross-validation by groups."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from parcels.learn.boostexter import BoosTexter, log_proba
from parcels.learn.calibrate import fitted_temperature
from parcels.learn.folds import FOLDS, fold_of_group, splits
from parcels.learn.learner import Labels, checked_fit
from parcels.learn.words import Floats, Words

UNSEEN = -1e3  # the score of a class that a fold's learner has not seen


@dataclass(frozen=True, eq=False)
class Choice:
    """The learner to fit, and the cross-validated error after each round."""

    learner: BoosTexter
    errors: Floats


def choose_rounds(
    learner: BoosTexter,
    numbers: Floats | None,
    words: Words | None,
    y: Sequence[Any] | Labels,
    *,
    groups: npt.NDArray[Any] | None = None,
    folds: int = FOLDS,
    seed: int = 0,
) -> Choice:
    """Return the learner with the number of rounds (at most its own) of the least error, and its temperature.

    Without groups every row is its own group. Among equal errors the smallest number wins.
    """
    training = checked_fit(learner, numbers, words, y, None)
    fold = fold_of_group(np.arange(len(training.y)) if groups is None else groups, folds=folds, seed=seed)
    wrong, parts = np.zeros(learner.rounds), []
    for fitted, held_out in splits(fold):
        part = replace(learner).fit(training.numbers[fitted], training.words.take(fitted), training.y[fitted])
        parts.append((part, held_out))
        missed = [
            (part.classes_[stage.argmax(axis=1)] != training.y[held_out]).sum()
            for stage in part.staged_scores(training.numbers[held_out], training.words.take(held_out))
        ] or [len(held_out)]
        wrong += np.pad(missed, (0, learner.rounds - len(missed)), mode="edge")  # folds may stop early
    best = int(wrong.argmin()) + 1
    margins = np.full((len(training.y), len(training.classes)), UNSEEN)
    for part, held_out in parts:
        scores = part.cut(best).scores(training.numbers[held_out], training.words.take(held_out))
        margins[np.ix_(held_out, part.classes_)] = scores
    temperature = fitted_temperature(lambda value: log_proba(margins, value), training.y)
    return Choice(replace(learner, rounds=best, temperature=temperature), wrong / len(training.y))
