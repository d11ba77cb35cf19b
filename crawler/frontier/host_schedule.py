"""Decide which host may be requested now, and which of the free hosts comes first.

Of the ready hosts, the one with the best first address is served; ties go to the one that has been ready longest; and a
host that has been ready for longer than `patience` precedes all scores. A host whose network address is busy with other
hosts of the same machine waits there, and hosts of one address take turns. The heaps keep stale entries, recognised by
their stamp, so every step takes time logarithmic in the number of hosts.
"""

import heapq
from typing import Any

from crawler.frontier.contract import FrontierPolicy

IDLE, WAITING, READY, BLOCKED = 0, 1, 2, 3


class NetworkAddress:
    """A network address, which may serve many hosts."""

    __slots__ = ("active", "blocked", "name", "next_at", "stamp")

    def __init__(self, name: str):
        self.name = name
        self.active = self.stamp = 0
        self.next_at = 0.0
        self.blocked: list[tuple[float, int, Host]] = []  # hosts that wait only for this address


class Host:
    """The politeness state of a host."""

    __slots__ = (
        "active",
        "address",
        "admitted",
        "delay",
        "head",
        "is_gated",
        "located_at",
        "name",
        "next_at",
        "number",
        "queued",
        "robots_delay",
        "since",
        "stamp",
        "state",
    )  # fmt: skip

    def __init__(self, number: int, name: str, delay: float):
        self.number, self.name, self.delay = number, name, delay
        self.queued = self.active = self.stamp = self.admitted = 0
        self.head = self.next_at = self.since = self.located_at = 0.0
        self.robots_delay: float | None = None  # of robots.txt
        self.address: NetworkAddress | None = None  # None until it is resolved
        self.is_gated = False  # robots.txt is being fetched
        self.state = IDLE


class HostSchedule:
    """The schedule of all hosts with queued addresses."""

    def __init__(self, policy: FrontierPolicy):
        self._policy = policy
        self._waiting: list[tuple[float, int, Host]] = []
        self._ready: list[tuple[float, float, int, Host]] = []
        self._oldest: list[tuple[float, int, Host]] = []
        self._busy: list[tuple[float, int, NetworkAddress]] = []  # addresses with blocked hosts, by their next time
        self._stamps = 0

    def place(self, host: Host) -> None:
        """Update a host's place in the schedule after any of its fields has changed."""
        if not host.queued or host.is_gated or host.active >= self._policy.concurrency:
            host.state = IDLE
            host.stamp = self._stamp()
        elif host.state == READY and host.next_at <= host.since:
            host.stamp = self._stamp()
            self._make_ready(host)
        elif host.state != BLOCKED or host.next_at > host.since:
            host.state, host.stamp = WAITING, self._stamp()
            heapq.heappush(self._waiting, (host.next_at, host.stamp, host))

    def pick(self, now: float) -> Host | None:
        """Return the host to serve, or None if none is ready. It keeps its place until it is placed again."""
        while True:
            self._wake(now)
            host = self._best(now)
            if host is None or host.address is None or self.is_free(host.address, now):
                return host
            host.state, host.stamp = BLOCKED, self._stamp()
            heapq.heappush(host.address.blocked, (host.since, host.stamp, host))
            self._place_address(host.address)

    def _best(self, now: float) -> Host | None:
        oldest: Host | None = self._first(self._oldest)
        if oldest is None or now - oldest.since >= self._policy.patience:
            return oldest
        best: Host | None = self._first(self._ready)
        return best

    def _wake(self, now: float) -> None:
        """Make ready the hosts whose time has come, and of each free address the host that has waited longest."""
        while self._waiting and self._waiting[0][0] <= now:
            next_at, stamp, host = heapq.heappop(self._waiting)
            if stamp == host.stamp:
                host.state, host.since = READY, next_at
                self._make_ready(host)
        free = []
        while self._busy and self._busy[0][0] <= now:
            _, stamp, address = heapq.heappop(self._busy)
            if stamp == address.stamp:
                free.append(address)
        for address in free:
            host = self._first(address.blocked)
            if host is not None:
                host.state, host.stamp = READY, self._stamp()
                self._make_ready(host)
            self._place_address(address)

    def next_at(self) -> float | None:
        """Return the time at which the next host becomes ready; None if none waits."""
        heaps: tuple[list[Any], ...] = (self._waiting, self._busy)
        return min((heap[0][0] for heap in heaps if self._first(heap) is not None), default=None)

    def is_empty(self, now: float) -> bool:
        """Return True if no host is ready and none waits for its turn."""
        return self.pick(now) is None and self.next_at() is None

    def reschedule(self, host: Host) -> None:
        """Put a host that was just requested back into the schedule."""
        host.state = IDLE
        self.place(host)

    # -- addresses ------------------------------------------------------------------------------------------------

    def is_free(self, address: NetworkAddress, now: float) -> bool:
        """Return True if a host of this address may be requested now."""
        return address.next_at <= now and address.active < self._policy.address_concurrency

    def occupy(self, address: NetworkAddress, now: float) -> float:
        """Count a request to an address; return when the next one is allowed."""
        address.active += 1
        address.next_at = now + self._policy.address_delay
        self._place_address(address)
        return address.next_at

    def release(self, address: NetworkAddress, *, at: float | None = None, unused: float | None = None) -> None:
        """End a request to an address: answered at `at`, or not sent, with `unused` the time that `occupy` returned."""
        address.active -= 1
        if address.next_at == unused:  # no request was sent since
            address.next_at = 0.0
        elif at is not None and self._policy.address_concurrency == 1:  # serial requests: delay from the response
            address.next_at = max(address.next_at, at + self._policy.address_delay)
        self._place_address(address)

    def _place_address(self, address: NetworkAddress) -> None:
        address.stamp = self._stamp()
        if self._first(address.blocked) is not None and address.active < self._policy.address_concurrency:
            heapq.heappush(self._busy, (address.next_at, address.stamp, address))

    # -- heaps ----------------------------------------------------------------------------------------------------

    def _stamp(self) -> int:
        self._stamps += 1
        return self._stamps

    def _make_ready(self, host: Host) -> None:
        heapq.heappush(self._ready, (-host.head, host.since, host.stamp, host))
        heapq.heappush(self._oldest, (host.since, host.stamp, host))

    @staticmethod
    def _first(heap: list[Any]) -> Any:
        """Return the host or address of the first entry that is not stale; None if there is none."""
        while heap:
            if heap[0][-2] == heap[0][-1].stamp:
                return heap[0][-1]
            heapq.heappop(heap)
        return None
