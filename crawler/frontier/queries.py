"""Query a frontier while a crawl may be running, retry dead letters, and rebuild a lost frontier from the tables."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from crawler.frontier import open_frontier
from crawler.frontier.contract import UNREACHABLE, Frontier, Offer
from crawler.frontier.sqlite.file import count_states, explain_address, open_read_only
from crawler.frontier.traps import origin_and_host
from crawler.options import CrawlOptions
from parcels.errors import ConfigError
from parcels.store import Store, open_store
from parcels.urls import canonical

BATCH_SIZE = 10_000


def explain(options: CrawlOptions, url: str | None) -> dict[str, Any]:
    """Return the state of an address and the reason for it."""
    address = canonical(url or "")
    if address is None:
        raise ConfigError(f"'{url or ''}' is not a web address. Give one: parcels frontier why http://...")
    where = _location(options)
    if where.startswith("sqlite:"):
        db = open_read_only(Path(where.removeprefix("sqlite:")))
        status = explain_address(db, address, options.policy())
        db.close()
    else:
        status = _open(options, where).explain(address)
    return {"url": address, "state": status.state, "detail": status.detail}


def stats(options: CrawlOptions) -> dict[str, Any]:
    """Return the counts of a frontier."""
    where = _location(options)
    if where.startswith("sqlite:"):
        db = open_read_only(Path(where.removeprefix("sqlite:")))
        counts = count_states(db)
        db.close()
    else:
        counts = _open(options, where).stats()
    return counts._asdict()


def retry(options: CrawlOptions, what: str | None) -> dict[str, Any]:
    """Queue dead letters again: of a host, with a reason, `all`, or by default those that could not be reached."""
    chosen = _chosen(what)
    where = _location(options)
    if where.startswith("sqlite:"):
        open_read_only(Path(where.removeprefix("sqlite:"))).close()  # raises where there is no frontier yet
    frontier = _open(options, where)
    try:
        return {"queued": frontier.retry(**chosen), "dead": frontier.stats().dead}
    finally:
        frontier.close()


def _chosen(what: str | None) -> dict[str, Any]:
    """Return the arguments of `Frontier.retry` for a command-line argument; only hosts contain dots or brackets."""
    if what is None:
        return {"reasons": UNREACHABLE}
    if what == "all":
        return {}
    if "/" in what:
        raise ConfigError(f"Cannot retry '{what}': give a host, a reason (see: parcels frontier stats), or all.")
    is_host = "." in what or what.startswith("[") or what == "localhost"
    return {"host": origin_and_host(f"http://{what}/")[1]} if is_host else {"reasons": [what]}


def rebuild(options: CrawlOptions) -> dict[str, Any]:
    """Rebuild a frontier from the tables: fetched and rejected addresses are done, followed links are queued.

    Unreachable addresses are queued too. Use it after a frontier was lost (Redis without persistence, a deleted file):
    every address that a sealed page links to is recovered. An existing frontier only gains addresses.
    """
    store = open_store(options.store)
    frontier = _open(options, _location(options))
    known = sum(frontier.mark_done(urls) for urls in _known(store, options.crawl))
    queued = 0
    for offers in chain(_unreachable(store, options.crawl), _linked(store, options.crawl)):
        queued += frontier.admit(offers).count("q")
    frontier.close()
    return {"known": known, "queued": queued}


def _location(options: CrawlOptions) -> str:
    return options.frontier_at(options.folder(open_store(options.store)))


def _open(options: CrawlOptions, where: str) -> Frontier:
    return open_frontier(where, crawl=options.crawl, worker="query", policy=options.policy())


def _known(store: Store, crawl: str) -> Iterator[list[str]]:
    for table, column in (("pages", "url"), ("resources", "url"), ("rejects", "record")):
        wanted = ~_was_unreachable() if table == "rejects" else None
        for batch in store.batches(table, columns=[column], filter=wanted, crawl=crawl):
            yield [url for url in batch.column(0).to_pylist() if canonical(url)]


def _unreachable(store: Store, crawl: str) -> Iterator[list[Offer]]:
    for batch in store.batches("rejects", columns=["record"], filter=_was_unreachable(), crawl=crawl):
        yield [Offer(url) for url in batch.column(0).to_pylist() if canonical(url)]


def _was_unreachable() -> Any:
    return pc.field("reason").isin(sorted(UNREACHABLE))


def _linked(store: Store, crawl: str) -> Iterator[list[Offer]]:
    """Yield the followed links of the stored pages as offers."""
    pages: dict[str, tuple[str, int, str | None]] = {}
    for batch in store.batches("pages", columns=["page_id", "url", "depth", "topic"], crawl=crawl):
        ids, *columns = (column.to_pylist() for column in batch.columns)
        pages.update(zip(ids, zip(*columns, strict=True), strict=True))
    for batch in store.batches("links", columns=["page_id", "target", "score"], crawl=crawl):
        offers = []
        for page, target, score in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if score is not None:
                url, depth, topic = pages.get(page, (None, 0, None))
                offers.append(Offer(target, score, (depth or 0) + 1, url, topic))
        for start in range(0, len(offers), BATCH_SIZE):
            yield offers[start : start + BATCH_SIZE]
