"""The dates of publication and of the last change: claims, visible dates and the address vote for days."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from parcels.articles.body.parts import Parts
from parcels.articles.fields.dates.address import addressed_day
from parcels.articles.fields.dates.anywhere import votes_anywhere
from parcels.articles.fields.dates.iso import iso
from parcels.articles.fields.dates.order import DateOrder
from parcels.articles.fields.dates.shown import ShownDay, shown_days, with_clock
from parcels.html.structured import Claim

WORTH = {  # of a claim for the date of publication, by field and origin
    ("published", "json-ld"): 3.0, ("published", "opengraph"): 2.5, ("published", "microdata"): 2.5,
    ("published", "meta"): 2.0, ("created", "json-ld"): 0.7, ("created", "microdata"): 0.7,
    ("modified", "json-ld"): 0.4, ("modified", "opengraph"): 0.4, ("modified", "meta"): 0.3,
    ("modified", "microdata"): 0.4,
}  # fmt: skip
CHANGED = {"json-ld": 3.0, "opengraph": 2.5, "microdata": 2.5, "meta": 2.0}  # of a claim for the last change, by origin
AGAIN = 0.3  # factor for each later claim of the same kind, which may be about another page
LIST, IN_LIST = 4, 0.3  # claims of one kind that are those of a list of articles, and factor for them
TIME_ELEMENT, SHOWN, IN_ADDRESS = 2.0, 6.0, 1.5
MEANING = {"published": 1.2, "updated": 0.25, "other": 0.05}  # factors; two updates outweigh a single claim
SENTENCE, SENTENCE_CHARS = 0.5, 72  # factor for a date in a sentence, and characters beside it that make one
FADE = 0.03  # loss of weight of a visible date per line between it and the title
BEFORE, FAR_BEFORE = 3, 0.3  # lines before the title in which a date counts as much as after it, and factor further up
ABOVE, NEAR = 6, 14  # lines before and after the title in which a visible date is looked for
MOST_WORDS = 25  # spaces in a line with a date
PARAGRAPH, BELOW = 150, 0.75  # characters of a paragraph, and factor for a date below each: teasers and comments follow
ENOUGH = 1.0  # weight of a day from which the rest of the page is not searched
FULL = 7.0  # weight of a day that is practically certain


class Stamp(NamedTuple):
    """A day or moment in ISO 8601, as precise as the page gives it, and its confidence."""

    value: str
    confidence: float


class Dates(NamedTuple):
    """The dates of publication and of the last change, each None where the page has none."""

    published: Stamp | None
    modified: Stamp | None


class _Vote(NamedTuple):
    value: str
    worth: float


def find_dates(parts: Parts, claims: Sequence[Claim], url: str | None, title_line: int | None) -> Dates:
    """Return for each of both dates the day with the highest weight, in its most precise form.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> page = read_page("<h1>Fire</h1><p>Published 3 May 2021, updated 5 May 2021 9:30 GMT<p>The pier burnt.")
    >>> [date.value for date in find_dates(parts_of(page), [], None, 0)]
    ['2021-05-03', '2021-05-05T09:30:00+00:00']
    """
    order = DateOrder(parts.texts, claims, url)
    claimed = list(_claimed(claims))
    address = addressed_day(url)
    known = frozenset([claim.value[:10] for claim in claimed] + ([address] if address else []))
    shown = list(_near_title(parts, title_line, order, known))
    days_shown = {day.value[:10] for day in shown if not day.is_element and day.meaning != "other"}
    claimed = [claim._replace(value=_as_shown(claim.value, days_shown)) for claim in claimed]

    votes = [_Vote(claim.value, claim.worth) for claim in claimed]
    changed = [_Vote(claim.value, claim.changed) for claim in claimed if claim.changed]
    once: dict[tuple[str, bool], float] = {}  # the best place of each date: a teaser may repeat it
    for day in shown:
        worth, key = _worth(parts, day, title_line), (day.value, day.is_element)
        once[key] = max(once.get(key, 0.0), worth * MEANING.get(day.meaning or "", 1.0))
        if day.meaning == "updated":
            changed.append(_Vote(day.value, worth))
    votes += [_Vote(value, worth) for (value, _), worth in once.items()]
    if address:
        votes.append(_Vote(address, IN_ADDRESS))
    if max(_days(votes).values(), default=0.0) < ENOUGH:
        votes += [_Vote(value, worth) for value, worth in votes_anywhere(parts, claims, title_line, order, known)]
    later = [day for day in shown if day.meaning == "updated"]
    others = [day for day in shown if day.meaning != "updated"]
    return Dates(_best(votes, parts, others, order), _best(changed, parts, later, order))


class _Claimed(NamedTuple):
    field: str
    value: str
    worth: float
    changed: float  # weight for the date of the last change


def _claimed(claims: Sequence[Claim]) -> Iterator[_Claimed]:
    dated = [claim for claim in claims if (claim.field, claim.origin) in WORTH]
    total = Counter((claim.field, claim.origin) for claim in dated)
    seen: Counter[tuple[str, str]] = Counter()
    for claim in dated:
        key = (claim.field, claim.origin)
        value = iso(claim.value)
        if value is None:
            continue
        factor = AGAIN ** seen[key] * (IN_LIST if total[key] >= LIST else 1.0)
        seen[key] += 1
        changed = CHANGED[claim.origin] if claim.field == "modified" else 0.0
        yield _Claimed(claim.field, value, WORTH[key] * factor, changed * factor)


def _near_title(parts: Parts, title_line: int | None, order: DateOrder, known: frozenset[str]) -> Iterator[ShownDay]:
    """Yield the dates in short lines around the title, the nearest first."""
    at = title_line if title_line is not None else 0
    numbers = sorted(range(max(0, at - ABOVE), min(len(parts), at + NEAR)), key=lambda n: abs(n - at - 1))
    return shown_days(parts, [n for n in numbers if parts.texts[n].count(" ") < MOST_WORDS], order, known)


def _worth(parts: Parts, day: ShownDay, title_line: int | None) -> float:
    """Return the weight of a visible date by its place; a labelled one may follow the story."""
    at = title_line if title_line is not None else 0
    worth = TIME_ELEMENT if day.is_element else SHOWN
    worth *= 1.0 / (1 + FADE * abs(day.line - at - 1)) if day.line >= at - BEFORE else FAR_BEFORE
    if day.meaning is None:
        worth *= BELOW ** sum(len(parts.texts[n]) >= PARAGRAPH for n in range(at + 1, day.line))
        worth *= SENTENCE if day.beside > SENTENCE_CHARS and not day.is_element else 1.0
    return worth


def _as_shown(value: str, days: set[str]) -> str:
    """Return a claimed moment on the site's calendar: an evening in New York is the next day in UTC."""
    if value[:10] in days or len(value) == 10 or value[19:] not in ("", "+00:00"):
        return value
    day = date.fromisoformat(value[:10])
    near = ((day + timedelta(days=step)).isoformat() for step in (-1, 1))
    return next((one for one in near if one in days), value)


def _days(votes: Sequence[_Vote]) -> dict[str, float]:
    days: dict[str, float] = defaultdict(float)
    for vote in votes:
        days[vote.value[:10]] += vote.worth
    return days


def _best(votes: Sequence[_Vote], parts: Parts, shown: Sequence[ShownDay], order: DateOrder) -> Stamp | None:
    """Return the day with the most votes, with the most precise of its times; the earliest of equals."""
    days = _days(votes)
    if not days:
        return None
    best = max(days, key=lambda day: (days[day], -int(day.replace("-", ""))))
    value = max(
        (vote for vote in votes if vote.value[:10] == best), key=lambda vote: (len(vote.value), vote.worth)
    ).value
    if value == best:  # no claim has a time, but a line may show it
        lines = (with_clock(parts, day, order) for day in shown if day.value == best and not day.is_element)
        value = max(lines, key=len, default=best)
    return Stamp(value, round(min(0.99, days[best] / max(FULL, sum(days.values()))), 3))
