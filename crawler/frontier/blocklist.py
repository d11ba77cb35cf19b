"""Keep forgotten addresses and hosts out of every frontier (`parcels forget`).

The store keeps the list in `_forgotten.json`, as hashes of addresses and names of hosts. It is applied to all frontiers
of the store at once, and to a new one before its crawl starts. A blocked address is a dead letter without its URL; a
blocked host has no budget left.
"""

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from crawler.frontier import open_frontier
from crawler.frontier.contract import FrontierPolicy, key64, key128
from crawler.frontier.records import unpack
from crawler.frontier.sqlite.file import DEAD, open_file, open_read_only
from crawler.frontier.traps import origin_and_host
from crawler.options import STATE, CrawlOptions
from parcels.errors import ConfigError, InputMissing
from parcels.store import Store, open_store

LIST = "_forgotten.json"
REASON = "forgotten"
FULL = 1 << 52  # more addresses than any budget allows
NO_HOST = "-"  # the host of an address of which only the hash is known


class Blocklist(NamedTuple):
    """The forgotten addresses, each by both of its hashes, and the forgotten hosts."""

    keys: frozenset[tuple[int, str]] = frozenset()
    hosts: frozenset[str] = frozenset()

    def contains(self, url: str) -> bool:
        """Return True if the address or its host is on the list."""
        return (key64(url), key128(url).hex()) in self.keys or origin_and_host(url)[1] in self.hosts


def read_blocklist(store: Store) -> Blocklist:
    """Read the blocklist of a store."""
    if not store.location.is_file(LIST):
        return Blocklist()
    try:
        data = json.loads(store.location.read(LIST))
        return Blocklist(frozenset((int(a), str(b)) for a, b in data["addresses"]), frozenset(map(str, data["hosts"])))
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(
            f"{store.location.path(LIST)} is damaged. Restore it, or delete it and run parcels forget again."
        ) from error


def add_to_blocklist(store: Store, urls: Iterable[str], hosts: Iterable[str]) -> Blocklist:
    """Add addresses and hosts to the blocklist of a store."""
    known = read_blocklist(store)
    new = Blocklist(known.keys | {(key64(url), key128(url).hex()) for url in urls}, known.hosts | set(hosts))
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


def unsealed_segments(store: Store) -> list[str]:
    """Return the spool segments in the store whose rows are not in the tables yet."""
    if not store.location.is_local:
        return []
    base = Path(store.location.path(STATE))
    segments = [path for kind in ("*.spool", "*.sealing") for path in base.glob(f"*/spool/*/{kind}")]
    return sorted(str(path) for path in segments if path.stat().st_size)


def block_everywhere(store: Store, *, frontier: str | None = None, crawl: str | None = None) -> Iterator[str]:
    """Apply the blocklist to the frontiers in the store and to the given one; yield the location of each."""
    blocklist = read_blocklist(store)
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
        _block(where, name, blocklist)
        yield f"{where.rpartition('@')[2]} (crawl {name})"


def block_before_crawl(options: CrawlOptions) -> None:
    """Apply the store's blocklist to the frontier of a crawl that is about to start."""
    try:
        store = open_store(options.store)
    except InputMissing:  # the crawl creates it
        return
    blocklist = read_blocklist(store)
    if blocklist != Blocklist():
        _block(options.frontier_at(options.folder(store)), options.crawl, blocklist, exact=options.exact)


def _block(where: str, crawl: str, blocklist: Blocklist, *, exact: bool = False) -> None:
    if where.startswith("sqlite:"):
        _block_in_sqlite(Path(where.removeprefix("sqlite:")), blocklist, exact=exact)
    else:
        _block_in_redis(where, crawl, blocklist, exact=exact)


# -- SQLite -------------------------------------------------------------------------------------------------------


def _block_in_sqlite(path: Path, blocklist: Blocklist, *, exact: bool) -> None:
    if path.is_file():
        with contextlib.closing(open_read_only(path)) as db:
            exact = bool(db.execute("SELECT value FROM numbers WHERE name = 'exact'").fetchone()[0])
    db, lock = open_file(path, FrontierPolicy(exact=exact))
    try:
        db.execute("BEGIN IMMEDIATE")
        db.create_function("is_barred", 1, lambda url: bool(url) and blocklist.contains(url), deterministic=True)
        db.execute("UPDATE urls SET referrer = NULL, extra = NULL WHERE referrer IS NOT NULL AND is_barred(referrer)")
        for short, long in sorted(blocklist.keys):
            _block_key(db, bytes.fromhex(long) if exact else short)
        for host in sorted(blocklist.hosts):
            _block_host(db, host)
        db.execute("COMMIT")
    finally:
        db.close()
        os.close(lock)


def _block_key(db: sqlite3.Connection, key: int | bytes) -> None:
    db.execute(
        "INSERT INTO urls (key, host, state, priority, url, depth, kind, hops, reason) VALUES (?, ?, ?, 0, '', 0, 'p', "
        "0, ?) ON CONFLICT (key) DO UPDATE SET state = excluded.state, url = '', referrer = NULL, topic = NULL, "
        "extra = NULL, due = NULL, reason = excluded.reason",
        (key, _host_number(db, NO_HOST), DEAD, REASON),
    )


def _block_host(db: sqlite3.Connection, host: str) -> None:
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


def _block_in_redis(where: str, crawl: str, blocklist: Blocklist, *, exact: bool) -> None:
    frontier: Any = open_frontier(where, crawl=crawl, worker="forget", policy=FrontierPolicy(exact=exact))
    server, key = frontier._server, frontier._key
    try:
        for short, long in sorted(blocklist.keys):
            frontier._run("change", None, "remember", bytes.fromhex(long) if exact else short, NO_HOST)
        for host in sorted(blocklist.hosts):
            server.hset(key(f"h:{host}"), "n", FULL)
        _drop_queued(frontier, blocklist)
        for name in ("retry", "revisit"):
            for text, _ in list(server.zscan_iter(key(name), count=1000)):
                host, priority, record = text.decode().split("\n", 2)
                if blocklist.contains(unpack(record, host, float(priority)).url):
                    server.zrem(key(name), text)
        for url in [url.decode() for url, _ in server.hscan_iter(key("dead"), count=1000)]:
            if blocklist.contains(url):
                server.hdel(key("dead"), url)
    finally:
        frontier.close()


def _drop_queued(frontier: Any, blocklist: Blocklist) -> None:
    """Remove blocked addresses from the queues; `slow_down` with a wait of 0 takes an emptied host off the schedule."""
    server, key = frontier._server, frontier._key
    for host, rows in list(frontier._queue(1000)):
        gone = [record for record, priority in rows if blocklist.contains(unpack(record, host, priority).url)]
        if gone:
            removed = server.zrem(key(f"q:{host}"), *gone)
            server.hincrby(key("numbers"), "queued", -removed)
            frontier.slow_down(host, wait=0)
