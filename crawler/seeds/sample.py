"""Choose equally many seeds per topic by hash: the result depends only on seeds and number, not on the order.

Kovacevic et al. 2003, section 5: all addresses of the first five levels of DMOZ, filed under the 14 topics of the first
level (`Regional` left out, since much of it is not in English), each topic pruned at random to 1,000 addresses.
"""

import heapq
from collections import Counter
from collections.abc import Collection, Iterable

import xxhash

from crawler.seeds.seed import Seed

PER_TOPIC_2003, MAX_LEVEL_2003, WITHOUT_2003 = 1000, 5, ("Regional",)
MAX_TOPICS = 100_000  # a file whose "topics" are all different is no directory, and must not fill the memory


def topic_at(topic: str, level: int) -> str:
    """Return the topic's first `level` parts.

    >>> topic_at("Arts/Movies/Titles", 1)
    'Arts'
    """
    return "/".join(topic.split("/")[:level])


def by_topic(
    seeds: Iterable[Seed], *, per_topic: int, seed: int = 0, level: int = 1, max_level: int | None = None,
    without: Collection[str] = (), left_out: Counter[str] | None = None,
) -> list[Seed]:  # fmt: skip
    """Return at most `per_topic` seeds per topic, ordered by topic; each seed's topic is cut to `level`.

    Of each topic, the seeds with the smallest hashes of address and `seed` are chosen. Every address has the same
    chance, duplicates count once, and memory is limited to `per_topic` seeds per topic.

    >>> seeds = [Seed(f"http://a.example/{n}", topic=f"{'Arts' if n % 3 else 'News'}/x") for n in range(99)]
    >>> [(s.topic, s.url) for s in by_topic(seeds, per_topic=1)] == [
    ...     (s.topic, s.url) for s in by_topic(reversed(seeds), per_topic=1)]
    True
    """
    out: Counter[str] = Counter() if left_out is None else left_out
    heaps: dict[str, list[tuple[int, Seed]]] = {}
    kept: dict[str, set[str]] = {}
    for one in seeds:
        reason = _reason_against(one, max_level, without)
        if reason is None and (topic := topic_at(str(one.topic), level)) not in heaps and len(heaps) >= MAX_TOPICS:
            reason = "too many topics"
        if reason is not None:
            out[reason] += 1
            continue
        heap, urls = heaps.setdefault(topic, []), kept.setdefault(topic, set())
        rank = -xxhash.xxh3_64_intdigest(one.url.encode("utf-8", "surrogatepass"), seed)
        if one.url in urls:
            out["listed twice"] += 1
        elif len(heap) < per_topic:
            heapq.heappush(heap, (rank, one._replace(topic=topic)))
            urls.add(one.url)
        else:
            out["over the quota of its topic"] += 1
            if heap and rank > heap[0][0]:
                urls.remove(heapq.heapreplace(heap, (rank, one._replace(topic=topic)))[1].url)
                urls.add(one.url)
    return [one for topic in sorted(heaps) for _, one in sorted(heaps[topic], key=lambda pair: -pair[0])]


def _reason_against(one: Seed, max_level: int | None, without: Collection[str]) -> str | None:
    if not one.topic:
        return "no topic"
    parts = one.topic.split("/")
    if parts[0] in without or one.topic in without:
        return "topic left out"
    if max_level is not None and len(parts) > max_level:
        return "below the last level"
    return None
