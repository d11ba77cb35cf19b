"""Outcomes of fetched links by group, page and folder, as evidence for their siblings."""

import math
from collections.abc import Iterable

import numpy as np

from parcels.learn.words import Floats
from parcels.topics.links.rows import Keys

MOST = 200_000  # keys; the oldest are dropped
RATE_PAGES = 10.0  # pseudo-pages behind FIRST_RATE
FIRST_RATE = 0.1
PRIOR = 1.0  # pseudo-outcomes per key, at the crawl's rate


class Tallies:
    """Counts per key: fetched targets, and the sum of their probabilities to be on topic."""

    def __init__(self) -> None:
        self.seen: dict[int, list[float]] = {}
        self.pages, self.good = 0.0, 0.0
        self.ready()

    @property
    def rate(self) -> float:
        """Return the smoothed share of fetched pages that were on topic."""
        return (self.good + FIRST_RATE * RATE_PAGES) / (self.pages + RATE_PAGES)

    def add(self, keys: Iterable[int], outcome: float) -> None:
        """Count a fetched target; `outcome` is the probability that it is on topic."""
        self.pages += 1
        self.good += outcome
        for key in keys:
            counts = self.seen.get(key)
            if counts is None:
                if len(self.seen) >= MOST:
                    del self.seen[next(iter(self.seen))]
                self.seen[key] = [1.0, outcome]
            else:
                counts[0] += 1
                counts[1] += outcome

    def ready(self) -> None:
        """Update the crawl's rate for `of`; call it after `add` and before `of`."""
        rate = self.rate
        self._good, self._bad = PRIOR * rate, PRIOR * (1 - rate)
        self._usual = math.log(rate / (1 - rate))

    def of(self, keys: Keys) -> tuple[float, ...]:
        """Return the log-odds of a link's siblings relative to the crawl's rate, by group, page and folder."""
        group, page, folder = keys
        return self._difference(group), self._difference(page), self._difference(folder)

    def _difference(self, key: int) -> float:
        counts = self.seen.get(key)
        if counts is None:
            return 0.0
        pages, good = counts[0], counts[1]
        return math.log((good + self._good) / (pages - good + self._bad)) - self._usual

    def evidence(self, keys: Iterable[Keys]) -> Floats:
        """Return one row of `of` per link.

        >>> tallies = Tallies()
        >>> for outcome in (1, 1, 0.9): tallies.add([7], outcome)
        >>> tallies.evidence([(7, 8, 9)]).round(1).tolist()
        [[2.2, 0.0, 0.0]]
        """
        self.ready()
        return np.array([self.of(of_link) for of_link in keys], np.float64).reshape(-1, 3)
