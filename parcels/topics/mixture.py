"""The layout mixture (Kovacevic et al. 2003, section 5): one Naive Bayes per constituent, mixed by weights.

p(topic | page) = sum over the constituents i of w_i p_i(topic | page). The weights are rescaled over the constituents
that a page has. Naive Bayes treats every word as independent evidence, so a centre of 500 words is always certain where
a title of five is not. Each constituent's p_i is therefore raised to a power of at most 1, its sharpness.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp

import numpy as np

from parcels.errors import ConfigError
from parcels.learn.learner import Labels, in_order_of
from parcels.learn.naive_bayes import NaiveBayes
from parcels.learn.words import Floats, Words
from parcels.topics.counts import TopicCounts
from parcels.topics.features import CONSTITUENTS, Bag, Constituents
from parcels.topics.joint import Joint

PAPER_WEIGHTS = {
    "header": 0.1, "footer": 0.01, "left": 0.05, "right": 0.04, "centre": 0.5, "title": 0.3,
}  # Kovacevic et al. 2003, section 5.2  # fmt: skip
PAPER_SHARPNESS = dict.fromkeys(CONSTITUENTS, 1.0)  # the paper uses Naive Bayes probabilities unchanged
LEAST = 1e-300  # lower bound of a probability before its logarithm
WHOLE = "whole"


@dataclass(frozen=True)
class TopicPrediction:
    """The prediction for a page: a probability per topic, overall and by constituent."""

    topics: tuple[str, ...]
    proba: Floats
    areas: dict[str, Floats]  # by constituent that the page has

    @property
    def topic(self) -> str:
        """Return the most probable topic."""
        return self.topics[int(self.proba.argmax())]

    def of(self, topic: str) -> float:
        """Return the probability of one topic."""
        return float(self.proba[self.topics.index(topic)])


@dataclass
class LayoutMixture:
    """Six classifiers over one vocabulary, their weights, and a bag-of-words classifier as the baseline."""

    vocabulary: dict[str, int]
    topics: Labels
    parts: dict[str, NaiveBayes]
    whole: NaiveBayes
    weights: dict[str, float] = field(default_factory=lambda: dict(PAPER_WEIGHTS))
    sharpness: dict[str, float] = field(default_factory=lambda: dict(PAPER_SHARPNESS))
    _odds: dict[tuple[str, str], dict[str, float]] = field(
        default_factory=dict, repr=False
    )  # of terms, by topic and part
    _of_page: dict[str, Joint] = field(default_factory=dict, init=False, repr=False)
    _column: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_counts(cls, counts: TopicCounts, *, vocabulary: dict[str, int] | None = None) -> "LayoutMixture":
        """Train a mixture on counts."""
        vocabulary = counts.vocabulary() if vocabulary is None else vocabulary
        topics = sorted(counts.pages)
        parts = {name: NaiveBayes() for name in CONSTITUENTS}
        new = cls(vocabulary, np.array(topics), parts, NaiveBayes())
        new.partial_fit(counts)
        return new

    def partial_fit(self, counts: TopicCounts) -> None:
        """Add the counts of further pages; terms outside the vocabulary are ignored."""
        topics = [str(topic) for topic in self.topics]
        strange = sorted(set(counts.pages) - set(topics))
        if strange:
            raise ConfigError(f"Unknown topic '{strange[0]}'. The model has: {', '.join(topics)}.")
        tables = counts.tables(topics, self.vocabulary)
        pages = np.array([counts.pages[topic] for topic in topics], np.float64)
        for name, occurrences in tables.items():
            self.parts[name].partial_fit(self.topics, pages, occurrences)
        self.whole.partial_fit(self.topics, pages, np.sum(list(tables.values()), axis=0))
        self._odds.clear()
        self._of_page.clear()

    def predict(self, page: Constituents) -> TopicPrediction:
        """Predict the topic of one page, as `by_constituent` and `mix` do for many pages."""
        by_constituent = self._said(page)
        mixed = np.array([self._mixed(by_constituent, column) for column in range(len(self.topics))])
        return TopicPrediction(
            tuple(self.topics.tolist()), mixed, {name: np.array(proba) for name, proba in by_constituent.items()}
        )

    def chance(self, page: Constituents, topic: str) -> float:
        """Return the probability of one topic, as `predict` does."""
        return self._mixed(self._said(page), self._columns()[topic])

    def _said(self, page: Constituents) -> dict[str, list[float]]:
        """Return the tempered topic probabilities by constituent."""
        by_constituent: dict[str, list[float]] = {}
        for name, joint in self._joints().items():
            bag = page.bags.get(name)
            of_topics = joint.of(bag, self.vocabulary) if bag else None
            if of_topics is not None:
                most, power = max(of_topics), self.sharpness[name]
                raised = [exp(power * (one - most)) for one in of_topics]
                total = sum(raised)
                by_constituent[name] = [one / total for one in raised]
        return by_constituent

    def _mixed(self, by_constituent: dict[str, list[float]], column: int) -> float:
        """Return the weighted mean for one topic, or its prior for a page without known words."""
        mixed = total = 0.0
        for name, proba in by_constituent.items():
            mixed += self.weights[name] * proba[column]
            total += self.weights[name]
        if total > 0:
            return mixed / total
        prior = np.exp(self.whole.log_prior_)
        return float(prior[column] / prior.sum())

    def _columns(self) -> dict[str, int]:
        """Return the number of each topic."""
        if not self._column:
            self._column.update({topic: column for column, topic in enumerate(self.topics.tolist())})
        return self._column

    def _joints(self) -> dict[str, Joint]:
        """Return the classifiers for single pages, built once."""
        if not self._of_page:
            self._of_page.update({name: Joint(self.parts[name]) for name in CONSTITUENTS})
        return self._of_page

    def by_constituent(self, pages: Sequence[Constituents]) -> tuple[Floats, Floats]:
        """Return untempered probabilities, page x constituent x topic, and 1 or 0 per constituent that a page has."""
        proba = np.zeros((len(pages), len(CONSTITUENTS), len(self.topics)))
        present = np.zeros((len(pages), len(CONSTITUENTS)))
        for n, name in enumerate(CONSTITUENTS):
            rows = Words.from_counts([page.bags.get(name, Bag()) for page in pages], self.vocabulary)
            present[:, n] = np.diff(rows.starts) > 0
            proba[:, n] = _of_learner(self.parts[name], rows, self.topics)
        return proba, present

    def mix(
        self, proba: Floats, present: Floats, weights: Mapping[str, float] | None = None,
        sharpness: Mapping[str, float] | None = None,
    ) -> Floats:  # fmt: skip
        """Return the mixed probabilities, one row per page; the prior for a page without known words."""
        proba = tempered(proba, self.sharpness if sharpness is None else sharpness)
        weights = self.weights if weights is None else weights
        share = present * np.array([weights[name] for name in CONSTITUENTS])
        total = share.sum(axis=1, keepdims=True)
        mixed: Floats = np.einsum("ni,nit->nt", share / np.where(total > 0, total, 1), proba)
        prior = np.exp(self.whole.log_prior_)
        return np.where(total > 0, mixed, prior / prior.sum())

    def bag_of_words(self, pages: Sequence[Constituents]) -> Floats:
        """Return the probabilities of the baseline: one classifier over all words of each page."""
        rows = Words.from_counts([page.whole() for page in pages], self.vocabulary)
        return _of_learner(self.whole, rows, self.topics)

    def term_log_odds(self, topic: str, *, part: str = "title") -> dict[str, float]:
        """Return the log-odds of each term for a topic against the mean of the others, cached.

        The default `part` is the title, since anchors and headings are short texts like titles.
        """
        known = self._odds.get((topic, part))
        if known is None:
            learner = self.parts[part] if self.parts[part].word_count_.any() else self.whole
            column = int(np.flatnonzero(self.topics == topic)[0])
            others = np.delete(learner.log_word_, column, axis=1)
            most = others.max(axis=1, keepdims=True)
            against = np.log(np.exp(others - most).mean(axis=1)) + most[:, 0]
            values = (learner.log_word_[:, column] - against).tolist()
            known = self._odds[topic, part] = {term: values[place] for term, place in self.vocabulary.items()}
        return known


def tempered(proba: Floats, sharpness: Mapping[str, float]) -> Floats:
    """Return probabilities, page x constituent x topic, each to the power of its constituent's sharpness.

    >>> proba = np.array([[[0.9, 0.1]] * len(CONSTITUENTS)])
    >>> tempered(proba, PAPER_SHARPNESS | {"centre": 0.5})[0, CONSTITUENTS.index("centre")].round(2).tolist()
    [0.75, 0.25]
    """
    powers = np.array([sharpness[name] for name in CONSTITUENTS])
    if (powers == 1).all():
        return proba
    raised: Floats = np.exp(np.log(np.maximum(proba, LEAST)) * powers[:, None])
    total: Floats = np.maximum(raised.sum(axis=2, keepdims=True), LEAST)
    return raised / total


def _of_learner(learner: NaiveBayes, rows: Words, topics: Labels) -> Floats:
    return in_order_of(topics, learner.predict_proba(None, rows), learner.classes_)
