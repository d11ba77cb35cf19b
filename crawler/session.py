"""Keep the state of one crawler process between frontier, spider and sink. Independent of Scrapy.

The scheduler and the spider share it: which requests may be sent now, the outcome of those sent, and the counts.
"""

import time
from collections import Counter, deque
from pathlib import Path

import orjson

from crawler.errors import FATAL_ERRORS, StoreGone, as_parcels_error
from crawler.fetch.robots import DISALLOW, Robots, read_robots
from crawler.frontier.contract import (
    NEAR_IDENTICAL,
    NOT_ASKED,
    PAGE,
    PRIVATE,
    ROBOTS,
    ROBOTS_UNREACHABLE,
    Frontier,
    Lease,
    ReleasedLease,
)
from crawler.frontier.records import offer_of
from crawler.frontier.traps import closed_reason, origin_and_host, template_of
from crawler.links.learning import Learning
from crawler.responses import ReadContext, Response, Retry, reject_entry, retry_after, retry_or_reject
from crawler.sinks.entry import Entry
from crawler.sinks.sink import Sink
from parcels.errors import ParcelsError
from parcels.urls import canonical

ADOPT_SECONDS = 5.0  # between two searches of an idle process for spools of dead processes
SESSION = "session-id"  # the reason of an address that was queued with one
ROBOTS_KEPT = 10_000  # origins whose parsed rules are cached
MOST_FAILURES = 100  # attempts of a run without a single response


class CrawlSession:
    """The leases, responses and counts of one crawler process. Used by one thread."""

    def __init__(
        self, frontier: Frontier, sink: Sink, context: ReadContext, *, learning: Learning | None = None,
        limit: int | None = None, spools: Path | None = None,
    ):  # fmt: skip
        self.frontier, self.sink, self.context, self.limit = frontier, sink, context, limit
        self.learning = learning
        self._spools, self._next_adopt_at = spools, 0.0
        self.counts: Counter[str] = Counter()
        self.hosts: set[str] = set()  # hosts that this process has sent a request to
        self.pending = 1  # until the frontier reports the number
        self.is_stopped = False
        self.is_offline = False  # no host responds: the run has ended, and the next one continues
        self.unreachable: dict[str, str] = {}  # host -> why it did not respond
        self._responses = self._failures = 0
        self._is_idle = False  # all that is left waits for another attempt
        self._is_patient = True  # a robots.txt that failed is retried later
        self._has_delayed = False  # some of them
        self.failure: ParcelsError | None = None  # the error that ended the crawl early
        self._buffer: deque[Lease] = deque()
        self._released: dict[int, float | None] = {}  # token -> when its host responded; None without a request
        self._in_flight: set[int] = set()
        self._robots: dict[str, Robots] = {}
        self._closed: set[str] = set()  # origins whose robots.txt this process could not fetch
        self._next_lease_at = 0.0

    # -- leases ---------------------------------------------------------------------------------------------------

    def next(self, room: int) -> Lease | None:
        """Return a lease to fetch now, or None. `room` is how many requests the downloader accepts."""
        while self.failure is None:
            if not self._buffer:
                self._fill(room)
            if not self._buffer:
                return None
            lease = self._buffer.popleft()
            if self._may_fetch(lease):
                self._in_flight.add(lease.token)
                self.hosts.add(lease.host)
                return lease
        return None

    def _fill(self, room: int) -> None:
        room = min(room, self._left())
        if not self._released and (room == 0 or time.monotonic() < self._next_lease_at):
            return
        self._lease(room)
        if not self._buffer and self.sink.unsettled and room:
            self.sink.settle()  # nothing else is queued: the links of these pages may be next
            self._lease(room)

    def _lease(self, room: int) -> None:
        now = time.monotonic()
        released = [ReleasedLease(token, NOT_ASKED if at is None else now - at) for token, at in self._released.items()]
        self._released.clear()
        leased = self.frontier.lease(room, released=released)
        self._buffer.extend(leased.leases)
        self.pending, self._is_idle = leased.pending, leased.is_idle
        wait = 1.0 if leased.wait is None else min(leased.wait, 1.0)
        self._next_lease_at = 0.0 if leased.leases else now + wait

    @property
    def wait(self) -> float:
        """Return the seconds until the next lease may be ready."""
        return max(self._next_lease_at - time.monotonic(), 0.01)

    def _left(self) -> int:
        """Return how many more addresses this process may lease now."""
        if self.is_stopped:
            return 0
        if self.limit is None:
            return 1 << 30
        return max(self.limit - self.counts["pages"] - len(self._in_flight) - len(self._buffer), 0)

    def _may_fetch(self, lease: Lease) -> bool:
        """Return True if robots.txt allows the lease and fetching it may help; otherwise end the lease here."""
        if lease.kind == ROBOTS:
            return True
        refused = self._without_fetching(lease)
        if refused is not None:
            self._released[lease.token] = None
            self.take(refused)
            return False
        if not self.frontier.policy.robots:
            return True
        origin, _ = origin_and_host(lease.url)
        robots = self._robots_of(origin)
        if robots is None or robots.expires_at <= time.time() or self._failed_before(robots, origin):
            self._robots.pop(origin, None)
            self.frontier.requeue_robots(origin)
            self.frontier.give_back(lease, wait=0.0)
            return False
        if robots.is_allowed(lease.url, self.context.agent):
            return True
        self._released[lease.token] = None
        word, _, detail = (robots.reason or "").partition(" ")
        if not robots.is_unreachable:
            word = "robots"
        elif word != PRIVATE:
            word, detail = ROBOTS_UNREACHABLE, robots.reason or ""
        self.take(reject_entry(lease, word, at=time.time(), detail=detail))
        return False

    def _failed_before(self, robots: Robots, origin: str) -> bool:
        """Return True if an earlier run could not fetch the robots.txt of an origin: this run tries again."""
        return robots.is_unreachable and robots.state == DISALLOW and origin not in self._closed

    def _without_fetching(self, lease: Lease) -> Entry | None:
        """Return the entry of an address that need not be fetched: its template is closed, or it has another form.

        The other form occurs in frontiers of an earlier version, which kept session ids.
        """
        if lease.kind != PAGE or lease.visit > 1:
            return None
        if self.frontier.is_template_closed(lease.url):
            detail = closed_reason(template_of(lease.url), self.frontier.policy)
            return reject_entry(lease, NEAR_IDENTICAL, at=time.time(), detail=detail)
        form = canonical(lease.url)
        if form is None or form == lease.url:
            return None
        entry = reject_entry(lease, SESSION, at=time.time(), detail=f"it is the same page as {form}")
        entry.offers = [offer_of(lease)._replace(url=form)]
        return entry

    def _robots_of(self, origin: str) -> Robots | None:
        robots = self._robots.get(origin)
        if robots is None:
            data = self.frontier.robots(origin)
            if data is None:
                return None
            if len(self._robots) >= ROBOTS_KEPT:
                self._robots.clear()
            robots = self._robots[origin] = Robots.from_data(orjson.loads(data))
        return robots

    def set_address(self, lease: Lease, address: str) -> bool:
        """Set the IP address of a lease's host; return False if that address is busy and the lease has ended."""
        try:
            is_free = self.frontier.set_address(lease, address)
        except FATAL_ERRORS as error:
            self.fail(error)
            is_free = False
        if not is_free:
            self._in_flight.discard(lease.token)
        return is_free

    # -- responses ------------------------------------------------------------------------------------------------

    def released(self, lease: Lease) -> None:
        """Free the host of a lease: it may be requested again after its delay."""
        self._released.setdefault(lease.token, time.monotonic())

    def responded(self, lease: Lease) -> None:
        """Record that the host has responded, with any status."""
        self._responses += 1
        self.unreachable.pop(lease.host, None)
        self.released(lease)

    def unreachable_host(self, lease: Lease, reason: str, *, detail: str = "") -> None:
        """Record that the host could not be reached: retry later, or make a dead letter after the last attempt."""
        self._failures += 1
        self.unreachable[lease.host] = reason
        if lease.kind == ROBOTS:
            self.robots_received(lease, None, reason)
            return
        outcome = retry_or_reject(lease, reason, self.context, at=time.time(), detail=detail)
        if isinstance(outcome, Retry):
            self.give_back(lease, outcome)
        else:
            self.take(outcome)

    def take(self, entry: Entry) -> None:
        """Add an entry to the sink."""
        self._in_flight.discard(entry.lease.token)
        self.sink.add(entry)
        if entry.page is not None:
            self.counts["pages"] += 1
            self.counts["bytes"] += len(entry.body)
        elif entry.resource is not None:
            self.counts["sheets"] += 1
        elif entry.reject is not None:
            self.counts[f"rejected: {entry.reject[0]}"] += 1
        else:
            self.counts["lists"] += 1

    def give_back(self, lease: Lease, retry: Retry) -> None:
        """Return a lease to the frontier for another attempt."""
        self._in_flight.discard(lease.token)
        self.counts[f"retried: {retry.reason}"] += 1
        if retry.host_wait is not None:
            self.frontier.slow_down(lease.host, wait=retry.host_wait)
        self.frontier.give_back(lease, wait=retry.wait)

    def robots_received(self, lease: Lease, response: Response | None, reason: str | None = None) -> None:
        """Store the rules of an origin for all processes; without an response, `reason` says why.

        Rules that were never fetched are retried like pages; meanwhile the frontier holds the host.
        """
        self._in_flight.discard(lease.token)
        origin, _ = origin_and_host(lease.url)
        before = self._robots_of(origin)
        status, body = (response.status, response.body) if response else (None, b"")
        robots = read_robots(status, body, now=time.time(), before=before, reason=reason)
        if robots.is_unreachable and before is None and self._is_patient and not _is_final(response, reason):
            outcome = retry_or_reject(lease, robots.reason or "", self.context, at=time.time())
            if isinstance(outcome, Retry):
                self.give_back(lease, outcome._replace(host_wait=None))
                self._has_delayed = True
                return
        self._robots[origin] = robots
        if robots.is_unreachable:
            self._closed.add(origin)
        self.counts["robots.txt"] += 1
        offers = self.context.link_policy.from_robots(origin, robots.sitemaps)
        if offers:
            self.frontier.admit(offers)
        data = orjson.dumps(robots.to_data()).decode()
        self.frontier.set_robots(lease, data, delay=robots.delay(self.context.agent))

    def tick(self) -> None:
        """Do what is due by time: settle, seal, and adopt the spools of dead processes."""
        if self.failure is not None:
            return  # unsettled entries must not be sealed: the next start does both
        self.sink.tick()
        if self.learning is not None:
            self.learning.tick()
        now = time.monotonic()
        if self._spools is not None and self.pending and not self._in_flight and now >= self._next_adopt_at:
            self._next_adopt_at = now + ADOPT_SECONDS
            self.sink.adopt(self._spools)

    # -- the end --------------------------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """Return True while there is work, here or in other processes that may find new addresses."""
        if self.failure is not None:
            return False
        if self._buffer or self._in_flight:
            return True
        if self._left() == 0:
            return False
        if self.sink.unsettled or self._released:
            self.sink.settle()
            self._lease(0)
            self._next_lease_at = 0.0
        self.is_offline = self.is_offline or (self.pending > 0 and self._is_without_response())
        if self._is_idle and self._has_delayed and self._is_patient and not self.is_offline:
            # Nothing else is left: hosts that did not respond get their last attempt of this run now.
            self._is_patient = False
            self.frontier.make_due(ROBOTS)
            self._next_lease_at = 0.0
        return self.pending > 0 and not self.is_offline

    def _is_without_response(self) -> bool:
        """Return True if no host has responded in this run, and all that is left waits for another attempt.

        A run without a network then ends at once instead of after the last of all attempts.
        """
        return self._failures > 0 and not self._responses and (self._is_idle or self._failures >= MOST_FAILURES)

    def fail(self, error: Exception) -> None:
        """End the crawl because of an error of the frontier, the disk or the store."""
        self.is_stopped = True
        if self.failure is None:
            self.failure = as_parcels_error(error)
            try:
                self.sink.check()  # if store or spool is gone, the first error is only a symptom
            except StoreGone as gone:
                self.failure = gone

    def close(self) -> None:
        """Settle, seal, and give back what was not fetched."""
        if self.failure is not None:
            self.sink.abandon()
            return
        for lease in self._buffer:
            self._released[lease.token] = None
        self._lease(0)
        if self.learning is not None:
            self.learning.save()
        self.sink.close()
        self.frontier.reclaim(self.sink.worker)
        if self.is_offline:
            self.frontier.make_due()


def _is_final(response: Response | None, reason: str | None) -> bool:
    """Return True if robots.txt is not retried in this run: it is private, or its server asks to wait."""
    return (reason or "").startswith(PRIVATE) or (response is not None and retry_after(response) is not None)
