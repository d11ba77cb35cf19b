"""Process the whole queue of a SQLite frontier: read it in batches, rescore it, queue dead letters again."""

import sqlite3
from collections.abc import Collection, Iterator

from crawler.frontier.contract import Offer, Score
from crawler.frontier.sqlite.file import REASON_WORD
from crawler.frontier.sqlite.hosts import Hosts

MIN_ROWID, MAX_ROWID = -(1 << 63), (1 << 63) - 1
_ROWS = """
SELECT rowid, url, priority, depth, referrer, topic, kind, hops, extra FROM urls
WHERE rowid >= ? AND state = 0 AND kind != 'r' ORDER BY rowid LIMIT ?
"""


def queue(db: sqlite3.Connection, batch: int) -> Iterator[list[tuple[int, Offer]]]:
    """Yield all queued addresses except robots.txt, each with its row number, unordered."""
    first = MIN_ROWID
    while rows := db.execute(_ROWS, (first, batch)).fetchall():
        yield [(row[0], Offer(*row[1:])) for row in rows]
        if rows[-1][0] == MAX_ROWID:
            return
        first = rows[-1][0] + 1


def rescore(db: sqlite3.Connection, hosts: Hosts, score: Score, batch: int) -> int:
    """Compute a new priority for every queued address and reschedule the hosts; the caller commits."""
    changed = 0
    for rows in queue(db, batch):
        fresh = score([offer for _, offer in rows])
        changes = [
            (float(new), number) for (number, offer), new in zip(rows, fresh, strict=True) if new != offer.priority
        ]
        db.executemany("UPDATE urls SET priority = ? WHERE rowid = ?", changes)
        changed += len(changes)
    for number, head in db.execute("SELECT host, max(priority) FROM urls WHERE state = 0 GROUP BY host").fetchall():
        host = hosts[number]
        host.head = head
        hosts.schedule.place(host)
    return changed


def retry(
    db: sqlite3.Connection, hosts: Hosts, *, host: str | None, reasons: Collection[str], attempt: int, now: float
) -> int:
    """Queue dead letters again; return their number. The caller commits."""
    where, values = "state = 5 AND url != ''", list(reasons)  # forgotten addresses have no URL
    if reasons:
        where += f" AND {REASON_WORD} IN ({', '.join('?' * len(reasons))})"
    if host is not None:
        where += " AND host = (SELECT number FROM hosts WHERE name = ?)"
        values.append(host)
    rows = db.execute(f"SELECT key, host, priority FROM urls WHERE {where}", values).fetchall()
    change = "UPDATE urls SET state = 0, attempt = ?, reason = NULL WHERE key = ?"
    db.executemany(change, [(attempt, key) for key, _, _ in rows])
    for _, number, priority in rows:
        hosts.count_queued(hosts[number], priority, now)
    return len(rows)
