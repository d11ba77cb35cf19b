"""Visible dates and `time` elements of lines."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from parcels.articles.body.parts import Parts
from parcels.articles.fields.dates.iso import iso
from parcels.articles.fields.dates.order import DateOrder
from parcels.text.clocks import clock_beside
from parcels.text.days import Meaning, find_days, label_in, meaning_of

IDEOGRAPHS = "\u2e80"  # Chinese, Japanese and Korean signs come after this one
LABEL_CHARS = 40  # of a line that may be the label of the date in the next line


class ShownDay(NamedTuple):
    """A date in a line or in an attribute of its elements."""

    value: str  # ISO 8601, a day or a moment
    line: int
    meaning: Meaning | None
    beside: int  # characters of the line outside its dates, ideographs counted three times
    is_element: bool  # of a `time` element


def shown_days(parts: Parts, numbers: Iterable[int], order: DateOrder, known: frozenset[str]) -> Iterator[ShownDay]:
    """Yield the dates of the given lines; `known` are days from other sources, which settle what 3/4/2004 means."""
    first, nodes = parts.division.first, parts.page.nodes
    for number in numbers:
        text = parts.texts[number]
        if not text:
            continue
        before = parts.texts[number - 1] if number and len(parts.texts[number - 1]) <= LABEL_CHARS else ""
        days = find_days(text, language=order.language)
        beside = _size(text) - sum(_size(text[day.start : day.end]) for day in days)
        meanings = [meaning_of(text, days, at, before) for at in range(len(days))]
        end = int(first[number + 1]) if number + 1 < len(parts) else parts.division.leaf_count
        for row in dict.fromkeys(row for leaf in range(int(first[number]), end) for row in _time_rows(parts, leaf)):
            if value := iso(nodes.attributes[row].get("datetime", "")):
                same = (meaning for day, meaning in zip(days, meanings, strict=True) if value[:10] == day.value)
                meaning = next(same, meanings[0] if meanings else label_in(text) or label_in(before))
                yield ShownDay(value, number, meaning, beside, is_element=True)
        for day, meaning in zip(days, meanings, strict=True):
            value = order.settled(text, day, known)
            yield ShownDay(value, number, meaning, beside, is_element=False)


def with_clock(parts: Parts, shown: ShownDay, order: DateOrder) -> str:
    """Return a visible day with the time of day that its line states."""
    text = parts.texts[shown.line]
    days = find_days(text, language=order.language)
    for at, day in enumerate(days):
        if shown.value in (day.value, day.other):
            start = days[at - 1].end if at else 0
            end = days[at + 1].start if at + 1 < len(days) else len(text)
            return shown.value + (clock_beside(text[start:end], day.start - start, day.end - start) or "")
    return shown.value


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text) + 2 * sum(sign > IDEOGRAPHS for sign in text)


def _time_rows(parts: Parts, leaf: int) -> Iterator[int]:
    row = int(parts.page.leaves.node[leaf])
    for _ in range(2):
        if parts.page.nodes.tags[row] == "time":
            yield row
        row = max(0, int(parts.page.nodes.parent[row]))
