"""Dates and times in text, by pattern: their positions, and their values where these are unambiguous.

The search starts at numbers; the characters around a number select the patterns to try. A text without digits is only
searched for weekdays and words such as "yesterday".
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from string import ascii_lowercase
from typing import Literal, NamedTuple

Kind = Literal["date", "time"]


class Moment(NamedTuple):
    """A date or time. `value` is ISO 8601 (2004-01-06, --05-11 without a year, 20:31, -PT5M: 5 minutes ago) or None.

    `zone` is the time zone as written.
    """

    kind: Kind
    start: int
    end: int
    value: str | None
    zone: str | None = None


# English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Danish, Polish; dots of abbreviations cut off.
_MONTHS = (
    "january jan januar janvier janv enero ene gennaio gen janeiro januari jänner stycznia styczeń",
    "february feb februar février fevrier févr febrero febbraio febb fevereiro fev februari lutego luty",
    "march mar märz maerz mars marzo março marco maart mrt marts marca marzec mrz",
    "april apr avril avr abril abr aprile kwietnia kwiecień",
    "may mai mayo maggio mag maio mei maj maja",
    "june jun juni juin junio giugno giu junho czerwca czerwiec",
    "july jul juli juillet juil julio luglio lug julho lipca lipiec",
    "august aug août aout agosto ago agto augustus augusti sierpnia sierpień",
    "september sep sept septembre septiembre settembre setembro set septembre września wrzesień",
    "october oct oktober okt octobre octubre ottobre ott outubro out października październik",
    "november nov novembre noviembre novembro listopada listopad",
    "december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro desember grudnia grudzień",
)
MONTHS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lundi mardi mercredi jeudi vendredi samedi "
    "dimanche lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì giovedì venerdì sabato "
    "domenica segunda-feira terça-feira quarta-feira quinta-feira sexta-feira maandag dinsdag woensdag donderdag "
    "vrijdag zaterdag zondag måndag tisdag onsdag torsdag fredag lördag söndag"
)
WEEKDAYS = frozenset(_WEEKDAYS.split())
# With a capital these are days everywhere; short and foreign ones only before a date.
_PLAIN_DAYS = frozenset(_WEEKDAYS.split()[:7])
_UNITS = {
    "s": "T{}S", "sec": "T{}S", "second": "T{}S", "m": "T{}M", "min": "T{}M", "minute": "T{}M", "minuto": "T{}M",
    "minuten": "T{}M", "h": "T{}H", "hr": "T{}H", "hour": "T{}H", "heure": "T{}H", "hora": "T{}H", "stunde": "T{}H",
    "stunden": "T{}H", "d": "{}D", "day": "{}D", "jour": "{}D", "día": "{}D", "dia": "{}D", "tag": "{}D",
    "tagen": "{}D", "w": "{}W", "wk": "{}W", "week": "{}W", "month": "{}M", "yr": "{}Y", "year": "{}Y",
}  # fmt: skip
_ZONE = (
    r"(?:GMT|UTC|[ECMP][SD]?T|BST|CEST|CET|EEST|EET|WEST|WET|MSK|IST|JST|KST|HKT|SGT|SAST|A[EWC][SD]T|NZ[SD]T|PKT|Z)\b"
)

_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?!\d)(?:(?:T|\s{1,2})(\d\d):(\d\d)(?::\d\d(?:[.,]\d+)?)?\s?(Z\b|[+-]\d\d:?\d\d)?)?"
)
_NUMERIC = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/])")
_YEAR_FIRST = re.compile(r"(\d{4})([/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_CLOCK = re.compile(
    rf"(\d{{1,2}})[:.h](\d\d)(?::\d\d)?(?!\d|[.,:]\d)\s?([ap]\.?\s?m\b\.?)?(?:\s?\(?({_ZONE})\)?)?(?:\s?(Uhr|uur)\b)?",
    re.I,
)
_HOUR = re.compile(rf"(\d{{1,2}})\s?([ap]\.?\s?m\b\.?|Uhr\b|o'clock\b)(?:\s?\(?({_ZONE})\)?)?", re.I)
_ZULU = re.compile(r"(\d\d)(\d\d)\s?(GMT|UTC|hrs)\b", re.I)
_HOUR_BEGINS = frozenset("apuoAPUO")
_DAY_FIRST = re.compile(
    r"(\d{1,2})(?:st|nd|rd|th|\.|º|er)?[\s-]+(?:of\s+|de\s+)?([^\W\d_]{3,12})\.?"
    r"(?:,?[\s-]+(?:de\s+|del\s+)?['’]?(\d{4}|\d\d(?!\d|:))(?!\d))?"
)
_DAY_MARKS = frozenset("snrt.ºe-")  # white space, or a character that may precede it
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?(?![\d:/%]|[.,]\d)(?:,?\s+(\d{4})(?!\d))?")
_YEAR = re.compile(r"(?:19|20)\d\d(?![\d,:/%-]|\.\d)")
_AGO = re.compile(r"(\d{1,4})\s?([^\W\d_]+?)s?\s+ago\b", re.I)
_SINCE = frozenset(["vor", "a", "hace", "há", "fa"])  # vor 5 Minuten, il y a 5 minutes, hace 5 minutos
_UNIT = re.compile(r"(\d{1,4})\s?([^\W\d_]+?)s?\b")
# For lower-case text. There is no lookbehind: _begins selects the positions to try.
_WORDS = re.compile(
    r"(?:yesterday|today|tonight|tomorrow|last\s+(?:week|month|year|night)|this\s+(?:week|month|year|morning|evening)"
    r"|next\s+(?:week|month|year)|a\s+(?:moment|minute|day|week|month|year)\s+ago|an\s+hour\s+ago"
    r"|few\s+(?:minute|hour|day|week|month|year)s\s+ago|two\s+(?:minute|hour|day|week|month|year)s\s+ago|just now"
    r"|noon|midnight|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b"
)
# The first three letters of each match of _WORDS; a dot stands for any other character.
_WORD_BEGINS = "yes tod ton tom las thi nex a.m a.d a.w a.y a.. an. few two jus noo mid mon tue wed thu fri sat sun"
_TIME_WORDS = ("moment", "minute", "hour", "noon", "midnight", "now")
MOST_DIGITS = 4  # of a number in a date or time
LOOK_BACK = 18  # characters before a number that are searched for a month or weekday

# A text without these words and without digits has no dates or times.
_CLUES = "yesterday today tonight tomorrow week month year night morning evening ago now noon midnight"
CLUES = _PLAIN_DAYS | frozenset(_CLUES.split())


def find_moments(text: str, *, day_first: bool | None = None, in_words: bool = True) -> list[Moment]:
    """Return the dates and times of a text in order.

    `day_first` is the order of day and month in 3/4/2004, if known. Without `in_words`, only dates and times with
    digits are returned: this is faster, and complete where the text has no word of CLUES.

    >>> [(m.kind, m.value) for m in find_moments("Last Updated: Tuesday, 6 January, 2004, 23:43 GMT")]
    [('date', '2004-01-06'), ('time', '23:43')]
    >>> [(m.kind, m.value) for m in find_moments("MAY 11, 2000 Web posted at: 8:31 p.m. EDT (0031 GMT)")]
    [('date', '2000-05-11'), ('time', '20:31'), ('time', '00:31')]
    >>> [(m.kind, m.value) for m in find_moments("vor 5 Minuten; 11. Mai 2004; 3/4/2004; 13/4/04; 2 hours ago")]
    [('time', '-PT5M'), ('date', '2004-05-11'), ('date', None), ('date', '2004-04-13'), ('time', '-PT2H')]
    """
    moments: list[Moment] = []
    done = 0
    has_ago = None
    for at, end in _numbers(text):
        if at < done:
            continue
        if has_ago is None:
            has_ago = "ago" in text.lower()
        mark = text[end : end + 1]
        if end - at <= 2:
            moment = _at_short(text, at, done, day_first, mark, text[end + 1 : end + 2])
        else:
            moment = _at_long(text, at, mark)
        moment = moment or _at_any(text, at, done, end - at, has_ago)
        if moment is not None:
            moments.append(moment)
            done = moment.end
    if not in_words:
        return moments
    ends = [moment.end for moment in moments]
    spoken = []
    for moment in _spoken(text):
        following = bisect_right(ends, moment.start)  # the first that ends after the start of this one
        if following == len(moments) or moments[following].start >= moment.end:
            spoken.append(moment)
    return sorted(moments + spoken, key=lambda moment: moment.start) if spoken else moments


def _numbers(text: str) -> list[tuple[int, int]]:
    """Return the start and end of the numbers that may belong to a date or time.

    They have at most MOST_DIGITS digits and do not follow a letter, digit or currency sign.

    >>> _numbers("5 May 2004, $3, x4, 12345")
    [(0, 1), (6, 10)]
    """
    numbers = []
    at, size = 0, len(text)
    while at < size:
        if not _is_digit(text[at]):
            at += 1
            continue
        end = at + 1
        while end < size and _is_digit(text[end]):
            end += 1
        before = text[at - 1] if at else " "
        if end - at <= MOST_DIGITS and not (before.isalnum() or before in "$£€#_"):
            numbers.append((at, end))
        at = end
    return numbers


def _is_digit(letter: str) -> bool:
    return "0" <= letter <= "9" or (letter > "\xff" and letter.isdecimal())


# Most numbers are no dates: the characters after the digits select the patterns to try.


def _at_long(text: str, at: int, mark: str) -> Moment | None:
    """Return the date or time that begins with three or four digits; `mark` is the character after them."""
    if mark == "-" and (m := _ISO.match(text, at)):
        value = _date(m[1], m[2], m[3])
        if value and m[4]:
            value += f"T{m[4]}:{m[5]}{m[6] or ''}"
        return Moment("date", at, m.end(), value) if value else None
    if mark in ("/", ".") and (m := _YEAR_FIRST.match(text, at)):
        return Moment("date", at, m.end(), _date(m[1], m[3], m[4]))
    if (mark.isspace() or mark.isalpha()) and (m := _ZULU.match(text, at)) and (value := _time(m[1], m[2], None)):
        return Moment("time", at, m.end(), value, m[3])
    return None


def _at_short(text: str, at: int, done: int, day_first: bool | None, mark: str, then: str) -> Moment | None:
    """Return the date or time that begins with one or two digits; `mark` and `then` are the next two characters."""
    if mark in ("/", ".", "-") and (m := _NUMERIC.match(text, at)):
        return _with_weekday(text, done, Moment("date", at, m.end(), _numeric(m[1], m[2], m[3], m[4], day_first)))
    if mark in (":", ".", "h", "H") and (m := _CLOCK.match(text, at)):
        value = _time(m[1], m[2], m[3])
        if value and (mark != "." or m[3] or m[4] or m[5]):  # 3.30 alone is a number
            return Moment("time", at, _right(text, m.end()), value, m[4])
    if (then if mark.isspace() else mark) in _HOUR_BEGINS and (m := _HOUR.match(text, at)):
        value = _time(m[1], "00", m[2])
        return Moment("time", at, m.end(), value, m[3]) if value else None
    if (
        (mark.isspace() or mark in _DAY_MARKS)
        and (m := _DAY_FIRST.match(text, at))
        and (month := MONTHS.get(m[2].lower()))
        and 0 < int(m[1]) <= 31
    ):
        return _with_weekday(text, done, Moment("date", at, m.end(), _date(_year(m[3]), month, m[1])))
    return None


def _at_any(text: str, at: int, done: int, size: int, has_ago: bool) -> Moment | None:
    """Return a time ago, a day or year after its month, or a year alone; `size` is the number of digits."""
    word = _word_before(text, at, done)
    if (has_ago or word) and (ago := _ago(text, at, word, has_ago)):
        return ago
    month = MONTHS.get(word.rstrip(".").lower()) if word and not word.islower() else None
    year = _YEAR.match(text, at) if size == 4 else None
    if month:
        start = text.rindex(word, done, at)
        if year:
            return Moment("date", start, year.end(), f"{year[0]}-{month:02}")
        if (m := _DAY.match(text, at)) and 0 < int(m[1]) <= 31:
            return _with_weekday(text, done, Moment("date", start, m.end(), _date(m[2], month, m[1])))
    if year and not text[year.end() : year.end() + 1].isalpha():
        return Moment("date", at, year.end(), year[0])
    return None


def _word_before(text: str, at: int, done: int) -> str:
    """Return the word before a position, or nothing without white space between them."""
    if not at or not text[at - 1].isspace():
        return ""
    words = text[max(done, at - LOOK_BACK) : at].split()
    return words[-1] if words else ""


def _ago(text: str, at: int, word: str, has_ago: bool) -> Moment | None:
    start, m = at, _AGO.match(text, at) if has_ago else None
    if not m and word.lower() in _SINCE:
        start, m = text.rindex(word, 0, at), _UNIT.match(text, at)
        if word.lower() == "a":  # il y a
            start = at - len("il y a ")
            m = m if text[max(start, 0) : at].lower() == "il y a " else None
    unit = _UNITS.get(m[2].lower()) if m else None
    if not m or unit is None:
        return None
    return Moment("time" if unit[0] == "T" else "date", start, m.end(), "-P" + unit.format(int(m[1])))


_LETTERS = ascii_lowercase + "."  # a dot stands for any other character
_OTHER = 26  # the number of the dot


def groups_of_letters(begins: Iterable[str]) -> bytes:
    """Return a flag for each group of three letters (a to z, or "." for others), in order: whether it is in `begins`.

    >>> groups_of_letters(["aab"])[:3]
    b'\\x00\\x01\\x00'
    """
    flags = bytearray(len(_LETTERS) ** 3)
    for group in begins:
        one, two, three = map(_LETTERS.index, group)
        flags[(one * len(_LETTERS) + two) * len(_LETTERS) + three] = True
    return bytes(flags)


_WORD_GROUPS = groups_of_letters(_WORD_BEGINS.split())


def _begins(low: str) -> list[int]:
    """Return the word starts at which _WORDS may match.

    >>> _begins("on monday, today_ or 1today")
    [3, 11]
    """
    starts = []
    size = len(low)
    second = _number_of(low[0]) if size else _OTHER
    third = _number_of(low[1]) if size > 1 else _OTHER
    for at in range(size):
        first, second = second, third
        third = _number_of(low[at + 2]) if at + 2 < size else _OTHER
        if first != _OTHER and _WORD_GROUPS[(first * 27 + second) * 27 + third]:
            before = low[at - 1] if at else " "
            if not (before.isalnum() or before == "_"):
                starts.append(at)
    return starts


def _number_of(letter: str) -> int:
    """Return the number of a letter in _LETTERS."""
    return ord(letter) - 97 if "a" <= letter <= "z" else _OTHER


def _in_words(low: str) -> Iterator[re.Match[str]]:
    """Yield the matches of _WORDS at the beginning of words."""
    done = 0
    for at in _begins(low):
        if at >= done and (m := _WORDS.match(low, at)):
            yield m
            done = m.end()


def _spoken(text: str) -> Iterator[Moment]:
    low = text.lower()
    if len(low) != len(text):  # a few letters have lower cases of another length
        low = text
    for m in _in_words(low):
        word, at = m[0], m.start()
        if (at and (low[at - 1].isalnum() or low[at - 1] == "_")) or (word in _PLAIN_DAYS and text[at].islower()):
            continue
        kind: Kind = "time" if any(part in word for part in _TIME_WORDS) else "date"
        yield Moment(kind, m.start(), m.end(), {"noon": "12:00", "midnight": "00:00"}.get(word))


def _with_weekday(text: str, done: int, moment: Moment) -> Moment:
    word = _word_before(text, moment.start, done)
    if word.lower() in ("den", "le"):
        word = _word_before(text, text.rindex(word, done, moment.start), done)
    if word.rstrip(".,").lower() in WEEKDAYS:
        return Moment(moment.kind, text.rindex(word, done, moment.start), moment.end, moment.value)
    return moment


def _right(text: str, end: int) -> int:
    """Return the end of a match without trailing white space and open brackets."""
    while end and text[end - 1] in " (":
        end -= 1
    return end


def _year(written: str | None) -> str | None:
    """Return a year with its century: two digits below 50 belong to the 2000s."""
    if written is None or len(written) == 4:
        return written
    return ("20" if int(written) < 50 else "19") + written


def _date(year: str | None, month: str | int, day: str) -> str | None:
    if not (0 < int(month) <= 12 and 0 < int(day) <= 31) or (year and not 1500 <= int(year) <= 2200):
        return None
    return f"{year or '-'}-{int(month):02}-{int(day):02}"


def _numeric(one: str, mark: str, two: str, year: str, day_first: bool | None) -> str | None:
    if int(one) > 12 or mark == "." or day_first:
        return _date(_year(year), two, one)
    if int(two) > 12 or day_first is False:
        return _date(_year(year), one, two)
    return _date(_year(year), one, two) if one == two else None


def _time(hour: str, minute: str, half: str | None) -> str | None:
    number = int(hour)
    if half and half[0] in "pPaA":
        if not 0 < number <= 12:
            return None
        number = number % 12 + (12 if half[0] in "pP" else 0)
    return f"{number:02}:{minute}" if number < 24 and int(minute) < 60 else None
