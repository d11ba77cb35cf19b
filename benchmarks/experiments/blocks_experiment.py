"""One experiment: BoosTexter on two views, its single view, and co-training, over folds by site."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np

from benchmarks.experiments.blocks_folds import VIEWS, Fold
from parcels.learn.boostexter import BoosTexter
from parcels.learn.combine import COMBINATIONS
from parcels.learn.cotrain import CoTraining, single_view
from parcels.learn.learner import Features, Labelled, Labels, Learner
from parcels.learn.pool import Draw, FreshShare, Pool
from parcels.learn.rounds import choose_rounds

MOST_ROUNDS = 300  # of boosting; cross-validation within the training part chooses among them
INNER_FOLDS = 3
ANSWERS = (*VIEWS, "combined")


@dataclass(frozen=True)
class Variant:
    """Settings of co-training; the defaults are the paper's (Lee, Kan and Lai 2004, section 7.1)."""

    k: int = 20
    u: int = 300
    rounds: int = 20
    draw: Draw = field(default_factory=FreshShare)
    combination: str = "most-confident"
    self_weight: float = 1.0
    is_raw: bool = False  # True: confidences as BoosTexter gives them, without the temperature
    is_agreed: bool = False  # True: a view may label only blocks to which both views give the same label
    boosting: float = 1.0  # times the rounds of boosting that cross-validation chose, once blocks were added
    is_rounded_up: bool = True  # False: quotas to the nearest whole number, so a rare class is not given any block


class NearestQuotas(CoTraining):
    """Co-training whose quotas are rounded to the nearest whole number, not up.

    Rounding up gives each rare class a block a round and view, in 20 rounds far more than its share.
    """

    def start(self, labelled: Labelled, pool: Pool, *, held_out: Labelled | None = None) -> None:
        super().start(labelled, pool, held_out=held_out)
        counts = np.unique(labelled.y, return_counts=True)[1]
        self.quotas_ = np.rint(self.k * counts / counts.sum()).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Prepared:
    """A fold with its learners: the rounds of boosting (and the temperature) of each view and of the single view."""

    fold: Fold
    learners: dict[str, BoosTexter]
    single: BoosTexter

    @classmethod
    def of(cls, fold: Fold, *, most_rounds: int = MOST_ROUNDS, inner_folds: int = INNER_FOLDS) -> "Prepared":
        """Choose the rounds by cross-validation over the sites of the training part, over blocks where they are few."""
        groups = fold.groups if len(np.unique(fold.groups)) >= inner_folds else None
        rows = [*fold.labelled.views, single_view(fold.labelled.views)]
        chosen = [
            choose_rounds(
                BoosTexter(most_rounds), one.numbers, one.words, fold.labelled.y, groups=groups, folds=inner_folds
            ).learner
            for one in rows
        ]
        return cls(fold, dict(zip(VIEWS, chosen, strict=False)), chosen[-1])

    @cached_property
    def supervised(self) -> dict[str, Labels]:
        """Return the labels that the most frequent class and the single view give the held-out blocks."""
        fold = self.fold
        classes, counts = np.unique(fold.labelled.y, return_counts=True)
        rows, others = single_view(fold.labelled.views), single_view(fold.held_out.views)
        single = replace(self.single).fit(rows.numbers, rows.words, fold.labelled.y)
        return {
            "baseline": np.full(len(fold.held_out), classes[counts.argmax()]),
            "single view": single.classes_[single.predict_log_proba(others.numbers, others.words).argmax(axis=1)],
        }


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of one fold: each classifier's labels of the held-out blocks, and the errors of every round."""

    gold: Labels
    said: dict[str, Labels]  # by classifier; those of co-training as "NAME before" and "NAME after"
    errors: list[dict[str, float]]  # of ANSWERS, before the first round and after each
    added: int = 0  # blocks of the pool that were labelled
    agreement: list[float] = field(default_factory=list)

    def error(self, name: str) -> float:
        """Share of wrong labels."""
        return float((self.said[name] != self.gold).mean())


def co_trained(prepared: Prepared, variant: Variant, *, seed: int = 0) -> Outcome:
    """Co-train on a fold; the first point of the errors is supervised learning alone."""
    fold = prepared.fold
    kind = CoTraining if variant.is_rounded_up else NearestQuotas
    first, later = (
        {name: maker(learner, variant, is_later=is_later) for name, learner in prepared.learners.items()}
        for is_later in (False, True)
    )
    training = kind(
        first, variant.k, variant.u, variant.rounds, seed, variant.draw, variant.combination, variant.self_weight,
        variant.is_agreed, later,
    )  # fmt: skip
    before = replace(training, rounds=0).fit(fold.labelled, fold.pool)
    training.fit(fold.labelled, fold.pool, held_out=fold.held_out)
    said = {
        f"{name} {when}": labels
        for when, learners in (("before", before.learners_), ("after", training.learners_))
        for name, labels in answers(learners, fold.held_out.views, variant.combination, training.classes_).items()
    }
    points = [done.errors or {} for done in training.rounds_] + [training.final_errors_ or {}]
    added = sum(len(done.examples) for done in training.rounds_)
    return Outcome(
        fold.held_out.y, prepared.supervised | said, points, added, [done.agreement or 0.0 for done in training.rounds_]
    )


def maker(learner: BoosTexter, variant: Variant, *, is_later: bool = False) -> Callable[[], Learner]:
    """Makes fresh learners with the settings of one; later ones may have more rounds of boosting."""
    rounds = round(learner.rounds * variant.boosting) if is_later else learner.rounds
    return partial(replace, learner, rounds=rounds, temperature=1.0 if variant.is_raw else learner.temperature)


def answers(
    learners: Sequence[Learner], views: Iterable[Features], combination: str, classes: Labels
) -> dict[str, Labels]:
    """The labels by each view and by both."""
    logs = [one.predict_log_proba(view.numbers, view.words) for one, view in zip(learners, views, strict=True)]
    found = dict(zip(VIEWS, logs, strict=True)) | {"combined": COMBINATIONS[combination](logs)}
    return {name: classes[log.argmax(axis=1)] for name, log in found.items()}
