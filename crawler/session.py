"""The desk of one crawler process: leases come in, entries go out, robots.txt is kept. No Scrapy here.

It is what the scheduler and the spider share: which requests may be made now, what has become of those that were made,
and the counts that people want to see.
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
from crawler.responses import ReadContext, Response, Retry, buried, failed, retry_after
from crawler.sinks.entry import Entry
from crawler.sinks.sink import Sink
from parcels.errors import ParcelsError
from parcels.urls import canonical

ADOPT_SECONDS = 5.0  # an idle process looks so often for spools that nobody holds any more
SESSION = "session-id"  # the reason of an address that was queued with one
ROBOTS_KEPT = 10_000  # origins whose rules this process keeps parsed
MOST_FAILURES = 100  # attempts that a run makes without a single answer from anybody


class CrawlSession:
    """Used by one thread."""

    def __init__(
        self, frontier: Frontier, sink: Sink, context: ReadContext, *, learning: Learning | None = None,
        limit: int | None = None, spools: Path | None = None,
    ):  # fmt: skip
        self.frontier, self.sink, self.context, self.limit = frontier, sink, context, limit
        self.learning = learning
        self._spools, self._next_adopt_at = spools, 0.0
        self.counts: Counter[str] = Counter()
        self.hosts: set[str] = set()  # that this process has asked
        self.pending = 1  # until the frontier has said how many there are
        self.is_stopped = False
        self.is_offline = False  # nobody answers: the run has ended, and the next one goes on
        self.unreachable: dict[str, str] = {}  # host -> why it has not answered
        self._answers = self._failures = 0
        self._is_idle = False  # all that is left waits for another attempt
        self._is_patient = True  # robots.txt that failed is asked for again later
        self._has_delayed = False  # some of them
        self.failure: ParcelsError | None = None  # what ended the crawl before its time
        self._buffer: deque[Lease] = deque()
        self._answered: dict[int, float | None] = {}  # token -> when its host has answered; None where it was not asked
        self._in_flight: set[int] = set()
        self._robots: dict[str, Robots] = {}
        self._closed: set[str] = set()  # origins whose robots.txt could not be had by this process
        self._next_lease_at = 0.0

    # -- leases ---------------------------------------------------------------------------------------------------

    def next(self, room: int) -> Lease | None:
        """An address to fetch now, or None. `room` is how many requests the downloader would take."""
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
        if not self._answered and (room == 0 or time.monotonic() < self._next_lease_at):
            return
        self._lease(room)
        if not self._buffer and self.sink.unsettled and room:
            self.sink.settle()  # nothing else is to be done: perhaps the links of these pages are
            self._lease(room)

    def _lease(self, room: int) -> None:
        now = time.monotonic()
        released = [ReleasedLease(token, NOT_ASKED if at is None else now - at) for token, at in self._answered.items()]
        self._answered.clear()
        leased = self.frontier.lease(room, released=released)
        self._buffer.extend(leased.leases)
        self.pending, self._is_idle = leased.pending, leased.is_idle
        wait = 1.0 if leased.wait is None else min(leased.wait, 1.0)
        self._next_lease_at = 0.0 if leased.leases else now + wait

    @property
    def wait(self) -> float:
        """Seconds until it is worth asking again."""
        return max(self._next_lease_at - time.monotonic(), 0.01)

    def _left(self) -> int:
        """How many more addresses this process may lease now."""
        if self.is_stopped:
            return 0
        if self.limit is None:
            return 1 << 30
        return max(self.limit - self.counts["pages"] - len(self._in_flight) - len(self._buffer), 0)

    def _may_fetch(self, lease: Lease) -> bool:
        """True where robots.txt allows it and it may bring something; else the lease is ended here."""
        if lease.kind == ROBOTS:
            return True
        refused = self._without_fetching(lease)
        if refused is not None:
            self._answered[lease.token] = None
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
        self._answered[lease.token] = None
        word, _, detail = (robots.reason or "").partition(" ")
        if not robots.is_unreachable:
            word = "robots"
        elif word != PRIVATE:
            word, detail = ROBOTS_UNREACHABLE, robots.reason or ""
        self.take(buried(lease, word, at=time.time(), detail=detail))
        return False

    def _failed_before(self, robots: Robots, origin: str) -> bool:
        """True where an earlier run could not have the robots.txt of an origin: this one tries for itself."""
        return robots.is_unreachable and robots.state == DISALLOW and origin not in self._closed

    def _without_fetching(self, lease: Lease) -> Entry | None:
        """Return the entry of an address that need not be fetched: its template is closed, or it has another form.

        The other form is for a frontier of an earlier version, which knew no session ids.
        """
        if lease.kind != PAGE or lease.visit > 1:
            return None
        if self.frontier.is_template_closed(lease.url):
            detail = closed_reason(template_of(lease.url), self.frontier.policy)
            return buried(lease, NEAR_IDENTICAL, at=time.time(), detail=detail)
        form = canonical(lease.url)
        if form is None or form == lease.url:
            return None
        entry = buried(lease, SESSION, at=time.time(), detail=f"it is the same page as {form}")
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
        """Tell at which network address a host is; False where that is busy, and the lease has ended."""
        try:
            is_free = self.frontier.set_address(lease, address)
        except FATAL_ERRORS as error:
            self.fail(error)
            is_free = False
        if not is_free:
            self._in_flight.discard(lease.token)
        return is_free

    # -- answers --------------------------------------------------------------------------------------------------

    def released(self, lease: Lease) -> None:
        """The host has answered, or will not: it may be asked again after its delay."""
        self._answered.setdefault(lease.token, time.monotonic())

    def answered(self, lease: Lease) -> None:
        """The host has answered, whatever it says."""
        self._answers += 1
        self.unreachable.pop(lease.host, None)
        self.released(lease)

    def unanswered(self, lease: Lease, reason: str, *, detail: str = "") -> None:
        """The host could not be reached: the address gets another attempt later, or is a dead letter after the last."""
        self._failures += 1
        self.unreachable[lease.host] = reason
        if lease.kind == ROBOTS:
            self.robots_received(lease, None, reason)
            return
        found = failed(lease, reason, self.context, at=time.time(), detail=detail)
        if isinstance(found, Retry):
            self.give_back(lease, found)
        else:
            self.take(found)

    def take(self, entry: Entry) -> None:
        """An entry for the sink."""
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
        """An address for another attempt."""
        self._in_flight.discard(lease.token)
        self.counts[f"retried: {retry.reason}"] += 1
        if retry.host_wait is not None:
            self.frontier.slow_down(lease.host, wait=retry.host_wait)
        self.frontier.give_back(lease, wait=retry.wait)

    def robots_received(self, lease: Lease, answer: Response | None, reason: str | None = None) -> None:
        """The rules of an origin, for all processes; None where it did not answer, for this reason.

        Rules that were never known are asked for again, as pages are; meanwhile the frontier holds the host.
        """
        self._in_flight.discard(lease.token)
        origin, _ = origin_and_host(lease.url)
        before = self._robots_of(origin)
        status, body = (answer.status, answer.body) if answer else (None, b"")
        robots = read_robots(status, body, now=time.time(), before=before, reason=reason)
        if robots.is_unreachable and before is None and self._is_patient and not _is_final(answer, reason):
            found = failed(lease, robots.reason or "", self.context, at=time.time())
            if isinstance(found, Retry):
                self.give_back(lease, found._replace(host_wait=None))
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
        """What time alone brings: settling, sealing, and the work of processes that have died."""
        if self.failure is not None:
            return  # what could not be settled must not be sealed: the next start does both
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
        """True while something is to be done, here or by others that may bring new work."""
        if self.failure is not None:
            return False
        if self._buffer or self._in_flight:
            return True
        if self._left() == 0:
            return False
        if self.sink.unsettled or self._answered:
            self.sink.settle()
            self._lease(0)
            self._next_lease_at = 0.0
        self.is_offline = self.is_offline or (self.pending > 0 and self._is_unheard())
        if self._is_idle and self._has_delayed and self._is_patient and not self.is_offline:
            # Nothing else is to be done: hosts that have not answered get their last attempt of this run now.
            self._is_patient = False
            self.frontier.make_due(ROBOTS)
            self._next_lease_at = 0.0
        return self.pending > 0 and not self.is_offline

    def _is_unheard(self) -> bool:
        """True where nobody has answered in this run, and all that is left waits for another attempt.

        A run without a network ends so at once, and not after the last of all attempts.
        """
        return self._failures > 0 and not self._answers and (self._is_idle or self._failures >= MOST_FAILURES)

    def fail(self, error: Exception) -> None:
        """Nothing more can be done: the frontier, the disk or the store is gone."""
        self.is_stopped = True
        if self.failure is None:
            self.failure = as_parcels_error(error)
            try:
                self.sink.check()  # where all is gone, the first error is a symptom
            except StoreGone as gone:
                self.failure = gone

    def close(self) -> None:
        """Settle, seal, and give back what was not fetched."""
        if self.failure is not None:
            self.sink.abandon()
            return
        for lease in self._buffer:
            self._answered[lease.token] = None
        self._lease(0)
        if self.learning is not None:
            self.learning.save()
        self.sink.close()
        self.frontier.reclaim(self.sink.worker)
        if self.is_offline:
            self.frontier.make_due()


def _is_final(answer: Response | None, reason: str | None) -> bool:
    """True where robots.txt is not asked for again in this run: it is private, or its server asks for peace."""
    return (reason or "").startswith(PRIVATE) or (answer is not None and retry_after(answer) is not None)
