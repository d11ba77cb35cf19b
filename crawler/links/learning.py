"""A guide that learns while it crawls: what it knows is kept with the crawl, and the queue is put in a new order."""

import time
from collections import Counter
from collections.abc import Sequence

from crawler.frontier.contract import Frontier, Offer
from crawler.links.policy import LearningLinkPolicy, ReportingLinkPolicy
from parcels.errors import ConfigError

KEPT_AS = "guide"
SAVE_SECONDS = 10.0  # what was learned in so many seconds is lost where a process is killed
REST_SECONDS = 2.0  # after a save none follows before, though the queue of a fast crawl is put in order more often
BANDS = (0.5, 0.1, 0.0)  # the least priorities by which the queue is told


class Learning:
    """Used by one thread. All processes of a crawl begin with what was kept last, by whichever of them it was."""

    def __init__(self, link_policy: LearningLinkPolicy, frontier: Frontier):
        self.rescored = 0  # addresses that were given another priority
        self.queue: Counter[float] = Counter()  # addresses by band, when the queue was last put in order
        self._link_policy, self._frontier = link_policy, frontier
        self._kept = frontier.load_value(KEPT_AS)
        self._saves_at, self._may_save_at = time.monotonic() + SAVE_SECONDS, 0.0
        if self._kept is not None:
            try:
                link_policy.restore(self._kept)
            except ValueError as error:
                raise ConfigError(
                    f"what this crawl had learned cannot be read: {error}. Go on as it was begun, or begin another."
                ) from error

    def tick(self) -> None:
        """Score the queue anew where the guide wants it, and keep what it knows now and then."""
        saves_at = self._saves_at
        if self._link_policy.wants_rescore():
            self.queue.clear()
            self.rescored += self._frontier.rescore(self._scored)
            saves_at = self._may_save_at
        if time.monotonic() >= saves_at:
            self.save()

    def _scored(self, offers: Sequence[Offer]) -> Sequence[float]:
        priorities = self._link_policy.rescored(offers)
        self.queue.update(next((least for least in BANDS if one >= least), BANDS[-1]) for one in priorities)
        return priorities

    def told(self) -> list[str]:
        """What the guide says of the crawl, and the queue by score."""
        parts = self._link_policy.told() if isinstance(self._link_policy, ReportingLinkPolicy) else []
        if self.queue:
            bands = ", ".join(f"{self.queue[least]:,} of {least:g}+" for least in BANDS)
            parts.append(f"queue by score: {bands}")
        return parts

    def counts(self) -> dict[str, int]:
        """What is written down of it at the end of a run."""
        found = {"rescored": self.rescored}
        return found | self._link_policy.counts() if isinstance(self._link_policy, ReportingLinkPolicy) else found

    def save(self) -> None:
        """Keep what the guide knows, unless that is what is kept already."""
        state = self._link_policy.state()
        if state != self._kept:
            self._frontier.save_value(KEPT_AS, state)
            self._kept = state
        now = time.monotonic()
        self._saves_at, self._may_save_at = now + SAVE_SECONDS, now + REST_SECONDS
