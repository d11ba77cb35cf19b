"""Naive Bayes for one page at a time, without the arrays that `NaiveBayes` builds for many pages."""

from typing import Any

import numpy as np

from parcels.learn.naive_bayes import NaiveBayes


class Joint:
    """The log joint probability of topic and words, as a fitted `NaiveBayes` computes it for many pages."""

    def __init__(self, learner: NaiveBayes) -> None:
        self.prior: list[float] = learner.log_prior_.tolist()
        self.table: Any = learner.log_word_.ravel()  # one number per topic for each word in turn

    def of(self, words: dict[str, int], vocabulary: dict[str, int]) -> list[float] | None:
        """Return one number per topic, or None where the vocabulary has none of the words."""
        topics = len(self.prior)
        sums: Any = np.zeros(topics)
        is_known = False
        counted = dict(words)  # compiled code iterates a plain dict faster than a Counter
        for word, count in counted.items():
            place = vocabulary.get(word, -1)
            if place >= 0:
                is_known = True
                place *= topics
                for topic in range(topics):
                    sums[topic] += count * self.table[place + topic]
        return [total + prior for total, prior in zip(sums, self.prior, strict=True)] if is_known else None
