"""Naive Bayes on the counted words of one page, without arrays that are made for many."""

from typing import Any

import numpy as np

from parcels.learn.naive_bayes import NaiveBayes


class Joint:
    """The logarithm of P(topic and words) by a learner that has learned, as its `log_joint` gives it for many pages."""

    def __init__(self, learner: NaiveBayes) -> None:
        self.prior: list[float] = learner.log_prior_.tolist()
        self.table: Any = learner.log_word_.ravel()  # one word after the other, with one number per topic

    def of(self, words: dict[str, int], vocabulary: dict[str, int]) -> list[float] | None:
        """Return the sum over the known words, one number per topic; None where no word is known."""
        topics = len(self.prior)
        sums: Any = np.zeros(topics)
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
