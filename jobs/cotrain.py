"""cotrain: `annotations` and `features` in; a model and `rounds` out.

The training set and the pool are frozen when a training begins, and every round is kept in one file. The same command
after a kill goes on behind the last whole round and ends with the same model (docs/co-training.md).
"""

import datetime as dt
import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from jobs.cotraining.pool import SortedPool, make_pool, open_pool
from jobs.cotraining.rounds import Progressed, restored, round_row, stop_reason
from jobs.cotraining.scoring import Sent, score, scored
from jobs.cotraining.training_set import TrainingSet, annotated_pages, arrays, make_training_set
from jobs.duplicates import copies
from jobs.engine.rows import NEEDED
from jobs.engine.scratch import Scratch
from jobs.engine.views import address, frame, having
from jobs.engine.work import Work
from jobs.featurize import feature_list
from parcels.common.optional import require_packages
from parcels.errors import ConfigError, ModelMismatch
from parcels.labels.cotrained import VIEWS, CoTrained
from parcels.learn.boostexter import BoosTexter
from parcels.learn.cotrain import view_errors
from parcels.learn.history import Round, examples
from parcels.learn.learner import Learner
from parcels.learn.pool import hash_ranges
from parcels.learn.select import quotas, settle
from parcels.models.registry import KEPT
from parcels.store.partitions import segment

STEP = "cotrain"
SAVED = "_cotrain"  # of the store
ROUND = "round-{:04d}.arrow"
LEARNERS: dict[str, Callable[[], Learner]] = {
    "stylistic": lambda: BoosTexter(rounds=60),  # the papers' learner; few stumps, since the labelled set is small
    "lexical": lambda: BoosTexter(rounds=60),
}


@dataclass(frozen=True)
class Settings:
    """Of one training; all but `rounds` and `patience` are part of what a checkpoint was made from."""

    name: str = "cotrained"
    rounds: int = 20
    k: int = 20
    u: int = 2000
    seed: int = 0
    held_out: float = 0.2
    patience: int | None = None
    combination: str = "most-confident"
    self_weight: float = 1.0  # these two as parcels.learn.cotrain.CoTraining has them
    is_agreed: bool = False
    learners: Mapping[str, Callable[[], Learner]] = field(default_factory=lambda: dict(LEARNERS))
    later_learners: Mapping[str, Callable[[], Learner]] | None = None

    def __post_init__(self) -> None:
        if min(self.rounds, self.k, self.u) < 1 or not 0 <= self.held_out < 1:
            raise ConfigError("cotrain: rounds, k and u are at least 1, the held-out share is from 0 to below 1")
        if not self.self_weight > 0:
            raise ConfigError(f"cotrain: a block of the pool weighs more than 0, not {self.self_weight}")
        if self.later_learners is not None and list(self.later_learners) != list(self.learners):
            raise ConfigError(f"cotrain: later learners for the views {', '.join(self.learners)}, in this order")
        if not self.name.replace("-", "_").isidentifier():
            raise ConfigError(f"cotrain: '{self.name}' is no name for a model: use letters, digits and `-`")

    def made_from(self) -> dict[str, Any]:
        """What a checkpoint must have in common with the run that goes on from it."""
        learners = {name: repr(make()) for name, make in self.learners.items()}
        same: dict[str, Any] = {"k": self.k, "u": self.u, "seed": self.seed, "held_out": self.held_out}
        later = {name: repr(make()) for name, make in (self.later_learners or {}).items()}
        same |= {"self_weight": self.self_weight, "is_agreed": self.is_agreed, "later_learners": later}
        return {**same, "combination": self.combination, "learners": learners, "feature_list": feature_list()}


def cotrain(work: Work) -> str:
    """Train, or go on; returns the hash of the model."""
    require_packages("scipy", extra="learn", purpose="co-training")
    settings = Settings(**work.options.cotrain)
    scratch = Scratch(work.store, f"{SAVED}/{segment('crawl', work.crawl)}/{settings.name}")
    with work.run(STEP, **{**work.options.cotrain, **settings.made_from()}) as run:
        training = Training(work, settings, scratch, run.run_id)
        training.begin()
        if (found := training.finished()) is not None:
            work.say(f"cotrain: nothing to do: model {settings.name} is trained, hash {found}")
            return found
        training.go_on()
        found = training.finish()
        run.counts.update(rounds=len(training.done), added=sum(len(one.examples) for one in training.done))
    return found


class Training:
    """One training on Spark: the rounds of parcels.learn.cotrain, with the pool on the executors."""

    def __init__(self, work: Work, settings: Settings, scratch: Scratch, run_id: str):
        self.work, self.settings, self.scratch, self.run_id = work, settings, scratch, run_id
        self.done: list[Round] = []
        self._started = dt.datetime.now(dt.UTC)  # of the last round

    def begin(self) -> None:
        """Freeze the training set and the pool, or take up what was frozen before."""
        model = Scratch(self.work.store, f"{KEPT}/{self.settings.name}").get_json("model.json")
        if model is not None and model.get("crawl") != self.work.crawl:
            raise ConfigError(
                f"the model '{self.settings.name}' was trained on crawl '{model.get('crawl')}': choose another --name"
            )
        stated = self.scratch.get_json("settings.json")
        if stated is None:
            self._freeze()
        elif stated != self.settings.made_from():
            other = [name for name, value in self.settings.made_from().items() if stated.get(name) != value]
            raise ModelMismatch(
                f"the training '{self.settings.name}' was begun with other {', '.join(other)}: "
                f"choose another --name, or remove {self.scratch.path('')} to start again"
            )
        self.data, self.pool = self._frozen()
        self.labelled = self.data.rows()
        self.held_out = self.data.rows(is_held_out=True) if len(self.data.held_out) else None
        if self.settings.patience is not None and self.held_out is None:
            raise ConfigError("cotrain: --patience needs held-out sites to look at")
        self.classes, counts = np.unique(self.labelled.y, return_counts=True)
        self.quotas = quotas(counts, self.settings.k)
        self.state = Progressed(self.labelled, len(self.data.labelled))
        for _, name in self.scratch.numbered(ROUND):
            saved = self.scratch.get_rows(name)
            done, self._started = restored(saved)
            self.state = self.state.with_rows(arrays(saved, self.data.vocabulary))
            self.done.append(done)

    def _freeze(self) -> None:
        work = self.work
        data = make_training_set(work.spark, work.store, work.crawl, held_out=self.settings.held_out)
        features = frame(work.spark, work.store, "features").where(
            having(crawl=work.crawl, feature_list=feature_list())
        )
        unlabelled = features.join(annotated_pages(work.spark, work.store, work.crawl), "page_id", "left_anti")
        unlabelled = unlabelled.join(copies(work.spark, work.store, work.crawl), "page_id", "left_anti")
        make_pool(unlabelled, work.store, self.scratch, cores=work.spark.sparkContext.defaultParallelism)
        self.scratch.put_rows("labelled.arrow", data.labelled)
        self.scratch.put_rows("held-out.arrow", data.held_out)
        self.scratch.put("vocabulary.txt", "\n".join(data.vocabulary).encode())
        self.scratch.put_json("settings.json", self.settings.made_from())  # the last: what was begun is whole

    def _frozen(self) -> tuple[TrainingSet, SortedPool]:
        labelled, held_out = self.scratch.get_rows("labelled.arrow"), self.scratch.get_rows("held-out.arrow")
        words, pool = self.scratch.get("vocabulary.txt"), open_pool(self.scratch)
        if labelled is None or held_out is None or words is None or pool is None:
            raise ModelMismatch(f"the training at {self.scratch.path('')} is damaged: remove it and start again")
        vocabulary = {term: place for place, term in enumerate(words.decode().split("\n"))}
        return TrainingSet(labelled, held_out, vocabulary), pool

    def finished(self) -> str | None:
        """The hash of the model, where there is no further round and it was made of all of them."""
        stated = Scratch(self.work.store, f"{KEPT}/{self.settings.name}").get_json("model.json")
        is_whole = stated is not None and stated.get("rounds") == len(self.done) and self._reason() is not None
        return str(stated["hash"]) if is_whole else None

    def go_on(self) -> None:
        """Round after round, from the first that was not kept."""
        self.work.say(
            f"cotrain: {len(self.labelled):,} labelled blocks, {len(self.data.held_out):,} held out, "
            f"{self.pool.rows:,} in the pool ({self.pool.bytes:,} bytes); {len(self.done)} rounds are kept"
        )
        while (reason := self._reason()) is None:
            self._round(len(self.done) + 1)
        if self.done:
            self.done[-1] = replace(self.done[-1], stopped_by=reason)
            self._tell(self.done[-1], self._started, "")

    def _reason(self) -> str | None:
        ranges = self._ranges(len(self.done) + 1)
        return stop_reason(
            self.done, rounds=self.settings.rounds, patience=self.settings.patience, has_more=bool(ranges)
        )

    def _ranges(self, number: int) -> list[tuple[int, int]]:
        return hash_ranges(number, self.pool.rows, u=self.settings.u, seed=self.settings.seed)

    def _round(self, number: int) -> None:
        """Fit, broadcast and score (which releases), choose, add, keep."""
        self._started, clock = dt.datetime.now(dt.UTC), time.monotonic()
        learners = self._fitted(len(self.state.labelled))
        ranges = self._ranges(number)
        sent = Sent(
            tuple(one.to_bytes() for one in learners), self.data.vocabulary, self.quotas, tuple(ranges),
            self.settings.is_agreed,
        )  # fmt: skip
        share = score(
            self.work.spark, sent, self.pool.within(ranges),
            store=address(self.work.store), folder=self.scratch.folder,
        )  # fmt: skip
        if share is None:
            share = scored(self.data.labelled.select(list(NEEDED)).slice(0, 0), learners, sent)
        added, view = settle(share.choices)
        found = examples(added, view, list(VIEWS), self.classes)
        agreement = share.agreed / share.rows if share.rows else None
        count = len(self.state.labelled)
        done = Round(number, count, share.rows, agreement, found, self._errors(learners))
        saved = self.state.saved(share.features(), done, self._started)
        self.scratch.put_rows(ROUND.format(number), saved)
        self.state = self.state.with_rows(arrays(saved, self.data.vocabulary))
        self.done.append(done)
        self._tell(done, self._started, f"{share.bytes:,} bytes read, {time.monotonic() - clock:.1f} s")

    def _fitted(self, count: int) -> list[Learner]:
        rows = self.state.labelled.take(np.arange(count))
        weight = np.where(np.arange(count) < self.state.by_people, 1.0, self.settings.self_weight)
        later = self.settings.later_learners
        makers = self.settings.learners if later is None or count <= self.state.by_people else later
        pairs = zip(makers.values(), rows.views, strict=True)
        return [make().fit(view.numbers, view.words, rows.y, sample_weight=weight) for make, view in pairs]

    def _errors(self, learners: list[Learner]) -> dict[str, float] | None:
        if self.held_out is None:
            return None
        return view_errors(dict(zip(VIEWS, learners, strict=True)), self.held_out, self.settings.combination)

    def _tell(self, done: Round, started: dt.datetime, how: str) -> None:
        """A row of `rounds`, under a name of its own, so that a round that is done again is one row; and a line."""
        row = round_row(done, model=self.settings.name, started_at=started, run_id=self.run_id)
        commit = f"{hashlib.sha256(self.settings.name.encode()).hexdigest()[:16]}-{done.number:04d}"
        self.work.store.write("rounds", [row], crawl=self.work.crawl, run_id=self.run_id, commit_id=commit)
        if how:
            error = "" if done.error is None else f", held-out error {done.error:.3f}"
            agreed = "" if done.agreement is None else f", views agree on {done.agreement:.3f}"
            labels = ", ".join(f"{label} {count}" for label, count in _by_label(done).items())
            self.work.say(
                f"round {done.number}: {done.labelled_count:,} labelled, {done.pool_count:,} looked at{agreed}{error}; "
                f"added {len(done.examples)} ({labels}); {how}"
            )

    def finish(self) -> str:
        """Fit the last learners (or the best) and write the model."""
        count = len(self.state.labelled)
        if self.done and self.done[-1].stopped_by == "held-out":
            errors = [np.inf if one.error is None else one.error for one in self.done]
            count = self.done[int(np.argmin(errors))].labelled_count
        learners = dict(zip(VIEWS, self._fitted(count), strict=True))
        model = CoTrained(self.classes, self.data.vocabulary, learners, self.settings.combination)
        errors_now = self._errors(list(learners.values()))
        stated = {"rounds": len(self.done), "labelled": count, "crawl": self.work.crawl, "held_out_errors": errors_now}
        folder = Scratch(self.work.store, f"{KEPT}/{self.settings.name}")
        for name, data in model.parts(stated):
            folder.put(name, data)
        why = self.done[-1].stopped_by if self.done else "no rounds"
        error = "" if errors_now is None else f", held-out error {errors_now['combined']:.3f}"
        self.work.say(f"cotrain: model {self.settings.name}, hash {model.fingerprint()}, stopped by {why}{error}")
        return model.fingerprint()


def _by_label(done: Round) -> dict[str, int]:
    counts: dict[str, int] = {}
    for part in done.added:
        counts[str(part.label)] = counts.get(str(part.label), 0) + part.count
    return dict(sorted(counts.items()))
