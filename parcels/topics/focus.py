"""What a focused crawl knows: how likely its pages are on topic, and what its links are worth. No network, no queue.

The worth of a link is what is expected to come of following it: the chance that its target is on topic, and the chance
that it is a hub of such pages, or leads, less by a decay a link, to one over pages that are off topic (tunnelling). A
share of the links, chosen by the hash of their address, is worth more than it seems: exploration.
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
from parcels.topics.constituents import Constituents
from parcels.topics.examples import ReadPage
from parcels.topics.links.model import LinkModel
from parcels.topics.links.rows import LinkReader, LinkRow
from parcels.topics.links.tallies import Tallies
from parcels.topics.mixture import LayoutMixture

DECAY = 0.5  # what a hub behind one more link is worth
HUBS = 1.0  # what a hub is worth beside a page on topic: of 0.25, 0.5 and 1 the best, whichever university is held out
HUB_LINKS = 5.0  # a page with so many links to the topic is a hub
EXPLORE = 0.02  # share of links that are explored; 0.05 costs a little harvest, whichever university is held out
LEAST_ODDS = 6.0  # a page is never surer than this to be on topic, or off it (logarithm of odds)
IS_ON_TOPIC = 0.5
# Where words alone give a page a chance from this to 1 - this, it is laid out: beyond, no page that was held out would
# be judged otherwise; 0.3 misjudges the first two of 4,294 (benchmarks/experiments/README.md).
DOUBT = 0.25
END_DOUBT = 0.4  # the same of pages without links to follow
RESCORE_PAGES = 25  # after so many pages the queue is put in a new order, later after a tenth of all pages
STATE = "focus.json"
STATE_VERSION = 1
MOST_OUTCOMES = 10_000_000


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of one page: its chance to be on topic, its worth as a hub, and its links with what they are worth."""

    chance: float
    hub: float
    rows: list[LinkRow]
    worths: list[float]


@dataclass
class Focus:
    """One topic of a mixture, and what a crawl for it has learned so far."""

    mixture: LayoutMixture
    topic: str
    links: LinkModel = field(default_factory=LinkModel)
    hubs: float = HUBS
    explore: float = EXPLORE
    doubt: float = DOUBT  # 0: every page that leads on is laid out; 0.5: none
    seed: int = 0
    tallies: Tallies = field(default_factory=Tallies)
    outcomes: bytearray = field(default_factory=bytearray)  # of each page in order: its chance, in 255ths
    rescored_at: int = 0  # pages

    def __post_init__(self) -> None:
        if self.topic not in self.mixture.topics.tolist():
            raise ConfigError(
                f"the model knows no topic '{self.topic}'; it knows {', '.join(map(str, self.mixture.topics))}"
            )
        self._reader = LinkReader(self.mixture.term_log_odds(self.topic))
        self._last: tuple[Constituents, float] | None = None

    def chance(self, page: Constituents) -> float:
        """The chance that a page is on topic; it is remembered of the page that was asked for last."""
        if self._last is None or self._last[0] is not page:
            self._last = page, self.mixture.chance(page, self.topic)
        return self._last[1]

    def is_doubtful(self, words: Constituents, *, leads_on: bool = True) -> bool:
        """Whether words alone leave it open what a page is about, so that it is to be laid out.

        Of a page without links that may be followed, a layout could change nothing but how it is counted.
        """
        return is_open(self.chance(words), self.doubt if leads_on else max(self.doubt, END_DOUBT))

    def as_crawled(self, page: ReadPage) -> ReadPage:
        """A page that was laid out as a crawl reads it: without its layout where words alone leave no doubt."""
        unlaid = page.unlaid()
        return page if self.is_doubtful(unlaid.constituents, leads_on=bool(page.links)) else unlaid

    def see(self, page: ReadPage, *, url: str, row: LinkRow | None = None) -> Seen:
        """Take in a fetched page; `row` is the link that led to it, which is learned from. Returns its links' worth."""
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

    def rows(self, page: ReadPage, url: str, chance: float) -> list[LinkRow]:
        """The links of a page as the link model reads them."""
        odds = min(max(log(max(chance, 1e-9) / max(1 - chance, 1e-9)), -LEAST_ODDS), LEAST_ODDS)
        return self._reader.rows(page.links, url, odds)

    def _hub(self, page: ReadPage, rows: list[LinkRow]) -> float:
        best: dict[str, float] = {}
        for link, (chance, _) in zip(page.links, self.links.scored(rows, self.tallies), strict=True):
            if chance > best.get(link.target, 0.0):
                best[link.target] = chance
        return min(sum(best.values()) / HUB_LINKS, 1.0)

    def worths(self, rows: Sequence[LinkRow], urls: Sequence[str]) -> list[float]:
        """What following each link is worth now, from 0 to 1 + hubs."""
        found = [chance + self.hubs * hub for chance, hub in self.links.scored(rows, self.tallies)]
        if self.explore > 0:
            limit = self.explore * 2**32
            for n, url in enumerate(urls):
                draw = xxhash.xxh32_intdigest(url.encode(), self.seed)
                if draw < limit:  # somewhere in the queue, wherever its own worth would put it
                    found[n] = max(found[n], draw / limit)
        return found

    def wants_rescore(self) -> bool:
        """True where enough was learned since the queue was put in order."""
        pages = len(self.outcomes)
        return pages - self.rescored_at >= max(RESCORE_PAGES, pages // 10)

    def rescored(self) -> None:
        """The queue was put in order."""
        self.rescored_at = len(self.outcomes)

    def harvest(self, last: int | None = None) -> float:
        """The share of the pages (or of the last ones) that are on topic, as far as the mixture can tell."""
        outcomes = np.frombuffer(bytes(self.outcomes[-last:] if last else self.outcomes), np.uint8)
        return float((outcomes >= 255 * IS_ON_TOPIC).mean()) if len(outcomes) else 0.0

    def state(self) -> bytes:
        """All that was learned, as plain data."""
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
        """Know what `state` gave; ValueError where that is not possible."""
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
    """Whether a chance is so far from certainty that a closer look may change what it says.

    >>> is_open(0.5), is_open(0.05), is_open(0.95), is_open(0.95, 0.0)
    (True, False, False, True)
    """
    return doubt <= chance <= 1 - doubt
