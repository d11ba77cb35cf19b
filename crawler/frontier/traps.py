"""Traps: addresses that a site makes up without end. What can be told from the address alone is told here."""

import re
from collections import Counter
from functools import lru_cache

from crawler.frontier.contract import REPEATING, TOO_DEEP, TOO_LONG, Offer, Policy
from parcels.urls import host_of

_PATH = re.compile(r"https?://[^/?#]*(/[^?#]*)?(\?)?")
_ORIGIN = re.compile(r"https?://[^/?#]*")


def refusal(offer: Offer, policy: Policy) -> str | None:
    """Why an offer is refused whatever else is queued; None where it is not.

    >>> refusal(Offer("http://a.example/x/y/x/y/x/y/x/y/"), Policy())
    'r'
    >>> refusal(Offer("http://a.example/2024/05/05/"), Policy()) is None
    True
    """
    if offer.depth > policy.max_depth:
        return TOO_DEEP
    if len(offer.url) > policy.max_url:
        return TOO_LONG
    if offer.url.count("/") > policy.max_repeats + 3 and _repeats(offer.url) > policy.max_repeats:
        return REPEATING
    return None


def _repeats(url: str) -> int:
    """How often the most frequent segment stands in the path."""
    path = url.partition("?")[0].split("/")[3:]
    return max(Counter(segment for segment in path if segment).values(), default=0)


def prefix_of(url: str) -> str:
    """The part of a host's addresses that shares one budget: the first segment of the path, or the script with a query.

    >>> prefix_of("http://a.example/calendar/2024/05"), prefix_of("http://a.example/story.asp?id=7")
    ('/calendar/', '/story.asp')
    >>> prefix_of("http://a.example/about.html"), prefix_of("http://a.example?x=1")
    ('/', '/')
    """
    found = _PATH.match(url)
    path = (found[1] if found else None) or "/"
    second = path.find("/", 1)
    if second > 0:
        return path[: second + 1]
    return path if found and found[2] else "/"


@lru_cache(maxsize=65536)
def _host_of_origin(origin: str) -> str:
    return host_of(origin + "/") or ""


def origin_and_host(url: str) -> tuple[str, str]:
    """Scheme with host and port, and the host alone, of a canonical address.

    >>> origin_and_host("http://a.example:81/b")
    ('http://a.example:81', 'a.example')
    """
    found = _ORIGIN.match(url)
    origin = found[0] if found else ""
    return origin, _host_of_origin(origin)
