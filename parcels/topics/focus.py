"""The focus of a crawl: topic probabilities of its pages and scores of its links, without network or queue.

The score of a link is the probability that its target is on topic plus the probability that it is a hub: a page with
links to the topic, directly or, with a decay per link, over off-topic pages (tunnelling). A share of the links,
selected by the hash of their address, gets a random score for exploration.
"""

import json
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any

import numpy as np
import xxhash

from parcels.errors import ConfigError, ModelMismatch
from parcels.learn.stored import BROKEN, Reader, packed, unpacked
from parcels.topics.examples import TopicPage
from parcels.topics.features import Constituents
from parcels.topics.links.model import LinkModel
from parcels.topics.links.rows import LinkReader, LinkRow
from parcels.topics.links.tallies import Tallies
from parcels.topics.mixture import LayoutMixture

DECAY = 0.5  # factor for a hub one more link away
HUBS = 1.0  # weight of a hub relative to a page on topic: the best of 0.25, 0.5 and 1 for every held-out university
HUB_LINKS = 5.0  # number of links to the topic that make a page a hub
EXPLORE = 0.02  # share of links for exploration; 0.05 lowers the harvest a little for every held-out university
LEAST_ODDS = 6.0  # log-odds of a page are clipped to this
IS_ON_TOPIC = 0.5
# A page is laid out if its words alone give it a probability from DOUBT to 1 - DOUBT. Outside this range no held-out
# page is judged differently with a layout; with 0.3 two of 4,294 are
# (benchmarks/experiments/README.md).
DOUBT = 0.25
END_DOUBT = 0.4  # the same for pages without links to follow
RESCORE_PAGES = 25  # pages after which the queue is re-scored; later after a tenth of all pages
STATE = "focus.json"
STATE_VERSION = 1
MOST_OUTCOMES = 10_000_000


@dataclass(frozen=True, slots=True)
class Seen:
    """The assessment of one page: probability to be on topic, hub value, and its links with their scores."""

    chance: float
    hub: float
    rows: list[LinkRow]
    worths: list[float]


@dataclass
class Focus:
    """One topic of a mixture, and the state that a crawl for it has learned."""

    mixture: LayoutMixture
    topic: str
    links: LinkModel = field(default_factory=LinkModel)
    hubs: float = HUBS
    explore: float = EXPLORE
    doubt: float = DOUBT  # 0: every page with links is laid out; 0.5: none
    seed: int = 0
    tallies: Tallies = field(default_factory=Tallies)
    outcomes: bytearray = field(default_factory=bytearray)  # the probability of each page in order, in 255ths
    rescored_at: int = 0  # pages

    def __post_init__(self) -> None:
        if self.topic not in self.mixture.topics.tolist():
            raise ConfigError(
                f"Unknown topic '{self.topic}'. The model has: {', '.join(map(str, self.mixture.topics))}."
            )
        self._reader = LinkReader(self.mixture.term_log_odds(self.topic))
        self._last: tuple[Constituents, float] | None = None

    def chance(self, page: Constituents) -> float:
        """Return the probability that a page is on topic; the last result is cached."""
        if self._last is None or self._last[0] is not page:
            self._last = page, self.mixture.chance(page, self.topic)
        return self._last[1]

    def is_doubtful(self, words: Constituents, *, leads_on: bool = True) -> bool:
        """Return whether a page should be laid out, because its words alone do not decide the topic.

        For a page without links to follow (`leads_on` False), a layout could only change how it is counted.
        """
        return is_open(self.chance(words), self.doubt if leads_on else max(self.doubt, END_DOUBT))

    def as_crawled(self, page: TopicPage) -> TopicPage:
        """Return a laid-out page as a crawl reads it: without its layout where the words alone decide."""
        unlaid = page.unlaid()
        return page if self.is_doubtful(unlaid.constituents, leads_on=bool(page.links)) else unlaid

    def see(self, page: TopicPage, *, url: str, row: LinkRow | None = None) -> Seen:
        """Assess a fetched page and learn from it; `row` is the link that led to it."""
        chance = self.chance(page.constituents)
        rows = self.rows(page, url, chance)
        hub = self._hub(page, rows)
        if row is not None:
            self.tallies.ready()
            self.links.learn(row, self.tallies.of(row.keys), (chance, hub))
            self.tallies.add(row.keys, chance)
        if len(self.outcomes) < MOST_OUTCOMES:
            self.outcomes.append(round(255 * chance))
        return Seen(chance, hub, rows, self.worths(rows, [link.target for link in page.links]))

    def rows(self, page: TopicPage, url: str, chance: float) -> list[LinkRow]:
        """Return the features of a page's links."""
        odds = min(max(log(max(chance, 1e-9) / max(1 - chance, 1e-9)), -LEAST_ODDS), LEAST_ODDS)
        return self._reader.rows(page.links, url, odds)

    def _hub(self, page: TopicPage, rows: list[LinkRow]) -> float:
        best: dict[str, float] = {}
        for link, (chance, _) in zip(page.links, self.links.scored(rows, self.tallies), strict=True):
            if chance > best.get(link.target, 0.0):
                best[link.target] = chance
        return min(sum(best.values()) / HUB_LINKS, 1.0)

    def worths(self, rows: Sequence[LinkRow], urls: Sequence[str]) -> list[float]:
        """Return the current score of each link, from 0 to 1 + hubs."""
        scores = [chance + self.hubs * hub for chance, hub in self.links.scored(rows, self.tallies)]
        if self.explore > 0:
            limit = self.explore * 2**32
            for n, url in enumerate(urls):
                draw = xxhash.xxh32_intdigest(url.encode(), self.seed)
                if draw < limit:  # a random place in the queue
                    scores[n] = max(scores[n], draw / limit)
        return scores

    def wants_rescore(self) -> bool:
        """Return whether enough pages were learned from since the queue was last re-scored."""
        pages = len(self.outcomes)
        return pages - self.rescored_at >= max(RESCORE_PAGES, pages // 10)

    def rescored(self) -> None:
        """Record that the queue was re-scored."""
        self.rescored_at = len(self.outcomes)

    def harvest(self, last: int | None = None) -> float:
        """Return the share of all pages (or of the last ones) that the mixture classifies as on topic."""
        outcomes = np.frombuffer(bytes(self.outcomes[-last:] if last else self.outcomes), np.uint8)
        return float((outcomes >= 255 * IS_ON_TOPIC).mean()) if len(outcomes) else 0.0

    def state(self) -> bytes:
        """Return the learned state as plain data."""
        keys = np.fromiter(self.tallies.seen, np.int64, len(self.tallies.seen))
        values = np.array(list(self.tallies.seen.values()), np.float64).reshape(len(keys), 2)
        head = {
            "version": STATE_VERSION, "topic": self.topic, "rescored_at": self.rescored_at,
            "pages": self.tallies.pages, "good": self.tallies.good,
        }  # fmt: skip
        return packed({
            **self.links.to_arrays(), "tally_keys": keys, "tally_values": values,
            "outcomes": np.frombuffer(bytes(self.outcomes), np.uint8),
            STATE: np.frombuffer(json.dumps(head).encode(), np.uint8),
        }, is_small=False)  # fmt: skip

    def restore(self, state: bytes) -> None:
        """Restore what `state` returned; raises ValueError where it does not fit."""
        try:
            arrays = unpacked(state)
            head: Any = json.loads(arrays.pop(STATE).tobytes())
            if head["version"] != STATE_VERSION or head["topic"] != self.topic:
                raise ValueError(f"it was learned for the topic '{head['topic']}', version {head['version']}")
            reader = Reader(arrays)
            links = LinkModel.from_arrays(reader)
            keys = reader.take("tally_keys", np.int64, (None,), low=0, high=2**32 - 1)
            values = reader.take("tally_values", np.float64, (len(keys), 2), low=0)
            outcomes = reader.take("outcomes", np.uint8, (None,))
            pages, good, rescored_at = float(head["pages"]), float(head["good"]), int(head["rescored_at"])
        except (ModelMismatch, zipfile.BadZipFile, zlib.error, *BROKEN) as error:
            raise ValueError(str(error)) from error
        self.links, self.outcomes, self.rescored_at = links, bytearray(outcomes.tobytes()), rescored_at
        self.tallies = Tallies()
        self.tallies.pages, self.tallies.good = pages, good
        self.tallies.seen = dict(zip(keys.tolist(), values.tolist(), strict=True))


def is_open(chance: float, doubt: float = DOUBT) -> bool:
    """Return whether a probability is so uncertain that a layout may change the decision.

    >>> is_open(0.5), is_open(0.05), is_open(0.95), is_open(0.95, 0.0)
    (True, False, False, True)
    """
    return doubt <= chance <= 1 - doubt
