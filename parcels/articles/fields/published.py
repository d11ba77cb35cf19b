"""The date of publication: claims, `time` elements, visible dates and the address vote for a day."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from parcels.articles.body.parts import Parts
from parcels.html.structured import Claim
from parcels.text.dates import find_moments

WORTH = {  # by field and origin
    ("published", "json-ld"): 3.0, ("published", "opengraph"): 2.5, ("published", "microdata"): 2.5,
    ("published", "meta"): 2.0, ("created", "json-ld"): 0.7, ("created", "microdata"): 0.7,
    ("modified", "json-ld"): 0.4, ("modified", "opengraph"): 0.4, ("modified", "meta"): 0.3,
    ("modified", "microdata"): 0.4,
}  # fmt: skip
TIME_ELEMENT, SHOWN, IN_ADDRESS = 2.0, 6.0, 1.5
UPDATED = 0.35  # factor for a date after "updated"; two of them outweigh a single claim
FADE = 0.03  # loss of weight of a visible date per block between it and the title
BEFORE = 3  # blocks before the title in which a date counts as much as after it
NEAR = 14  # blocks around the title in which a visible date is looked for
MOST_WORDS = 25  # per block with a date
FULL = 7.0  # weight of a date that is practically certain
EARLIEST, LATEST = 1990, 2100
_ISO = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T\s]+(\d{1,2}):(\d\d)(?::(\d\d))?(?:[.,]\d+)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?",
    re.I,
)
_AMERICAN = re.compile(r"(\d{1,2})[-/](\d{1,2})[-/](\d{4})")  # 12-22-2023, in claims
_COMPACT = re.compile(r"(20\d\d)([01]\d)([0-3]\d)(?:T?(\d\d)(\d\d)(\d\d)?)?")
_ADDRESS = re.compile(r"/((?:19|20)\d\d)[/-]?(\d{2}|[a-z]{3})[/-]?(\d{2})(?=[/-]|$)")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec"
_GLUED = re.compile(r"([a-z])(?=(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.? \d)")  # Ann LeeDec. 2
_UPDATED = re.compile(r"updat|modif|edit|retriev|accessed|aktualis|mis à jour|actualiz", re.I)


class Published(NamedTuple):
    """A date or moment in ISO 8601, as precise as the page gives it, and its confidence."""

    value: str
    confidence: float


class _Vote(NamedTuple):
    value: str
    worth: float


def find_published(parts: Parts, claims: Sequence[Claim], url: str | None, title_block: int | None) -> Published | None:
    """Return the day with the highest weight, in its most precise form, or None without any date.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> page = read_page("<h1>Fire</h1><p>Published 3 May 2021, updated 5 May 2021<p>The pier burnt.")
    >>> find_published(parts_of(page), [], None, 0).value
    '2021-05-03'
    """
    shown = list(_shown(parts, title_block))
    days_shown = {vote.value[:10] for vote in shown if vote.worth > SHOWN / 2}
    votes = [*(_as_shown(vote, days_shown) for vote in _claimed(claims)), *shown, *_addressed(url)]
    days: dict[str, float] = defaultdict(float)
    for vote in votes:
        days[vote.value[:10]] += vote.worth
    if not days:
        return None
    best = max(days, key=lambda day: (days[day], -int(day.replace("-", ""))))
    value = max((vote for vote in votes if vote.value[:10] == best), key=lambda vote: (len(vote.value), vote.worth))
    return Published(value.value, round(min(0.99, days[best] / max(FULL, sum(days.values()))), 3))


def iso(written: str) -> str | None:
    """Return a claimed date in ISO 8601, or None where it is not a date.

    >>> iso("2023-12-24T00:19:04-0500"), iso("Friday, December 22, 2023, 01:00 AM"), iso("12/21/2023 4:30 PM")
    ('2023-12-24T00:19:04-05:00', '2023-12-22', '2023-12-21')
    """
    written = written.strip()[:80]
    if m := _ISO.match(written):
        return _moment(m[1], m[2], m[3], m[4], m[5], m[6], m[7])
    if m := _COMPACT.fullmatch(written):
        return _moment(m[1], m[2], m[3], m[4], m[5], m[6], None)
    if m := _AMERICAN.match(written):
        return _moment(m[3], m[1], m[2]) or _moment(m[3], m[2], m[1])
    for moment in find_moments(written):
        if moment.kind == "date" and moment.value and len(moment.value) >= 10 and moment.value[0] != "-":
            return _day(moment.value)
    return None


def _as_shown(claimed: _Vote, days: set[str]) -> _Vote:
    """Return a claimed moment on the site's calendar: an evening in New York is the next day in UTC."""
    if claimed.value[:10] in days or len(claimed.value) == 10 or claimed.value[19:] not in ("", "+00:00"):
        return claimed
    day = date.fromisoformat(claimed.value[:10])
    for near in (day - timedelta(days=1), day + timedelta(days=1)):
        if near.isoformat() in days:
            return claimed._replace(value=near.isoformat())
    return claimed


def _moment(
    year: str, month: str, day: str, hour: str | None = None, minute: str | None = None,
    second: str | None = None, zone: str | None = None,
) -> str | None:  # fmt: skip
    stated = _day(f"{year}-{int(month):02}-{int(day):02}")
    if stated is None or hour is None or minute is None or int(hour) > 23 or int(minute) > 59:
        return stated
    clock = f"{stated}T{int(hour):02}:{minute}:{second or '00'}"
    if zone is None:
        return clock
    return clock + ("+00:00" if zone.upper() in ("Z", "UTC", "GMT") else f"{zone[:3]}:{zone[-2:]}")


def _day(value: str) -> str | None:
    try:
        return value[:10] if EARLIEST <= date.fromisoformat(value[:10]).year < LATEST else None
    except ValueError:
        return None


def _claimed(claims: Sequence[Claim]) -> Iterator[_Vote]:
    first: dict[tuple[str, str], bool] = {}
    for claim in claims:
        worth = WORTH.get((claim.field, claim.origin))
        if worth and (value := iso(claim.value)):
            key = (claim.field, claim.origin)
            yield _Vote(value, worth if key not in first else 0.3 * worth)  # later claims may be about other pages
            first[key] = True


def _shown(parts: Parts, title_block: int | None) -> Iterator[_Vote]:
    """Yield the dates in short blocks around the title, weighted by nearness."""
    at = title_block if title_block is not None else 0
    nodes, first = parts.page.nodes, parts.division.first.tolist()
    ends = [*first[1:], parts.division.leaf_count]
    seen: set[str] = set()
    order = sorted(range(max(0, at - 6), min(len(parts), at + NEAR)), key=lambda n: abs(n - at - 1))
    for number in order:
        text = _GLUED.sub(r"\1 ", parts.texts[number])
        if not text or text.count(" ") >= MOST_WORDS:
            continue
        near = 1.0 / (1 + FADE * abs(number - at - 1)) if number >= at - BEFORE else 0.3
        for row in {int(row) for leaf in range(first[number], ends[number]) for row in _time_rows(parts, leaf)}:
            value = iso(nodes.attributes[row].get("datetime", ""))
            if value and value not in seen:
                seen.add(value)
                yield _Vote(value, TIME_ELEMENT * near * (UPDATED if _UPDATED.search(text) else 1.0))
        for moment in find_moments(text, in_words=False):
            value = _day(moment.value) if moment.value and moment.kind == "date" and len(moment.value) >= 10 else None
            if value and value not in seen:
                seen.add(value)
                before = text[max(0, moment.start - 24) : moment.start]
                yield _Vote(value, SHOWN * near * (UPDATED if _UPDATED.search(before) else 1.0))


def _time_rows(parts: Parts, leaf: int) -> Iterator[int]:
    row = int(parts.page.leaves.node[leaf])
    for _ in range(2):
        if parts.page.nodes.tags[row] == "time":
            yield row
        row = max(0, int(parts.page.nodes.parent[row]))


def _addressed(url: str | None) -> Iterator[_Vote]:
    for m in _ADDRESS.finditer((url or "").lower()):
        month = m[2] if m[2].isdigit() else str(_MONTHS.index(m[2]) // 4 + 1) if m[2] in _MONTHS.split() else None
        value = month and _moment(m[1], month, m[3])
        if value:
            yield _Vote(value, IN_ADDRESS)
            return
