"""The day in an address, such as /2020/03/04/ or -04-03-2020-."""

import re
from datetime import date

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_YEAR_FIRST = re.compile(r"(?<!\d)((?:19|20)\d\d)([/_-]?)(\d{1,2}|[a-z]{3})\2(\d{1,2})(?:\d{4}|\d{6})?(?!\d)")
_DAY_FIRST = re.compile(r"(?<!\d)(\d\d)([_-])(\d\d)\2((?:19|20)\d\d)(?!\d)")


def addressed_day(url: str | None) -> str | None:
    """Return the day in the path or query of an address, or None.

    >>> addressed_day("https://a.example/2017/dec/04/pier-burns"), addressed_day("https://a.example/pier-04-03-2020")
    ('2017-12-04', '2020-03-04')
    >>> addressed_day("https://a.example/news?id=20200130085309"), addressed_day("https://a.example/20203012")
    ('2020-01-30', None)
    """
    path = (url or "").lower().partition("://")[2].partition("/")[2]
    for m in _YEAR_FIRST.finditer(path):
        if not m[2] and len(m[3]) + len(m[4]) < 4:
            continue  # digits without separators must be eight
        month = str(_MONTHS.index(m[3]) + 1) if m[3] in _MONTHS else m[3]
        if value := _day(m[1], month, m[4]):
            return value
    for m in _DAY_FIRST.finditer(path):
        if value := _day(m[4], m[3], m[1]) or _day(m[4], m[1], m[3]):
            return value
    return None


def _day(year: str, month: str, day: str) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
