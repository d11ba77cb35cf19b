"""The time of day and the time zone beside a date."""

import re
from functools import cache
from importlib.resources import files

AHEAD, BACK = 30, 30  # characters after and before a date in which its time is looked for
_CLOCK = re.compile(
    r"(?P<half>오전|오후|上午|下午|午前|午後)?\s?(?<![\d.,/:-])(?P<hour>\d{1,2})(?P<mark>[:.h]|[時时시点]\s?)(?P<minute>\d\d)분?分?"
    r"(?::(?P<second>\d\d)|\s?\d\d[초秒])?(?![\d:])(?:\s?(?P<meridiem>[ap])\.?\s?m(?:\b|(?=(?-i:[A-Z][a-z])))\.?)?\s?(?P<o_clock>Uhr|uur|h\b)?"
    r"\s?\(?(?P<zone>(?:GMT|UTC)?\s?[+-]\d\d?(?::?\d\d)?\b|[A-Z]{1,4}\b)?",
    re.I,
)
_OFFSET = re.compile(r"([+-])(\d\d?):?(\d\d)?$")
_BEFORE_CLOCK = re.compile(r"\b(?:um|at|kl|klo|ore|alle|à|a las|às|godz)\.?\s*$", re.I)
_AFTERNOON = frozenset(["오후", "下午", "午後"])


def clock_beside(text: str, start: int, end: int) -> str | None:
    """Return the time of day right after or before a date as an ISO 8601 suffix, with its zone where stated.

    >>> text = "Published: 6:39 PM MST January 30, 2020"
    >>> clock_beside(text, 23, 39)
    'T18:39:00-07:00'
    >>> clock_beside("19 May 2015, 15:00 GMT+11", 0, 11), clock_beside("3 May 2015, 21.10 Uhr", 0, 10)
    ('T15:00:00+11:00', 'T21:10:00')
    >>> clock_beside("3 May 2015, 2.30 dollars", 0, 10)
    """
    after = text[end : end + AHEAD]
    m = _CLOCK.search(after)
    if m and (found := _suffix(m, after)):
        return found
    before = text[max(0, start - BACK) : start]
    matches = [found for m in _CLOCK.finditer(before) if (found := _suffix(m, before))]
    return matches[-1] if matches else None


@cache
def zones() -> dict[str, str]:
    """Return the offset of each abbreviation of a time zone."""
    text = (files("parcels.text.data") / "zones.txt").read_text(encoding="utf-8")
    return dict(line.split(" ") for line in text.splitlines() if not line.startswith("#"))


def _suffix(m: re.Match[str], text: str) -> str | None:
    """Return a matched time in ISO 8601, or None where the number is no time."""
    offset = _offset(m["zone"] or "")
    is_marked = m["meridiem"] or m["o_clock"] or offset or _BEFORE_CLOCK.search(text[: m.start()])
    hour, minute = int(m["hour"]), int(m["minute"])
    if hour > 23 or minute > 59 or (m["mark"] == "." and not is_marked):
        return None
    half = (m["meridiem"] or "").lower() or ("p" if m["half"] in _AFTERNOON else "a" if m["half"] else "")
    if half and hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    return f"T{hour:02}:{m['minute']}:{m['second'] or '00'}{offset}"


def _offset(written: str) -> str:
    """Return a zone as an offset, or nothing where it is unknown.

    >>> _offset("UTC+2"), _offset("MST"), _offset("+0530"), _offset("on")
    ('+02:00', '-07:00', '+05:30', '')
    """
    if m := _OFFSET.search(written):
        return f"{m[1]}{int(m[2]):02}:{m[3] or '00'}" if int(m[2]) <= 14 else ""
    return zones().get(written.upper(), "") if written.isupper() else ""
