"""Questions to the frontier of a crawl, beside a crawl that may be running; and a frontier anew from the tables."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from crawler.frontier import open_frontier
from crawler.frontier.contract import UNREACHABLE, Frontier, Offer
from crawler.frontier.sqlite.file import explain, in_numbers, read_file
from crawler.frontier.traps import origin_and_host
from crawler.options import CrawlOptions
from parcels.errors import ConfigError
from parcels.store import Store, open_store
from parcels.urls import canonical

AT_ONCE = 10_000


def why(options: CrawlOptions, url: str | None) -> dict[str, Any]:
    """What is known of an address: its state, and the reason in words."""
    address = canonical(url or "")
    if address is None:
        raise ConfigError("name the web address to ask about: parcels frontier why http://...")
    where = _where(options)
    if where.startswith("sqlite:"):
        db = read_file(Path(where.removeprefix("sqlite:")))
        answer = explain(db, address, options.policy())
        db.close()
    else:
        answer = _opened(options, where).why(address)
    return {"url": address, "state": answer.state, "detail": answer.detail}


def stats(options: CrawlOptions) -> dict[str, Any]:
    """A frontier in numbers."""
    where = _where(options)
    if where.startswith("sqlite:"):
        db = read_file(Path(where.removeprefix("sqlite:")))
        found = in_numbers(db)
        db.close()
    else:
        found = _opened(options, where).stats()
    return found._asdict()


def retry(options: CrawlOptions, what: str | None) -> dict[str, Any]:
    """Queue dead letters again: of a host, with a reason, `all`, or by default those that could not be reached."""
    chosen = _chosen(what)
    where = _where(options)
    if where.startswith("sqlite:"):
        read_file(Path(where.removeprefix("sqlite:"))).close()  # raises where there is no frontier yet
    frontier = _opened(options, where)
    try:
        return {"queued": frontier.retry(**chosen), "dead": frontier.stats().dead}
    finally:
        frontier.close()


def _chosen(what: str | None) -> dict[str, Any]:
    """Return the arguments of `Frontier.retry` for a word of the command line: only hosts have dots or brackets."""
    if what is None:
        return {"reasons": UNREACHABLE}
    if what == "all":
        return {}
    if "/" in what:
        raise ConfigError(f"{what} is a whole address: name its host, a reason (see: parcels frontier stats), or all")
    is_host = "." in what or what.startswith("[") or what == "localhost"
    return {"host": origin_and_host(f"http://{what}/")[1]} if is_host else {"reasons": [what]}


def rebuild(options: CrawlOptions) -> dict[str, Any]:
    """Know again what the tables know: what was fetched or rejected is done, what was linked to and followed is queued.

    What could not be reached is queued as well.

    A frontier that was lost (a Redis without persistence, a deleted file) loses no address this way that a sealed page
    had led to. One that exists only gains.
    """
    store = open_store(options.store)
    frontier = _opened(options, _where(options))
    known = sum(frontier.remember(urls) for urls in _done(store, options.crawl))
    queued = 0
    for offers in chain(_unreached(store, options.crawl), _linked(store, options.crawl)):
        queued += frontier.admit(offers).count("q")
    frontier.close()
    return {"known": known, "queued": queued}


def _where(options: CrawlOptions) -> str:
    return options.frontier_at(options.folder(open_store(options.store)))


def _opened(options: CrawlOptions, where: str) -> Frontier:
    return open_frontier(where, crawl=options.crawl, worker="asking", policy=options.policy())


def _done(store: Store, crawl: str) -> Iterator[list[str]]:
    for table, column in (("pages", "url"), ("resources", "url"), ("rejects", "record")):
        wanted = ~_is_unreached() if table == "rejects" else None
        for batch in store.batches(table, columns=[column], filter=wanted, crawl=crawl):
            yield [url for url in batch.column(0).to_pylist() if canonical(url)]


def _unreached(store: Store, crawl: str) -> Iterator[list[Offer]]:
    for batch in store.batches("rejects", columns=["record"], filter=_is_unreached(), crawl=crawl):
        yield [Offer(url) for url in batch.column(0).to_pylist() if canonical(url)]


def _is_unreached() -> Any:
    return pc.field("reason").isin(sorted(UNREACHABLE))


def _linked(store: Store, crawl: str) -> Iterator[list[Offer]]:
    """The links that a guide wanted to follow, with the page that had them."""
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
        for start in range(0, len(offers), AT_ONCE):
            yield offers[start : start + AT_ONCE]
