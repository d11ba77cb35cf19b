"""cotrain: `annotations` and `features` in; a model and `rounds` out.

The training set and the pool are stored when a training starts, and every round is stored in a file. The same command
after a kill continues after the last complete round and ends with the same model (docs/co-training.md).
"""

import datetime as dt
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jobs.cotraining.pool import PoolManifest, make_pool, open_pool
from jobs.cotraining.rounds import checkpoint, restored, round_row
from jobs.cotraining.spark_pool import SparkPool
from jobs.cotraining.training_set import TrainingSet, annotated_pages, make_training_set
from jobs.duplicates import copies
from jobs.engine.job_context import JobContext
from jobs.engine.scratch import Scratch
from jobs.engine.spark_tables import frame, having
from jobs.featurize import feature_list
from parcels.common.optional import require_packages
from parcels.errors import ConfigError, ModelMismatch
from parcels.labels.cotrained import VIEWS, CoTrained
from parcels.learn.boostexter import BoosTexter
from parcels.learn.cotrain import CoTraining
from parcels.learn.history import Round
from parcels.learn.learner import Learner
from parcels.models.registry import KEPT
from parcels.store.partitions import segment

STEP = "cotrain"
SAVED = "_cotrain"  # of the store
ROUND = "round-{:04d}.arrow"
POOL_SHARE = 2000  # blocks of a round, on average
LEARNERS: dict[str, Callable[[], Learner]] = {
    "stylistic": lambda: BoosTexter(rounds=60),  # the papers' learner; few stumps, since the labelled set is small
    "lexical": lambda: BoosTexter(rounds=60),
}


@dataclass(frozen=True)
class CoTrainSettings:
    """The settings of a training. A checkpoint can be resumed with other `rounds` and `patience` only."""

    algorithm: CoTraining
    name: str
    held_out: float  # share of the sites

    def __post_init__(self) -> None:
        if self.algorithm.rounds < 1:
            raise ConfigError(f"--rounds must be at least 1, got {self.algorithm.rounds}.")
        if not 0 <= self.held_out < 1:
            raise ConfigError(f"--held-out must be at least 0 and less than 1, got {self.held_out}.")
        if not self.name.replace("-", "_").isidentifier():
            raise ConfigError(f"--name must consist of letters, digits, _ and -, got '{self.name}'.")

    @classmethod
    def of(cls, *, name: str = "cotrained", held_out: float = 0.2, **settings: Any) -> "CoTrainSettings":
        """Return settings, of which `settings` are those of `CoTraining`."""
        return cls(CoTraining(**{"learners": LEARNERS, "u": POOL_SHARE, **settings}), name, held_out)

    def made_from(self) -> dict[str, Any]:
        """Return the settings that must not change when a training is resumed."""
        core = self.algorithm
        same = {name: getattr(core, name) for name in ("k", "u", "seed", "self_weight", "is_agreed", "combination")}
        learners = {name: repr(make()) for name, make in core.learners.items()}
        later = {name: repr(make()) for name, make in (core.later_learners or {}).items()}
        own = {"held_out": self.held_out, "feature_list": feature_list()}
        return {**same, **own, "learners": learners, "later_learners": later}


def cotrain(context: JobContext) -> str:
    """Train a model, or resume its training, and return the hash of the model."""
    require_packages("scipy", extra="learn", purpose="co-training")
    settings = CoTrainSettings.of(**context.options.cotrain)
    scratch = Scratch(context.store, f"{SAVED}/{segment('crawl', context.crawl)}/{settings.name}")
    with context.run(STEP, **{**context.options.cotrain, **settings.made_from()}) as run:
        training = SparkTraining(context, settings, scratch, run.run_id)
        training.start()
        if (model_hash := training.finished()) is not None:
            context.report(f"cotrain: nothing to do: model {settings.name} is trained, hash {model_hash}")
            return model_hash
        training.run_rounds()
        model_hash = training.store_model()
        rounds = training.algorithm.rounds_
        run.counts.update(rounds=len(rounds), added=sum(len(done.examples) for done in rounds))
    return model_hash


class SparkTraining:
    """A training with a pool on Spark, and its checkpoints in the store."""

    def __init__(self, context: JobContext, settings: CoTrainSettings, scratch: Scratch, run_id: str):
        self.context, self.settings, self.scratch, self.run_id = context, settings, scratch, run_id
        self.algorithm = settings.algorithm
        self.models = Scratch(context.store, f"{KEPT}/{settings.name}")
        self._started = dt.datetime.now(dt.UTC)  # of the last round

    def start(self) -> None:
        """Store the training set and the pool, or load those of an interrupted training with its rounds."""
        model = self.models.get_json("model.json")
        if model is not None and model.get("crawl") != self.context.crawl:
            raise ConfigError(
                f"the model '{self.settings.name}' was trained on crawl '{model.get('crawl')}': choose another --name"
            )
        stored, own = self.scratch.get_json("settings.json"), self.settings.made_from()
        if stored is None:
            self._freeze()
        elif stored != own:
            differing = ", ".join(name for name, value in own.items() if stored.get(name) != value)
            raise ModelMismatch(
                f"the training '{self.settings.name}' was started with other {differing}: "
                f"choose another --name, or remove {self.scratch.path('')} to start again"
            )
        self.data, manifest = self._frozen()
        self.held_out = self.data.rows(is_held_out=True) if len(self.data.held_out) else None
        if self.algorithm.patience is not None and self.held_out is None:
            raise ConfigError(
                "--patience needs held-out sites, and no labelled site is held out: "
                "label pages of more sites, raise --held-out, or leave out --patience"
            )
        saved = [self.scratch.get_rows(name) for _, name in self.scratch.numbered(ROUND)]
        selected = [self.data.labelled.slice(0, 0), *saved]
        self.pool = SparkPool(
            self.context.spark, self.context.store, self.scratch, manifest, self.data.vocabulary, selected
        )  # fmt: skip
        self.algorithm.start(self.data.rows(), self.pool, held_out=self.held_out)
        rounds = [restored(rows) for rows in saved]
        self.algorithm.restore(done for done, _ in rounds)
        if rounds:
            self._started = rounds[-1][1]

    def _freeze(self) -> None:
        context = self.context
        data = make_training_set(context.spark, context.store, context.crawl, held_out=self.settings.held_out)
        features = frame(context.spark, context.store, "features").where(
            having(crawl=context.crawl, feature_list=feature_list())
        )
        unlabelled = features.join(annotated_pages(context.spark, context.store, context.crawl), "page_id", "left_anti")
        unlabelled = unlabelled.join(copies(context.spark, context.store, context.crawl), "page_id", "left_anti")
        make_pool(unlabelled, context.store, self.scratch, cores=context.spark.sparkContext.defaultParallelism)
        self.scratch.put_rows("labelled.arrow", data.labelled)
        self.scratch.put_rows("held-out.arrow", data.held_out)
        self.scratch.put("vocabulary.txt", "\n".join(data.vocabulary).encode())
        self.scratch.put_json("settings.json", self.settings.made_from())  # last: a training that has them is complete

    def _frozen(self) -> tuple[TrainingSet, PoolManifest]:
        labelled, held_out = self.scratch.get_rows("labelled.arrow"), self.scratch.get_rows("held-out.arrow")
        words, pool = self.scratch.get("vocabulary.txt"), open_pool(self.scratch)
        if labelled is None or held_out is None or words is None or pool is None:
            raise ModelMismatch(f"the training at {self.scratch.path('')} is damaged: remove it and start again")
        vocabulary = {term: place for place, term in enumerate(words.decode().split("\n"))}
        return TrainingSet(labelled, held_out, vocabulary), pool

    def finished(self) -> str | None:
        """Return the hash of the model if it was made of all rounds and there is no further one."""
        model = self.models.get_json("model.json")
        if model is None or model.get("rounds") != len(self.algorithm.rounds_) or not self.algorithm.stop_reason():
            return None
        return str(model["hash"])

    def run_rounds(self) -> None:
        """Run the rounds that are left. Store each of them before the next one starts."""
        rounds, pool = self.algorithm.rounds_, self.pool.manifest
        self.context.report(
            f"cotrain: {len(self.data.labelled):,} labelled blocks, {len(self.data.held_out):,} held out, "
            f"{pool.rows:,} in the pool ({pool.bytes:,} bytes); {len(rounds)} rounds are stored"
        )
        started = dt.datetime.now(dt.UTC)
        for done in self.algorithm.remaining_rounds():
            ids = [str(example.block_id) for example in done.examples]
            self.scratch.put_rows(ROUND.format(done.number), checkpoint(done, self.pool.rows(ids), started))
            self._record(done, started)
            seconds = (dt.datetime.now(dt.UTC) - started).total_seconds()
            self.context.report(f"{_summary(done)}; {self.pool.bytes_read:,} bytes read, {seconds:.1f} s")
            self._started = started
            started = dt.datetime.now(dt.UTC)
        if rounds:
            self._record(rounds[-1], self._started)

    def _record(self, done: Round, started: dt.datetime) -> None:
        """Write the row of `rounds`. Its file has a name of its own, so that a repeated round replaces its row."""
        row = round_row(done, model=self.settings.name, started_at=started, run_id=self.run_id)
        commit = f"{hashlib.sha256(self.settings.name.encode()).hexdigest()[:16]}-{done.number:04d}"
        self.context.store.write("rounds", [row], crawl=self.context.crawl, run_id=self.run_id, commit_id=commit)

    def store_model(self) -> str:
        """Write the model, and return its hash."""
        trained = self.algorithm
        learners = dict(zip(VIEWS, trained.learners_, strict=True))
        model = CoTrained(trained.classes_, self.data.vocabulary, learners, trained.combination)
        errors, rounds = trained.final_errors_, trained.rounds_
        stated = {"rounds": len(rounds), "labelled": trained.labelled_count_}
        for name, data in model.parts({**stated, "crawl": self.context.crawl, "held_out_errors": errors}):
            self.models.put(name, data)
        reason = rounds[-1].stopped_by if rounds else "no rounds"
        error = "" if errors is None else f", held-out error {errors['combined']:.3f}"
        self.context.report(
            f"cotrain: model {self.settings.name}, hash {model.fingerprint()}, stopped by {reason}{error}"
        )
        return model.fingerprint()


def _summary(done: Round) -> str:
    counts: dict[str, int] = {}
    for part in done.added:
        counts[str(part.label)] = counts.get(str(part.label), 0) + part.count
    labels = ", ".join(f"{label} {count}" for label, count in sorted(counts.items()))
    agreed = "" if done.agreement is None else f", views agree on {done.agreement:.3f}"
    error = "" if done.error is None else f", held-out error {done.error:.3f}"
    return (
        f"round {done.number}: {done.labelled_count:,} labelled, {done.pool_count:,} scored{agreed}{error}; "
        f"added {len(done.examples)} ({labels})"
    )
