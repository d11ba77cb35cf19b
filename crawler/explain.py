"""Explain why a focused crawl follows an address: the path from the seed, and the score of the last link."""

import json
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from crawler.frontier import open_frontier
from crawler.frontier.queries import explain
from crawler.frontier.sqlite.file import open_read_only
from crawler.links.focus import make_focus
from crawler.links.learning import STATE_NAME
from crawler.options import CrawlOptions
from parcels.errors import ConfigError, InputMissing
from parcels.inputs import RawPage
from parcels.store import Store, open_store
from parcels.topics.examples import read_raw
from parcels.topics.explain import explain_link
from parcels.topics.focus import Focus
from parcels.urls import canonical

MOST_STEPS = 100  # of a path; a longer one goes in a circle


def explain_url(options: CrawlOptions, url: str) -> dict[str, Any]:
    """Return state, path and score of an address; without a score if the crawl was not focused."""
    address = canonical(url)
    if address is None:
        raise ConfigError(f"'{url}' is not a web address. Give one that begins with http:// or https://.")
    store = open_store(options.store)
    known = explain(options, address)
    path = path_to(store, options.crawl, address, known.get("referrer"))
    answer: dict[str, Any] = {**known, "path": path}
    source = path[-2] if len(path) > 1 else None
    focus = _focus_of(store, options) if source else None
    if focus is not None and source is not None:
        rows = _rows(store, options.crawl, source, ["url", "html"])
        pages = [row for row in rows if row["html"]]
        if pages:
            page = read_raw(RawPage(source, pages[-1]["html"], source))
            answer["link"] = explain_link(focus, page, source, address)
    return answer


def path_to(store: Store, crawl: str, address: str, referrer: str | None = None) -> list[str]:
    """Return the addresses from the seed to this one, each linked by the one before, as far as the tables have them."""
    path = [address]
    while len(path) < MOST_STEPS:
        rows = _rows(store, crawl, path[-1], ["url", "referrer"])
        source = rows[0]["referrer"] if rows else (referrer or _linked_by(store, crawl, path[-1]))
        if source is None or source in path:
            break
        path.append(source)
        referrer = None
    return path[::-1]


def _linked_by(store: Store, crawl: str, target: str) -> str | None:
    """Return the address of the page whose link queued an address."""
    wanted = (pc.field("target") == target) & pc.field("is_queued")
    links = store.read("links", columns=["page_id"], filter=wanted, crawl=crawl).to_pylist()
    if not links:
        return None
    page = pc.field("page_id") == links[0]["page_id"]
    rows = store.read("pages", columns=["url"], filter=page, crawl=crawl).to_pylist()
    return rows[0]["url"] if rows else None


def _rows(store: Store, crawl: str, url: str, columns: list[str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = store.read(
        "pages", columns=columns, filter=pc.field("url") == url, crawl=crawl
    ).to_pylist()
    return rows


def _focus_of(store: Store, options: CrawlOptions) -> Focus | None:
    """Return the focus of the crawl's last run with what it learned, or None if the crawl was not focused."""
    runs = store.read("runs", columns=["run_id", "step", "settings"], crawl=options.crawl).to_pylist()
    crawls = sorted((run for run in runs if run["step"] == "crawl"), key=lambda run: run["run_id"])
    settings = json.loads(crawls[-1]["settings"]) if crawls else {}
    if settings.get("spider") != "focused":
        return None
    wanted = {name: settings.get(name) for name in ("positive", "negative", "explore", "doubt")}
    focus = make_focus(settings.get("focus"), **wanted)
    state = _stored_state(options, store)
    if state is not None:
        try:
            focus.restore(state)
        except ValueError as error:
            raise InputMissing(f"The stored state of crawl '{options.crawl}' cannot be read: {error}") from error
    return focus


def _stored_state(options: CrawlOptions, store: Store) -> bytes | None:
    where = options.frontier_at(options.folder(store))
    if not where.startswith("sqlite:"):
        return open_frontier(where, crawl=options.crawl, worker="asking", policy=options.policy()).load_value(
            STATE_NAME
        )
    db = open_read_only(Path(where.removeprefix("sqlite:")))
    try:
        row = db.execute("SELECT data FROM kept WHERE name = ?", (STATE_NAME,)).fetchone()
    finally:
        db.close()
    return row[0] if row else None
