"""Multinomial Naive Bayes over counts of words, with Laplace's prior (McCallum and Nigam 1998)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from parcels.errors import ConfigError
from parcels.learn.learner import Labels, checked_fit, checked_rows, log_softmax
from parcels.learn.stored import Arrays, Reader, Stored
from parcels.learn.words import Floats, Words


@dataclass(eq=False)
class NaiveBayes(Stored):
    """P(class) times the product of P(word | class) over the words.

    Words that occur in no training row are ignored; smoothing alone would make them evidence for the class with fewer
    words. With `row_length`, rows are scaled to equal length, which keeps long rows from extreme probabilities (Nigam
    et al. 2000, section 3.1). The learned values are counts: models of parts of a corpus are merged by adding them.

    >>> words = Words.from_texts([["ball", "goal"], ["vote"], ["goal"]], {"ball": 0, "goal": 1, "vote": 2})
    >>> model = NaiveBayes().fit(None, words, ["sport", "politics", "sport"])
    >>> model.classes_[model.predict_proba(None, words).argmax(axis=1)].tolist()
    ['sport', 'politics', 'sport']
    """

    kind: ClassVar[str] = "naive-bayes"
    reads_numbers: ClassVar[bool] = False
    reads_words: ClassVar[bool] = True
    takes_missing: ClassVar[bool] = False

    smoothing: float = 1.0  # Laplace: one added occurrence of every word in every class
    uses_prior: bool = True  # False: all classes are equally likely a priori
    row_length: float | None = None  # the sum of counts that every row is scaled to; None: no scaling

    classes_: Labels = field(init=False, repr=False)
    n_numbers_: int = field(init=False, repr=False)
    n_words_: int = field(init=False, repr=False)
    class_count_: Floats = field(init=False, repr=False)
    word_count_: Floats = field(init=False, repr=False)

    def fit(
        self,
        numbers: Floats | None,
        words: Words | None,
        y: Sequence[Any] | Labels,
        *,
        sample_weight: Floats | None = None,
    ) -> Self:
        """Count rows and words of each class."""
        training = checked_fit(self, numbers, words, y, sample_weight)
        self._seen(training)
        self.class_count_ = np.bincount(training.y, training.weight, len(training.classes)).astype(np.float64)
        words, entry = self._of_one_length(training.words), training.words.row_of_entry()
        key = training.y[entry] * self.n_words_ + words.columns
        counts = np.bincount(key, words.counts * training.weight[entry], len(self.classes_) * self.n_words_)
        self.word_count_ = counts.reshape(len(self.classes_), self.n_words_).astype(np.float64)
        return self._counted()

    def partial_fit(self, classes: Sequence[Any] | Labels, class_count: Floats, word_count: Floats) -> Self:
        """Add counts made elsewhere (one row of `word_count` per class); new classes are added."""
        labels = np.asarray(classes)
        if class_count.shape != (len(labels),) or word_count.ndim != 2 or len(word_count) != len(labels):
            raise ConfigError(
                f"NaiveBayes.partial_fit needs a count and a row of words for each of {len(labels)} classes"
            )
        if not hasattr(self, "classes_"):
            self.classes_, self.n_numbers_, self.n_words_ = labels[:0], 0, word_count.shape[1]
            self.class_count_, self.word_count_ = np.zeros(0), np.zeros((0, self.n_words_))
        if word_count.shape[1] != self.n_words_:
            raise ConfigError(f"NaiveBayes.partial_fit needs {self.n_words_} words per row, got {word_count.shape[1]}")
        both = np.unique(np.concatenate([self.classes_, labels]))
        total, words = np.zeros(len(both)), np.zeros((len(both), self.n_words_))
        for names, n, m in ((self.classes_, self.class_count_, self.word_count_), (labels, class_count, word_count)):
            np.add.at(total, np.searchsorted(both, names), n)
            np.add.at(words, np.searchsorted(both, names), m)
        self.classes_, self.class_count_, self.word_count_ = both, total, words
        return self._counted()

    def _counted(self) -> Self:
        is_seen = self.word_count_.sum(axis=0) > 0
        smooth = self.word_count_[:, is_seen] + self.smoothing
        self.log_word_ = np.zeros((self.n_words_, len(self.classes_)))  # one row per word, for products with words
        if is_seen.any():
            self.log_word_[is_seen] = (np.log(smooth) - np.log(smooth.sum(axis=1, keepdims=True))).T
        share = self.class_count_ / self.class_count_.sum() if self.uses_prior else np.ones(len(self.classes_))
        self.log_prior_ = np.log(np.maximum(share, np.finfo(float).tiny))
        return self

    def _of_one_length(self, words: Words) -> Words:
        if self.row_length is None:
            return words
        row = words.row_of_entry()
        length = np.maximum(np.bincount(row, words.counts, len(words)), np.finfo(float).tiny)
        return Words(words.starts, words.columns, words.counts * self.row_length / length[row], words.width)

    def log_joint(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return log P(class and words), up to the multinomial coefficient."""
        rows = checked_rows(self, numbers, words, self.n_numbers_, self.n_words_)
        joint: Floats = self._of_one_length(rows.words).dot(self.log_word_) + self.log_prior_
        return joint

    def predict_log_proba(self, numbers: Floats | None, words: Words | None) -> Floats:
        """Return log P(class | words), one column per class."""
        return log_softmax(self.log_joint(numbers, words))

    def _arrays(self) -> Arrays:
        return {"class_count": self.class_count_, "word_count": self.word_count_}

    def _restore(self, header: dict[str, Any], arrays: Reader) -> None:
        classes = len(self.classes_)
        self.class_count_ = arrays.take("class_count", np.float64, (classes,), low=0)
        self.word_count_ = arrays.take("word_count", np.float64, (classes, self.n_words_), low=0)
        if not self.smoothing > 0 or not self.class_count_.sum() > 0:
            raise ValueError("its smoothing or its counts are not greater than 0")
        self._counted()
