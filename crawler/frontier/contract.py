"""Define the interface of a frontier and its data types. Two back ends implement it.

An address is *admitted* once (by the hash of its canonical form), *leased* with a token, and then *done* or *given
back*; a lease that is not ended expires. `done` is called after the page's rows are durable, and admits the page's
links in the same atomic step. It returns a receipt, which is kept until the rows are sealed: a repeated call with the
same token returns the same receipt, and a token that was overtaken gets none. So a page is sealed exactly once.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import xxhash

# Kinds of address, one letter each.
PAGE, SHEET, FEED, SITEMAP, ROBOTS = "p", "c", "f", "m", "r"

# Outcomes of an offer, one letter each, so that the outcomes of a page are one short string.
QUEUED, SEEN, HOST_FULL, PREFIX_FULL, TOO_DEEP, TOO_LONG, REPEATING, CLOSED = "q", "s", "h", "p", "d", "l", "r", "n"
NEAR_IDENTICAL = "near-identical"  # the reason of addresses left out because similar responses have nothing new
OUTCOMES = {
    QUEUED: "queued", SEEN: "seen before", HOST_FULL: "host-budget", PREFIX_FULL: "prefix-budget",
    TOO_DEEP: "too-deep", TOO_LONG: "too-long", REPEATING: "repeating-segments",
    CLOSED: NEAR_IDENTICAL,
}  # fmt: skip
REFUSED = frozenset(OUTCOMES) - {QUEUED, SEEN}
CLOSES = "!"  # after the outcomes of a page whose response has closed the template of its address

# Reasons of dead letters that may not apply in a later run.
PRIVATE, ROBOTS_UNREACHABLE = "private-address", "robots-unreachable"
UNREACHABLE = frozenset([ROBOTS_UNREACHABLE, "dns", "timeout", "refused", "connection", "proxy"])

LOCATED_SECONDS = 3600.0  # after this time a host's IP address is looked up again, since DNS records change
ROBOTS_PRIORITY = 1e12  # robots.txt comes before everything else of its host
NOT_ASKED = -1.0


class Offer(NamedTuple):
    """An address to queue. `hops` counts the redirects that led to it."""

    url: str
    priority: float = 0.0
    depth: int = 0
    referrer: str | None = None
    topic: str | None = None
    kind: str = PAGE
    hops: int = 0
    extra: str | None = None  # what the next visit needs from the last one, as JSON


class Lease(NamedTuple):
    """An address to fetch now, held by token. `visit` is fixed here, and with it the page's id."""

    token: int
    host: str
    url: str
    priority: float
    depth: int
    referrer: str | None
    topic: str | None
    kind: str
    hops: int
    extra: str | None
    visit: int
    attempt: int
    is_located: bool = True  # False: resolve its host and call `set_address` before the request


class LeaseBatch(NamedTuple):
    """The result of `lease`: `wait` is the seconds until more may be ready, None if nothing is queued here.

    `pending` counts the addresses that keep the crawl open: queued, leased by any worker, or waiting for another
    attempt. `is_idle` is True if there are no leases and no host waits for its turn: all pending addresses wait for
    another attempt.
    """

    leases: list[Lease]
    wait: float | None
    pending: int
    is_idle: bool = False


class CompletedLease(NamedTuple):
    """A leased address whose rows are durable. `offers` are the addresses that it links to."""

    lease: Lease
    offers: Sequence[Offer] = ()
    dead: str | None = None  # why it is a dead letter: one word, optionally followed by details
    revisit_in: float | None = None  # seconds until the next visit
    extra: str | None = None
    is_copy: bool | None = None  # it repeats other responses of its template; None: not compared


class Receipt(NamedTuple):
    """The result of a finished lease; `outcomes` is None if another worker was faster and the rows are void.

    `outcomes` has one letter per offer, and ends with CLOSES if this response closed a template.
    """

    token: int
    outcomes: str | None


class ReleasedLease(NamedTuple):
    """A lease whose response arrived `age` seconds ago: its host is free again, its rows are not durable yet.

    An age of NOT_ASKED means that no request was sent (robots.txt forbids it): the host need not wait.
    """

    token: int
    age: float


class AddressStatus(NamedTuple):
    """The state of an address, with an explanation."""

    state: str  # queued, leased, done, retrying, revisit, dead, refused, unknown
    detail: str


class FrontierStats(NamedTuple):
    """The counts of a frontier; `refused` and `dead` by reason."""

    queued: int
    leased: int
    retrying: int
    revisits: int
    seen: int
    done: int
    dead: dict[str, int]
    refused: dict[str, int]
    hosts: int


@dataclass(frozen=True, slots=True)
class FrontierPolicy:
    """Politeness limits and budgets. All processes of a crawl use the same."""

    delay: float = 1.0  # seconds between two requests to a host, counted from the end of the first
    concurrency: int = 1  # requests to a host at once
    per_address: int = 4  # all hosts at one network address are limited like this many hosts; 0: no such limit
    patience: float = 10.0  # a ready host that has waited this long precedes better scores
    lease_seconds: float = 300.0
    host_budget: int = 1_000_000  # addresses of a host
    prefix_budget: int = 100_000  # addresses below one first segment of a host's paths
    max_depth: int = 1_000_000
    max_url: int = 2000  # characters; longer ones are traps or contain data
    max_repeats: int = 3  # occurrences of one segment in a path
    copy_window: int = 12  # recent responses of a template (traps.py) that are considered
    copies: int = 11  # of those, copies without new links that close the template; 0: never close
    robots: bool = True  # fetch the robots.txt of each origin before anything else
    exact: bool = False  # identify addresses by 128 bits instead of 64

    @property
    def address_concurrency(self) -> int:
        """Return the parallel requests allowed per network address."""
        return self.per_address * self.concurrency

    @property
    def address_delay(self) -> float:
        """Return the seconds between requests to a network address: from the lease, or if serial, the response."""
        return self.delay / self.per_address if self.per_address else 0.0


class Frontier(Protocol):
    """The interface of both back ends. `now` is seconds since 1970; None uses the back end's own clock."""

    policy: FrontierPolicy

    def admit(self, offers: Sequence[Offer], *, now: float | None = None) -> str:
        """Queue new addresses; return one outcome letter per offer."""

    def lease(self, n: int, *, released: Sequence[ReleasedLease] = (), now: float | None = None) -> LeaseBatch:
        """Lease at most n addresses whose hosts are free, after releasing the hosts that have responded."""

    def done(self, finished: Sequence[CompletedLease], *, segment: str, now: float | None = None) -> list[Receipt]:
        """End leases and admit their links, atomically per lease; receipts last until `delete_receipts(segment)`."""

    def give_back(self, lease: Lease, *, wait: float, now: float | None = None) -> bool:
        """Queue a leased address for another attempt after `wait` seconds; return False if the token is not valid."""

    def receipts(self, segment: str) -> dict[int, str]:
        """Return the receipts of a segment: outcomes by token."""

    def delete_receipts(self, segment: str) -> None:
        """Delete the receipts of a segment whose rows are sealed."""

    def reclaim(self, worker: str, *, now: float | None = None) -> int:
        """Queue again all leases of a dead worker; return their number."""

    def set_robots(self, lease: Lease, rules: str, *, delay: float | None, now: float | None = None) -> bool:
        """End the lease of a robots.txt: store its rules for all processes and open its host."""

    def requeue_robots(self, origin: str, *, now: float | None = None) -> None:
        """Queue an origin's robots.txt again because its rules have expired."""

    def robots(self, origin: str) -> str | None:
        """Return the rules of an origin that `set_robots` stored."""

    def slow_down(self, host: str, *, wait: float, now: float | None = None) -> None:
        """Send no request to a host for `wait` seconds (Retry-After)."""

    def set_address(self, lease: Lease, address: str, *, now: float | None = None) -> bool:
        """Set the network address of a lease's host before its request.

        Return False if the address is busy with other hosts: the lease has ended then, and its page is queued again.
        """

    def rescore(self, score: "Score", *, batch: int = 1000) -> int:
        """Compute a new priority for every queued address; return how many changed."""

    def queued(self, batch: int = 1000) -> Iterator[list[Offer]]:
        """Yield all queued addresses in batches, unordered."""

    def save_value(self, name: str, data: bytes) -> None:
        """Store a named value with the crawl, durably and for all processes, replacing an older one."""

    def load_value(self, name: str) -> bytes | None:
        """Return the value last stored under a name."""

    def retry(
        self, *, host: str | None = None, reasons: Collection[str] = (), attempt: int = 0, now: float | None = None
    ) -> int:
        """Queue dead letters again, by host, by reason, or all; return their number.

        `attempt` is the number of their next attempt. Forgotten addresses (`parcels forget`) are excluded.
        """

    def make_due(self, kind: str | None = None) -> None:
        """Make addresses that wait for another attempt due now: all, or those of one kind."""

    def mark_done(self, urls: Sequence[str]) -> int:
        """Mark addresses as done without queueing them (rebuild); return how many were new."""

    def is_template_closed(self, url: str) -> bool:
        """Return True for an address of a closed template, as of this process's last `lease`."""

    def dead_reason(self, url: str) -> str | None:
        """Return the reason why an address is a dead letter; None if it is not."""

    def explain(self, url: str) -> AddressStatus:
        """Return the state of an address and the reason for it."""

    def stats(self) -> FrontierStats:
        """Return the counts of the frontier."""

    def close(self) -> None:
        """Close files and connections."""

    def abandon(self) -> None:
        """Close after a failure as if the process had died: changes since the last `done` are undone."""


Score = Callable[[Sequence[Offer]], Sequence[float]]


def key64(url: str) -> int:
    """Return the 64-bit hash of a canonical address, signed as SQLite and Redis store integers.

    >>> key64("http://a.example/")
    -2761359738066541415
    """
    number = xxhash.xxh3_64_intdigest(url.encode())
    return number - (1 << 64) if number >> 63 else number


def key128(url: str) -> bytes:
    """Return the 128-bit hash of a canonical address (`--exact`)."""
    return xxhash.xxh3_128_digest(url.encode())
