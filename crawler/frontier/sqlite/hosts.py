"""Keep the hosts of a SQLite frontier in memory while it is open, and their durable fields in the file."""

import sqlite3

from crawler.frontier.clock import MAX_WAIT_SECONDS
from crawler.frontier.contract import LOCATED_SECONDS, ROBOTS_PRIORITY, FrontierPolicy
from crawler.frontier.host_schedule import Host, HostSchedule, NetworkAddress

PREFIXES_KEPT = 500_000  # counts in memory; others are read from the file


class Hosts:
    """All hosts, their schedule, and the budgets of their prefixes."""

    def __init__(self, db: sqlite3.Connection, policy: FrontierPolicy, now: float):
        self.schedule = HostSchedule(policy)
        self.queued = 0  # addresses of all hosts
        self._db, self._policy = db, policy
        self._by_name: dict[str, Host] = {}
        self._by_number: dict[int, Host] = {}
        self._addresses: dict[str, NetworkAddress] = {}
        self._prefixes: dict[tuple[int, str], int] = {}
        self._changed_prefixes: set[tuple[int, str]] = set()
        self._changed: set[int] = set()
        self._load(now)

    def _load(self, now: float) -> None:
        for number, name, delay, next_at, admitted in self._db.execute(
            "SELECT number, name, delay, next_at, admitted FROM hosts"
        ):
            host = self._new(number, name)
            host.admitted, host.next_at = admitted, max(min(next_at, now + MAX_WAIT_SECONDS), now)
            self.set_delay(host, delay)
        for number, count, head in self._db.execute(
            "SELECT host, count(*), max(priority) FROM urls WHERE state = 0 GROUP BY host"
        ):
            host = self._by_number[number]
            host.queued, host.head = count, head
            self.queued += count
        for (number,) in self._db.execute("SELECT host FROM urls WHERE state = 3 AND kind = 'r'"):
            self._by_number[number].is_gated = True
        for host in self._by_name.values():
            self.schedule.place(host)
        self._changed.clear()

    def _new(self, number: int, name: str) -> Host:
        host = self._by_name[name] = self._by_number[number] = Host(number, name, self._policy.delay)
        return host

    def __getitem__(self, which: str | int) -> Host:
        return self._by_name[which] if isinstance(which, str) else self._by_number[which]

    def get(self, name: str) -> Host | None:
        """Return the host with this name if it is known."""
        return self._by_name.get(name)

    def get_or_add(self, name: str, now: float) -> Host:
        """Return the host with this name; create it if it is new."""
        host = self._by_name.get(name)
        if host is None:
            number = self._db.execute("INSERT INTO hosts (name) VALUES (?)", (name,)).lastrowid
            assert number is not None
            host = self._new(number, name)
            host.next_at = now
        return host

    def address_of(self, host: Host, now: float) -> NetworkAddress | None:
        """Return the network address of a host; None if it is unknown or expired."""
        if host.address is not None and now >= host.located_at + LOCATED_SECONDS:
            host.address = None
        return host.address

    def set_address(self, host: Host, name: str, now: float) -> NetworkAddress:
        """Set the network address of a host."""
        host.address = self._addresses.setdefault(name, NetworkAddress(name))
        host.located_at = now
        return host.address

    def set_delay(self, host: Host, asked: float | None) -> None:
        """Set the delay from robots.txt; the longer of it and the policy's delay applies."""
        host.robots_delay = asked
        host.delay = max(asked or 0.0, self._policy.delay)
        self.mark_changed(host)

    def mark_changed(self, host: Host) -> None:
        """Mark a host whose durable fields have changed."""
        self._changed.add(host.number)

    def has_room(self, host: Host, prefix: str) -> bool:
        """Return True while the budget of a prefix is not used up."""
        key = (host.number, prefix)
        count = self._prefixes.get(key)
        if count is None:
            row = self._db.execute("SELECT count FROM prefixes WHERE host = ? AND prefix = ?", key).fetchone()
            count = self._prefixes[key] = row[0] if row else 0
        return count < self._policy.prefix_budget

    def count_admitted(self, host: Host, prefix: str) -> None:
        """Count an admitted address; call `has_room` for its prefix first."""
        host.admitted += 1
        self._prefixes[host.number, prefix] += 1
        self._changed_prefixes.add((host.number, prefix))
        self.mark_changed(host)

    def count_queued(self, host: Host, priority: float, now: float) -> None:
        """Count an address of this host that was queued."""
        if host.queued == 0:
            host.next_at = max(host.next_at, now)
        host.head = max(host.head, priority) if host.queued else priority
        host.is_gated = host.is_gated and priority < ROBOTS_PRIORITY  # robots.txt itself is not gated
        host.queued += 1
        self.queued += 1
        self.schedule.place(host)

    def count_dequeued(self, host: Host, count: int = 1) -> None:
        """Count addresses of this host that left the queue; the caller updates the schedule."""
        host.queued -= count
        self.queued -= count

    def save(self) -> None:
        """Write the changed fields; the caller commits."""
        counts = [(*key, self._prefixes[key]) for key in self._changed_prefixes]
        self._db.executemany("INSERT OR REPLACE INTO prefixes VALUES (?, ?, ?)", counts)
        hosts = [self._by_number[number] for number in self._changed]
        self._db.executemany(
            "UPDATE hosts SET admitted = ?, delay = ?, next_at = ? WHERE number = ?",
            [(host.admitted, host.robots_delay, host.next_at, host.number) for host in hosts],
        )
        self._changed_prefixes.clear()
        self._changed.clear()
        if len(self._prefixes) > PREFIXES_KEPT:
            self._prefixes.clear()
