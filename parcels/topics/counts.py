"""Counts of terms by topic and constituent: all that training needs. Counts of parts of a corpus can be added."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from parcels.errors import ConfigError
from parcels.learn.words import Floats
from parcels.topics.features import CONSTITUENTS, Constituents

LEAST_PAGES = 2  # pages that must have a term
MOST_TERMS = 50_000  # the most frequent ones


@dataclass
class TopicCounts:
    """Number of pages by topic, and of terms by topic and constituent; `update` adds two of them."""

    pages: Counter[str] = field(default_factory=Counter)  # topic -> pages
    terms: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # topic, constituent, term -> occurrences
    on_pages: Counter[str] = field(default_factory=Counter)  # term -> pages

    def add(self, page: Constituents, topic: str) -> None:
        """Count one page."""
        self.pages[topic] += 1
        for name in CONSTITUENTS:
            for term, count in page.bags.get(name, {}).items():
                self.terms[topic, name, term] += count
        self.on_pages.update(page.whole().keys())

    def update(self, other: "TopicCounts") -> None:
        """Add other counts."""
        self.pages.update(other.pages)
        self.terms.update(other.terms)
        self.on_pages.update(other.on_pages)

    def vocabulary(self, *, least: int = LEAST_PAGES, most: int = MOST_TERMS) -> dict[str, int]:
        """Return the terms for training, in alphabetical order."""
        known = [(-pages, term) for term, pages in self.on_pages.items() if pages >= least]
        return {term: place for place, term in enumerate(sorted(term for _, term in sorted(known)[:most]))}

    def tables(self, topics: list[str], vocabulary: dict[str, int]) -> dict[str, Floats]:
        """Return for each constituent the counts of terms, one row per topic."""
        place = {topic: row for row, topic in enumerate(topics)}
        by_constituent = {name: np.zeros((len(topics), len(vocabulary))) for name in CONSTITUENTS}
        for (topic, name, term), count in self.terms.items():
            column = vocabulary.get(term)
            if column is not None:
                by_constituent[name][place[topic], column] = count
        return by_constituent


def counted(pages: Iterable[tuple[Constituents, str]]) -> TopicCounts:
    """Count pages with their topics.

    >>> page = Constituents({"title": Counter({"cs": 1}), "centre": Counter({"lectur": 2})})
    >>> counts = counted([(page, "course"), (page, "course")])
    >>> counts.pages["course"], counts.terms["course", "centre", "lectur"], counts.vocabulary()
    (2, 4, {'cs': 0, 'lectur': 1})
    """
    counts = TopicCounts()
    for page, topic in pages:
        counts.add(page, topic)
    if not counts.pages:
        raise ConfigError("No page has a topic, so there is nothing to train on. Add pages with topics.")
    return counts
