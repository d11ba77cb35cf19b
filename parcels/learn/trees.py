"""Gradient boosted trees: fitted by LightGBM, stored as arrays, evaluated without it.

LightGBM is preferred to scikit-learn's HistGradientBoosting: it fits faster, accepts sparse words, and exports trees in
a documented text format.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from parcels.errors import ConfigError, ModelMismatch
from parcels.learn import forest
from parcels.learn.learner import Labels, Training, checked_fit, checked_rows, log_softmax, softmax
from parcels.learn.stored import Arrays, Reader, Stored
from parcels.learn.words import Floats, Words

LEFT_WHEN_MISSING, MISSING_IS_NAN = 2, 8  # bits of LightGBM's decision_type (Tree::GetDecisionType)
CATEGORY, MISSING_IS_ZERO = 1, 4


@dataclass(eq=False)
class Trees(Stored):
    """One sum of small trees per class. A missing number goes to the side that fits best; words are present or absent.

    >>> numbers = np.repeat(np.arange(6.0), 10)[:, None]
    >>> model = Trees(rounds=5).fit(numbers, None, np.repeat(["low", "high"], 30))
    >>> model.classes_[model.predict_proba(np.array([[0.5], [4.5]]), None).argmax(axis=1)].tolist()
    ['low', 'high']
    """

    kind: ClassVar[str] = "trees"
    reads_numbers: ClassVar[bool] = True
    reads_words: ClassVar[bool] = True
    takes_missing: ClassVar[bool] = True
    is_softmax: ClassVar[bool] = True  # predict_proba is the softmax of scores

    rounds: int = 100
    leaves: int = 15
    rate: float = 0.1
    least_rows: int = 10  # of a leaf
    ridge: float = 1.0  # lambda_l2
    column_share: float = 1.0  # of the columns, drawn anew for each tree
    row_share: float = 1.0  # of the rows, drawn anew each round
    bins: int = 63
    seed: int = 0
    threads: int = 1

    classes_: Labels = field(init=False, repr=False)
    n_numbers_: int = field(init=False, repr=False)
    n_words_: int = field(init=False, repr=False)
    trees_: forest.TreeArrays = field(init=False, repr=False)

    def fit(
        self,
        numbers: Floats | None,
        words: Words | None,
        y: Sequence[Any] | Labels,
        *,
        sample_weight: Floats | None = None,
    ) -> Self:
        """Boost trees with LightGBM. With one class or no columns, the model is the class frequencies."""
        if not 2 <= self.leaves <= forest.MOST_LEAVES or self.rounds < 1:
            raise ConfigError(f"{self}: leaves must be from 2 to {forest.MOST_LEAVES} and rounds at least 1")
        training = checked_fit(self, numbers, words, y, sample_weight)
        self._seen(training)
        share = np.bincount(training.y, training.weight) / training.weight.sum()
        self.trees_ = _constant(np.log(share))
        if len(share) > 1 and self.n_numbers_ + self.n_words_:
            self.trees_ = parsed(self.boosted(training).model_to_string())
        return self._compiled()

    def boosted(self, training: Training) -> Any:
        """Return the LightGBM booster."""
        import lightgbm
        from scipy.sparse import csr_array, hstack  # type: ignore[import-untyped]

        matrix: Any = training.numbers
        if self.n_words_:
            matrix = hstack([csr_array(training.numbers), training.words.present().to_scipy()], format="csr")
        settings = {
            "objective": "multiclass",
            "num_class": len(training.classes),
            "num_leaves": self.leaves,
            "learning_rate": self.rate,
            "min_data_in_leaf": self.least_rows,
            "lambda_l2": self.ridge,
            "feature_fraction": self.column_share,
            "bagging_fraction": self.row_share,
            "bagging_freq": int(self.row_share < 1),
            "max_bin": self.bins,
            "seed": self.seed,
            "num_threads": self.threads,
            "deterministic": True,
            "force_col_wise": True,
            "verbosity": -1,
        }
        data = lightgbm.Dataset(matrix, training.y, weight=training.weight, params=settings)
        return lightgbm.train(settings, data, self.rounds)

    def _compiled(self) -> Self:
        self.forest_ = forest.Forest(self.trees_, len(self.classes_), self.n_numbers_)
        return self

    def scores(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return the sums of the trees' values, one column per class."""
        rows = checked_rows(self, numbers, words, self.n_numbers_, self.n_words_)
        return self.forest_.sums(rows.numbers, rows.words)

    def predict_log_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return log-probabilities, one column per class."""
        return log_softmax(self.scores(numbers, words))

    def predict_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return probabilities, one column per class."""
        return softmax(self.scores(numbers, words))

    def _arrays(self) -> Arrays:
        arrays = {name: getattr(self.trees_, name) for name in forest.TreeArrays.__dataclass_fields__}
        return arrays | {"outputs": np.array([len(self.classes_)])}

    def _restore(self, header: dict[str, Any], arrays: Reader) -> None:
        sizes = arrays.take("sizes", np.int64, (None,), low=0, high=forest.MOST_LEAVES - 1)
        nodes = (int(sizes.sum()),)
        arrays.take("outputs", np.int64, (1,), low=len(self.classes_), high=len(self.classes_))
        if not len(sizes) or len(sizes) % len(self.classes_):
            raise ModelMismatch(f"it has {len(sizes)} trees for {len(self.classes_)} classes")
        self.trees_ = forest.TreeArrays(
            sizes,
            arrays.take("column", np.int64, nodes, low=0, high=self.n_numbers_ + self.n_words_ - 1),
            arrays.take("threshold", np.float64, nodes),
            arrays.take("is_missing_left", np.bool_, nodes),
            arrays.take("left", np.int64, nodes),
            arrays.take("right", np.int64, nodes),
            arrays.take("leaf_value", np.float64, (nodes[0] + len(sizes),)),
        )
        if (fault := self.trees_.fault()) is not None:
            raise ModelMismatch(fault)
        self._compiled()


def parsed(text: str) -> forest.TreeArrays:
    """Return the trees of a LightGBM model in its text format, version 4."""
    parts = [dict(line.split("=", 1) for line in part.splitlines() if "=" in line) for part in text.split("\nTree=")]
    if not text.startswith("tree\nversion=v4\n"):
        raise ModelMismatch("this is not LightGBM's text format, version 4: install lightgbm 4")
    trees = parts[1:]

    def read(name: str, dtype: type) -> Any:
        return np.array([word for tree in trees for word in tree.get(name, "").split()]).astype(dtype)

    decision, threshold = read("decision_type", np.int64), read("threshold", np.float64)
    if (decision & (CATEGORY | MISSING_IS_ZERO)).any():
        raise ModelMismatch("a tree splits by categories or treats zero as missing, which is not supported")
    # Where the training rows had no missing number, LightGBM treats missing numbers as 0.
    is_left = np.where(decision & MISSING_IS_NAN, decision & LEFT_WHEN_MISSING, threshold >= 0) > 0
    sizes = np.array([int(tree["num_leaves"]) - 1 for tree in trees], np.int64)
    left, right = read("left_child", np.int64), read("right_child", np.int64)
    values = read("leaf_value", np.float64)
    return forest.TreeArrays(sizes, read("split_feature", np.int64), threshold, is_left, left, right, values)


def _constant(scores: Floats) -> forest.TreeArrays:
    """Return trees of one leaf each."""
    none = np.zeros(0, np.int64)
    return forest.TreeArrays(np.zeros(len(scores), np.int64), none, np.zeros(0), np.zeros(0, bool), none, none, scores)
