"""Calibration, folds, selection and the naive learners' counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parcels.errors import ConfigError
from parcels.learn.boostexter import BoosTexter
from parcels.learn.calibrate import Isotonic, Temperature, calibration_error, reliability, rising
from parcels.learn.calibrated import Calibrated
from parcels.learn.combine import COMBINATIONS, most_confident, product
from parcels.learn.folds import fold_of_group, splits
from parcels.learn.naive_bayes import NaiveBayes
from parcels.learn.select import CERTAIN, Votes, choose, margins, merge, quotas, settle
from parcels.learn.words import Words


def too_sure(rows: int = 4000, seed: int = 0):
    """Log-probabilities three times as sharp as they should be, and labels drawn from the right ones."""
    random = np.random.default_rng(seed)
    logs = random.normal(size=(rows, 4))
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    y = (np.exp(logs).cumsum(axis=1) > random.random(rows)[:, None]).argmax(axis=1)
    return Temperature(1 / 3).log_proba(logs), y


@pytest.mark.parametrize("method", [Temperature, Isotonic])
def test_calibration_brings_confidence_near_accuracy(method):
    logs, y = too_sure()
    others, gold = too_sure(seed=1)

    def error(log_proba):
        return calibration_error(np.exp(log_proba).max(axis=1), log_proba.argmax(axis=1) == gold)

    calibrated = method.fitted(logs, y).log_proba(others)
    assert error(others) > 0.2
    assert error(calibrated) < 0.04
    assert np.allclose(np.exp(calibrated).sum(axis=1), 1)


def test_the_fitted_temperature_is_the_true_one():
    assert Temperature.fitted(*too_sure()).value == pytest.approx(3, rel=0.1)


@given(st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.9]), st.booleans()), min_size=1, max_size=40))
def test_the_isotonic_curve_rises_and_keeps_the_mean(pairs):
    x, flags = np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs])
    points, values = rising(x, flags)
    assert (np.diff(values) >= -1e-12).all()
    assert (np.diff(points) > 0).all()
    assert np.interp(x, points, values).mean() == pytest.approx(flags.mean())


def test_reliability_counts_every_row():
    confidence = np.array([0.0, 0.31, 0.32, 1.0])
    table = reliability(confidence, np.array([False, True, False, True]), bins=10)
    assert [part.rows for part in table] == [1, 2, 1]


def test_a_calibrated_learner_is_less_sure_on_other_groups():
    random = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 15)
    numbers = random.normal(size=(300, 6)) + random.normal(size=(20, 6))[groups]
    y = np.where(numbers[:, 0] + random.normal(size=300) > 0, "a", "b")
    plain = BoosTexter(rounds=40).fit(numbers, None, y)
    calibrated = Calibrated(BoosTexter(rounds=40)).fit(numbers, None, y, groups=groups)
    assert calibrated.calibration_.value > 1
    assert (
        calibrated.predict_proba(numbers, None).max(axis=1).mean()
        < plain.predict_proba(numbers, None).max(axis=1).mean()
    )


def test_groups_stay_whole_and_folds_are_even():
    groups = np.repeat(np.arange(30), np.arange(1, 31))
    fold = fold_of_group(groups, folds=5, seed=3)
    assert all(len(set(fold[groups == group])) == 1 for group in range(30))
    assert np.ptp(np.bincount(fold)) < 10
    assert (fold == fold_of_group(groups, folds=5, seed=3)).all()
    assert sum(len(held_out) for _, held_out in splits(fold)) == len(groups)
    with pytest.raises(ConfigError, match="folds"):
        fold_of_group(np.zeros(9), folds=5)


def test_quotas_follow_the_initial_distribution_rounded_up():
    table = np.array([479, 309, 150, 141, 134, 118, 74, 63, 53, 30, 20, 16, 14, 9, 6, 6, 3])  # the paper's table 2
    quota = quotas(table, 20)
    assert quota.tolist() == [6, 4, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    assert quotas(np.array([3, 9]), 4).tolist() == [1, 3]  # Blum and Mitchell's p and n
    with pytest.raises(ConfigError):
        quotas(table, 0)


VOTES = st.lists(st.tuples(st.integers(0, 2), st.sampled_from([0.1, 0.5, 0.9])), max_size=40)


def votes(pairs) -> Votes:
    label = np.array([pair[0] for pair in pairs], np.int64)
    margin = np.array([pair[1] for pair in pairs], np.float64)
    return Votes(np.array([f"block-{n:03}" for n in range(len(pairs))], "<U9"), label, margin, margin)


@given(VOTES, st.lists(st.integers(0, 3), min_size=40, max_size=40), st.randoms(use_true_random=False))
def test_the_choice_from_parts_is_the_choice_from_all(pairs, part_of, random):
    every, quota = votes(pairs), np.array([1, 3, 2])
    parts = [choose(every.take(np.flatnonzero(np.array(part_of[: len(pairs)]) == part)), quota) for part in range(4)]
    random.shuffle(parts)
    assert merge(parts, quota).ids.tolist() == choose(every, quota).ids.tolist()


@given(VOTES)
def test_the_surest_of_each_class_are_chosen_and_ties_go_to_the_smaller_id(pairs):
    every, quota = votes(pairs), np.array([1, 3, 2])
    chosen = choose(every, quota)
    for label in range(3):
        rows = sorted((-every.margin[n], every.ids[n]) for n in range(len(pairs)) if every.label[n] == label)
        assert chosen.ids[chosen.label == label].tolist() == [name for _, name in rows[: quota[label]]]


def test_a_row_that_both_views_chose_gets_the_label_of_the_surer_one():
    def view(ids, label, margin):
        return Votes(np.array(ids), np.array(label), np.array(margin), np.array(margin))

    settled, source = settle([view(["c", "a", "b"], [0, 0, 0], [1.0, 2.0, 3.0]), view(["a", "c"], [1, 1], [9.0, 1.0])])
    assert settled.ids.tolist() == ["a", "b", "c"]
    assert settled.label.tolist() == [1, 0, 0]  # c: equally sure, so the first view has it
    assert source.tolist() == [1, 0, 0]


def test_margins_tell_rows_apart_whose_probability_rounds_to_one():
    logs = np.array([[-1e-30, -50.0], [-1e-40, -90.0], [0.0, -np.inf]])
    assert margins(logs).tolist() == [50.0, 90.0, CERTAIN]
    assert margins(np.zeros((2, 1))).tolist() == [CERTAIN, CERTAIN]


def test_combinations_agree_where_the_views_do_and_differ_where_they_should():
    agree = [np.log([[0.7, 0.3]]), np.log([[0.8, 0.2]])]
    assert all(combine(agree).argmax() == 0 for combine in COMBINATIONS.values())
    three = [np.log([[0.5, 0.49, 0.01]]), np.log([[0.01, 0.49, 0.5]])]
    assert product(three).argmax() == 1
    assert most_confident(three).argmax() == 0  # equally sure: the first view
    assert np.isfinite(product([np.log([[1.0, 1e-320]]), np.array([[-np.inf, 0.0]])])).all()


def test_counts_from_parts_are_the_counts_of_the_whole():
    random = np.random.default_rng(0)
    texts = [[f"w{n}" for n in random.integers(0, 9, 20)] for _ in range(60)]
    words = Words.from_texts(texts, {f"w{n}": n for n in range(9)})
    y = np.array(["a", "b", "c"])[random.integers(0, 3, 60)]
    y[:30] = np.where(y[:30] == "c", "a", y[:30])  # a class that the first part lacks
    whole, sums = NaiveBayes().fit(None, words, y), NaiveBayes()
    for part in (np.arange(30), np.arange(30, 60)):
        one = NaiveBayes().fit(None, words.take(part), y[part])
        sums.partial_fit(one.classes_, one.class_count_, one.word_count_)
    assert sums.to_bytes() == whole.to_bytes()
    with pytest.raises(ConfigError, match="words"):
        sums.partial_fit(["a"], np.ones(1), np.ones((1, 4)))


def test_naive_bayes_is_scikit_learn_s_where_every_word_was_seen():
    from sklearn.naive_bayes import MultinomialNB

    random = np.random.default_rng(0)
    counts = random.integers(0, 4, (50, 12)).astype(float)
    y = random.integers(0, 3, 50)
    from scipy.sparse import csr_array

    words = Words.from_scipy(csr_array(counts))
    ours = NaiveBayes().fit(None, words, y).predict_proba(None, words)
    assert np.allclose(ours, MultinomialNB().fit(counts, y).predict_proba(counts))


@given(st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=8), st.data())
def test_words_are_a_sparse_matrix(texts, data):
    words = Words.from_texts(texts, {letter: n for n, letter in enumerate("abcd")})
    dense = np.array([[text.count(letter) for letter in "abcd"] for text in texts]).reshape(-1, 4)
    assert (words.to_dense() == dense).all()
    weights = np.arange(8.0).reshape(4, 2)
    assert np.allclose(words.dot(weights), dense @ weights)
    rows = np.array(data.draw(st.lists(st.integers(0, max(len(texts) - 1, 0)), max_size=5)) if texts else [], np.int64)
    assert (words.take(rows).to_dense() == dense[rows]).all()
    assert (words.and_below(words.take(rows)).to_dense() == np.concatenate([dense, dense[rows]])).all()
    assert (words.and_beside(words).to_dense() == np.concatenate([dense, dense], axis=1)).all()
    assert (Words.from_scipy(words.to_scipy()).to_dense() == dense).all()
