"""BoosTexter against a slow and plain writing-down of the paper; trees against LightGBM itself."""

import time

import numpy as np
import pytest

from parcels.errors import ConfigError, ModelMismatch
from parcels.learn import forest
from parcels.learn.boostexter import BoosTexter
from parcels.learn.learner import checked_fit
from parcels.learn.rounds import choose_rounds
from parcels.learn.stumps import thresholds
from parcels.learn.trees import Trees, parsed
from parcels.learn.words import Words


def example(rows: int, columns: int, width: int, classes: int, *, seed: int = 0, missing: float = 0.1):
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, rows)
    numbers = random.normal(size=(rows, columns)).round(2)
    numbers[:, : columns // 2] += y[:, None] * random.normal(size=columns // 2)
    numbers[random.random(numbers.shape) < missing] = np.nan
    texts = [[f"w{n}" for n in {*random.integers(0, width, 6).tolist(), here % width}] for here in y]
    return numbers, Words.from_texts(texts, {f"w{n}": n for n in range(width)}), y


def by_the_paper(numbers, present, y, rounds: int):
    """Real AdaBoost.MH with every threshold tried one after the other (Schapire and Singer 2000)."""
    rows, classes = len(y), y.max() + 1
    sign = np.where(y[:, None] == np.arange(classes), 1.0, -1.0)
    weights = np.full((rows, classes), 1 / (rows * classes))
    smoothing = 1 / (rows * classes)
    partitions = []
    for column in range(numbers.shape[1]):
        values = np.unique(numbers[~np.isnan(numbers[:, column]), column])
        for cut in (values[1:] + values[:-1]) / 2:
            partitions.append((column, cut, [numbers[:, column] <= cut, numbers[:, column] > cut]))
    for word in range(present.shape[1]):
        has = present[:, word] > 0
        partitions.append((numbers.shape[1] + word, 0.0, [~has, has]))
    total, picked = np.zeros((rows, classes)), []
    for _ in range(rounds):
        best = None
        for column, cut, parts in partitions:
            right = np.array([[weights[part & (y == c), c].sum() for c in range(classes)] for part in parts])
            wrong = np.array([[weights[part & (y != c), c].sum() for c in range(classes)] for part in parts])
            z = 2 * np.sqrt(right * wrong).sum() + weights[~(parts[0] | parts[1])].sum()
            if best is None or z < best[0] * (1 - 1e-10):
                best = z, column, cut, parts, 0.5 * np.log((right + smoothing) / (wrong + smoothing))
        _, column, cut, parts, scores = best
        hypothesis = sum(part[:, None] * score for part, score in zip(parts, scores, strict=True))
        weights = weights * np.exp(-sign * hypothesis)
        weights /= weights.sum()
        total += hypothesis
        picked.append((column, round(cut, 9)))
    return total, picked


def test_boostexter_is_the_paper_s_algorithm():
    numbers, words, y = example(60, 3, 5, 3)
    scores, picked = by_the_paper(numbers, words.to_dense(), y, rounds=12)
    model = BoosTexter(rounds=12).fit(numbers, words, y)
    assert [(stump.column, round(stump.threshold, 9)) for stump in model.stumps_] == picked
    assert {column >= 3 for column, _ in picked} == {True, False}  # numbers and words both took part
    assert np.allclose(model.scores(numbers, words), scores)


def test_the_training_error_falls_below_the_product_of_z():
    numbers, words, y = example(200, 6, 10, 4)
    model = BoosTexter(rounds=60).fit(numbers, words, y)
    errors = [(stage.argmax(axis=1) != y).mean() for stage in model.staged_scores(numbers, words)]
    assert errors[-1] < 0.2 < errors[0]
    assert np.allclose(list(model.staged_scores(numbers, words))[-1], model.scores(numbers, words))
    assert np.allclose(list(model.staged_scores(numbers, words))[9], model.cut(10).scores(numbers, words))


def test_a_missing_number_makes_its_stumps_abstain():
    numbers, _, y = example(100, 1, 2, 2, missing=0.2)
    model = BoosTexter(rounds=5).fit(numbers, None, y)
    assert (model.scores(np.array([[np.nan]]), None) == 0).all()


def test_thresholds_lie_between_neighbours_even_where_floats_end():
    low = 1.0
    high = np.nextafter(low, 2)
    assert thresholds(np.array([low, high]), 64).tolist() == [low]
    assert thresholds(np.array([-1.5e308, 1.5e308]), 64).tolist() == [0.0]
    assert thresholds(np.array([np.nan, 3.0, 3.0]), 64).tolist() == []
    skewed = np.concatenate([np.zeros(900), np.arange(1, 101)])
    cuts = thresholds(skewed, 10)
    assert cuts[0] == 0.5
    assert len(cuts) <= 9


def test_rounds_and_temperature_come_from_cross_validation_by_groups():
    numbers, words, y = example(150, 4, 8, 3)
    groups = np.arange(150) // 10
    choice = choose_rounds(BoosTexter(rounds=40), numbers, words, y, groups=groups, folds=3)
    assert 1 <= choice.learner.rounds <= 40
    assert choice.errors.shape == (40,)
    assert choice.errors[choice.learner.rounds - 1] == choice.errors.min()
    assert choice.learner.temperature > 1  # boosting is surer of itself than it is right
    again = choose_rounds(BoosTexter(rounds=40), numbers, words, y, groups=groups, folds=3)
    assert again.learner.temperature == choice.learner.temperature
    with pytest.raises(ConfigError, match="folds"):
        choose_rounds(BoosTexter(rounds=4), numbers, words, y, groups=np.zeros(150), folds=3)


def test_a_class_that_a_fold_lacks_does_not_stop_the_choice_of_rounds():
    numbers, words, y = example(60, 4, 8, 3)
    y[:] = np.minimum(y, 1)
    y[0] = 2
    assert choose_rounds(BoosTexter(rounds=5), numbers, words, y, folds=3).learner.rounds >= 1


def test_sixteen_hundred_blocks_and_three_hundred_rounds_take_seconds():
    numbers, words, y = example(1600, 60, 3000, 17)
    started = time.process_time()
    BoosTexter(rounds=300).fit(numbers, words, y)
    assert time.process_time() - started < 15  # about 2 on an idle core


@pytest.mark.parametrize("width", [0, 30], ids=["numbers", "numbers and words"])
@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("classes", [2, 5])
def test_trees_are_lightgbm_s_bit_by_bit(width, missing, classes):
    from scipy.sparse import csr_matrix, hstack

    numbers, words, y = example(400, 8, max(width, 1), classes, missing=missing)
    words = words if width else Words.empty(400)
    model = Trees(rounds=12, leaves=9, least_rows=5).fit(numbers, words, y)
    booster = model.boosted(checked_fit(model, numbers, words, y, None))
    others, new_words, _ = example(333, 8, max(width, 1), classes, seed=7, missing=0.3)
    others[::5, 0] = 0.0
    new_words = new_words if width else Words.empty(333)
    matrix = others if not width else csr_matrix(hstack([csr_matrix(others), csr_matrix(new_words.to_scipy() > 0)]))
    theirs = booster.predict(matrix, raw_score=True)
    assert (model.scores(others, new_words) == theirs).all()
    assert np.allclose(model.predict_proba(others, new_words), booster.predict(matrix), rtol=1e-12)


@pytest.mark.parametrize("rows", [1, 63, 64, 65, 255, 256, 257, 600])
def test_every_number_of_rows_gives_the_same_leaves(rows):
    numbers, words, y = example(600, 5, 6, 3)
    model = Trees(rounds=4, leaves=20, least_rows=2).fit(numbers, words, y)
    whole = model.scores(numbers, words)
    part = np.arange(rows)
    assert (model.scores(numbers[part], words.take(part)) == whole[part]).all()


def test_trees_with_a_loop_or_a_shared_child_are_refused(tmp_path):
    numbers, words, y = example(200, 5, 6, 3)
    model = Trees(rounds=2, leaves=8, least_rows=2).fit(numbers, words, y)
    trees = model.trees_
    for left, right in [(trees.left * 0, trees.right), (trees.right, trees.right), (trees.left - 1, trees.right)]:
        model.trees_ = forest.TreeArrays(
            trees.sizes, trees.column, trees.threshold, trees.is_missing_left, left, right, trees.leaf_value
        )
        model.save(tmp_path)
        with pytest.raises(ModelMismatch, match=r"child|parent|leaf"):
            Trees.load(tmp_path)


def test_a_text_that_is_not_lightgbm_s_is_refused():
    with pytest.raises(ModelMismatch, match="version 4"):
        parsed("tree\nversion=v9\n")


def test_rows_that_one_stump_tells_apart_are_no_trouble():
    numbers = np.random.default_rng(0).normal(size=(40, 1))
    y = np.where(numbers[:, 0] > 0, "above", "below")
    model = BoosTexter(rounds=300).fit(numbers, None, y)
    assert (model.classes_[model.scores(numbers, None).argmax(axis=1)] == y).all()
    assert np.isfinite(model.predict_log_proba(numbers * 9, None)).all()
