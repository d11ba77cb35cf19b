"""What has come of links so far: of one group, of one page, of one folder. Their siblings are judged by it."""

import math
from collections.abc import Iterable

import numpy as np

from parcels.learn.words import Floats
from parcels.topics.links.rows import Keys

MOST = 200_000  # keys; the oldest are forgotten
RATE_PAGES = 10.0  # the crawl's own harvest rate is known from so many imagined pages on
FIRST_RATE = 0.1
PRIOR = 1.0  # imagined outcomes of each key, at the crawl's rate


class Tallies:
    """Counts of outcomes a key: how many targets were fetched, and how many of them were on topic, as far as known."""

    def __init__(self) -> None:
        self.seen: dict[int, list[float]] = {}
        self.pages, self.good = 0.0, 0.0
        self.ready()

    @property
    def rate(self) -> float:
        """The share of fetched pages that were on topic."""
        return (self.good + FIRST_RATE * RATE_PAGES) / (self.pages + RATE_PAGES)

    def add(self, keys: Iterable[int], outcome: float) -> None:
        """A target was fetched; `outcome` is the chance that it is on topic."""
        self.pages += 1
        self.good += outcome
        for key in keys:
            found = self.seen.get(key)
            if found is None:
                if len(self.seen) >= MOST:
                    del self.seen[next(iter(self.seen))]
                self.seen[key] = [1.0, outcome]
            else:
                found[0] += 1
                found[1] += outcome

    def ready(self) -> None:
        """The crawl's rate as `of` needs it: to be called after what was added, before links are asked for."""
        rate = self.rate
        self._good, self._bad = PRIOR * rate, PRIOR * (1 - rate)
        self._usual = math.log(rate / (1 - rate))

    def of(self, keys: Keys) -> tuple[float, ...]:
        """How much better or worse than the crawl's rate the siblings of a link did: differences of log-odds."""
        group, page, folder = keys
        return self._difference(group), self._difference(page), self._difference(folder)

    def _difference(self, key: int) -> float:
        found = self.seen.get(key)
        if found is None:
            return 0.0
        pages, good = found[0], found[1]
        return math.log((good + self._good) / (pages - good + self._bad)) - self._usual

    def evidence(self, keys: Iterable[Keys]) -> Floats:
        """The same of many links, a row each.

        >>> tallies = Tallies()
        >>> for outcome in (1, 1, 0.9): tallies.add([7], outcome)
        >>> tallies.evidence([(7, 8, 9)]).round(1).tolist()
        [[2.2, 0.0, 0.0]]
        """
        self.ready()
        return np.array([self.of(of_link) for of_link in keys], np.float64).reshape(-1, 3)
