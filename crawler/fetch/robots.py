"""Parse robots.txt as in RFC 9309, into one plain record per site that all processes share."""

import math
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from protego import Protego

from parcels.urls import canonical

AGENT = "parcels"  # the product token that site owners write into robots.txt
MAX_BYTES = 500 * 1024  # RFC 9309, 2.5: at least this much is read
DAY = 86400.0
KEEP_SECONDS = DAY  # RFC 9309, 2.4: no longer than a day
GIVE_UP_SECONDS = 30 * DAY  # RFC 9309, 2.3.1.4: after this time of no answer a site counts as one without rules
RETRY_SECONDS, MAX_RETRY_SECONDS = 600.0, 6 * 3600.0  # after the first failure, doubled by each further one
MAX_DELAY = DAY
ALLOW, DISALLOW, RULES = "allow", "disallow", "rules"
TOO_MANY_REQUESTS = 429


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of a site's robots.txt as last fetched. Times are seconds since 1970."""

    state: str  # allow (there is none), disallow (the site does not answer), rules
    text: str  # of the rules
    fetched_at: float
    expires_at: float  # fetch again then
    failing_since: float | None = None
    failure_count: int = 0
    reason: str | None = None  # why the last attempt failed: dns, timeout, http-503, private-address, …

    @property
    def is_unreachable(self) -> bool:
        """Return True if the last attempt failed: the rules are then those known before, or disallow all."""
        return self.failing_since is not None

    @property
    def sitemaps(self) -> list[str]:
        """Return the canonical addresses of the site maps that the file names, each once."""
        addresses = (canonical(address) for address in _parsed(self.text).sitemaps) if self.state == RULES else ()
        return list(dict.fromkeys(address for address in addresses if address))

    def is_allowed(self, url: str, agent: str = AGENT) -> bool:
        """Return True if the agent (its product token, or a whole User-Agent) may fetch the address.

        >>> Robots("rules", "User-agent: *\\nDisallow: /private", 0, 1).is_allowed("http://a.example/private/x")
        False
        """
        if self.state != RULES:
            return self.state == ALLOW
        return bool(_parsed(self.text).can_fetch(url, agent))

    def delay(self, agent: str = AGENT) -> float | None:
        """Return the seconds between two requests that the file asks for (Crawl-delay, Request-rate), or None.

        >>> Robots("rules", "User-agent: *\\nCrawl-delay: 2.5", 0, 1).delay()
        2.5
        """
        if self.state != RULES:
            return None
        rules = _parsed(self.text)
        delays = [rules.crawl_delay(agent)]
        rate = rules.request_rate(agent)
        if rate is not None and rate.requests > 0:
            delays.append(rate.seconds / rate.requests)
        sound = [float(delay) for delay in delays if delay is not None and math.isfinite(delay) and delay > 0]
        return min(max(sound), MAX_DELAY) if sound else None

    def to_data(self) -> dict[str, Any]:
        """Return plain data for JSON, SQLite or Redis."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "Robots":
        """Return the record of the data from `to_data`."""
        return cls(**data)


def robots_url(url: str) -> str:
    """Return the address of the robots.txt that applies to an address.

    >>> robots_url("https://a.example:8443/news?x")
    'https://a.example:8443/robots.txt'
    """
    address = canonical("/robots.txt", url)
    if address is None:
        raise ValueError(f"{url!r} is not a web address")
    return address


def read_robots(
    status: int | None, body: bytes, *, now: float, before: Robots | None = None, reason: str | None = None
) -> Robots:
    """Return the record after a response; `status` is None if there was none, and `reason` says why.

    2xx gives rules. 4xx, and a redirect without a valid target, mean that there are none. After 5xx, 429 or no response
    the rules from `before` stay valid; without any, all is forbidden. A site that has not responded for 30 days and has
    no known rules counts as one without rules.

    >>> read_robots(404, b"", now=0).state, read_robots(503, b"", now=0).state, read_robots(None, b"", now=0).state
    ('allow', 'disallow', 'disallow')
    """
    if status is not None and 200 <= status < 300:
        return Robots(RULES, _text(body), now, now + KEEP_SECONDS)
    if status is not None and 300 <= status < 500 and status != TOO_MANY_REQUESTS:
        return Robots(ALLOW, "", now, now + KEEP_SECONDS)
    since = now if before is None or before.failing_since is None else before.failing_since
    count = 1 if before is None else before.failure_count + 1
    wait = min(RETRY_SECONDS * 2.0 ** min(count - 1, 16), MAX_RETRY_SECONDS)
    reason = reason or (None if status is None else f"http-{status}")
    if before is not None and before.state != DISALLOW:
        return replace(before, expires_at=now + wait, failing_since=since, failure_count=count, reason=reason)
    state = ALLOW if now - since >= GIVE_UP_SECONDS else DISALLOW
    return Robots(state, "", now, now + wait, since, count, reason)


def _text(body: bytes) -> str:
    if len(body) > MAX_BYTES:
        body = body[:MAX_BYTES].rpartition(b"\n")[0]  # half a rule could allow more than the whole
    return body.decode("utf-8-sig", "replace").replace("\0", "")


@lru_cache(maxsize=512)
def _parsed(text: str) -> Protego:
    return Protego.parse(text)
