"""Counts of terms by topic and constituent: all that training needs of the pages, and a sum over any parts of them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from parcels.errors import ConfigError
from parcels.learn.words import Floats
from parcels.topics.constituents import CONSTITUENTS, Constituents

LEAST_PAGES = 2  # that a term stands on: one that a single page has says nothing of another
MOST_TERMS = 50_000  # the most frequent ones


@dataclass
class TopicCounts:
    """Of each topic the pages, and of each constituent the terms; two of them are added by `update`."""

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
        """Add what was counted elsewhere."""
        self.pages.update(other.pages)
        self.terms.update(other.terms)
        self.on_pages.update(other.on_pages)

    def vocabulary(self, *, least: int = LEAST_PAGES, most: int = MOST_TERMS) -> dict[str, int]:
        """The terms that are learned from, in alphabetical order."""
        known = [(-pages, term) for term, pages in self.on_pages.items() if pages >= least]
        return {term: place for place, term in enumerate(sorted(term for _, term in sorted(known)[:most]))}

    def tables(self, topics: list[str], vocabulary: dict[str, int]) -> dict[str, Floats]:
        """Of each constituent the occurrences of terms, a row a topic."""
        place = {topic: row for row, topic in enumerate(topics)}
        found = {name: np.zeros((len(topics), len(vocabulary))) for name in CONSTITUENTS}
        for (topic, name, term), count in self.terms.items():
            column = vocabulary.get(term)
            if column is not None:
                found[name][place[topic], column] = count
        return found


def counted(pages: Iterable[tuple[Constituents, str]]) -> TopicCounts:
    """The counts of pages and their topics.

    >>> page = Constituents({"title": Counter({"cs": 1}), "centre": Counter({"lectur": 2})})
    >>> counts = counted([(page, "course"), (page, "course")])
    >>> counts.pages["course"], counts.terms["course", "centre", "lectur"], counts.vocabulary()
    (2, 4, {'cs': 0, 'lectur': 1})
    """
    counts = TopicCounts()
    for page, topic in pages:
        counts.add(page, topic)
    if not counts.pages:
        raise ConfigError("there is no page with a topic to learn from")
    return counts
