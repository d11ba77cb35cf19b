"""Recognise crawler traps, addresses that a site generates without end, from the address alone."""

import re
from collections import Counter
from functools import lru_cache
from urllib.parse import unquote

from crawler.frontier.contract import PAGE, QUEUED, REPEATING, TOO_DEEP, TOO_LONG, CompletedLease, FrontierPolicy, Offer
from parcels.text.dates import MONTHS, WEEKDAYS
from parcels.urls import host_of

_PATH = re.compile(r"https?://[^/?#]*(/[^?#]*)?(\?)?")
_ORIGIN = re.compile(r"https?://[^/?#]*")
DATE_WORDS = MONTHS.keys() | WEEKDAYS
_WORD = re.compile(r"[^\W_]+")


def refusal(offer: Offer, policy: FrontierPolicy) -> str | None:
    """Return why an offer is refused regardless of the queue; None if it is not.

    >>> refusal(Offer("http://a.example/x/y/x/y/x/y/x/y/"), FrontierPolicy())
    'r'
    >>> refusal(Offer("http://a.example/2024/05/05/"), FrontierPolicy()) is None
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
    """Return how often the most frequent segment occurs in the path."""
    path = url.partition("?")[0].split("/")[3:]
    return max(Counter(segment for segment in path if segment).values(), default=0)


def prefix_of(url: str) -> str:
    """Return the part of an address that shares one budget: the first path segment, or the script of a query.

    >>> prefix_of("http://a.example/calendar/2024/05"), prefix_of("http://a.example/story.asp?id=7")
    ('/calendar/', '/story.asp')
    >>> prefix_of("http://a.example/about.html"), prefix_of("http://a.example?x=1")
    ('/', '/')
    """
    match = _PATH.match(url)
    path = (match[1] if match else None) or "/"
    second = path.find("/", 1)
    if second > 0:
        return path[: second + 1]
    return path if match and match[2] else "/"


@lru_cache(maxsize=16384)  # the menu of a site is on all its pages
def template_of(url: str) -> str:
    """Return the path and query of an address with `*` for every number and name of a month or day.

    >>> template_of("http://a.example/calendar/2031/feb/?day=7&view=month")
    '/calendar/*/*/?day=*&view=month'
    >>> template_of("http://a.example/2024/05/ferry-runs-again"), template_of("http://a.example")
    ('/*/*/ferry-runs-again', '/')
    """
    origin = _ORIGIN.match(url)
    rest = url[origin.end() :].lower() if origin else url
    return _WORD.sub(_folded, unquote(rest) if "%" in rest else rest) or "/"


def _folded(word: re.Match[str]) -> str:
    text = word[0]
    return text if text.isalpha() and text not in DATE_WORDS else "*"


def add_response(recent: str, is_copy: bool, policy: FrontierPolicy) -> tuple[str, bool]:
    """Append a response to the recent ones of a template; return them, and whether they close it.

    >>> add_response("0111", True, FrontierPolicy(copy_window=4, copies=4))
    ('1111', True)
    """
    recent = (recent + "01"[is_copy])[-policy.copy_window :]
    return recent, recent.count("1") >= policy.copies


def leads_to_other_template(one: CompletedLease, outcomes: str) -> bool:
    """Return True if a response led to a new page outside its own template."""
    own = template_of(one.lease.url)
    return any(
        outcome == QUEUED and offer.kind == PAGE
        and (template_of(offer.url) != own or origin_and_host(offer.url)[1] != one.lease.host)
        for outcome, offer in zip(outcomes, one.offers, strict=True)
    )  # fmt: skip


def closed_reason(template: str, policy: FrontierPolicy) -> str:
    """Return why the addresses of a closed template are not fetched."""
    return (
        f"{policy.copies} of the last {policy.copy_window} responses of {template} are near-identical to others of it, "
        "and lead to nothing else"
    )


@lru_cache(maxsize=65536)
def _host_of_origin(origin: str) -> str:
    return host_of(origin + "/") or ""


def origin_and_host(url: str) -> tuple[str, str]:
    """Return the origin (scheme, host and port) and the host of a canonical address.

    >>> origin_and_host("http://a.example:81/b")
    ('http://a.example:81', 'a.example')
    """
    match = _ORIGIN.match(url)
    origin = match[0] if match else ""
    return origin, _host_of_origin(origin)
