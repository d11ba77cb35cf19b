"""Co-training (Blum and Mitchell 1998), for many classes (Lee, Kan and Lai 2004, sections 3 and 6).

The loop is the same wherever the pool is: in memory (`parcels.learn.pool.ArrayPool`) or on the executors of a cluster.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from parcels.errors import ConfigError, ModelMismatch
from parcels.learn.combine import COMBINATIONS
from parcels.learn.history import Round, examples
from parcels.learn.learner import Features, Labelled, Labels, Learner
from parcels.learn.pool import Draw, FreshShare, Pool
from parcels.learn.select import Selector, quotas, settle
from parcels.learn.words import Floats, Ints

STATE_VERSION = 2


@dataclass(eq=False)
class CoTraining:
    """Train the learners of several views on each other's labels.

    In each round, every view labels the rows of the round's share of the pool that it is most confident of: about k
    rows, in the proportion of the initial labels. A row gets its most likely label, so a class that no row of the share
    seems to have gains nothing. A row that several views chose gets the label of the most confident view.
    """

    learners: Mapping[str, Callable[[], Learner]]  # for each view a function that makes a new learner
    k: int = 20  # these three: Lee, Kan and Lai 2004, section 7.1
    u: int = 300
    rounds: int = 20
    seed: int = 0
    draw: Draw = field(default_factory=FreshShare)
    combination: str = "most-confident"
    self_weight: float = 1.0  # weight of a row that a view labelled; a row that a person labelled has 1
    is_agreed: bool = False  # True: a view may label only rows to which all views give the same label
    later_learners: Mapping[str, Callable[[], Learner]] | None = None  # after the first added row; None: `learners`
    patience: int | None = None  # stop after so many rounds without a lower held-out error; None: never

    classes_: Labels = field(init=False, repr=False)
    quotas_: Ints = field(init=False, repr=False)
    rounds_: list[Round] = field(init=False, repr=False)
    learners_: list[Learner] = field(init=False, repr=False)
    labelled_count_: int = field(init=False, repr=False)  # rows on which `learners_` are fitted
    final_errors_: dict[str, float] | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if min(self.k, self.u) < 1 or self.rounds < 0:
            raise ConfigError(
                f"k and u must be at least 1 and rounds at least 0, got k {self.k}, u {self.u}, rounds {self.rounds}"
            )
        if not self.self_weight > 0:
            raise ConfigError(f"self_weight must be greater than 0, got {self.self_weight}")
        if self.combination not in COMBINATIONS:
            raise ConfigError(f"combination must be one of {', '.join(COMBINATIONS)}, got '{self.combination}'")
        if self.later_learners is not None and list(self.later_learners) != list(self.learners):
            raise ConfigError(
                f"later learners must be for the views {', '.join(self.learners)} in this order, "
                f"got {', '.join(self.later_learners)}"
            )

    def fit(self, labelled: Labelled, pool: Pool, *, held_out: Labelled | None = None) -> Self:
        """Run all rounds and fit the learners of the last (or the best) one."""
        for _ in self.each_round(labelled, pool, held_out=held_out):
            pass
        return self

    def each_round(
        self,
        labelled: Labelled,
        pool: Pool,
        *,
        held_out: Labelled | None = None,
        state: Mapping[str, Any] | None = None,
    ) -> Iterator[Round]:
        """Do the same as `fit`, but yield after each round, so that the caller can store `state()`, report or stop."""
        self.start(labelled, pool, held_out=held_out)
        if state is not None:
            self._check(state)
            self.restore(map(Round.from_plain, state["rounds"]))
        yield from self.remaining_rounds()

    def resume(
        self, state: Mapping[str, Any], labelled: Labelled, pool: Pool, *, held_out: Labelled | None = None
    ) -> Self:
        """Continue from a `state()`; the result is that of a run that was never interrupted."""
        for _ in self.each_round(labelled, pool, held_out=held_out, state=state):
            pass
        return self

    def start(self, labelled: Labelled, pool: Pool, *, held_out: Labelled | None = None) -> None:
        """Prepare the first round. `restore` and `remaining_rounds` follow."""
        if not len(labelled) or len(labelled.views) != len(self.learners):
            raise ConfigError(
                f"co-training needs labelled rows with the views {', '.join(self.learners)}, "
                f"got {len(labelled)} rows with {len(labelled.views)} views"
            )
        if self.patience is not None and held_out is None:
            raise ConfigError("patience needs held-out rows: give some, or leave patience out")
        self._fingerprint = pool.fingerprint(labelled)
        self._pool, self._held_out, self._rows, self._by_people = pool, held_out, labelled, len(labelled)
        self.classes_, counts = np.unique(labelled.y, return_counts=True)
        self.quotas_ = quotas(counts, self.k)
        self.rounds_ = []
        self._draw_share()

    def restore(self, rounds: Iterable[Round]) -> None:
        """Add the rows that the rounds of an interrupted run labelled."""
        for done in rounds:
            self._add(
                np.array([example.block_id for example in done.examples]),
                np.array([example.label for example in done.examples], self.classes_.dtype),
            )
            self.rounds_.append(replace(done, stopped_by=None))
        self._draw_share()

    def remaining_rounds(self) -> Iterator[Round]:
        """Run and yield the rounds that are left, then fit the learners of the last (or the best) one."""
        while (reason := self.stop_reason()) is None:
            self.rounds_.append(self._round(len(self.rounds_) + 1))
            self._draw_share()
            yield self.rounds_[-1]
        if self.rounds_:
            self.rounds_[-1] = replace(self.rounds_[-1], stopped_by=reason)
        is_early = reason == "held-out"
        self.labelled_count_ = self.rounds_[self._best() - 1].labelled_count if is_early else len(self._rows)
        self.learners_ = self._fitted(self.labelled_count_)
        self.final_errors_ = self._errors(self.learners_)

    def stop_reason(self) -> str | None:
        """Return why there is no further round, or None if there is one."""
        if len(self.rounds_) >= self.rounds:
            return "rounds"
        if self._share is None:
            return "exhausted"
        if self.patience is not None and len(self.rounds_) - self._best() > self.patience:
            return "held-out"
        return None

    def _round(self, number: int) -> Round:
        """Fit, score the share, choose and add: the caller of `remaining_rounds` stores the checkpoint."""
        labelled_count = len(self._rows)
        learners = self._fitted(labelled_count)
        selection = self._pool.select(self._share, Selector(learners, self.quotas_, self.is_agreed))
        added, view = settle(selection.choices)
        self._add(added.ids, self.classes_[added.label])
        return Round(
            number,
            labelled_count,
            selection.row_count,
            selection.agreement,
            examples(added, view, list(self.learners), self.classes_),
            self._errors(learners),
        )

    def _draw_share(self) -> None:
        added = [example.block_id for done in self.rounds_ for example in done.examples]
        self._share = self._pool.draw(self.draw, len(self.rounds_) + 1, added, u=self.u, seed=self.seed)

    def _add(self, ids: Labels, labels: Labels) -> None:
        self._rows = self._rows.and_below(Labelled(ids, labels, self._pool.features(ids)))

    def _best(self) -> int:
        """Return the number of the first round with the least held-out error, or 0 if there is no round."""
        errors = [float("inf") if done.error is None else done.error for done in self.rounds_]
        return errors.index(min(errors)) + 1 if errors else 0

    def _fitted(self, count: int) -> list[Learner]:
        """Fit new learners on the first `count` labelled rows. Rows that people labelled come first."""
        rows = self._rows.take(np.arange(count))
        weight = np.where(np.arange(count) < self._by_people, 1.0, self.self_weight)
        makers = self.learners if count == self._by_people else self.later_learners or self.learners
        pairs = zip(makers.values(), rows.views, strict=True)
        return [make().fit(view.numbers, view.words, rows.y, sample_weight=weight) for make, view in pairs]

    def _errors(self, learners: Sequence[Learner]) -> dict[str, float] | None:
        if self._held_out is None:
            return None
        return view_errors(dict(zip(self.learners, learners, strict=True)), self._held_out, self.combination)

    def predict_log_proba(self, views: Sequence[Features]) -> Floats:
        """Return log-probabilities of the combined views, with one column per class of `classes_`."""
        pairs = zip(self.learners_, views, strict=True)
        return COMBINATIONS[self.combination]([one.predict_log_proba(view.numbers, view.words) for one, view in pairs])

    def predict(self, views: Sequence[Features]) -> Labels:
        """Return the combined label of each row."""
        labels: Labels = self.classes_[self.predict_log_proba(views).argmax(axis=1)]
        return labels

    def state(self) -> dict[str, Any]:
        """Return a checkpoint as plain data: the rounds, and the settings and rows from which they were made."""
        return {**self._made_from(), "rounds": [done.plain() for done in self.rounds_]}

    def _made_from(self) -> dict[str, Any]:
        settings = [self.k, self.u, self.seed, repr(self.draw), self.combination, self.self_weight, self.is_agreed]
        return {
            "version": STATE_VERSION,
            "settings": settings,
            "views": list(self.learners),
            "rows": self._fingerprint,
        }

    def _check(self, state: Mapping[str, Any]) -> None:
        differing = [name for name, value in self._made_from().items() if state.get(name) != value]
        if differing:
            raise ModelMismatch(
                f"the saved state of co-training was made with other {', '.join(differing)}: "
                "resume with those that it was made from, or start again"
            )


def view_errors(learners: Mapping[str, Learner], rows: Labelled, combination: str) -> dict[str, float]:
    """Return the share of wrong labels of each view and of all views combined.

    A label that no learner knows counts as wrong.
    """
    logs = [one.predict_log_proba(v.numbers, v.words) for one, v in zip(learners.values(), rows.views, strict=True)]
    classes = next(iter(learners.values())).classes_
    by_view = dict(zip(learners, logs, strict=True)) | {"combined": COMBINATIONS[combination](logs)}
    return {name: float((classes[log.argmax(axis=1)] != rows.y).mean()) for name, log in by_view.items()}


def single_view(views: Sequence[Features]) -> Features:
    """Return the columns of all views in one view: the papers' baseline."""
    joined = views[0]
    for view in views[1:]:
        joined = joined.and_beside(view)
    return joined
