"""Co-training (Blum and Mitchell 1998), for many classes (Lee, Kan and Lai 2004, sections 3 and 6)."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from parcels.errors import ConfigError, ModelMismatch
from parcels.learn.combine import COMBINATIONS
from parcels.learn.history import Round, agreement, examples
from parcels.learn.learner import Features, Labels, Learner
from parcels.learn.pool import Draw, FreshShare, Pool
from parcels.learn.select import Votes, agreed, choose, quotas, settle
from parcels.learn.words import Floats, Ints

STATE_VERSION = 2


@dataclass(frozen=True, eq=False)
class Labelled:
    """Rows with known labels: the features of each view and an id a row."""

    ids: Labels
    y: Labels
    views: tuple[Features, ...]

    def __post_init__(self) -> None:
        if len(self.y) != len(self.ids) or any(len(view) != len(self.ids) for view in self.views):
            raise ConfigError(f"{len(self.ids)} labelled rows need a label each, and as many rows in every view")

    def __len__(self) -> int:
        return len(self.ids)

    def take(self, rows: npt.NDArray[Any]) -> "Labelled":
        """Some rows."""
        return Labelled(self.ids[rows], self.y[rows], tuple(view.take(rows) for view in self.views))


@dataclass(eq=False)
class CoTraining:
    """Each view labels what it is surest of, and both learn from it.

    In a round each view labels the surest rows of each class of the round's pool, about k in the proportion of the
    labelled rows' classes. A row is labelled by its likeliest class, so a class that no row of the pool seems to have
    gains nothing. One row chosen by several views gets the label of the surest view.
    """

    learners: Mapping[str, Callable[[], Learner]]  # a maker of fresh learners for each view, by the view's name
    k: int = 20  # these three: Lee, Kan and Lai 2004, section 7.1
    u: int = 300
    rounds: int = 20
    seed: int = 0
    draw: Draw = field(default_factory=FreshShare)
    combination: str = "most-confident"
    self_weight: float = 1.0  # of a row that a view labelled, beside 1 for one that a person did
    is_agreed: bool = False  # True: a view may label only rows to which all views give the same label
    later_learners: Mapping[str, Callable[[], Learner]] | None = None  # once rows were added; None: the same learners
    patience: int | None = None  # rounds without a lower held-out error before it stops; None: does not look at it

    classes_: Labels = field(init=False, repr=False)
    quotas_: Ints = field(init=False, repr=False)
    rounds_: list[Round] = field(init=False, repr=False)
    learners_: list[Learner] = field(init=False, repr=False)
    final_errors_: dict[str, float] | None = field(init=False, repr=False)

    def fit(self, labelled: Labelled, pool: Pool, *, held_out: Labelled | None = None) -> Self:
        """All rounds, then the learners of the last (or best) one."""
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
        """As `fit`, but stops after each round for the caller: to keep `state()`, to report, to leave."""
        self._begin(labelled, pool, held_out)
        if state is not None:
            self._take_up(state)
        while self._may_go_on():
            self._round(len(self.rounds_) + 1)
            yield self.rounds_[-1]
        self._finish()

    def resume(
        self, state: Mapping[str, Any], labelled: Labelled, pool: Pool, *, held_out: Labelled | None = None
    ) -> Self:
        """Go on from a `state()`; the result is that of a run that was never interrupted."""
        for _ in self.each_round(labelled, pool, held_out=held_out, state=state):
            pass
        return self

    def _round(self, number: int) -> None:
        labelled_count, rows = len(self._y), self._drawn
        learners = self._fitted(labelled_count)
        votes = [Votes.of(self._pool.ids[rows], log_proba) for log_proba in self._scored(learners, rows)]
        eligible = agreed(votes) if self.is_agreed else votes
        added, view = settle([choose(vote, self.quotas_) for vote in eligible])
        self._add(added)
        errors, found = self._errors(learners), examples(added, view, list(self.learners), self.classes_)
        self.rounds_.append(Round(number, labelled_count, len(rows), agreement(votes), found, errors))

    def _begin(self, labelled: Labelled, pool: Pool, held_out: Labelled | None) -> None:
        if (
            self.combination not in COMBINATIONS
            or not self.self_weight > 0
            or min(self.k, self.u) < 1
            or self.rounds < 0
        ):
            raise ConfigError(f"{self}: k and u at least 1, a self_weight above 0, one of {', '.join(COMBINATIONS)}")
        if not len(labelled) or any(len(part.views) != len(self.learners) for part in (labelled, pool)):
            raise ConfigError(
                f"CoTraining: labelled rows and a pool with the {len(self.learners)} views of its learners"
            )
        if (common := np.intersect1d(labelled.ids, pool.ids)).size:
            raise ConfigError(
                f"CoTraining: {common.size} labelled rows are in the pool too ({common[0]}): take them out"
            )
        if self.later_learners is not None and list(self.later_learners) != list(self.learners):
            raise ConfigError(f"CoTraining: later learners for the views {', '.join(self.learners)}, in this order")
        if self.patience is not None and held_out is None:
            raise ConfigError("CoTraining: patience needs held-out rows to look at")
        self.classes_, counts = np.unique(labelled.y, return_counts=True)
        self.quotas_ = quotas(counts, self.k)
        self.rounds_, self._labelled, self._pool, self._held_out = [], labelled, pool, held_out
        self._y, self._added = labelled.y, np.zeros(0, np.int64)
        self._is_added = np.zeros(len(pool), bool)
        self._place = {name: place for place, name in enumerate(pool.ids.tolist())}

    def _may_go_on(self) -> bool:
        """Draw the next round's pool; where there is none, or enough was done, note why on the last round."""
        done, reason = len(self.rounds_), None
        drawn = self.draw.rows(done + 1, self._pool, self._is_added, u=self.u, seed=self.seed)
        if done >= self.rounds:
            reason = "rounds"
        elif drawn is None:
            reason = "exhausted"
        elif self.patience is not None and done - self._best() > self.patience:
            reason = "held-out"
        if reason is None and drawn is not None:
            self._drawn = drawn
        elif self.rounds_:
            self.rounds_[-1] = replace(self.rounds_[-1], stopped_by=reason)
        return reason is None

    def _finish(self) -> None:
        is_early = bool(self.rounds_) and self.rounds_[-1].stopped_by == "held-out"
        count = self.rounds_[self._best() - 1].labelled_count if is_early else len(self._y)
        self.learners_ = self._fitted(count)
        self.final_errors_ = self._errors(self.learners_)

    def _best(self) -> int:
        """The first round of the least held-out error (0 before there is one)."""
        errors = [float("inf") if number is None else number for number in (done.error for done in self.rounds_)]
        return errors.index(min(errors)) + 1 if errors else 0

    def _fitted(self, count: int) -> list[Learner]:
        """Fresh learners, fitted on the first `count` labelled rows (those by people come first)."""
        added = self._added[: count - len(self._labelled)]
        weight = np.concatenate([np.ones(len(self._labelled)), np.full(len(added), self.self_weight)])
        learners = []
        makers = self.learners if self.later_learners is None or not len(added) else self.later_learners
        for make, view, pool in zip(makers.values(), self._labelled.views, self._pool.views, strict=True):
            rows = view.and_below(pool.take(added))
            learners.append(make().fit(rows.numbers, rows.words, self._y[:count], sample_weight=weight))
        return learners

    def _scored(self, learners: Sequence[Learner], rows: Ints) -> list[Floats]:
        parts = [view.take(rows) for view in self._pool.views]
        return [one.predict_log_proba(part.numbers, part.words) for one, part in zip(learners, parts, strict=True)]

    def _add(self, added: Votes) -> None:
        places = np.array([self._place[name] for name in added.ids.tolist()], np.int64)
        self._added = np.concatenate([self._added, places])
        self._is_added[places] = True
        self._y = np.concatenate([self._y, self.classes_[added.label]])

    def _errors(self, learners: Sequence[Learner]) -> dict[str, float] | None:
        if self._held_out is None:
            return None
        return view_errors(dict(zip(self.learners, learners, strict=True)), self._held_out, self.combination)

    def predict_log_proba(self, views: Sequence[Features]) -> Floats:
        """Of the combined views, a column each of `classes_`."""
        pairs = zip(self.learners_, views, strict=True)
        return COMBINATIONS[self.combination]([one.predict_log_proba(view.numbers, view.words) for one, view in pairs])

    def predict(self, views: Sequence[Features]) -> Labels:
        """The combined label of each row."""
        labels: Labels = self.classes_[self.predict_log_proba(views).argmax(axis=1)]
        return labels

    def state(self) -> dict[str, Any]:
        """Return a checkpoint as plain data: the rounds, and the settings and rows that they were made from."""
        return {**self._made_from(), "rounds": [done.plain() for done in self.rounds_]}

    def _made_from(self) -> dict[str, Any]:
        names = [*self._labelled.ids.tolist(), *self._labelled.y.tolist(), *self._pool.ids.tolist()]
        return {
            "version": STATE_VERSION,
            "settings": [
                self.k,
                self.u,
                self.seed,
                repr(self.draw),
                self.combination,
                self.self_weight,
                self.is_agreed,
            ],
            "views": list(self.learners),
            "rows": hashlib.sha256("\n".join(map(str, names)).encode()).hexdigest(),
        }

    def _take_up(self, state: Mapping[str, Any]) -> None:
        differing = [name for name, value in self._made_from().items() if state.get(name) != value]
        if differing:
            raise ModelMismatch(
                f"the saved state of co-training was made with other {', '.join(differing)}: "
                "start again, or give it what it was made from"
            )
        for done in map(Round.from_plain, state["rounds"]):
            labels = np.array([example.label for example in done.examples], self.classes_.dtype)
            ids = np.array([example.block_id for example in done.examples], self._pool.ids.dtype)
            places = np.searchsorted(self.classes_, labels)
            self._add(Votes(ids, places, np.zeros(len(ids)), np.zeros(len(ids))))
            self.rounds_.append(replace(done, stopped_by=None))


def view_errors(learners: Mapping[str, Learner], rows: Labelled, combination: str) -> dict[str, float]:
    """Share of wrong labels by each view and by all of them combined; a label that no learner knows is always wrong."""
    logs = [one.predict_log_proba(v.numbers, v.words) for one, v in zip(learners.values(), rows.views, strict=True)]
    classes = next(iter(learners.values())).classes_
    answers = dict(zip(learners, logs, strict=True)) | {"combined": COMBINATIONS[combination](logs)}
    return {name: float((classes[log.argmax(axis=1)] != rows.y).mean()) for name, log in answers.items()}


def single_view(views: Sequence[Features]) -> Features:
    """All views' columns in one: the papers' baseline."""
    joined = views[0]
    for view in views[1:]:
        joined = joined.and_beside(view)
    return joined
