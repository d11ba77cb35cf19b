"""Naive Bayes on the counted words of one page, without arrays that are made for many."""

from typing import Any

import numpy as np

from parcels.learn.naive_bayes import NaiveBayes
from parcels.learn.words import Floats

IS_COMPILED = not __file__.endswith(".py")


class Joint:
    """The logarithm of P(topic and words) by a learner that has learned, as its `log_joint` gives it for many pages."""

    def __init__(self, learner: NaiveBayes) -> None:
        self.prior: list[float] = learner.log_prior_.tolist()
        table = learner.log_word_.ravel()  # a word after the other, of each a number a topic
        self.table: Any = table if IS_COMPILED else table.tolist()

    def of(self, words: dict[str, int], vocabulary: dict[str, int]) -> list[float] | None:
        """The sum over the known words, a number a topic; None where no word is known."""
        topics = len(self.prior)
        sums: Any = sums_of(topics)
        is_known = False
        counted = dict(words)  # compiled, a plain dict is gone through faster than a Counter
        for word, count in counted.items():
            place = vocabulary.get(word, -1)
            if place >= 0:
                is_known = True
                place *= topics
                for topic in range(topics):
                    sums[topic] += count * self.table[place + topic]
        return [total + prior for total, prior in zip(sums, self.prior, strict=True)] if is_known else None


def sums_of(topics: int) -> "Floats | list[float]":
    """Zeros to add to: an array where this is compiled, a list where it is not."""
    return np.zeros(topics) if IS_COMPILED else [0.0] * topics
