"""Store what a link policy learns during a crawl with the crawl, and reorder the queue."""

import time
from collections import Counter
from collections.abc import Sequence

from crawler.frontier.contract import Frontier, Offer
from crawler.links.policy import LearningLinkPolicy, ReportingLinkPolicy
from parcels.errors import ConfigError

STATE_NAME = "guide"  # of the value in the frontier; stored crawls have it
SAVE_SECONDS = 10.0  # a killed process loses at most so many seconds of learning
REST_SECONDS = 2.0  # between two saves, although the queue of a fast crawl is reordered more often
BANDS = (0.5, 0.1, 0.0)  # lower limits of the priorities by which the queue is reported


class Learning:
    """The learning of a crawl, used by one thread. Every process starts from the state stored last, by any of them."""

    def __init__(self, link_policy: LearningLinkPolicy, frontier: Frontier):
        self.rescored = 0  # addresses with a changed priority
        self.queue: Counter[float] = Counter()  # addresses by band at the last reordering
        self._link_policy, self._frontier = link_policy, frontier
        self._stored = frontier.load_value(STATE_NAME)
        self._saves_at, self._may_save_at = time.monotonic() + SAVE_SECONDS, 0.0
        if self._stored is not None:
            try:
                link_policy.restore(self._stored)
            except ValueError as error:
                raise ConfigError(
                    f"The stored state of this focused crawl does not fit its options: {error}. Continue it with the "
                    "options that it began with, or start another with --crawl NAME."
                ) from error

    def tick(self) -> None:
        """Reorder the queue if the link policy asks for it, and save its state at intervals."""
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

    def messages(self) -> list[str]:
        """Return the messages of the link policy about the crawl, and about the last reordering of the queue."""
        parts = self._link_policy.messages() if isinstance(self._link_policy, ReportingLinkPolicy) else []
        if self.queue:
            bands = ", ".join(f"{self.queue[least]:,} of {least:g}+" for least in BANDS)
            parts.append(f"queue by score: {bands}")
        return parts

    def counts(self) -> dict[str, int]:
        """Return the counts for the row of the run."""
        counts = {"rescored": self.rescored}
        return counts | self._link_policy.counts() if isinstance(self._link_policy, ReportingLinkPolicy) else counts

    def save(self) -> None:
        """Save the state of the link policy, if it has changed."""
        state = self._link_policy.state()
        if state != self._stored:
            self._frontier.save_value(STATE_NAME, state)
            self._stored = state
        now = time.monotonic()
        self._saves_at, self._may_save_at = now + SAVE_SECONDS, now + REST_SECONDS
