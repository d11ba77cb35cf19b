"""Implement the frontier in one SQLite file: no server, one process at a time.

A lease is not committed before the next `done`: a process that dies leaves no lease behind, and the next one finds its
addresses queued. Every commit is synced (WAL, synchronous=FULL), so finished leases survive a power cut.
"""

import os
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from crawler.frontier.clock import MAX_WAIT_SECONDS, SteadyClock
from crawler.frontier.contract import (
    CLOSED,
    CLOSES,
    HOST_FULL,
    NOT_ASKED,
    OUTCOMES,
    PAGE,
    PREFIX_FULL,
    QUEUED,
    ROBOTS,
    ROBOTS_PRIORITY,
    SEEN,
    CompletedLease,
    FrontierPolicy,
    Lease,
    LeaseBatch,
    Offer,
    Receipt,
    ReleasedLease,
    Score,
    key64,
    key128,
)  # fmt: skip
from crawler.frontier.host_schedule import Host, NetworkAddress
from crawler.frontier.records import offer_of
from crawler.frontier.sqlite.file import DEAD, DONE, RETRYING, REVISIT, open_file
from crawler.frontier.sqlite.hosts import Hosts
from crawler.frontier.sqlite.queue import queue, rescore, retry
from crawler.frontier.sqlite.storage import SqliteStorage
from crawler.frontier.sqlite.templates import Templates
from crawler.frontier.traps import leads_to_other_template, origin_and_host, prefix_of, refusal, template_of

DUE_BATCH = 1000  # due addresses that one lease moves back into the queue
EPOCH_BITS = 40  # bits of a token that count the leases since the file was opened; the others count the openings
_COLUMNS = "url, priority, depth, referrer, topic, kind, hops, extra"
_INSERT = f"INSERT OR IGNORE INTO urls (key, host, state, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_HEADS = f"SELECT key, visit, attempt, {_COLUMNS} FROM urls WHERE host = ? AND state = 0 ORDER BY priority DESC LIMIT 2"


class SqliteFrontier(SqliteStorage):
    """A frontier in a SQLite file. Open it with `SqliteFrontier.open(path, policy)`."""

    def __init__(self, connection: sqlite3.Connection, policy: FrontierPolicy, lock: int):
        self.policy = policy
        self._db, self._lock = connection, lock
        self._clock = SteadyClock()
        self._key = key128 if policy.exact else key64
        self._leases: dict[int, tuple[Lease, float]] = {}  # with expiry time, in the order of expiry
        self._slots: dict[int, tuple[Host, NetworkAddress | None, float]] = {}  # what a token occupies, until when
        connection.execute("UPDATE urls SET state = 0 WHERE state = 1")
        latest = self._clock() + MAX_WAIT_SECONDS  # later times were set by a wrong clock
        connection.execute("UPDATE urls SET due = ? WHERE state = 3 AND due > ?", (latest, latest))
        connection.execute("INSERT INTO numbers VALUES ('epoch', 1) ON CONFLICT DO UPDATE SET value = value + 1")
        numbers = dict(connection.execute("SELECT name, value FROM numbers").fetchall())
        self._token = numbers["epoch"] << EPOCH_BITS
        self._refused = {name: value for name, value in numbers.items() if name.startswith("refused:")}
        self._retrying = connection.execute("SELECT count(*) FROM urls WHERE state = 3").fetchone()[0]
        self._origins = {origin for (origin,) in connection.execute("SELECT origin FROM origins")}
        self._hosts = Hosts(connection, policy, self._clock())
        self._templates = Templates(connection, policy)
        connection.execute("BEGIN IMMEDIATE")

    @classmethod
    def open(cls, path: str | Path, policy: FrontierPolicy | None = None) -> "SqliteFrontier":
        """Open the frontier in a file; create it if it is missing."""
        policy = policy or FrontierPolicy()
        connection, lock = open_file(Path(path), policy)
        return cls(connection, policy, lock)

    def _commit(self) -> None:
        self._hosts.save()
        self._db.executemany("INSERT OR REPLACE INTO numbers VALUES (?, ?)", list(self._refused.items()))
        self._db.execute("COMMIT")
        self._db.execute("BEGIN IMMEDIATE")

    def close(self) -> None:
        """Queue all leased addresses, commit, and close the file."""
        self._db.execute("UPDATE urls SET state = 0 WHERE state = 1")
        self._commit()
        self._db.execute("COMMIT")
        self._close_file()

    def abandon(self) -> None:
        """Undo uncommitted changes and close the file."""
        self._close_file()

    def _close_file(self) -> None:
        self._db.close()  # rolls back the open transaction
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    # -- admission ------------------------------------------------------------------------------------------------

    def admit(self, offers: Sequence[Offer], *, now: float | None = None) -> str:
        """Queue new addresses; return one outcome letter per offer."""
        outcomes = self._admit(offers, self._clock() if now is None else now)
        self._commit()
        return outcomes

    def _admit(self, offers: Sequence[Offer], now: float) -> str:
        return "".join([self._admit_one(offer, now) for offer in offers])

    def _admit_one(self, offer: Offer, now: float) -> str:
        outcome = refusal(offer, self.policy)
        if outcome:
            return self._refuse(outcome)
        key = self._key(offer.url)
        if self._db.execute("SELECT 1 FROM urls WHERE key = ?", (key,)).fetchone():
            return SEEN
        origin, name = origin_and_host(offer.url)
        host = self._hosts.get_or_add(name, now)
        if host.admitted >= self.policy.host_budget:
            return self._refuse(HOST_FULL)
        prefix = prefix_of(offer.url)
        if not self._hosts.has_room(host, prefix):
            return self._refuse(PREFIX_FULL)
        if offer.kind == PAGE and self._templates.is_closed(host.number, offer.url):
            return self._refuse(CLOSED)
        if self.policy.robots and origin not in self._origins:
            self._add_robots(origin, host, now)
        self._db.execute(_INSERT, (key, host.number, 0, *offer))
        self._hosts.count_admitted(host, prefix)
        self._hosts.count_queued(host, offer.priority, now)
        return QUEUED

    def _add_robots(self, origin: str, host: Host, now: float) -> None:
        self._origins.add(origin)
        self._db.execute("INSERT OR IGNORE INTO origins VALUES (?, NULL)", (origin,))
        offer = Offer(f"{origin}/robots.txt", ROBOTS_PRIORITY, kind=ROBOTS)
        if self._db.execute(_INSERT, (self._key_of(ROBOTS, offer.url), host.number, 0, *offer)).rowcount:
            self._hosts.count_queued(host, ROBOTS_PRIORITY, now)

    def _refuse(self, outcome: str) -> str:
        name = f"refused:{OUTCOMES[outcome]}"
        self._refused[name] = self._refused.get(name, 0) + 1
        return outcome

    def _key_of(self, kind: str, url: str) -> int | bytes:
        return self._key(f"robots {url}" if kind == ROBOTS else url)

    def mark_done(self, urls: Sequence[str]) -> int:
        """Mark addresses as done without queueing them; return how many were new."""
        new = 0
        for url in urls:
            host = self._hosts.get_or_add(origin_and_host(url)[1], 0.0)
            if self._db.execute(_INSERT, (self._key(url), host.number, DONE, *Offer(url))).rowcount:
                new += 1
                host.admitted += 1
                self._hosts.mark_changed(host)
        self._commit()
        return new

    # -- leases ---------------------------------------------------------------------------------------------------

    def lease(self, n: int, *, released: Sequence[ReleasedLease] = (), now: float | None = None) -> LeaseBatch:
        """Lease at most n addresses whose hosts are free."""
        now = self._clock() if now is None else now
        for token, age in released:
            self._release(token, now if age == NOT_ASKED else now - age, is_asked=age != NOT_ASKED)
        self._expire(now)
        self._wake(now)
        leases: list[Lease] = []
        while len(leases) < n and (host := self._hosts.schedule.pick(now)) is not None:
            lease = self._take(host, now)
            if lease is not None:
                leases.append(lease)
        pending = self._hosts.queued + len(self._leases) + self._retrying
        is_idle = not self._leases and self._hosts.schedule.is_empty(now)
        return LeaseBatch(leases, self._wait(now), pending, is_idle)

    def _take(self, host: Host, now: float) -> Lease | None:
        rows = self._db.execute(_HEADS, (host.number,)).fetchall()
        if not rows:
            self._hosts.count_dequeued(host, host.queued)
            self._hosts.schedule.place(host)
            return None
        key, visit, attempt, url, priority, depth, referrer, topic, kind, hops, extra = rows[0]
        self._db.execute("UPDATE urls SET state = 1 WHERE key = ?", (key,))
        self._token += 1
        address = self._hosts.address_of(host, now)
        lease = Lease(
            self._token, host.name, url, priority, depth, referrer, topic, kind, hops, extra, visit, attempt,
            address is not None or not self.policy.per_address,
        )  # fmt: skip
        self._leases[lease.token] = lease, now + self.policy.lease_seconds
        until = self._hosts.schedule.occupy(address, now) if address is not None else now
        self._slots[lease.token] = host, address, until
        self._hosts.count_dequeued(host)
        host.head = rows[1][4] if len(rows) > 1 else 0.0
        host.active += 1
        host.next_at = now + host.delay
        host.is_gated = host.is_gated or kind == ROBOTS
        self._hosts.schedule.reschedule(host)
        return lease

    def _release(self, token: int, at: float | None, *, is_asked: bool = True) -> None:
        """Release the host and address of a lease; `at` is the time of the response."""
        host, address, until = self._slots.pop(token, (None, None, 0.0))
        if host is None:
            return
        host.active -= 1
        if address is not None:
            self._hosts.schedule.release(address, at=at if is_asked else None, unused=None if is_asked else until)
        if at is not None and not is_asked:
            host.next_at = at
        elif at is not None and self.policy.concurrency == 1:
            host.next_at = max(host.next_at, at + host.delay)
        self._hosts.schedule.place(host)

    def _expire(self, now: float) -> None:
        while self._leases:
            lease, expires_at = next(iter(self._leases.values()))
            if expires_at > now:
                return
            self._requeue(lease, now)

    def _requeue(self, lease: Lease, now: float) -> None:
        self._leases.pop(lease.token)
        self._release(lease.token, None)
        self._db.execute("UPDATE urls SET state = 0 WHERE key = ?", (self._key_of(lease.kind, lease.url),))
        self._hosts.count_queued(self._hosts[lease.host], lease.priority, now)

    def _wake(self, now: float) -> None:
        """Queue the addresses whose next attempt or visit is due."""
        due = self._db.execute(
            "SELECT key, host, state, priority FROM urls WHERE due <= ? LIMIT ?", (now, DUE_BATCH)
        ).fetchall()
        for key, number, state, priority in due:
            self._db.execute("UPDATE urls SET state = 0, due = NULL WHERE key = ?", (key,))
            self._retrying -= state == RETRYING
            self._hosts.count_queued(self._hosts[number], priority, now)

    def _wait(self, now: float) -> float | None:
        times = [] if (ready := self._hosts.schedule.next_at()) is None else [ready]
        if self._retrying:
            row = self._db.execute("SELECT min(due) FROM urls WHERE due IS NOT NULL").fetchone()
            times += [row[0]] if row[0] is not None else []
        if self._leases:
            times.append(next(iter(self._leases.values()))[1])
        if self._hosts.schedule.pick(now) is not None:
            return 0.0
        return max(min(times) - now, 0.0) if times else None

    def give_back(self, lease: Lease, *, wait: float, now: float | None = None) -> bool:
        """Queue a leased address for another attempt."""
        if self._leases.pop(lease.token, None) is None:
            return False
        now = self._clock() if now is None else now
        self._release(lease.token, now)
        self._db.execute(
            "UPDATE urls SET state = 3, attempt = attempt + 1, due = ? WHERE key = ?",
            (now + wait, self._key_of(lease.kind, lease.url)),
        )
        self._retrying += 1
        return True

    def reclaim(self, worker: str, *, now: float | None = None) -> int:
        """Return 0: opening the file has already queued the leases of a dead process."""
        return 0

    # -- the end of a lease ---------------------------------------------------------------------------------------

    def done(self, finished: Sequence[CompletedLease], *, segment: str, now: float | None = None) -> list[Receipt]:
        """End leases and admit their links, in one transaction."""
        now = self._clock() if now is None else now
        receipts = [self._finish(one, segment, now) for one in finished]
        self._commit()
        return receipts

    def _finish(self, one: CompletedLease, segment: str, now: float) -> Receipt:
        lease = one.lease
        key = self._key_of(lease.kind, lease.url)
        if self._leases.pop(lease.token, None) is None:
            known = self._db.execute(
                "SELECT outcomes FROM receipts WHERE segment = ? AND token = ?", (segment, lease.token)
            ).fetchone()
            if known:
                return Receipt(lease.token, known[0])
            if not self._take_from_queue(lease, key):
                return Receipt(lease.token, None)
        self._release(lease.token, now)
        if one.dead is not None:
            change: tuple[Any, ...] = (DEAD, lease.visit, None, one.dead, lease.extra)
        elif one.revisit_in is not None:
            change = (REVISIT, lease.visit + 1, now + one.revisit_in, None, one.extra)
        else:
            change = (DONE, lease.visit, None, None, None)
        self._db.execute(
            "UPDATE urls SET state = ?, visit = ?, due = ?, reason = ?, extra = ?, attempt = 0 WHERE key = ?",
            (*change, key),
        )
        outcomes = self._admit(one.offers, now)
        if one.is_copy is not None and self._closes(one, outcomes):
            outcomes += CLOSES
        self._db.execute("INSERT INTO receipts VALUES (?, ?, ?)", (segment, lease.token, outcomes))
        return Receipt(lease.token, outcomes)

    def _closes(self, one: CompletedLease, outcomes: str) -> bool:
        is_copy = bool(one.is_copy) and not leads_to_other_template(one, outcomes)
        return self._templates.answered(self._hosts[one.lease.host].number, template_of(one.lease.url), is_copy)

    def is_template_closed(self, url: str) -> bool:
        """Return True for an address of a closed template."""
        host = self._hosts.get(origin_and_host(url)[1])
        return host is not None and self._templates.is_closed(host.number, url)

    def _take_from_queue(self, lease: Lease, key: int | bytes) -> bool:
        """Accept a lease of a dead process if no one has leased the address, or a later visit of it, since."""
        row = self._db.execute("SELECT state, visit FROM urls WHERE key = ?", (key,)).fetchone()
        if row is None:  # the old file was lost and this one is new
            host = self._hosts.get_or_add(lease.host, self._clock())
            self._db.execute(_INSERT, (key, host.number, DONE, *offer_of(lease)))
            return True
        if row[0] not in (0, RETRYING) or row[1] != lease.visit:
            return False
        if row[0] == RETRYING:
            self._retrying -= 1
            return True
        host = self._hosts[lease.host]
        self._hosts.count_dequeued(host)
        self._hosts.schedule.place(host)
        return True

    # -- hosts ----------------------------------------------------------------------------------------------------

    def set_robots(self, lease: Lease, rules: str, *, delay: float | None, now: float | None = None) -> bool:
        """Store the rules of an origin and open its host."""
        if self._leases.pop(lease.token, None) is None:
            return False
        now = self._clock() if now is None else now
        self._release(lease.token, now)
        origin, name = origin_and_host(lease.url)
        self._db.execute("UPDATE urls SET state = 2, attempt = 0 WHERE key = ?", (self._key_of(ROBOTS, lease.url),))
        self._db.execute("INSERT OR REPLACE INTO origins VALUES (?, ?)", (origin, rules))
        host = self._hosts[name]
        self._hosts.set_delay(host, delay)
        host.next_at = max(host.next_at, now + host.delay)
        host.is_gated = False
        self._hosts.schedule.place(host)
        return True

    def requeue_robots(self, origin: str, *, now: float | None = None) -> None:
        """Queue an origin's robots.txt again."""
        key = self._key_of(ROBOTS, f"{origin}/robots.txt")
        if self._db.execute("UPDATE urls SET state = 0 WHERE key = ? AND state = 2", (key,)).rowcount:
            host = self._hosts[origin_and_host(origin)[1]]
            self._hosts.count_queued(host, ROBOTS_PRIORITY, self._clock() if now is None else now)

    def slow_down(self, host: str, *, wait: float, now: float | None = None) -> None:
        """Send no request to a host for `wait` seconds."""
        state = self._hosts.get(host)
        if state is not None:
            state.next_at = max(state.next_at, (self._clock() if now is None else now) + wait)
            self._hosts.mark_changed(state)
            self._hosts.schedule.reschedule(state)

    def set_address(self, lease: Lease, address: str, *, now: float | None = None) -> bool:
        """Set the network address of a lease's host; requeue the lease if that address is busy."""
        now = self._clock() if now is None else now
        host, before, _ = self._slots.get(lease.token, (None, None, 0.0))
        if host is None:
            return False
        is_free = self._hosts.set_address(host, address, now)
        if before is not None:
            return True
        if self._hosts.schedule.is_free(is_free, now):
            self._slots[lease.token] = host, is_free, self._hosts.schedule.occupy(is_free, now)
            return True
        host.next_at = now  # no request was sent
        self._requeue(lease, now)
        return False

    # -- the whole queue ------------------------------------------------------------------------------------------

    def retry(
        self, *, host: str | None = None, reasons: Collection[str] = (), attempt: int = 0, now: float | None = None
    ) -> int:
        """Queue dead letters again."""
        now = self._clock() if now is None else now
        count = retry(self._db, self._hosts, host=host, reasons=reasons, attempt=attempt, now=now)
        self._commit()
        return count

    def make_due(self, kind: str | None = None) -> None:
        """Make addresses that wait for another attempt due now."""
        self._db.execute("UPDATE urls SET due = 0 WHERE state = ? AND kind = coalesce(?, kind)", (RETRYING, kind))
        self._commit()

    def rescore(self, score: Score, *, batch: int = 1000) -> int:
        """Compute a new priority for every queued address."""
        changed = rescore(self._db, self._hosts, score, batch)
        self._commit()
        return changed

    def queued(self, batch: int = 1000) -> Iterator[list[Offer]]:
        """Yield all queued addresses in batches, unordered."""
        for rows in queue(self._db, batch):
            yield [offer for _, offer in rows]
