"""Rows of words and numbers: counting them, their products with weights, and the leaves of trees that they reach."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from parcels.learn import forest, linear
from parcels.learn.products import add_product
from parcels.learn.words import Words

SIZES = (0, 1, 3, 4, 5, 20, 50)  # of the longest row


def same(one, two):
    return one.dtype == two.dtype and one.shape == two.shape and one.tobytes() == two.tobytes()


def random_words(draws, rows, width, most):
    sizes = draws.integers(0, most, rows)
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return Words(starts, draws.integers(0, width, starts[-1]), draws.integers(1, 5, starts[-1]) / 3, width)


@pytest.mark.parametrize("most", SIZES)
def test_products_of_words_are_those_of_the_whole_matrix(most):
    draws = np.random.default_rng(most)
    given, weights = distinct_words(draws, 9, 50, most), draws.standard_normal((50, 16))
    np.testing.assert_allclose(given.dot(weights), given.to_dense() @ weights, atol=1e-12)
    assert given.dot(np.zeros((50, 0))).shape == (9, 0)


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 48])
def test_products_of_numbers_are_those_of_numpy(count):
    draws = np.random.default_rng(count)
    rows, weights, sums = draws.standard_normal((7, count)), draws.standard_normal((count, 5)), np.ones((7, 5))
    add_product(rows, weights, sums)
    np.testing.assert_allclose(sums, rows @ weights + 1, atol=1e-12)


def test_products_refuse_what_does_not_fit():
    given = Words(np.array([0, 1]), np.array([3]), np.ones(1), 4)
    for weights in (np.zeros((3, 2)), np.zeros((0, 2))):
        with pytest.raises(ValueError, match="no column 3"):
            given.dot(weights)
    with pytest.raises(ValueError, match="entries 0 to 2"):
        Words(np.array([0, 2]), np.array([3]), np.ones(1), 4).dot(np.zeros((4, 2)))
    with pytest.raises(ValueError, match="do not fit"):
        add_product(np.zeros((2, 3)), np.zeros((2, 2)), np.zeros((2, 2)))


def distinct_words(draws, rows, width, most):
    columns = [np.sort(draws.permutation(width)[: draws.integers(0, most + 1)]) for _ in range(rows)]
    starts = np.concatenate([[0], np.cumsum([len(row) for row in columns])]).astype(np.int64)
    return Words(starts, np.concatenate(columns), draws.integers(1, 5, starts[-1]) / 3, width)


def by_word(given, vocabulary):
    """Return the words of each row, with their counts."""
    names = {column: word for word, column in vocabulary.items()}
    return [
        {names[int(given.columns[at])]: float(given.counts[at]) for at in range(first, end)}
        for first, end in pairwise(given.starts.tolist())
    ]


def a_vocabulary(draws, size):
    return {f"w{n}": int(place) for n, place in enumerate(draws.permutation(size))}


def test_counts_and_sets_become_rows():
    draws = np.random.default_rng(0)
    vocabulary = a_vocabulary(draws, 400)
    names = [[f"w{n}" for n in draws.integers(0, 500, size)] for size in (0, 3, 40, 200, 900)]
    sets, counts = [set(row) for row in names], [{word: len(word) for word in row} for row in names]
    for rows in (sets, counts, [*sets, *counts], []):
        given = Words.from_counts(rows, vocabulary)
        assert by_word(given, vocabulary) == [
            {word: row[word] if isinstance(row, dict) else 1 for word in row if word in vocabulary} for row in rows
        ]
        assert given.width == 400


def test_tokens_become_rows():
    draws = np.random.default_rng(1)
    vocabulary, tokens = a_vocabulary(draws, 3000), [f"w{n}" for n in draws.integers(0, 5000, 9000)]
    begin, is_counted = np.array([0, 0, 5, 700, 9000]), draws.random(9000) < 0.8
    column_of = np.array([vocabulary.get(token, -1) for token in tokens], np.int32)
    given = Words.from_tokens(column_of, is_counted, begin, len(vocabulary))
    assert by_word(given, vocabulary) == [
        Counter(tokens[at] for at in range(first, end) if is_counted[at] and tokens[at] in vocabulary)
        for first, end in pairwise(begin.tolist())
    ]
    assert (given.starts.dtype, given.columns.dtype, given.counts.dtype) == (np.int64, np.int64, np.float64)
    assert given.width == 3000


def test_tokens_behind_the_last_are_refused():
    with pytest.raises(IndexError):
        Words.from_tokens(np.array([0], np.int32), np.ones(1, bool), np.array([0, 2]), 1)


def test_columns_behind_the_vocabulary_are_refused():
    with pytest.raises(IndexError):
        Words.from_tokens(np.array([1], np.int32), np.ones(1, bool), np.array([0, 1]), 1)
    with pytest.raises(IndexError):
        Words.from_parts([[("red",)]], {"red": 1})


def test_tuples_of_words_become_rows():
    draws = np.random.default_rng(2)
    vocabulary = a_vocabulary(draws, 3000)
    parts = [tuple(f"w{n}" for n in draws.integers(0, 5000, size)) for size in draws.integers(0, 12, 3000)]
    rows = [[parts[n] for n in draws.integers(0, len(parts), size)] for size in (0, 1, 30, 900, 5000)]
    given = Words.from_parts(rows, vocabulary)
    assert by_word(given, vocabulary) == [
        {word: 1 for part in row for word in part if word in vocabulary} for row in rows
    ]
    assert np.diff(given.starts).tolist() == [len(row) for row in by_word(given, vocabulary)]
    assert len(Words.from_parts([], vocabulary)) == 0


def test_scores_of_a_linear_learner_do_not_depend_on_the_rows_beside():
    draws = np.random.default_rng(0)
    rows, given = draws.standard_normal((30, 7)), distinct_words(draws, 30, 50, 20)
    learner = linear.Linear(most_steps=3).fit(rows, given, draws.integers(0, 3, 30))
    scores = learner.scores(rows, given)
    for row in range(30):
        alone = learner.scores(rows[row : row + 1], given.take(np.array([row])))
        assert same(alone, scores[row : row + 1])


@pytest.mark.parametrize("most", SIZES)
def test_words_stand_beside_each_other(most):
    draws = np.random.default_rng(most)
    first, second = distinct_words(draws, 9, 50, most), distinct_words(draws, 9, 20, min(most, 20))
    both = first.and_beside(second)
    np.testing.assert_array_equal(both.to_dense(), np.concatenate([first.to_dense(), second.to_dense()], axis=1))
    assert both.width == 70


@pytest.mark.parametrize("rows", [0, 1, 63, 64, 65, 200])
def test_forests_add_the_leaves_that_rows_reach(rows):
    draws = np.random.default_rng(rows)
    trees = random_trees(draws, trees=40, columns=12)
    numbers = draws.integers(0, 5, (rows, 8)) / 2
    numbers[draws.random(numbers.shape) < 0.1] = np.nan
    given = random_words(draws, rows, 4, 4)
    values = np.concatenate([numbers, given.to_dense() > 0], axis=1)
    expected = [[sum(leaf(trees, tree, row) for tree in range(output, 40, 4)) for output in range(4)] for row in values]
    found = forest.Forest(trees, 4, 8).sums(numbers, given)
    np.testing.assert_allclose(found, np.reshape(expected, (rows, 4)), atol=1e-12)


def leaf(trees, tree, row):
    """Return the value of the leaf of one tree that one row reaches, node by node."""
    start, node = int(trees.sizes[:tree].sum()), 0 if trees.sizes[tree] else -1
    while node >= 0:
        at = start + node
        value = row[trees.column[at]]
        is_left = trees.is_missing_left[at] if np.isnan(value) else value <= trees.threshold[at]
        if trees.column[at] >= 8:
            is_left = value == 0
        node = int((trees.left if is_left else trees.right)[at])
    return trees.leaf_value[start + tree + ~node]


def random_trees(draws, *, trees, columns):
    sizes = draws.integers(0, 15, trees)
    sizes[0] = 0
    left, right = [], []
    for size in sizes.tolist():
        children = [[None, None] for _ in range(size)]
        free = [(0, 0), (0, 1)] if size else []
        for node in range(1, size):
            parent, side = free.pop(int(draws.integers(len(free))))
            children[parent][side] = node
            free += [(node, 0), (node, 1)]
        for leaf, (parent, side) in enumerate(free):
            children[parent][side] = ~leaf
        left += [child[0] for child in children]
        right += [child[1] for child in children]
    count = int(sizes.sum())
    found = forest.TreeArrays(
        sizes,
        draws.integers(0, columns, count),
        draws.integers(0, 5, count) / 2,
        draws.random(count) < 0.5,
        np.array(left, np.int64),
        np.array(right, np.int64),
        draws.standard_normal(count + trees),
    )
    assert found.fault() is None
    return found
