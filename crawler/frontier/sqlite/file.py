"""Open the file of a SQLite frontier: for writing by one process, for queries by any."""

import fcntl
import os
import sqlite3
from importlib.resources import files
from pathlib import Path

from crawler.frontier.contract import (
    HOST_FULL,
    NEAR_IDENTICAL,
    OUTCOMES,
    PREFIX_FULL,
    AddressStatus,
    FrontierPolicy,
    FrontierStats,
    Offer,
    key64,
    key128,
)  # fmt: skip
from crawler.frontier.sqlite.templates import closed_template_reason
from crawler.frontier.traps import origin_and_host, prefix_of, refusal
from parcels.errors import ConfigError, InputMissing

FORMAT = 1
IN_QUEUE, LEASED, DONE, RETRYING, REVISIT, DEAD = range(6)
STATES = ("queued", "leased", "done", "retrying", "revisit", "dead")
CACHE_KB = 65536
REASON_WORD = "substr(reason, 1, instr(reason || ' ', ' ') - 1)"  # the rest of a reason is its detail


def open_file(path: Path, policy: FrontierPolicy) -> tuple[sqlite3.Connection, int]:
    """Open the file for the one process that may write; return the connection and the lock."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(f"{path}.lock", os.O_CREAT | os.O_RDWR, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise ConfigError(
            f"Another crawl uses the frontier {path}. Wait for its end, or use --frontier redis://... to share it."
        ) from None
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    for setting in ("journal_mode = WAL", "synchronous = FULL", f"cache_size = -{CACHE_KB}"):
        connection.execute(f"PRAGMA {setting}")
    schema = files("crawler.frontier.sqlite").joinpath("schema.sql").read_text()
    connection.executescript(schema.replace("{key}", "BLOB" if policy.exact else "INTEGER"))
    _check(connection, path, policy)
    return connection, lock


def _check(connection: sqlite3.Connection, path: Path, policy: FrontierPolicy) -> None:
    wanted = {"format": FORMAT, "exact": int(policy.exact)}
    for name, value in wanted.items():
        connection.execute("INSERT OR IGNORE INTO numbers VALUES (?, ?)", (name, value))
    stored = dict(connection.execute("SELECT name, value FROM numbers WHERE name IN ('format', 'exact')"))
    if stored["format"] != FORMAT:
        raise ConfigError(
            f"{path} has frontier format {stored['format']}, this version reads {FORMAT}. Update parcels."
        )
    if stored["exact"] != wanted["exact"]:
        was = "with" if stored["exact"] else "without"
        raise ConfigError(f"{path} was created {was} --exact. Continue it {was} --exact.")


def open_read_only(path: Path) -> sqlite3.Connection:
    """Open the file for queries while a crawl may be running."""
    if not path.is_file():
        raise InputMissing(f"There is no frontier at {path}. A crawl creates it: parcels crawl ...")
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)


def explain_address(db: sqlite3.Connection, url: str, policy: FrontierPolicy) -> AddressStatus:
    """Return the state of an address and the reason for it."""
    is_exact = bool(db.execute("SELECT value FROM numbers WHERE name = 'exact'").fetchone()[0])
    key = key128(url) if is_exact else key64(url)
    row = db.execute(
        "SELECT state, host, priority, depth, referrer, visit, attempt, due, reason FROM urls WHERE key = ?", (key,)
    ).fetchone()
    if row is None:
        return _explain_unknown(db, url, policy)
    state, host, priority, depth, referrer, visit, attempt, due, reason = row
    origin = f"found on {referrer}" if referrer else "a seed"
    if state == IN_QUEUE:
        ahead = db.execute(
            "SELECT count(*) FROM urls WHERE host = ? AND state = 0 AND priority > ?", (host, priority)
        ).fetchone()[0]
        return AddressStatus(
            "queued", f"{origin}; depth {depth}, priority {priority:g}, {ahead} of its host come before it"
        )
    if state in (RETRYING, REVISIT):
        return AddressStatus(
            STATES[state], f"{origin}; due at {due:.0f} (seconds since 1970), attempt {attempt}: {reason or ''}"
        )
    if state == DEAD:
        return AddressStatus("dead", f"{reason}; {origin}")
    return AddressStatus(STATES[state], f"{origin}; depth {depth}, visit {visit}")


def _explain_unknown(db: sqlite3.Connection, url: str, policy: FrontierPolicy) -> AddressStatus:
    refused = refusal(Offer(url), policy)
    if refused:
        return AddressStatus("refused", OUTCOMES[refused])
    host = db.execute("SELECT number, admitted FROM hosts WHERE name = ?", (origin_and_host(url)[1],)).fetchone()
    if host is None:
        return AddressStatus(
            "unknown", "no address of its host was ever offered: no page links to it, or it is out of scope"
        )
    if host[1] >= policy.host_budget:
        return AddressStatus("refused", f"{OUTCOMES[HOST_FULL]}: {host[1]} addresses of its host were admitted")
    prefix = prefix_of(url)
    count = db.execute("SELECT count FROM prefixes WHERE host = ? AND prefix = ?", (host[0], prefix)).fetchone()
    if count and count[0] >= policy.prefix_budget:
        return AddressStatus("refused", f"{OUTCOMES[PREFIX_FULL]}: {count[0]} addresses below {prefix} were admitted")
    closed = closed_template_reason(db, host[0], url, policy)
    if closed:
        return AddressStatus("refused", f"{NEAR_IDENTICAL}: {closed}")
    return AddressStatus("unknown", "it was never offered: no fetched page links to it, or it is out of scope")


def count_states(db: sqlite3.Connection) -> FrontierStats:
    """Count the addresses of the file by state, in one pass."""
    states = dict(db.execute("SELECT state, count(*) FROM urls WHERE kind != 'r' GROUP BY state"))
    dead = dict(db.execute(f"SELECT coalesce({REASON_WORD}, '?'), count(*) FROM urls WHERE state = 5 GROUP BY 1"))
    refused = {
        name.partition(":")[2]: value
        for name, value in db.execute("SELECT name, value FROM numbers WHERE name LIKE 'refused:%'")
    }
    hosts = db.execute("SELECT count(*) FROM hosts").fetchone()[0]
    queued, leased, done, retrying, revisits, _ = (states.get(state, 0) for state in range(6))
    return FrontierStats(
        queued, leased, retrying, revisits, sum(states.values()), done + revisits, dead, refused, hosts
    )
