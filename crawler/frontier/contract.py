"""The contract of a frontier: what is queued, leased, done, and how it is asked for. Two back ends keep it.

An address is *admitted* once (by the hash of its canonical form), *leased* with a token, and then *done* or *given
back*; a lease that nobody ends expires. `done` is called after the page's rows are durable, and admits the page's links
in the same atomic step. Its answer, a receipt, is kept until the rows are sealed: whoever asks again with the same
token gets the same receipt, and whoever holds a token that was overtaken gets none, so a page is sealed exactly once.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import xxhash

# Kinds of address, one letter each.
PAGE, SHEET, FEED, SITEMAP, ROBOTS = "p", "c", "f", "m", "r"

# What became of an offer, one letter each, so that the outcomes of a page are one short string.
QUEUED, SEEN, HOST_FULL, PREFIX_FULL, TOO_DEEP, TOO_LONG, REPEATING, CLOSED = "q", "s", "h", "p", "d", "l", "r", "n"
NEAR_IDENTICAL = "near-identical"  # the reason of what is left out because answers like it say nothing new
OUTCOMES = {
    QUEUED: "queued", SEEN: "seen before", HOST_FULL: "host-budget", PREFIX_FULL: "prefix-budget",
    TOO_DEEP: "too-deep", TOO_LONG: "too-long", REPEATING: "repeating-segments",
    CLOSED: NEAR_IDENTICAL,
}  # fmt: skip
REFUSED = frozenset(OUTCOMES) - {QUEUED, SEEN}
CLOSES = "!"  # behind the outcomes of a page: its answer has closed the template of its address

# Reasons of dead letters that a later run may not find again.
PRIVATE, ROBOTS_UNREACHABLE = "private-address", "robots-unreachable"
UNREACHABLE = frozenset([ROBOTS_UNREACHABLE, "dns", "timeout", "refused", "connection", "proxy"])

LOCATED_SECONDS = 3600.0  # then a host is looked up again: names move
ROBOTS_PRIORITY = 1e12  # robots.txt comes before everything else of its host
NOT_ASKED = -1.0


class Offer(NamedTuple):
    """An address that somebody found. `hops` counts the redirects that led to it."""

    url: str
    priority: float = 0.0
    depth: int = 0
    referrer: str | None = None
    topic: str | None = None
    kind: str = PAGE
    hops: int = 0
    extra: str | None = None  # what the next visit needs to know of the last one, as JSON


class Lease(NamedTuple):
    """An address to fetch now, by the one who holds the token. `visit` is fixed here, and with it the page's id."""

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
    is_located: bool = True  # False: find out the network address of its host and tell it by `locate` before asking


class Leased(NamedTuple):
    """The answer to `lease`: `wait` is seconds until more may be ready, None where nothing is queued here.

    `pending` counts what keeps the crawl open: queued, leased by anybody, waiting for another attempt. `is_idle` is
    True where nobody has a lease and no host waits for its turn: all that is pending waits for another attempt.
    """

    leases: list[Lease]
    wait: float | None
    pending: int
    is_idle: bool = False


class Finished(NamedTuple):
    """A leased address whose rows are durable. `offers` are the addresses it led to."""

    lease: Lease
    offers: Sequence[Offer] = ()
    dead: str | None = None  # why it is a dead letter: a word, and what else is to be known
    revisit_in: float | None = None  # seconds until the next visit
    extra: str | None = None
    is_copy: bool | None = None  # it says what others of its template have said; None: nobody has compared it


class Receipt(NamedTuple):
    """The answer to a finished lease: None as `outcomes` means that another was faster, and the rows are void.

    `outcomes` has one letter per offer, and ends with CLOSES where the answer has closed a template.
    """

    token: int
    outcomes: str | None


class Released(NamedTuple):
    """A lease whose answer has come, `age` seconds ago: its host may be asked again, its rows are not durable yet.

    NOT_ASKED as age says that the host was not asked at all (robots.txt forbids it): it need not wait.
    """

    token: int
    age: float


class Why(NamedTuple):
    """What is known of an address, in words."""

    state: str  # queued, leased, done, retrying, revisit, dead, refused, unknown
    detail: str


class Stats(NamedTuple):
    """A frontier in numbers; `refused` and `dead` by reason."""

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
class Policy:
    """How hosts are treated. All processes of a crawl have the same."""

    delay: float = 1.0  # seconds between two requests to a host, counted from the end of the first
    concurrency: int = 1  # requests to a host at once
    per_address: int = 4  # all hosts of one network address are asked like so many; 0: nobody looks at addresses
    patience: float = 10.0  # a ready host that has waited so long goes before better scores
    lease_seconds: float = 300.0
    host_budget: int = 1_000_000  # addresses of a host
    prefix_budget: int = 100_000  # addresses below one first segment of a host's paths
    max_depth: int = 1_000_000
    max_url: int = 2000  # characters; longer ones are traps or hold data
    max_repeats: int = 3  # times that one segment may stand in a path
    copy_window: int = 12  # answers of a template (traps.py) of which
    copies: int = 11  # so many must be copies that led nowhere else, to close it; 0: none is ever closed
    robots: bool = True  # ask each origin for robots.txt before anything else
    exact: bool = False  # tell addresses apart by 128 bits in place of 64

    @property
    def address_concurrency(self) -> int:
        """Requests to a network address at once."""
        return self.per_address * self.concurrency

    @property
    def address_delay(self) -> float:
        """Seconds between two requests to a network address: from the first one's lease; of one at once, its answer."""
        return self.delay / self.per_address if self.per_address else 0.0


class Frontier(Protocol):
    """What both back ends do. `now` is seconds since 1970; None takes the back end's own clock."""

    policy: Policy

    def admit(self, offers: Sequence[Offer], *, now: float | None = None) -> str:
        """Queue what is new; returns one letter an offer."""

    def lease(self, n: int, *, released: Sequence[Released] = (), now: float | None = None) -> Leased:
        """At most n addresses whose hosts may be asked now, after taking back the hosts that have answered."""

    def done(self, finished: Sequence[Finished], *, segment: str, now: float | None = None) -> list[Receipt]:
        """End leases and admit what they led to, in one step each; receipts are kept until `forget(segment)`."""

    def give_back(self, lease: Lease, *, wait: float, now: float | None = None) -> bool:
        """Queue a leased address for another attempt after `wait` seconds; False where the token is not valid."""

    def receipts(self, segment: str) -> dict[int, str]:
        """The receipts that are kept for a segment: outcomes by token."""

    def forget(self, segment: str) -> None:
        """The rows of this segment are sealed: its receipts are not needed any more."""

    def reclaim(self, worker: str, *, now: float | None = None) -> int:
        """Queue again what a worker held that is known to be dead; returns how many."""

    def set_robots(self, lease: Lease, rules: str, *, delay: float | None, now: float | None = None) -> bool:
        """End the lease of a robots.txt: keep its rules for all processes and open its host."""

    def ask_robots(self, origin: str, *, now: float | None = None) -> None:
        """Queue an origin's robots.txt again: its rules are out of date."""

    def robots(self, origin: str) -> str | None:
        """The rules of an origin as `set_robots` had them."""

    def slow_down(self, host: str, *, wait: float, now: float | None = None) -> None:
        """Leave a host alone for some seconds (Retry-After)."""

    def locate(self, lease: Lease, address: str, *, now: float | None = None) -> bool:
        """Say at which network address the host of a lease is, before it is asked.

        False where the address is busy with other hosts: the lease is ended then and its page queued again.
        """

    def rescore(self, score: "Score", *, batch: int = 1000) -> int:
        """Give every queued address a new priority; returns how many changed."""

    def queued(self, batch: int = 1000) -> Iterator[list[Offer]]:
        """All queued addresses, in no order."""

    def keep(self, name: str, data: bytes) -> None:
        """Keep something with the crawl, under a name, in place of what was there; for all processes, and durable."""

    def kept(self, name: str) -> bytes | None:
        """What was kept under a name last."""

    def retry(
        self, *, host: str | None = None, reasons: Collection[str] = (), attempt: int = 0, now: float | None = None
    ) -> int:
        """Queue dead letters again: those of a host, those with one of some reasons, or all; returns how many.

        `attempt` is the number that their next attempt has. What was forgotten (`parcels forget`) stays out.
        """

    def hasten(self, kind: str | None = None) -> None:
        """Make what waits for another attempt due now: all of it, or addresses of one kind."""

    def remember(self, urls: Sequence[str]) -> int:
        """Know addresses as done without queueing them (rebuild); returns how many were new."""

    def is_closed(self, url: str) -> bool:
        """Return True for an address of a closed template, as of this process's last `lease`."""

    def dead(self, url: str) -> str | None:
        """Why an address is a dead letter; None where it is not."""

    def why(self, url: str) -> Why:
        """What is known of an address."""

    def stats(self) -> Stats:
        """Counts."""

    def close(self) -> None:
        """Let go of files and connections."""

    def abandon(self) -> None:
        """The same after a failure, as if the process had died: what `done` has not answered did not happen."""


Score = Callable[[Sequence[Offer]], Sequence[float]]


def key64(url: str) -> int:
    """The 64-bit hash of a canonical address, signed as SQLite and Redis keep integers.

    >>> key64("http://a.example/")
    -2761359738066541415
    """
    number = xxhash.xxh3_64_intdigest(url.encode())
    return number - (1 << 64) if number >> 63 else number


def key128(url: str) -> bytes:
    """The 128-bit hash of a canonical address (`--exact`)."""
    return xxhash.xxh3_128_digest(url.encode())
