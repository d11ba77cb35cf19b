"""Implement the frontier in Redis, for many crawler processes. Every decision is one atomic Lua script.

The server's clock is used. The data must survive a crash of the server: run it with `appendonly yes` and `appendfsync
always` (nothing acknowledged is ever lost), or `everysec` (a power cut may lose the last second or two; a killed server
loses nothing that it had written, but it may delay writing while the disk is busy).
"""

import json
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from importlib.resources import files
from typing import Any

import redis
from redis.exceptions import ConnectionError as Unreachable
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as Unanswered

from crawler.frontier.contract import (
    CLOSED,
    HOST_FULL,
    OUTCOMES,
    PREFIX_FULL,
    ROBOTS,
    SEEN,
    AddressStatus,
    CompletedLease,
    FrontierPolicy,
    FrontierStats,
    Lease,
    LeaseBatch,
    Offer,
    Receipt,
    ReleasedLease,
    Score,
    key64,
    key128,
)  # fmt: skip
from crawler.frontier.records import dead_letter, offer_of, pack, repack, revive, unpack
from crawler.frontier.traps import closed_reason, origin_and_host, prefix_of, refusal, template_of
from parcels.errors import ConfigError, RetryLater

FORMAT = 1
OUTAGE_SECONDS = 120.0  # how long a server may be unavailable before the crawl gives up
PAUSE_SECONDS = 0.2
OFFERS_PER_CALL = 2000  # so that no script blocks the others for long
CLOSED_HOSTS = 100_000  # hosts whose closed templates a process keeps
_UNAVAILABLE = (Unreachable, Unanswered)


class RedisFrontier:
    """A frontier on a Redis server. Open it with `RedisFrontier.open(url, crawl=…, worker=…)`."""

    def __init__(self, server: Any, prefix: str, policy: FrontierPolicy, worker: str):
        self.policy, self.worker = policy, worker
        self.round_trips = 0
        self._server, self._prefix = server, prefix
        base = files("crawler.frontier").joinpath("base.lua").read_text()
        self._scripts = {
            name: server.register_script(base + files("crawler.frontier").joinpath(f"{name}.lua").read_text())
            for name in ("settle", "lease", "change")
        }
        self._held: set[int] = set()  # tokens of this process
        self._closed: dict[str, frozenset[str]] = {}  # templates by host, as of its last lease
        self._was_unavailable = False
        self._settings = [
            policy.concurrency, policy.delay, policy.host_budget, policy.prefix_budget, policy.address_concurrency,
            policy.address_delay,
        ]  # fmt: skip

    @classmethod
    def open(cls, url: str, *, crawl: str, worker: str = "1", policy: FrontierPolicy | None = None) -> "RedisFrontier":
        """Open the frontier of a crawl on a server; create it if it is missing."""
        policy = policy or FrontierPolicy()
        try:
            server = redis.Redis.from_url(url, socket_timeout=30, socket_connect_timeout=5)
        except ValueError as error:
            raise ConfigError(f"'{url}' is not the address of a Redis server: {error}") from error
        frontier = cls(server, f"parcels:{{{crawl}}}:", policy, worker)
        stated = json.dumps({"format": FORMAT, "exact": policy.exact})
        frontier._call(lambda: server.set(frontier._prefix + "format", stated, nx=True))
        stored = json.loads(frontier._call(lambda: server.get(frontier._prefix + "format")))
        if stored["format"] != FORMAT:
            raise ConfigError(
                f"Crawl {crawl} has frontier format {stored['format']}, this version reads {FORMAT}. Update parcels."
            )
        if stored["exact"] != policy.exact:
            was = "with" if stored["exact"] else "without"
            raise ConfigError(f"Crawl {crawl} was started {was} --exact. Continue it {was} --exact.")
        return frontier

    def close(self) -> None:
        """Close the connection."""
        self._server.close()

    def abandon(self) -> None:
        """Close the connection; no changes are buffered here."""
        self._server.close()

    def _call(self, request: Callable[[], Any]) -> Any:
        """Call the server, and repeat the call while it is unavailable: every call is idempotent."""
        ends = time.monotonic() + OUTAGE_SECONDS
        while True:
            self.round_trips += 1
            try:
                return request()
            except _UNAVAILABLE as error:
                self._was_unavailable = True
                if time.monotonic() > ends:
                    raise RetryLater(f"The Redis server does not answer: {error}. Start it and run again.") from error
            except redis.exceptions.BusyLoadingError:
                pass
            except RedisError as error:
                raise RetryLater(f"The Redis server refuses the command: {error}") from error
            time.sleep(PAUSE_SECONDS)

    def _run(self, script: str, now: float | None, *words: object) -> Any:
        arguments = ["" if now is None else repr(now), *self._settings, *words]
        return self._call(lambda: self._scripts[script](keys=[self._prefix], args=arguments))

    def _key(self, name: str) -> str:
        return self._prefix + name

    def _hash(self, url: str) -> int | bytes:
        return key128(url) if self.policy.exact else key64(url)

    # -- admission ------------------------------------------------------------------------------------------------

    def admit(self, offers: Sequence[Offer], *, now: float | None = None) -> str:
        """Queue new addresses; return one outcome letter per offer."""
        parts = []
        for start in range(0, len(offers), OFFERS_PER_CALL):
            words = self._words(offers[start : start + OFFERS_PER_CALL])
            answer = self._run("settle", now, *self._settling(""), 0, *[""] * 9, *words)
            parts.append(answer[0].decode())
        return "".join(parts)

    def _settling(self, segment: str) -> tuple[object, ...]:
        return segment, int(self.policy.robots), self.policy.copies, self.policy.copy_window

    def _words(self, offers: Sequence[Offer]) -> list[object]:
        """Return offers as script arguments; one refused regardless of the queue has its letter instead of a key."""
        words: list[object] = [len(offers)]
        for offer in offers:
            refused = refusal(offer, self.policy)
            if refused:
                words += ("", refused, OUTCOMES[refused], "", "", "", "")
                continue
            origin, host = origin_and_host(offer.url)
            key = self._hash(offer.url)
            record, template = pack(offer, host), template_of(offer.url)
            words += (key, host, origin, prefix_of(offer.url), repr(offer.priority), record, template)
        return words

    def mark_done(self, urls: Sequence[str]) -> int:
        """Mark addresses as done without queueing them; return how many were new."""
        new = 0
        for start in range(0, len(urls), OFFERS_PER_CALL):
            words = [
                w for url in urls[start : start + OFFERS_PER_CALL] for w in (self._hash(url), origin_and_host(url)[1])
            ]
            new += self._run("change", None, "remember", *words)
        return new

    # -- leases ---------------------------------------------------------------------------------------------------

    def lease(self, n: int, *, released: Sequence[ReleasedLease] = (), now: float | None = None) -> LeaseBatch:
        """Lease at most n addresses whose hosts are free."""
        policy = self.policy
        words: list[object] = [n, policy.lease_seconds, policy.patience, self.worker]
        for token, age in released:
            words += (token, age)
        rows, wait, pending, is_idle, closed = self._run("lease", now, *words)
        self._remember_closed(closed)
        leases = [
            unpack(record.decode(), host.decode(), float(priority), token)._replace(is_located=bool(is_located))
            for token, host, priority, record, is_located in rows
        ]
        self._held.update(lease.token for lease in leases)
        if self._was_unavailable:  # a reply that never arrived may have leased addresses to no one
            self._was_unavailable = False
            self._run("change", now, "reclaim", self.worker, *self._held)
        return LeaseBatch(leases, float(wait) if wait else None, pending, bool(is_idle))

    def _remember_closed(self, closed: Sequence[Any]) -> None:
        if len(self._closed) > CLOSED_HOSTS:
            self._closed.clear()
        for host, templates in closed:
            self._closed[host.decode()] = frozenset(template.decode() for template in templates)

    def is_template_closed(self, url: str) -> bool:
        """Return True for an address of a template that was closed when its host was last leased."""
        templates = self._closed.get(origin_and_host(url)[1])
        return bool(templates and self.policy.copies and template_of(url) in templates)

    def give_back(self, lease: Lease, *, wait: float, now: float | None = None) -> bool:
        """Queue a leased address for another attempt."""
        self._held.discard(lease.token)
        record = repack(lease, attempt=lease.attempt + 1)
        return bool(self._run("change", now, "give_back", lease.token, wait, record))

    def reclaim(self, worker: str, *, now: float | None = None) -> int:
        """Queue again all leases of a dead worker."""
        return int(self._run("change", now, "reclaim", worker))

    def done(self, finished: Sequence[CompletedLease], *, segment: str, now: float | None = None) -> list[Receipt]:
        """End leases and admit their links, in one script call."""
        if not finished:
            return []
        words = list(self._settling(segment))
        for one in finished:
            words += (*self._ending(one), *self._words(one.offers))
            self._held.discard(one.lease.token)
        answers = self._run("settle", now, *words)
        return [
            Receipt(one.lease.token, None if answer is None else answer.decode())
            for one, answer in zip(finished, answers, strict=True)
        ]

    def _ending(self, one: CompletedLease) -> tuple[object, ...]:
        lease = one.lease
        ending, reason, record = "n", "", ""
        if one.dead is not None:
            ending, reason = "d", dead_letter(lease, one.dead)
        elif one.revisit_in is not None:
            ending, reason = "v", f"{one.revisit_in!r} {lease.priority!r}"
            record = repack(lease, visit=lease.visit + 1, attempt=0, extra=one.extra or "")
        template = "" if one.is_copy is None else template_of(lease.url)
        copy = "" if one.is_copy is None else int(one.is_copy)
        key = self._hash(lease.url)
        return lease.token, ending, reason, record, lease.host, key, repack(lease), lease.url, template, copy

    def receipts(self, segment: str) -> dict[int, str]:
        """Return the receipts of a segment."""
        receipts = self._call(lambda: self._server.hgetall(self._key(f"r:{segment}")))
        return {int(token): outcomes.decode() for token, outcomes in receipts.items()}

    def delete_receipts(self, segment: str) -> None:
        """Delete the receipts of a sealed segment."""
        self._call(lambda: self._server.delete(self._key(f"r:{segment}")))

    # -- hosts ----------------------------------------------------------------------------------------------------

    def set_robots(self, lease: Lease, rules: str, *, delay: float | None, now: float | None = None) -> bool:
        """Store the rules of an origin and open its host."""
        origin, _ = origin_and_host(lease.url)
        self._held.discard(lease.token)
        words = (lease.token, origin, rules, "" if delay is None else delay)
        return bool(self._run("change", now, "set_robots", *words))

    def requeue_robots(self, origin: str, *, now: float | None = None) -> None:
        """Queue an origin's robots.txt again."""
        self._run("change", now, "ask_robots", origin, origin_and_host(origin)[1])

    def robots(self, origin: str) -> str | None:
        """Return the rules of an origin."""
        rules = self._call(lambda: self._server.hget(self._key("robots"), origin))
        return rules.decode() if rules else None

    def slow_down(self, host: str, *, wait: float, now: float | None = None) -> None:
        """Send no request to a host for `wait` seconds."""
        self._run("change", now, "slow_down", host, wait)

    def set_address(self, lease: Lease, address: str, *, now: float | None = None) -> bool:
        """Set the network address of a lease's host; requeue the lease if that address is busy."""
        is_free = bool(self._run("change", now, "locate", lease.token, address))
        if not is_free:
            self._held.discard(lease.token)
        return is_free

    def save_value(self, name: str, data: bytes) -> None:
        """Store a named value with the crawl."""
        self._call(lambda: self._server.hset(self._key("kept"), name, data))

    def load_value(self, name: str) -> bytes | None:
        """Return the value last stored under a name."""
        value: bytes | None = self._call(lambda: self._server.hget(self._key("kept"), name))
        return value

    # -- the whole queue ------------------------------------------------------------------------------------------

    def retry(
        self, *, host: str | None = None, reasons: Collection[str] = (), attempt: int = 0, now: float | None = None
    ) -> int:
        """Queue dead letters again."""
        revived: list[str] = []
        for name, value in self._server.hscan_iter(self._key("dead"), count=1000):
            url, letter = name.decode(), value.decode()
            _, at = origin_and_host(url)
            if host in (None, at) and (not reasons or _reason_word(letter) in reasons):
                revived += (url, at, *revive(url, at, letter, attempt=attempt))
        step = 4 * OFFERS_PER_CALL
        parts = (revived[start : start + step] for start in range(0, len(revived), step))
        return sum(self._run("change", now, "retry", *part) for part in parts)

    def make_due(self, kind: str | None = None) -> None:
        """Make addresses that wait for another attempt due now."""
        self._run("change", None, "hasten", kind or "")

    def rescore(self, score: Score, *, batch: int = 1000) -> int:
        """Compute a new priority for every queued address."""
        changed = 0
        for host, rows in self._queue(batch):
            rows = [row for row in rows if row[0][:1] != ROBOTS]
            fresh = score([offer_of(unpack(record, host, priority)) for record, priority in rows])
            pairs = [(new, record) for (record, old), new in zip(rows, fresh, strict=True) if old != new]
            words = [word for new, record in pairs for word in (repr(float(new)), record)]
            if words:
                self._run("change", None, "rescore", host, *words)
                changed += len(words) // 2
        return changed

    def queued(self, batch: int = 1000) -> Iterator[list[Offer]]:
        """Yield all queued addresses in batches, unordered."""
        for host, rows in self._queue(batch):
            offers = [offer_of(unpack(record, host, priority)) for record, priority in rows if record[:1] != ROBOTS]
            if offers:
                yield offers

    def _queue(self, batch: int) -> Iterator[tuple[str, list[tuple[str, float]]]]:
        start = self._key("q:")
        for name in self._server.scan_iter(match=_escape_glob(start) + "*", count=1000):
            host, cursor = name.decode()[len(start) :], None
            while cursor != 0:
                cursor, rows = self._server.zscan(name, cursor or 0, count=batch)
                if rows:
                    yield host, [(record.decode(), priority) for record, priority in rows]

    def dead_reason(self, url: str) -> str | None:
        """Return the reason why an address is a dead letter."""
        letter = self._call(lambda: self._server.hget(self._key("dead"), url))
        return letter.decode().partition("\n")[0] if letter else None

    def explain(self, url: str) -> AddressStatus:
        """Return the state of an address; a queued one is searched among those of its host."""
        refused = refusal(Offer(url), self.policy)
        if refused:
            return AddressStatus("refused", OUTCOMES[refused])
        reason = self.dead_reason(url)
        if reason:
            return AddressStatus("dead", reason)
        _, host = origin_and_host(url)
        for state, lease in self._open(host):
            if lease.url == url:
                origin = f"found on {lease.referrer}" if lease.referrer else "a seed"
                return AddressStatus(
                    state, f"{origin}; depth {lease.depth}, priority {lease.priority:g}, attempt {lease.attempt}"
                )
        if self._admits(url) == SEEN:
            return AddressStatus("done", "it was fetched, or is known from an earlier crawl")
        return self._explain_unknown(url, host)

    def _open(self, host: str) -> Iterator[tuple[str, Lease]]:
        for record, priority in self._server.zscan_iter(self._key(f"q:{host}"), count=1000):
            yield "queued", unpack(record.decode(), host, priority)
        for text in self._server.hgetall(self._key("leases")).values():
            _, at, priority, record = text.decode().split("\n", 3)
            yield "leased", unpack(record, at, float(priority))
        for state, name in (("retrying", "retry"), ("revisit", "revisit")):
            for text, _ in self._server.zscan_iter(self._key(name), count=1000):
                at, priority, record = text.decode().split("\n", 2)
                yield state, unpack(record, at, float(priority))

    def _admits(self, url: str) -> str:
        """Return SEEN for a known address, without admitting an unknown one."""
        buckets = int(self._server.hget(self._key("numbers"), "buckets") or 1)
        key = self._hash(url)
        number = int.from_bytes(key[:4], "little") if isinstance(key, bytes) else key
        half = 1 << (buckets.bit_length() - 1)
        bucket = number % (2 * half)
        bucket -= half if bucket >= buckets else 0
        return SEEN if self._server.sismember(self._key(f"s:{bucket}"), key) else ""

    def _explain_unknown(self, url: str, host: str) -> AddressStatus:
        admitted = int(self._server.hget(self._key(f"h:{host}"), "n") or 0)
        below = int(self._server.hget(self._key(f"x:{host}"), prefix_of(url)) or 0)
        if admitted >= self.policy.host_budget:
            return AddressStatus("refused", f"{OUTCOMES[HOST_FULL]}: {admitted} addresses of its host were admitted")
        if below >= self.policy.prefix_budget:
            return AddressStatus(
                "refused", f"{OUTCOMES[PREFIX_FULL]}: {below} addresses below {prefix_of(url)} were admitted"
            )
        template = template_of(url)
        if self.policy.copies and self._server.sismember(self._key(f"c:{host}"), template):
            return AddressStatus("refused", f"{OUTCOMES[CLOSED]}: {closed_reason(template, self.policy)}")
        return AddressStatus("unknown", "it was never offered: no fetched page links to it, or it is out of scope")

    def stats(self) -> FrontierStats:
        """Return the counts of the frontier."""
        pipeline = self._server.pipeline(transaction=False)
        pipeline.hgetall(self._key("numbers"))
        pipeline.hlen(self._key("leases"))
        pipeline.zcard(self._key("retry"))
        pipeline.zcard(self._key("revisit"))
        pipeline.hvals(self._key("dead"))
        pipeline.hgetall(self._key("refused"))
        numbers, leased, retrying, revisits, letters, refused = self._call(pipeline.execute)
        numbers = {name.decode(): int(value) for name, value in numbers.items()}
        dead: dict[str, int] = {}
        for letter in letters:
            word = _reason_word(letter.decode())
            dead[word] = dead.get(word, 0) + 1
        return FrontierStats(
            numbers.get("queued", 0), leased, retrying, revisits, numbers.get("seen", 0), numbers.get("done", 0), dead,
            {name.decode(): int(count) for name, count in refused.items()}, numbers.get("hosts", 0),
        )  # fmt: skip


def _reason_word(letter: str) -> str:
    return letter.split(maxsplit=1)[0]


def _escape_glob(text: str) -> str:
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in text)
