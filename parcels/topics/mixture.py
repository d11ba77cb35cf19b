"""The layout mixture (Kovacevic et al. 2003, section 5): a Naive Bayes a constituent, mixed by weights.

p(topic | page) = sum over the constituents i of w_i p_i(topic | page). A constituent that a page lacks has no say: the
weights of the others are scaled up. Naive Bayes counts every word as new evidence, so that a centre of 500 words is
always sure where a title of five is not; a sharpness below 1 a constituent, p_i to that power, tempers it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp

import numpy as np

from parcels.errors import ConfigError
from parcels.learn.learner import Labels, in_order_of
from parcels.learn.naive_bayes import NaiveBayes
from parcels.learn.words import Floats, Words
from parcels.topics.constituents import CONSTITUENTS, Bag, Constituents
from parcels.topics.counts import TopicCounts
from parcels.topics.joint import Joint

PAPER_WEIGHTS = {
    "header": 0.1, "footer": 0.01, "left": 0.05, "right": 0.04, "centre": 0.5, "title": 0.3,
}  # Kovacevic et al. 2003, section 5.2  # fmt: skip
PAPER_SHARPNESS = dict.fromkeys(CONSTITUENTS, 1.0)  # the paper takes what Naive Bayes says as it is
LEAST = 1e-300  # a probability whose logarithm can be taken
WHOLE = "whole"


@dataclass(frozen=True)
class Said:
    """What a mixture says of a page: a probability a topic, in all and by constituent."""

    topics: tuple[str, ...]
    proba: Floats
    areas: dict[str, Floats]  # of the constituents that the page has

    @property
    def topic(self) -> str:
        """The most likely topic."""
        return self.topics[int(self.proba.argmax())]

    def of(self, topic: str) -> float:
        """The probability of one topic."""
        return float(self.proba[self.topics.index(topic)])


@dataclass
class LayoutMixture:
    """Six classifiers over one vocabulary, their weights, and the bag of words that they are measured by."""

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
        """The mixture that has seen what was counted."""
        vocabulary = counts.vocabulary() if vocabulary is None else vocabulary
        topics = sorted(counts.pages)
        parts = {name: NaiveBayes() for name in CONSTITUENTS}
        new = cls(vocabulary, np.array(topics), parts, NaiveBayes())
        new.partial_fit(counts)
        return new

    def partial_fit(self, counts: TopicCounts) -> None:
        """Learn from further pages: counts are added. Terms that the vocabulary lacks are passed over."""
        topics = [str(topic) for topic in self.topics]
        strange = sorted(set(counts.pages) - set(topics))
        if strange:
            raise ConfigError(f"the mixture knows no topic '{strange[0]}'; it knows {', '.join(topics)}")
        tables = counts.tables(topics, self.vocabulary)
        pages = np.array([counts.pages[topic] for topic in topics], np.float64)
        for name, occurrences in tables.items():
            self.parts[name].partial_fit(self.topics, pages, occurrences)
        self.whole.partial_fit(self.topics, pages, np.sum(list(tables.values()), axis=0))
        self._odds.clear()
        self._of_page.clear()

    def predict(self, page: Constituents) -> Said:
        """What one page is about: as `by_constituent` and `mix`, without the cost of arrays for many pages."""
        said = self._said(page)
        mixed = np.array([self._mixed(said, column) for column in range(len(self.topics))])
        return Said(tuple(self.topics.tolist()), mixed, {name: np.array(found) for name, found in said.items()})

    def chance(self, page: Constituents, topic: str) -> float:
        """The probability of one topic: what `predict` says of it."""
        return self._mixed(self._said(page), self._columns()[topic])

    def _said(self, page: Constituents) -> dict[str, list[float]]:
        """What the classifiers of a page's constituents say, tempered."""
        said: dict[str, list[float]] = {}
        for name, joint in self._joints().items():
            bag = page.bags.get(name)
            of_topics = joint.of(bag, self.vocabulary) if bag else None
            if of_topics is not None:
                most, power = max(of_topics), self.sharpness[name]
                raised = [exp(power * (one - most)) for one in of_topics]
                total = sum(raised)
                said[name] = [one / total for one in raised]
        return said

    def _mixed(self, said: dict[str, list[float]], column: int) -> float:
        """The weighted mean for one topic; of a page that says nothing, how frequent the topic is."""
        mixed = total = 0.0
        for name, found in said.items():
            mixed += self.weights[name] * found[column]
            total += self.weights[name]
        if total > 0:
            return mixed / total
        guess = np.exp(self.whole.log_prior_)
        return float(guess[column] / guess.sum())

    def _columns(self) -> dict[str, int]:
        """The number of each topic."""
        if not self._column:
            self._column.update({topic: column for column, topic in enumerate(self.topics.tolist())})
        return self._column

    def _joints(self) -> dict[str, Joint]:
        """The classifiers as one page needs them; made once for all pages of a crawl."""
        if not self._of_page:
            self._of_page.update({name: Joint(self.parts[name]) for name in CONSTITUENTS})
        return self._of_page

    def by_constituent(self, pages: Sequence[Constituents]) -> tuple[Floats, Floats]:
        """What each classifier says, untempered, page x constituent x topic; 1 or 0 for the constituents of a page."""
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
        """The mixture of what the constituents say, a row a page; a page without any is anybody's guess."""
        proba = tempered(proba, self.sharpness if sharpness is None else sharpness)
        weights = self.weights if weights is None else weights
        share = present * np.array([weights[name] for name in CONSTITUENTS])
        total = share.sum(axis=1, keepdims=True)
        mixed: Floats = np.einsum("ni,nit->nt", share / np.where(total > 0, total, 1), proba)
        guess = np.exp(self.whole.log_prior_)
        return np.where(total > 0, mixed, guess / guess.sum())

    def bag_of_words(self, pages: Sequence[Constituents]) -> Floats:
        """The baseline: one classifier over all words of each page, wherever they stand."""
        rows = Words.from_counts([page.whole() for page in pages], self.vocabulary)
        return _of_learner(self.whole, rows, self.topics)

    def term_log_odds(self, topic: str, *, part: str = "title") -> dict[str, float]:
        """What each term says for a topic against the mean of the others; made once for all pages of a crawl.

        Short texts (anchors, headings) are read as titles are: in few words, what something is about.
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
    """Probabilities, page x constituent x topic, each to the power of its constituent's sharpness.

    >>> said = np.array([[[0.9, 0.1]] * len(CONSTITUENTS)])
    >>> tempered(said, PAPER_SHARPNESS | {"centre": 0.5})[0, CONSTITUENTS.index("centre")].round(2).tolist()
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
