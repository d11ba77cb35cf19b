"""The harvest of a crawl over its pages, beside that of breadth-first order."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from parcels.errors import InputMissing
from parcels.store import Store
from parcels.topics.focus import IS_ON_TOPIC


@dataclass(frozen=True)
class Harvest:
    """The share of on-topic pages among the first n, in the crawl's order and breadth-first."""

    topic: str
    crawled: list[float]
    breadth_first: list[float]  # of the same pages


def harvest_curve(store: Store, crawl: str, *, topic: str, model: str | None = None) -> Harvest:
    """Return the curves of a crawl with rows in `topics` (`parcels run topics`); `model` is their partition."""
    predicted = store.read("topics", columns=["page_id", "scores"], crawl=crawl, model=model).to_pylist()
    chances = {
        row["page_id"]: score["score"] for row in predicted for score in row["scores"] if score["topic"] == topic
    }  # of the models that know the topic
    columns = ["page_id", "url", "fetched_at", "referrer"]
    rows = store.read("pages", columns=columns, crawl=crawl).to_pylist()
    pages = sorted((row for row in rows if row["page_id"] in chances), key=lambda row: row["fetched_at"])
    if not pages:
        raise InputMissing(
            f"No page of crawl '{crawl}' has a row in `topics` by a model with the topic '{topic}'. Run: "
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
    """Return the fetched pages in breadth-first order from the first one.

    >>> breadth_first(["a", "d", "b", "c"], {"a": ["b", "c"], "b": ["d"]})
    ['a', 'b', 'c', 'd']
    """
    fetched, met, order = set(urls), set(), list[str]()
    for start in urls:  # pages without a link to them keep their place in the crawl
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
    """Return for each n the share of on-topic pages among the first n.

    >>> shares([True, False, True, True])
    [1.0, 0.5, 0.6666666666666666, 0.75]
    """
    shares, good = [], 0
    for n, one in enumerate(is_good, 1):
        good += one
        shares.append(good / n)
    return shares
