"""Addresses and hosts that must never come into a frontier again (`parcels forget`).

The store keeps the list, `_forgotten.json`, as hashes of addresses and names of hosts; it is put into every frontier
of the store at once, and into a new one when its crawl begins. A barred address is a dead letter without its text; a
barred host has used up any budget.
"""

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from crawler.frontier import open_frontier
from crawler.frontier.contract import Policy, key64, key128
from crawler.frontier.records import unpack
from crawler.frontier.sqlite.file import DEAD, open_file, read_file
from crawler.frontier.traps import origin_and_host
from crawler.options import STATE, CrawlOptions
from parcels.errors import ConfigError, InputMissing
from parcels.store import Store, open_store

LIST = "_forgotten.json"
REASON = "forgotten"
FULL = 1 << 52  # more addresses than any budget allows
NOBODY = "-"  # stands for the host of an address of which only the hash is known


class Barred(NamedTuple):
    """What must not come back: both hashes of each address, and hosts."""

    keys: frozenset[tuple[int, str]] = frozenset()
    hosts: frozenset[str] = frozenset()

    def has(self, url: str) -> bool:
        """True for an address that is barred."""
        return (key64(url), key128(url).hex()) in self.keys or origin_and_host(url)[1] in self.hosts


def barred(store: Store) -> Barred:
    """The store's list."""
    if not store.location.is_file(LIST):
        return Barred()
    try:
        told = json.loads(store.location.read(LIST))
        return Barred(frozenset((int(a), str(b)) for a, b in told["addresses"]), frozenset(map(str, told["hosts"])))
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(
            f"{store.location.path(LIST)} is damaged: restore it, or delete it and forget again"
        ) from error


def remember_barred(store: Store, urls: Iterable[str], hosts: Iterable[str]) -> Barred:
    """Add to the store's list."""
    known = barred(store)
    new = Barred(known.keys | {(key64(url), key128(url).hex()) for url in urls}, known.hosts | set(hosts))
    data = json.dumps({"addresses": sorted(new.keys), "hosts": sorted(new.hosts)}).encode()
    path = store.location.path(LIST)
    if store.location.is_local:
        fresh = Path(f"{path}.{os.getpid()}")
        fresh.write_bytes(data)
        fresh.replace(path)
    else:
        with store.location.filesystem.open_output_stream(path) as stream:
            stream.write(data)
    return new


def unsealed(store: Store) -> list[str]:
    """Segments of spools in the store whose rows are not in the tables."""
    if not store.location.is_local:
        return []
    base = Path(store.location.path(STATE))
    found = [path for kind in ("*.spool", "*.sealing") for path in base.glob(f"*/spool/*/{kind}")]
    return sorted(str(path) for path in found if path.stat().st_size)


def bar_everywhere(store: Store, *, frontier: str | None = None, crawl: str | None = None) -> Iterator[str]:
    """Put the list into the frontiers in the store, and into the named one; yields where."""
    found = barred(store)
    crawls = sorted({str(file.partition["crawl"]) for file in store.files("runs")})
    for name in [crawl] if crawl else crawls:
        options = CrawlOptions(store=store.location.uri, crawl=name, frontier=frontier)
        where = frontier
        if where is None:
            if not store.location.is_local:
                continue
            where = options.frontier_at(options.folder(store))
            if not Path(where.removeprefix("sqlite:")).is_file():
                continue
        _bar(where, name, found)
        yield f"{where.rpartition('@')[2]} (crawl {name})"


def bar_before(options: CrawlOptions) -> None:
    """Put the store's list into the frontier of a crawl that is about to begin."""
    try:
        store = open_store(options.store)
    except InputMissing:  # the crawl makes it
        return
    found = barred(store)
    if found != Barred():
        _bar(options.frontier_at(options.folder(store)), options.crawl, found, exact=options.exact)


def _bar(where: str, crawl: str, found: Barred, *, exact: bool = False) -> None:
    if where.startswith("sqlite:"):
        _bar_in_file(Path(where.removeprefix("sqlite:")), found, exact=exact)
    else:
        _bar_in_redis(where, crawl, found, exact=exact)


# -- SQLite -------------------------------------------------------------------------------------------------------


def _bar_in_file(path: Path, found: Barred, *, exact: bool) -> None:
    if path.is_file():
        with contextlib.closing(read_file(path)) as db:
            exact = bool(db.execute("SELECT value FROM numbers WHERE name = 'exact'").fetchone()[0])
    db, lock = open_file(path, Policy(exact=exact))
    try:
        db.execute("BEGIN IMMEDIATE")
        db.create_function("is_barred", 1, lambda url: bool(url) and found.has(url), deterministic=True)
        db.execute("UPDATE urls SET referrer = NULL, extra = NULL WHERE referrer IS NOT NULL AND is_barred(referrer)")
        for short, long in sorted(found.keys):
            _bar_key(db, bytes.fromhex(long) if exact else short)
        for host in sorted(found.hosts):
            _bar_host(db, host)
        db.execute("COMMIT")
    finally:
        db.close()
        os.close(lock)


def _bar_key(db: sqlite3.Connection, key: int | bytes) -> None:
    db.execute(
        "INSERT INTO urls (key, host, state, priority, url, depth, kind, hops, reason) VALUES (?, ?, ?, 0, '', 0, 'p', "
        "0, ?) ON CONFLICT (key) DO UPDATE SET state = excluded.state, url = '', referrer = NULL, topic = NULL, "
        "extra = NULL, due = NULL, reason = excluded.reason",
        (key, _host_number(db, NOBODY), DEAD, REASON),
    )


def _bar_host(db: sqlite3.Connection, host: str) -> None:
    number = _host_number(db, host)
    db.execute("UPDATE hosts SET admitted = ? WHERE number = ?", (FULL, number))
    db.execute("DELETE FROM prefixes WHERE host = ?", (number,))
    db.execute(
        "UPDATE urls SET state = ?, url = '', referrer = NULL, topic = NULL, extra = NULL, due = NULL, reason = ? "
        "WHERE host = ?",
        (DEAD, REASON, number),
    )


def _host_number(db: sqlite3.Connection, host: str) -> int:
    db.execute("INSERT OR IGNORE INTO hosts (name) VALUES (?)", (host,))
    return int(db.execute("SELECT number FROM hosts WHERE name = ?", (host,)).fetchone()[0])


# -- Redis --------------------------------------------------------------------------------------------------------


def _bar_in_redis(where: str, crawl: str, found: Barred, *, exact: bool) -> None:
    frontier: Any = open_frontier(where, crawl=crawl, worker="forget", policy=Policy(exact=exact))
    server, key = frontier._server, frontier._key
    try:
        for short, long in sorted(found.keys):
            frontier._run("change", None, "remember", bytes.fromhex(long) if exact else short, NOBODY)
        for host in sorted(found.hosts):
            server.hset(key(f"h:{host}"), "n", FULL)
        _drop_queued(frontier, found)
        for name in ("retry", "revisit"):
            for text, _ in list(server.zscan_iter(key(name), count=1000)):
                host, priority, record = text.decode().split("\n", 2)
                if found.has(unpack(record, host, float(priority)).url):
                    server.zrem(key(name), text)
        for url in [url.decode() for url, _ in server.hscan_iter(key("dead"), count=1000)]:
            if found.has(url):
                server.hdel(key("dead"), url)
    finally:
        frontier.close()


def _drop_queued(frontier: Any, found: Barred) -> None:
    """Take barred addresses out of the queues; `slow_down` by nothing puts an emptied host aside."""
    server, key = frontier._server, frontier._key
    for host, rows in list(frontier._queue(1000)):
        gone = [record for record, priority in rows if found.has(unpack(record, host, priority).url)]
        if gone:
            removed = server.zrem(key(f"q:{host}"), *gone)
            server.hincrby(key("numbers"), "queued", -removed)
            frontier.slow_down(host, wait=0)
