"""The ring of hosts: which host may be asked now, and which of those comes first.

Of the ready hosts the one with the best head score is served; among equals the one that has been ready longest; and a
host that has been ready for longer than the set patience goes before all scores. Heaps keep stale entries, told by
their stamp, so every step costs the logarithm of the number of hosts.
"""

import heapq
from typing import Any

from crawler.frontier.contract import Policy

IDLE, WAITING, READY = 0, 1, 2


class Host:
    """What politeness needs to know of a host."""

    __slots__ = (
        "active",
        "admitted",
        "asked_delay",
        "delay",
        "head",
        "is_gated",
        "name",
        "next_at",
        "number",
        "queued",
        "since",
        "stamp",
        "state",
    )  # fmt: skip

    def __init__(self, number: int, name: str, delay: float):
        self.number, self.name, self.delay = number, name, delay
        self.queued = self.active = self.stamp = self.admitted = 0
        self.head = self.next_at = self.since = 0.0
        self.asked_delay: float | None = None  # of robots.txt
        self.is_gated = False  # robots.txt is being fetched
        self.state = IDLE


class Ring:
    """All hosts with something queued, in the order in which they are served."""

    def __init__(self, policy: Policy):
        self._policy = policy
        self._waiting: list[tuple[float, int, Host]] = []
        self._ready: list[tuple[float, float, int, Host]] = []
        self._oldest: list[tuple[float, int, Host]] = []
        self._stamps = 0

    def place(self, host: Host) -> None:
        """Put a host where it belongs after anything about it has changed."""
        if not host.queued or host.is_gated or host.active >= self._policy.concurrency:
            host.state = IDLE
            self._stamp(host)
        elif host.state == READY and host.next_at <= host.since:
            self._stamp(host)
            self._make_ready(host)
        else:
            host.state = WAITING
            heapq.heappush(self._waiting, (host.next_at, self._stamp(host), host))

    def pick(self, now: float) -> Host | None:
        """The host to serve, or None where none is ready. It stays in the ring until it is placed again."""
        while self._waiting and self._waiting[0][0] <= now:
            next_at, stamp, host = heapq.heappop(self._waiting)
            if stamp == host.stamp:
                host.state, host.since = READY, next_at
                self._make_ready(host)
        oldest = self._first(self._oldest)
        if oldest is None or now - oldest.since >= self._policy.patience:
            return oldest
        return self._first(self._ready)

    def next_at(self) -> float | None:
        """When the next host becomes ready; None where none waits."""
        while self._waiting and self._waiting[0][1] != self._waiting[0][2].stamp:
            heapq.heappop(self._waiting)
        return self._waiting[0][0] if self._waiting else None

    def served(self, host: Host) -> None:
        """A host was asked: it waits its turn again."""
        host.state = IDLE
        self.place(host)

    def _stamp(self, host: Host) -> int:
        self._stamps += 1
        host.stamp = self._stamps
        return self._stamps

    def _make_ready(self, host: Host) -> None:
        heapq.heappush(self._ready, (-host.head, host.since, host.stamp, host))
        heapq.heappush(self._oldest, (host.since, host.stamp, host))

    @staticmethod
    def _first(heap: list[Any]) -> Host | None:
        while heap:
            host: Host = heap[0][-1]
            if heap[0][-2] == host.stamp:
                return host
            heapq.heappop(heap)
        return None
