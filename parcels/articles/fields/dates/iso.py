"""Dates as metadata and attributes write them, in ISO 8601."""

import re
from datetime import UTC, date, datetime

from parcels.text.clocks import clock_beside
from parcels.text.days import EARLIEST, LATEST, find_days

MOST_CHARS = 80  # read of a written date
_ISO = re.compile(
    r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[T\s]+(\d{1,2}):(\d\d)(?::(\d\d))?(?:[.,]\d+)?\s*(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?",
    re.I,
)
_COMPACT = re.compile(r"(20\d\d)([01]\d)([0-3]\d)(?:T?(\d\d)(\d\d)(\d\d)?)?(?:Z|\D.*)?")
_SPACED = re.compile(r"(20\d\d) (\d\d) (\d\d) (\d\d):(\d\d)(?::(\d\d))?")
_EPOCH = re.compile(r"(\d{10})(?:\d{3})?(?:\.\d+)?")  # seconds or milliseconds since 1970


def iso(written: str, *, month_first: bool = True) -> str | None:
    """Return a day or moment in ISO 8601, or None where there is no date.

    `month_first` is the order of the numbers in 3/4/2004.

    >>> iso("2023-12-24T00:19:04-0500"), iso("Friday, December 22, 2023, 01:00 AM"), iso("12/21/2023 4:30 PM EST")
    ('2023-12-24T00:19:04-05:00', '2023-12-22T01:00:00', '2023-12-21T16:30:00-05:00')
    >>> iso("1584286168"), iso("20200130085309")
    ('2020-03-15T15:29:28+00:00', '2020-01-30T08:53:09')
    """
    written = written.strip()[:MOST_CHARS]
    if not any(sign.isdigit() for sign in written):
        return None
    for pattern in (_ISO, _SPACED, _COMPACT):
        if m := pattern.match(written) if pattern is _ISO else pattern.fullmatch(written):
            return _moment(*m.groups())
    if m := _EPOCH.fullmatch(written):
        return day_of(datetime.fromtimestamp(int(m[1]), UTC).isoformat())
    for day in find_days(written):
        is_turned = month_first and day.other and "." not in written[day.start : day.end]
        value = (is_turned and day.other) or day.value
        return value + (clock_beside(written, day.start, day.end) or "")
    return None


def day_of(value: str) -> str | None:
    """Return a value in ISO 8601 if its day exists and the web existed then, else None."""
    try:
        return value if EARLIEST <= date.fromisoformat(value[:10]).year < LATEST else None
    except ValueError:
        return None


def _moment(
    year: str, month: str, day: str, hour: str | None = None, minute: str | None = None,
    second: str | None = None, zone: str | None = None,
) -> str | None:  # fmt: skip
    stated = day_of(f"{year}-{int(month):02}-{int(day):02}")
    if stated is None or hour is None or minute is None or int(hour) > 23 or int(minute) > 59:
        return stated
    clock = f"{stated}T{int(hour):02}:{minute}:{second or '00'}"
    if zone is None:
        return clock
    return clock + ("+00:00" if zone.upper() in ("Z", "UTC", "GMT") else f"{zone[:3]}:{zone[-2:]}")
