"""The harvest of a crawl over its pages, from the tables: beside it what breadth-first order would have brought."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from parcels.errors import InputMissing
from parcels.store import Store
from parcels.topics.focus import IS_ON_TOPIC


@dataclass(frozen=True)
class Harvest:
    """Of each number of pages the share of them that is on topic, in the crawl's order and breadth-first."""

    topic: str
    crawled: list[float]
    breadth_first: list[float]  # of the same pages


def harvest_curve(store: Store, crawl: str, *, topic: str, model: str | None = None) -> Harvest:
    """The curves of a crawl whose pages have topics (`parcels run topics`); `model` is the partition of `topics`."""
    said = store.read("topics", columns=["page_id", "scores"], crawl=crawl, model=model).to_pylist()
    chances = {
        row["page_id"]: score["score"] for row in said for score in row["scores"] if score["topic"] == topic
    }  # of the models that know the topic
    columns = ["page_id", "url", "fetched_at", "referrer"]
    rows = store.read("pages", columns=columns, crawl=crawl).to_pylist()
    pages = sorted((row for row in rows if row["page_id"] in chances), key=lambda row: row["fetched_at"])
    if not pages:
        raise InputMissing(
            f"no page of crawl '{crawl}' was judged by a model that knows the topic '{topic}': "
            "parcels run topics --topic-model MODEL --store STORE"
        )
    is_good = {row["url"]: chances[row["page_id"]] >= IS_ON_TOPIC for row in pages}
    order = breadth_first([row["url"] for row in pages], _links(store, crawl, {r["page_id"]: r["url"] for r in pages}))
    return Harvest(topic, shares([is_good[row["url"]] for row in pages]), shares([is_good[url] for url in order]))


def _links(store: Store, crawl: str, urls: dict[str, str]) -> dict[str, list[str]]:
    targets: dict[str, list[str]] = {}
    for batch in store.batches("links", columns=["page_id", "target"], crawl=crawl):
        for page, target in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if page in urls:
                targets.setdefault(urls[page], []).append(target)
    return targets


def breadth_first(urls: Sequence[str], targets: dict[str, list[str]]) -> list[str]:
    """Fetched pages in the order in which a crawl without a focus meets them, from the first one on.

    >>> breadth_first(["a", "d", "b", "c"], {"a": ["b", "c"], "b": ["d"]})
    ['a', 'b', 'c', 'd']
    """
    fetched, met, order = set(urls), set(), list[str]()
    for start in urls:  # what no link leads to stands where the crawl had it
        if start in met:
            continue
        met.add(start)
        queue = deque([start])
        while queue:
            url = queue.popleft()
            order.append(url)
            for target in targets.get(url, ()):
                if target in fetched and target not in met:
                    met.add(target)
                    queue.append(target)
    return order


def shares(is_good: Sequence[bool]) -> list[float]:
    """Of the first n pages, the share that is on topic.

    >>> shares([True, False, True, True])
    [1.0, 0.5, 0.6666666666666666, 0.75]
    """
    found, good = [], 0
    for n, one in enumerate(is_good, 1):
        good += one
        found.append(good / n)
    return found
