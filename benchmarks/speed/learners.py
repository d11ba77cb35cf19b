"""Speed of the learners, beside the libraries' own, on made-up rows of the size of news17.

`OMP_NUM_THREADS=1 python -m benchmarks.speed.learners [--rows 32000]`: 100 numbers (some missing), 20 words of 5,000 a
row, 17 classes. Fitting is timed once, in seconds of CPU; predicting a page of 170 rows is the best of several turns,
in ms of CPU.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.speed.timing import cpu_ms
from parcels.learn.boostexter import BoosTexter
from parcels.learn.learner import Features, checked_fit
from parcels.learn.linear import Linear
from parcels.learn.naive_bayes import NaiveBayes
from parcels.learn.trees import Trees
from parcels.learn.words import Words

COLUMNS, WIDTH, WORDS_A_ROW, CLASSES = 100, 5000, 20, 17
PAGE = 170  # blocks of a news page, on average
STUMPS, ROUNDS, LEAVES = 100, 40, 15
REPEATS = 30


def made_up(rows: int, *, seed: int = 0) -> tuple[Features, np.ndarray]:
    """Classes as uneven as blocks are, told apart by a few numbers and words."""
    random = np.random.default_rng(seed)
    shares = 0.75 ** np.arange(CLASSES)
    y = random.choice(CLASSES, rows, p=shares / shares.sum())
    numbers = random.normal(size=(rows, COLUMNS)).round(3)
    numbers[:, :20] += 0.7 * np.random.default_rng(99).normal(size=(CLASSES, 20))[y]
    numbers[:, :10] = np.maximum(numbers[:, :10], 0).round(1)  # many features are counts and shares, mostly zero
    numbers[random.random(numbers.shape) < 0.03] = np.nan
    columns = (random.random((rows, WORDS_A_ROW)) ** 3 * WIDTH).astype(np.int64)
    columns[:, :2] = 100 + y[:, None] * 40 + random.integers(0, 40, (rows, 2))
    columns = np.sort(columns, axis=1)
    is_first = np.concatenate([np.ones((rows, 1), bool), columns[:, 1:] != columns[:, :-1]], axis=1)
    starts = np.concatenate([[0], is_first.sum(axis=1).cumsum()])
    return Features(numbers, Words(starts, columns[is_first], np.ones(is_first.sum()), WIDTH)), y


def filled(rows: Features) -> Features:
    return Features(np.nan_to_num(rows.numbers), rows.words)


def seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    started = time.process_time()
    result = function()
    return time.process_time() - started, result


def compared(
    name: str,
    ours: tuple[str, float, Callable[[], Any], Any],
    theirs: list[tuple[str, float, Callable[[], Any], Any]],
    gold: np.ndarray,
) -> None:
    """One learner and its peers: seconds to fit, ms to predict a page, error on other rows."""
    every = [ours, *theirs]
    turns = {title: lambda _, predict=predict: predict() for title, _, predict, _ in every}
    page = cpu_ms(turns, [None], repeats=REPEATS)
    print(name)
    for title, fit, _, answer in every:
        error = "" if answer is None else f"{100 * (answer != gold).mean():6.1f} %"
        print(f"  {title:46} fit {fit:7.1f} s   page {page[title]:7.2f} ms   error {error}")


def matrix(rows: Features, *, is_present: bool = True) -> Any:
    from scipy.sparse import csr_matrix, hstack

    words = rows.words.present() if is_present else rows.words
    return csr_matrix(hstack([csr_matrix(rows.numbers), csr_matrix(words.to_scipy())]))


def best(proba: np.ndarray) -> np.ndarray:
    return proba.argmax(axis=1)


def boostexter(rows: Features, y: np.ndarray, others: Features, page: Features, gold: np.ndarray) -> None:
    from sklearn.ensemble import AdaBoostClassifier

    fit, model = seconds(lambda: BoosTexter(rounds=STUMPS).fit(rows.numbers, rows.words, y))
    answer = best(model.scores(others.numbers, others.words))
    ours = f"BoosTexter, {STUMPS} rounds", fit, lambda: model.predict_proba(page.numbers, page.words), answer
    few = STUMPS // 20
    numbers, other_numbers, page_numbers = (filled(part).numbers for part in (rows, others, page))
    fit, peer = seconds(lambda: AdaBoostClassifier(n_estimators=few, random_state=0).fit(numbers, y))
    title = f"scikit-learn AdaBoost, {few} rounds, no words"
    theirs = title, fit, lambda: peer.predict_proba(page_numbers), peer.predict(other_numbers)
    compared("boosted stumps", ours, [theirs], gold)


def trees(rows: Features, y: np.ndarray, others: Features, page: Features, gold: np.ndarray) -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier

    numbers = Features.of(rows.numbers)
    fit, model = seconds(lambda: Trees(rounds=ROUNDS, leaves=LEAVES).fit(numbers.numbers, None, y))
    booster = model.boosted(checked_fit(model, numbers.numbers, None, y, None))
    assert (model.scores(others.numbers, None) == booster.predict(others.numbers, raw_score=True)).all()
    answer = best(model.scores(others.numbers, None))
    ours = f"Trees, {ROUNDS} rounds", fit, lambda: model.predict_proba(page.numbers, None), answer
    light = "LightGBM itself", fit, lambda: booster.predict(page.numbers, num_threads=1), answer
    settings = {"max_iter": ROUNDS, "max_leaf_nodes": LEAVES, "max_bins": 63, "early_stopping": False}
    fit, peer = seconds(lambda: HistGradientBoostingClassifier(**settings).fit(rows.numbers, y))
    hist = "HistGradientBoosting", fit, lambda: peer.predict_proba(page.numbers), peer.predict(others.numbers)
    compared(f"gradient boosting, numbers alone, {LEAVES} leaves", ours, [light, hist], gold)
    fit, wide = seconds(lambda: Trees(rounds=ROUNDS, leaves=LEAVES).fit(rows.numbers, rows.words, y))
    answer = best(wide.scores(others.numbers, others.words))
    booster = wide.boosted(checked_fit(wide, rows.numbers, rows.words, y, None))
    sparse = matrix(page)
    ours = "Trees with words", fit, lambda: wide.predict_proba(page.numbers, page.words), answer
    light = "LightGBM itself", fit, lambda: booster.predict(sparse, num_threads=1), answer
    compared("gradient boosting, numbers and words", ours, [light], gold)


def linear(rows: Features, y: np.ndarray, others: Features, page: Features, gold: np.ndarray) -> None:
    from sklearn.linear_model import LogisticRegression

    rows, others, page = filled(rows), filled(others), filled(page)
    fit, model = seconds(lambda: Linear(most_steps=100).fit(rows.numbers, rows.words, y))
    answer = best(model.scores(others.numbers, others.words))
    ours = f"Linear, {model.steps_} steps", fit, lambda: model.predict_proba(page.numbers, page.words), answer
    sparse = matrix(page)
    peer = LogisticRegression(max_iter=1).fit(matrix(rows)[:500], y[:500])
    theirs = "scikit-learn LogisticRegression (it fits ours)", fit, lambda: peer.predict_proba(sparse), None
    compared("logistic regression", ours, [theirs], gold)


def naive_bayes(rows: Features, y: np.ndarray, others: Features, page: Features, gold: np.ndarray) -> None:
    from scipy.sparse import csr_matrix
    from sklearn.naive_bayes import MultinomialNB

    fit, model = seconds(lambda: NaiveBayes().fit(None, rows.words, y))
    answer = best(model.log_joint(None, others.words))
    ours = "NaiveBayes", fit, lambda: model.predict_proba(None, page.words), answer
    counts, other, one = (csr_matrix(part.words.to_scipy()) for part in (rows, others, page))
    fit, peer = seconds(lambda: MultinomialNB().fit(counts, y))
    theirs = "scikit-learn MultinomialNB", fit, lambda: peer.predict_proba(one), peer.predict(other)
    compared("Naive Bayes, words alone", ours, [theirs], gold)


def main(arguments: list[str] | None = None) -> bool:
    import warnings

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=32_000)
    options = parser.parse_args([] if arguments is None else arguments)
    warnings.simplefilter("ignore")
    rows, y = made_up(options.rows)
    others, gold = made_up(4000, seed=1)
    page = others.take(np.arange(PAGE))
    print(f"{options.rows} rows, {COLUMNS} numbers, {WIDTH} words, {CLASSES} classes; a page is {PAGE} rows")
    for benchmark in (boostexter, trees, linear, naive_bayes):
        benchmark(rows, y, others, page, gold)
    return True


if __name__ == "__main__":
    import sys

    raise SystemExit(0 if main(sys.argv[1:]) else 4)
