"""Complete dates (day, month and year) in text of any language, and the words that state what they are dates of.

`parcels.text.dates` marks moments as features of blocks; this module reads the days of an article: it knows the months
of 75 languages and leaves out dates without a year.
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Literal, NamedTuple

Meaning = Literal["published", "updated", "other"]
EARLIEST, LATEST = 1990, 2100
BUDDHIST = 543  # years that the Thai calendar is ahead
CENTURY = 50  # years of two digits below this are in the 2000s
LOOK_BACK, LOOK_AHEAD = 32, 14  # characters before and after a day in which its meaning is stated
HEBREW = "\u0590"  # the first script whose labels may follow a prefix; also of those behind it
REACH = 4  # words around the name of a month that are searched for a number
MOST_SKIPPED, SKIPPED_CHARS = 2, 5  # words between day, month and year: "12th of May", "3 de maio de"

_YEAR_LIKE = re.compile(r"(?<!\d)(?:19|2[05])\d\d|[/.'’-]\d\d(?!\d)|[٠-٩۰-۹०-९০-৯]{4}")
_YEAR_FIRST = re.compile(
    r"(?<![\d/])(\d{4})\s?(?:[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})|([-/.])\s?(\d{1,2})\s?\4\s?(\d{1,2}))(?!\d|[-–~～]\d)"
)
_NUMERIC = re.compile(
    r"(?<![\d/])(?<!\d[.-])(\d{1,2})\s?([/.-])\s?(\d{1,2})\s?\2\s?(?:(\d{4})(?=\D|$|\d\d:)|(\d\d)(?![\d:]))(?![/.-]\d)"
)
_TOKEN = re.compile(r"(\d+)|[^\W\d_][^\s\d.,;:|/()\[\]\"'’–—•·-]*")
_VIETNAMESE = re.compile(r"(?<!\d)(\d{1,2})\s+tháng\s+(\d{1,2})(?:,|\s+năm)?\s+(\d{4})(?!\d)", re.I)
_GAP = re.compile(r"[\s.,/'’º°ª-]{0,4}")
_TAIL = re.compile(r"(?<=[^\W\d_A-Z])[A-Z](?:[^\W\d_A-Z]+|[A-Z]+)$")  # of a glued word: "Ann LeeDec. 2"
_SIGNS = " \t-–—|•·,.:()[]"  # without a word beside them, there is no label


class Day(NamedTuple):
    """A day in ISO 8601 and its place; `other` is the day with day and month exchanged, where both are possible."""

    value: str
    start: int
    end: int
    other: str | None = None


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    is_number: bool


def find_days(text: str, *, language: str | None = None) -> list[Day]:
    """Return the complete dates of a text in order.

    3/4/2004 is read as 3 April. `language` decides where languages disagree about a month.

    >>> [day.value for day in find_days("12 de maio de 2020; 2020年5月1日; Updated: Dec. 2nd, 2021; 3. května 2004")]
    ['2020-05-12', '2020-05-01', '2021-12-02', '2004-05-03']
    >>> find_days("am 3/4/2004")
    [Day(value='2004-04-03', start=3, end=11, other='2004-03-04')]
    """
    if not _YEAR_LIKE.search(text):
        return []
    found: list[Day] = []
    for day in sorted(_candidates(text, language), key=lambda day: (day.start, -day.end)):
        if not found or day.start >= found[-1].end:
            found.append(day)
    return found


def meaning_of(text: str, days: list[Day], number: int, before: str = "") -> Meaning | None:
    """Return the meaning that the words around a day state, or None.

    `before` is the line before the text: a label may have a line of its own.

    >>> text = "05.04.2025 - Güncelleme : 07.04.2025"
    >>> meaning_of(text, find_days(text), 0), meaning_of(text, find_days(text), 1)
    (None, 'updated')
    """
    day = days[number]
    start = days[number - 1].end if number else 0
    ahead = text[max(start, day.start - LOOK_BACK) : day.start]
    label = label_in(ahead if number or ahead.strip() else before[-LOOK_BACK:])
    if label is None and number + 1 == len(days):
        label = label_in(text[day.end : day.end + LOOK_AHEAD])
    return label


def label_in(text: str) -> Meaning | None:
    """Return the meaning of dates that the last label in a text states, or None.

    >>> label_in("Publié le"), label_in("Zuletzt aktualisiert:"), label_in("Fire")
    ('published', 'updated', None)
    """
    label: Meaning | None = None
    for match in _labels().finditer(text.lower()) if text.strip(_SIGNS) else ():
        label = match.lastgroup  # type: ignore[assignment]
    return label


@cache
def months(language: str | None = None) -> dict[str, int]:
    """Return the number of each month by its names in all languages; those of `language` win.

    >>> months()["listopada"], months("hr")["listopada"]
    (11, 10)
    """
    by_language: dict[str, dict[str, int]] = {}
    for line in _lines("months.txt"):
        code, _, columns = line.partition(": ")
        own = by_language.setdefault(code, {})
        for number, names in enumerate(columns.split("|"), 1):
            own.update(dict.fromkeys(_spaced(names), number))
    merged: dict[str, int] = {}
    for own in (by_language.get(language or "", {}), *by_language.values()):
        merged = own | merged
    return merged


@cache
def _labels() -> re.Pattern[str]:
    """Return a pattern with one group per meaning."""
    words: dict[str, list[str]] = {}
    meaning = ""
    for line in _lines("date_words.txt"):
        if line.startswith("["):
            meaning = line.strip("[]")
            continue
        words.setdefault(meaning, []).extend(_spaced(line.partition(": ")[2]))
    parts = []
    for meaning, named in words.items():
        longest_first = sorted(set(named), key=len, reverse=True)
        # In Latin, Greek and Cyrillic a label begins a word; other scripts have prefixes, or no spaces.
        forms = "|".join((r"(?<![^\W\d_])" if word[0] < HEBREW else "") + re.escape(word) for word in longest_first)
        parts.append(f"(?P<{meaning}>{forms})")
    return re.compile("|".join(parts))


def _lines(name: str) -> list[str]:
    text = (files("parcels.text.data") / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _spaced(words: str) -> list[str]:
    return [word.replace("_", " ") for word in words.split()]


def _candidates(text: str, language: str | None) -> Iterator[Day]:
    for m in _YEAR_FIRST.finditer(text):
        if value := _iso(m[1], m[2] or m[5], m[3] or m[6]):
            yield Day(value, m.start(), m.end())
    for m in _NUMERIC.finditer(text):
        if day := _numeric(m):
            yield day
    tokens = [_Token(m.start(), m.end(), m[0], m[1] is not None) for m in _TOKEN.finditer(text)]
    if any(token.is_number for token in tokens) and not all(token.is_number for token in tokens):
        names = months(language)
        for at, token in enumerate(tokens):
            if not token.is_number and (day := _named(text, tokens, at, names)):
                yield day
        for m in _VIETNAMESE.finditer(text) if "th" in text else ():
            if value := _iso(m[3], m[2], m[1]):
                yield Day(value, m.start(), m.end())


def _numeric(m: re.Match[str]) -> Day | None:
    """Return the day of a match such as 3/4/2004 in both orders, where both are possible."""
    year = m[4] or _century(m[5])
    value, other = _iso(year, m[3], m[1]), _iso(year, m[1], m[3])
    if value is None or value == other:
        value, other = value or other, None
    return Day(value, m.start(), m.end(), other) if value else None


def _named(text: str, tokens: list[_Token], at: int, names: dict[str, int]) -> Day | None:
    """Return the day around a token that is the name of a month, in any order of day, month and year."""
    if not any(token.is_number for token in tokens[max(0, at - REACH) : at + REACH + 1]):
        return None
    month, place, last = _month(tokens, at, names)
    if not month:
        return None
    before, after = _number_beside(text, tokens, at, -1), _number_beside(text, tokens, last, 1)
    pairs = [(before, after)]  # 3 May 2020
    if after is not None:
        pairs += [(after, _number_beside(text, tokens, after, 1)), (after, before)]  # May 3, 2020; 2020 May 3
    if before is not None:
        pairs.append((before, _number_beside(text, tokens, before, -1)))  # 2020. gada 3. maijs
    for day, year in pairs:
        if day is None or year is None or not _is_day(text, tokens[day]):
            continue
        stated = _year(text, tokens[year])
        if stated and (value := _iso(stated, month, tokens[day].text)):
            start = min(place, tokens[day].start, tokens[year].start)
            year_end = min(tokens[year].end, tokens[year].start + 4)  # a time may be glued to it
            return Day(value, start, max(tokens[last].end, tokens[day].end, year_end))
    return None


def _number_beside(text: str, tokens: list[_Token], at: int, step: int) -> int | None:
    """Return the position of the next number, with at most a few short words such as "th of" in between."""
    for _ in range(MOST_SKIPPED + 1):
        following = at + step
        if not 0 <= following < len(tokens):
            return None
        one, two = sorted((at, following))
        if not _GAP.fullmatch(text, tokens[one].end, tokens[two].start):
            return None
        if tokens[following].is_number:
            return following
        if len(tokens[following].text) > SKIPPED_CHARS:
            return None
        at = following
    return None


def _month(tokens: list[_Token], at: int, names: dict[str, int]) -> tuple[int, int, int]:
    """Return the month (0 if none) that begins with a token, the position of its name and its last token."""
    word, start = tokens[at].text, tokens[at].start
    if month := names.get(word.lower()):
        return month, start, at
    if at + 1 < len(tokens) and (month := names.get(f"{word} {tokens[at + 1].text}".lower())):
        return month, start, at + 1
    tail = _TAIL.search(word)
    return (names.get(tail[0].lower(), 0), start + tail.start(), at) if tail else (0, start, at)


def _is_day(text: str, token: _Token) -> bool:
    """Return whether a number has the form of a day and is not the minutes of a time."""
    return len(token.text) <= 2 and not (
        token.start > 1 and text[token.start - 1] == ":" and text[token.start - 2].isdigit()
    )


def _year(text: str, token: _Token) -> str | None:
    """Return the year of a number: four digits, to which a time may be glued, or two after a hyphen or apostrophe."""
    if len(token.text) == 2:
        return _century(token.text) if text[token.start - 1 : token.start] in ("-", "'", "’") else None
    is_glued = len(token.text) in (5, 6) and text[token.end : token.end + 1] == ":"
    return token.text[:4] if is_glued or len(token.text) == 4 else None


def _century(two_digits: str) -> str:
    return str((2000 if int(two_digits) < CENTURY else 1900) + int(two_digits))


def _iso(year: str, month: str | int, day: str) -> str | None:
    """Return a day in ISO 8601, or None where there is no such day in the years of the web."""
    number = int(year)
    number -= BUDDHIST if number > LATEST else 0
    if not EARLIEST <= number < LATEST:
        return None
    try:
        return date(number, int(month), int(day)).isoformat()
    except ValueError:
        return None
