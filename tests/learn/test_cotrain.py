"""Co-training: rounds as in the paper, the same result whatever the machine, the order or an interruption."""

import json
from dataclasses import replace

import numpy as np
import pytest

from parcels.errors import ConfigError, ModelMismatch
from parcels.learn.boostexter import BoosTexter
from parcels.learn.cotrain import CoTraining, single_view, view_errors
from parcels.learn.history import Round
from parcels.learn.learner import Features, Labelled
from parcels.learn.naive_bayes import NaiveBayes
from parcels.learn.pool import ArrayPool, FreshShare, Replenished, hash_ranges, partitions, pool_hash, pool_partition
from parcels.learn.select import Votes, choose, merge, settle
from parcels.learn.words import Words

VOCABULARY = {f"w{n}": n for n in range(60)}
LEARNERS = {"stylistic": lambda: BoosTexter(rounds=8), "lexical": NaiveBayes}


def blocks(count: int, *, seed: int) -> Labelled:
    """Blocks of three unevenly common classes, each known by a few numbers and independently by a few words."""
    random = np.random.default_rng(seed)
    y = np.concatenate([[0, 1, 2], random.choice(3, count - 3, p=[0.6, 0.3, 0.1])])
    numbers = random.normal(size=(count, 6))
    numbers[np.arange(count), y] += 2.5
    texts = [[f"w{here * 20 + n}" for n in random.integers(0, 20, 3)] + [f"w{random.integers(60)}"] for here in y]
    views = Features.of(numbers), Features.of(words=Words.from_texts(texts, VOCABULARY))
    return Labelled(np.array([f"s{seed}:{n}" for n in range(count)]), np.array(["nav", "text", "title"])[y], views)


@pytest.fixture(scope="module")
def data() -> tuple[Labelled, ArrayPool, Labelled]:
    unlabelled = blocks(900, seed=2)
    return blocks(24, seed=1), ArrayPool.of(unlabelled.ids, unlabelled.views), blocks(400, seed=3)


@pytest.fixture(scope="module")
def trained(data) -> CoTraining:
    labelled, pool, held_out = data
    return CoTraining(LEARNERS, k=10, u=90, rounds=8, seed=4).fit(labelled, pool, held_out=held_out)


def test_the_combined_error_falls(trained):
    assert trained.final_errors_["combined"] < trained.rounds_[0].error
    assert set(trained.final_errors_) == {"stylistic", "lexical", "combined"}


def test_round_zero_is_supervised_learning_alone(trained, data):
    labelled, _, held_out = data
    learners = {
        name: make().fit(view.numbers, view.words, labelled.y)
        for (name, make), view in zip(LEARNERS.items(), labelled.views, strict=True)
    }
    assert view_errors(learners, held_out, "most-confident") == trained.rounds_[0].errors


def test_each_view_labels_at_most_its_quota_of_each_class(trained, data):
    _, counts = np.unique(data[0].y, return_counts=True)
    assert trained.quotas_.tolist() == (-(-10 * counts // 24)).tolist()
    for done in trained.rounds_:
        for part in done.added:
            assert part.count <= trained.quotas_[trained.classes_.tolist().index(part.label)]
            assert part.least_confidence <= 1
    assert {part.view for done in trained.rounds_ for part in done.added} == {"stylistic", "lexical"}


def test_the_record_accounts_for_every_labelled_row(trained, data):
    counted = len(data[0])
    names = set()
    for number, done in enumerate(trained.rounds_, start=1):
        assert (done.number, done.labelled_count) == (number, counted)
        assert 0 <= done.agreement <= 1
        names |= {example.block_id for example in done.examples}
        counted += len(done.examples)
    assert len(names) == counted - len(data[0])  # no row was labelled twice
    assert [done.stopped_by for done in trained.rounds_] == [None] * 7 + ["rounds"]


def test_the_same_seed_gives_the_same_rounds_and_another_seed_others(trained, data):
    labelled, pool, held_out = data
    again = CoTraining(LEARNERS, k=10, u=90, rounds=8, seed=4).fit(labelled, pool, held_out=held_out)
    assert again.rounds_ == trained.rounds_
    assert [one.to_bytes() for one in again.learners_] == [one.to_bytes() for one in trained.learners_]
    other = CoTraining(LEARNERS, k=10, u=90, rounds=1, seed=5).fit(labelled, pool)
    assert other.rounds_[0].examples != trained.rounds_[0].examples


def test_the_order_of_the_pool_does_not_matter(trained, data):
    labelled, pool, held_out = data
    order = np.random.default_rng(0).permutation(len(pool))
    mixed = ArrayPool(pool.ids[order], pool.hashes[order], tuple(view.take(order) for view in pool.views))
    again = CoTraining(LEARNERS, k=10, u=90, rounds=8, seed=4).fit(labelled, mixed, held_out=held_out)
    assert again.rounds_ == trained.rounds_


@pytest.mark.parametrize("after", [0, 3, 8])
def test_an_interrupted_training_goes_on_to_the_same_result(trained, data, after):
    labelled, pool, held_out = data
    first = CoTraining(LEARNERS, k=10, u=90, rounds=8, seed=4)
    rounds = first.each_round(labelled, pool, held_out=held_out)
    state = None
    for _ in range(after):
        next(rounds)
        state = json.loads(json.dumps(first.state()))
    second = CoTraining(LEARNERS, k=10, u=90, rounds=8, seed=4)
    if state is None:
        second.fit(labelled, pool, held_out=held_out)
    else:
        second.resume(state, labelled, pool, held_out=held_out)
    assert second.rounds_ == trained.rounds_
    assert second.final_errors_ == trained.final_errors_
    assert [one.to_bytes() for one in second.learners_] == [one.to_bytes() for one in trained.learners_]


def test_a_training_resumes_after_rounds_that_labelled_nothing(data):
    labelled, pool, _ = data
    settings = {"k": 10, "u": 1, "rounds": 6, "seed": 4}
    whole = CoTraining(LEARNERS, **settings).fit(labelled, pool)
    assert [] in [[*done.examples] for done in whole.rounds_]
    first = CoTraining(LEARNERS, **settings)
    rounds = first.each_round(labelled, pool)
    for _ in range(5):
        next(rounds)
    again = CoTraining(LEARNERS, **settings).resume(json.loads(json.dumps(first.state())), labelled, pool)
    assert again.rounds_ == whole.rounds_
    assert [one.to_bytes() for one in again.learners_] == [one.to_bytes() for one in whole.learners_]


def test_more_rounds_can_be_added_to_a_finished_training(data):
    labelled, pool, _ = data
    short = CoTraining(LEARNERS, k=10, u=90, rounds=2, seed=4).fit(labelled, pool)
    long = CoTraining(LEARNERS, k=10, u=90, rounds=5, seed=4).fit(labelled, pool)
    assert replace(short, rounds=5).resume(short.state(), labelled, pool).rounds_ == long.rounds_


def test_a_state_of_other_rows_or_settings_is_refused(trained, data):
    labelled, pool, _ = data
    with pytest.raises(ModelMismatch, match="other settings"):
        replace(trained, k=11).resume(trained.state(), labelled, pool)
    with pytest.raises(ModelMismatch, match="other settings"):
        replace(trained, is_agreed=True).resume(trained.state(), labelled, pool)
    with pytest.raises(ModelMismatch, match="other rows"):
        replace(trained).resume(trained.state(), labelled.take(np.arange(20)), pool)


def test_a_round_is_plain_data(trained):
    done = trained.rounds_[0]
    assert Round.from_plain(json.loads(json.dumps(done.plain()))) == done


def test_partitions_that_choose_by_themselves_make_the_same_round(trained, data):
    """Choose as the job on a cluster does: learners as bytes, a range of hashes, choices merged on the driver."""
    from parcels.learn.stored import learner_from_bytes

    labelled, pool, _ = data
    sent = [
        make().fit(view.numbers, view.words, labelled.y).to_bytes()
        for make, view in zip(LEARNERS.values(), labelled.views, strict=True)
    ]
    choices: list[list[Votes]] = [[], []]
    ranges = hash_ranges(1, len(pool), u=90, seed=4)
    for partition in partitions(ranges):
        rows = np.array(
            [
                n
                for n, block_hash in enumerate(pool.hashes.tolist())
                if pool_partition(block_hash) == partition and any(low <= block_hash <= high for low, high in ranges)
            ],
            np.int64,
        )
        for place, data_sent in enumerate(sent):
            part, learner = pool.views[place].take(rows), learner_from_bytes(data_sent)
            votes = Votes.of(pool.ids[rows], learner.predict_log_proba(part.numbers, part.words))
            choices[place].append(choose(votes, trained.quotas_))
    added, view = settle([merge(parts, trained.quotas_) for parts in choices])
    expected = trained.rounds_[0].examples
    assert added.ids.tolist() == [example.block_id for example in expected]
    assert trained.classes_[added.label].tolist() == [example.label for example in expected]
    assert [list(LEARNERS)[place] for place in view] == [example.view for example in expected]


def test_the_rounds_shares_cover_the_pool_once(data):
    _, pool, _ = data
    nobody = np.zeros(len(pool), bool)
    shares = [FreshShare().rows(n, pool, nobody, u=100, seed=3) for n in range(1, 10)]
    assert FreshShare().rows(10, pool, nobody, u=100, seed=3) is None
    assert sorted(np.concatenate(shares).tolist()) == list(range(900))
    assert all(60 < len(share) < 140 for share in shares)


def test_a_share_reads_few_partitions():
    ranges = hash_ranges(3, 1_000_000, u=2000, seed=0)
    assert 2 <= len(partitions(ranges)) <= 4
    assert pool_partition(pool_hash("x")) in range(1024)


def test_a_replenished_pool_keeps_its_size_and_what_was_not_chosen(data):
    _, pool, _ = data
    is_added = np.zeros(len(pool), bool)
    before = Replenished().rows(1, pool, is_added, u=75, seed=1)
    is_added[before[:8]] = True
    after = Replenished().rows(2, pool, is_added, u=75, seed=1)
    assert len(before) == len(after) == 75
    assert len(np.intersect1d(before, after)) == 67
    is_added[:] = True
    assert Replenished().rows(3, pool, is_added, u=75, seed=1) is None


def test_an_exhausted_pool_ends_the_rounds(data):
    labelled, pool, _ = data
    training = CoTraining(LEARNERS, k=10, u=400, rounds=20).fit(labelled, pool)
    assert len(training.rounds_) == 3
    assert training.rounds_[-1].stopped_by == "exhausted"
    nothing = ArrayPool.of([], [view.take(np.zeros(0, np.int64)) for view in pool.views])
    assert CoTraining(LEARNERS).fit(labelled, nothing).rounds_ == []


def test_a_held_out_error_that_stops_falling_ends_the_rounds_at_the_best(data):
    labelled, pool, held_out = data
    training = CoTraining(LEARNERS, k=10, u=90, rounds=10, seed=4, patience=1).fit(labelled, pool, held_out=held_out)
    if training.rounds_[-1].stopped_by == "held-out":
        assert training.final_errors_["combined"] == min(done.error for done in training.rounds_)
    with pytest.raises(ConfigError, match="held-out rows"):
        CoTraining(LEARNERS, patience=1).fit(labelled, pool)


def test_self_labelled_rows_may_weigh_less(data):
    labelled, pool, _ = data
    light = CoTraining(LEARNERS, k=10, u=90, rounds=3, self_weight=1e-9).fit(labelled, pool)
    alone = NaiveBayes().fit(None, labelled.views[1].words, labelled.y)
    assert np.allclose(light.learners_[1].class_count_, alone.class_count_, atol=1e-6)


def test_views_that_must_agree_label_only_what_both_see_alike(trained, data):
    labelled, pool, _ = data
    careful = CoTraining(LEARNERS, k=10, u=90, rounds=1, seed=4, is_agreed=True).fit(labelled, pool)
    rows = {name: place for place, name in enumerate(pool.ids.tolist())}
    said = []
    for make, view, unknown in zip(LEARNERS.values(), labelled.views, pool.views, strict=True):
        learner = make().fit(view.numbers, view.words, labelled.y)
        said.append(learner.classes_[learner.predict_log_proba(unknown.numbers, unknown.words).argmax(axis=1)])

    def is_common(example):
        return said[0][rows[example.block_id]] == said[1][rows[example.block_id]] == example.label

    assert len(careful.rounds_[0].examples) > 0
    assert all(map(is_common, careful.rounds_[0].examples))
    assert not all(map(is_common, trained.rounds_[0].examples))  # without the setting they are at odds on some
    assert careful.rounds_[0].agreement == trained.rounds_[0].agreement  # told of the whole share


def test_later_learners_learn_once_rows_were_added(data):
    labelled, pool, held_out = data
    later = {"stylistic": lambda: BoosTexter(rounds=16), "lexical": NaiveBayes}
    settings = {"k": 10, "u": 90, "rounds": 3, "seed": 4, "is_agreed": True, "later_learners": later}
    training = CoTraining(LEARNERS, **settings)
    rounds = training.each_round(labelled, pool, held_out=held_out)
    next(rounds)
    state = json.loads(json.dumps(training.state()))
    list(rounds)
    assert len(training.learners_[0].stumps_) == 16
    alone = CoTraining(LEARNERS, rounds=0).fit(labelled, pool, held_out=held_out)
    assert training.rounds_[0].errors == alone.final_errors_
    again = CoTraining(LEARNERS, **settings).resume(state, labelled, pool, held_out=held_out)
    assert again.rounds_ == training.rounds_
    assert [one.to_bytes() for one in again.learners_] == [one.to_bytes() for one in training.learners_]
    with pytest.raises(ConfigError, match="later learners"):
        CoTraining(LEARNERS, later_learners={"lexical": NaiveBayes}).fit(labelled, pool)


def test_one_view_is_self_training_and_single_view_joins_the_columns(data):
    labelled, pool, held_out = data
    joined = Labelled(labelled.ids, labelled.y, (single_view(labelled.views),))
    unlabelled = ArrayPool(pool.ids, pool.hashes, (single_view(pool.views),))
    training = CoTraining({"all": lambda: BoosTexter(rounds=8)}, k=10, u=90, rounds=2).fit(joined, unlabelled)
    assert training.rounds_[0].agreement == 1
    assert training.predict([single_view(held_out.views)]).shape == (400,)


@pytest.mark.parametrize("combination", ["most-confident", "product", "average"])
def test_the_prediction_is_the_combination_s(data, combination):
    labelled, pool, held_out = data
    training = CoTraining(LEARNERS, k=10, u=90, rounds=1, combination=combination)
    training.fit(labelled, pool, held_out=held_out)
    assert (training.predict(held_out.views) != held_out.y).mean() == training.final_errors_["combined"]


def test_a_label_that_nobody_knows_counts_as_an_error(data):
    labelled, pool, held_out = data
    strange = Labelled(held_out.ids, np.full(400, "country"), held_out.views)
    training = CoTraining(LEARNERS, k=10, u=90, rounds=1).fit(labelled, pool, held_out=strange)
    assert training.final_errors_["combined"] == 1


def test_what_does_not_fit_together_is_refused(data):
    labelled, pool, _ = data
    with pytest.raises(ConfigError, match="in the pool too"):
        CoTraining(LEARNERS).fit(labelled, ArrayPool.of(labelled.ids, labelled.views))
    with pytest.raises(ConfigError, match="views"):
        CoTraining({"one": NaiveBayes}).fit(labelled, pool)
    with pytest.raises(ConfigError, match="k and u"):
        CoTraining(LEARNERS, k=0).fit(labelled, pool)
    with pytest.raises(ConfigError, match="most-confident"):
        CoTraining(LEARNERS, combination="vote").fit(labelled, pool)
    with pytest.raises(ConfigError, match="different ids"):
        ArrayPool.of(["a", "a"], [])
    with pytest.raises(ConfigError, match="24 ids, 23 labels"):
        Labelled(labelled.ids, labelled.y[1:], labelled.views)


@pytest.mark.corpus
def test_on_blum_and_mitchell_s_pages_the_combined_error_falls_as_in_their_paper(corpora, monkeypatch):
    from benchmarks.experiments import cotrain_course

    monkeypatch.setenv("PARCELS_CORPORA", str(corpora))
    pages = cotrain_course.load()
    curve = cotrain_course.curves(pages, next(iter(cotrain_course.VARIANTS.values())), range(4))["combined"]
    assert curve[:, 0].mean() > 0.07
    assert curve[:, -1].mean() < 0.07
