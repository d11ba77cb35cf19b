"""Crawls over a stored web, without a network: which page comes when, by several strategies.

The focused order is that of the crawler's own guide and frontier; the others are peers with a queue of their own.
"""

import heapq
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xxhash

from benchmarks.quality.topics_data import Web
from crawler.frontier.contract import CompletedLease, FrontierPolicy, Lease, Offer
from crawler.frontier.sqlite.frontier import SqliteFrontier
from crawler.links.extract import Link
from crawler.links.policy import encode_note
from crawler.seeds import Seed
from crawler.spiders.focused import FocusedLinkPolicy
from parcels.topics.mixture import LayoutMixture

MARKS = (0.10, 0.25, 0.50)
POLICY = FrontierPolicy(delay=0.0, per_address=0, robots=False)
NOW = 1_800_000_000.0  # time stands still: every host is ready, so the best address is always served
MEMORY = Path("/dev/shm")  # where a frontier's file costs no disk


@dataclass(frozen=True)
class Order:
    """The pages of a crawl in the order in which they were fetched."""

    urls: list[str]
    is_on_topic: list[bool]

    def harvest(self, share: float, reachable: int) -> float:
        """Share of the pages so far that are on topic, after a share of the reachable pages."""
        fetched = self.is_on_topic[: max(round(share * reachable), 1)]
        return sum(fetched) / len(fetched)

    def recall(self, share: float, reachable: int) -> float:
        """Share of the topic's pages that were fetched by then."""
        return sum(self.is_on_topic[: max(round(share * reachable), 1)]) / max(sum(self.is_on_topic), 1)

    @property
    def first(self) -> int:
        """The number of the first page on topic."""
        return self.is_on_topic.index(True) + 1


def crawled(web: Web, topic: str, urls: Iterator[str]) -> Order:
    """The order that a strategy gives."""
    found = list(urls)
    return Order(found, [web.pages[url].topic == topic for url in found])


def breadth_first(web: Web, seed: int) -> Iterator[str]:
    """First come, first served; the links of a page in a random order."""
    rng = np.random.default_rng(seed)
    queue, known = deque([web.seed]), {web.seed}
    while queue:
        url = queue.popleft()
        yield url
        targets = list(dict.fromkeys(link.target for link in web.pages[url].page.links if link.target in web.pages))
        rng.shuffle(targets)
        fresh = [target for target in targets if target not in known]
        known.update(fresh)
        queue.extend(fresh)


def best_first(web: Web, worth: Callable[[str, str], float], seed: int) -> Iterator[str]:
    """The best known link first: `worth` of source and target; a target is worth what its best source says."""
    best: dict[str, float] = {web.seed: 1e9}
    queue = [(-1e9, 0, web.seed)]
    done: set[str] = set()
    while queue:
        _, _, url = heapq.heappop(queue)
        if url in done:
            continue
        done.add(url)
        yield url
        for target in {link.target for link in web.pages[url].page.links}:
            if target in web.pages and target not in done:
                found = worth(url, target)
                if found > best.get(target, -1e9):
                    best[target] = found
                    heapq.heappush(queue, (-found, xxhash.xxh32_intdigest(target.encode(), seed), target))


def bag_of_words_worth(web: Web, mixture: LayoutMixture, topic: str) -> Callable[[str, str], float]:
    """A link is worth what the bag of words says of the page that it stands on."""
    urls = list(web.pages)
    said = mixture.bag_of_words([web.pages[url].page.constituents for url in urls])
    chance = dict(zip(urls, said[:, mixture.topics.tolist().index(topic)].tolist(), strict=True))
    return lambda source, target: chance[source]


def oracle_worth(web: Web, topic: str) -> Callable[[str, str], float]:
    """A link is worth by how few links the topic is away from it, which nobody can know."""
    sources: dict[str, list[str]] = {url: [] for url in web.pages}
    for url, example in web.pages.items():
        for link in example.page.links:
            if link.target in sources:
                sources[link.target].append(url)
    away = {url: 0 for url, example in web.pages.items() if example.topic == topic}
    queue = deque(away)
    while queue:
        url = queue.popleft()
        for source in sources[url]:
            if source not in away:
                away[source] = away[url] + 1
                queue.append(source)
    return lambda source, target: -away.get(target, 1_000)


def focused(web: Web, link_policy: FocusedLinkPolicy) -> Iterator[str]:
    """The focused spider's own order, had it one connection: its guide and its frontier, without Scrapy and network."""
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as made:
        frontier = SqliteFrontier.open(Path(made) / "frontier.sqlite", POLICY)
        frontier.admit(list(link_policy.seeds([Seed(web.seed)])), now=NOW)
        while leases := frontier.lease(1, now=NOW).leases:
            lease = leases[0]
            yield lease.url
            worths = link_policy.judged(lease, link_policy.focus.as_crawled(web.pages[lease.url].page))
            offers = [
                offer(link_policy, lease, target, worth) for target, worth in worths.items() if target in web.pages
            ]
            frontier.done([CompletedLease(lease, offers)], segment="all", now=NOW)
            if link_policy.wants_rescore():
                frontier.rescore(link_policy.rescored)
        frontier.close()


def offer(link_policy: FocusedLinkPolicy, lease: Lease, target: str, worth: float) -> Offer:
    """A link as the crawler queues it."""
    note = encode_note(link_policy.note(lease, Link(target, "", None)))
    return Offer(target, worth, lease.depth + 1, lease.url, extra=note)
