"""The loop of co-training over a pool on Spark: the same rounds and model as over the same rows in memory."""

import json
from contextlib import closing

import numpy as np
import pytest
from jobs_world import CRAWL, make_store, units

from jobs.cotraining import pool as pool_files
from jobs.cotraining.spark_pool import SparkPool
from jobs.divide import Divide
from jobs.engine.local_engine import LocalEngine
from jobs.engine.page_pass import PagePass
from jobs.engine.rows import NEEDED, views_of
from jobs.engine.scratch import Scratch
from jobs.engine.spark_tables import frame
from jobs.featurize import Featurize, add_site_features
from parcels.errors import ConfigError
from parcels.learn.boostexter import BoosTexter
from parcels.learn.cotrain import CoTraining
from parcels.learn.learner import Labelled
from parcels.learn.pool import ArrayPool, FreshShare, Replenished

pytestmark = pytest.mark.spark
LABELLED, HELD_OUT, FILES = 60, 60, 5
LEARNERS = {"stylistic": lambda: BoosTexter(rounds=4), "lexical": lambda: BoosTexter(rounds=4)}
LATER = {name: lambda: BoosTexter(rounds=6) for name in LEARNERS}


@pytest.fixture(scope="module")
def world(spark, tmp_path_factory):
    """Labelled and held-out rows, and the same pool in memory and on Spark."""
    store = make_store(tmp_path_factory.mktemp("spark_pool") / "store", each_site=3)
    for step in (Divide(), Featurize()):
        PagePass(store.location.uri, CRAWL, ("0" * 32,), (step,)).process(list(units(store)), commit_id=step.name)
    with closing(LocalEngine(1)) as engine:
        add_site_features(engine, store, CRAWL)
    rows = store.read("features", columns=list(NEEDED)).sort_by("block_id")
    rows = rows.take(np.random.default_rng(3).permutation(len(rows)))
    vocabulary = {term: n for n, term in enumerate(sorted({t["term"] for r in rows["terms"].to_pylist() for t in r}))}
    ids = np.array(rows["block_id"].to_pylist(), str)
    numbers = views_of(rows, vocabulary)[0].numbers
    column = numbers[:, numbers.std(axis=0).argmax()]
    kind = np.array(["a", "b", "c"])[np.searchsorted(np.quantile(column, [0.3, 0.7]), column)]  # what a learner can see

    def labelled(first: int, count: int) -> Labelled:
        part = slice(first, first + count)
        return Labelled(ids[part], kind[part], views_of(rows.slice(first, count), vocabulary))

    known = LABELLED + HELD_OUT
    memory = ArrayPool.of(ids[known:], views_of(rows.slice(known), vocabulary))
    features = frame(spark, store, "features")
    scratch = Scratch(store, "_cotrain/test")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool_files, "FILE_ROWS", len(memory) // FILES)
        unknown = features.where(~features.block_id.isin(ids[:known].tolist()))
        manifest = pool_files.make_pool(unknown, store, scratch, cores=2)
    assert len(manifest.row_groups) >= FILES
    assert manifest.rows == len(memory)

    def on_spark(earlier=()) -> SparkPool:
        return SparkPool(spark, store, scratch, manifest, vocabulary, [rows.slice(0, 0), *earlier])

    return labelled(0, LABELLED), labelled(LABELLED, HELD_OUT), memory, on_spark


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"is_agreed": True, "self_weight": 0.3, "later_learners": LATER, "patience": 2},
        {"u": 1, "rounds": 3},  # most shares are empty
        {"u": 400, "rounds": 9},  # until the pool is exhausted
    ],
    ids=["plain", "careful", "tiny shares", "exhausted"],
)
def test_a_pool_on_spark_gives_the_rounds_and_the_model_of_a_pool_in_memory(world, more):
    labelled, held_out, memory, on_spark = world
    settings = {"k": 8, "u": 90, "rounds": 5, "seed": 11} | more
    in_memory = CoTraining(LEARNERS, **settings).fit(labelled, memory, held_out=held_out)
    distributed = CoTraining(LEARNERS, **settings).fit(labelled, on_spark(), held_out=held_out)
    assert distributed.rounds_ == in_memory.rounds_
    assert len(in_memory.rounds_) >= 3
    assert [one.to_bytes() for one in distributed.learners_] == [one.to_bytes() for one in in_memory.learners_]
    assert distributed.final_errors_ == in_memory.final_errors_
    assert distributed.labelled_count_ == in_memory.labelled_count_


def test_a_training_on_spark_resumes_from_its_state_and_the_features_of_its_rounds(world):
    labelled, held_out, memory, on_spark = world
    settings = {"k": 8, "u": 90, "rounds": 4, "seed": 2}
    whole = CoTraining(LEARNERS, **settings).fit(labelled, memory, held_out=held_out)
    first, pool = CoTraining(LEARNERS, **settings), on_spark()
    rounds = first.each_round(labelled, pool, held_out=held_out)
    stored = [pool.rows([example.block_id for example in done.examples]) for done in (next(rounds), next(rounds))]
    state = json.loads(json.dumps(first.state()))
    again = CoTraining(LEARNERS, **settings).resume(state, labelled, on_spark(stored), held_out=held_out)
    assert again.rounds_ == whole.rounds_
    assert [one.to_bytes() for one in again.learners_] == [one.to_bytes() for one in whole.learners_]


def test_a_pool_on_spark_refuses_a_draw_that_sorts_the_pool(world):
    labelled, _, _, on_spark = world
    with pytest.raises(ConfigError, match=r"use FreshShare\(\)"):
        CoTraining(LEARNERS, draw=Replenished()).fit(labelled, on_spark())
    CoTraining(LEARNERS, draw=FreshShare(), rounds=0).fit(labelled, on_spark())
