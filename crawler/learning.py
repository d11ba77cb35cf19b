"""A guide that learns while it crawls: what it knows is kept with the crawl, and the queue is put in a new order."""

import time

from crawler.frontier.contract import Frontier
from crawler.guides import LearningGuide
from parcels.errors import ConfigError

KEPT_AS = "guide"
SAVE_SECONDS = 10.0  # what was learned in so many seconds is lost where a process is killed


class Learning:
    """Used by one thread. All processes of a crawl begin with what was kept last, by whichever of them it was."""

    def __init__(self, guide: LearningGuide, frontier: Frontier):
        self.rescored = 0  # addresses that were given another priority
        self._guide, self._frontier = guide, frontier
        self._kept = frontier.kept(KEPT_AS)
        self._saves_at = time.monotonic() + SAVE_SECONDS
        if self._kept is not None:
            try:
                guide.restore(self._kept)
            except ValueError as error:
                raise ConfigError(
                    f"what this crawl had learned cannot be read: {error}. Go on as it was begun, or begin another."
                ) from error

    def tick(self) -> None:
        """Score the queue anew where the guide wants it, and keep what it knows now and then."""
        if self._guide.wants_rescore():
            self.rescored += self._frontier.rescore(self._guide.rescored)
            self.save()
        elif time.monotonic() >= self._saves_at:
            self.save()

    def save(self) -> None:
        """Keep what the guide knows, unless that is what is kept already."""
        state = self._guide.state()
        if state != self._kept:
            self._frontier.keep(KEPT_AS, state)
            self._kept = state
        self._saves_at = time.monotonic() + SAVE_SECONDS
