"""The order of day and month in dates such as 3/4/2004: by the page's other dates, its country and its language."""

import re
from collections.abc import Sequence
from functools import cached_property

from parcels.html.structured import Claim
from parcels.text.days import Day
from parcels.urls import host_of

# Country domains where English pages write the month first, and country domains used worldwide.
MONTH_FIRST = frozenset(["us", "ph", "pr", "gu", "mil"])
GENERIC = frozenset(["ai", "co", "fm", "gg", "io", "ly", "me", "tv", "cc", "to", "ws", "eu"])
LONG = 200  # characters of a text whose dates are not counted
_NUMBERS = re.compile(r"(?<![\d/-])(\d{1,2})([/-])(\d{1,2})\2(?:20)?\d\d(?![\d/-])")
_ENGLISH = re.compile(r"en(?![a-z])", re.I)


class DateOrder:
    """Decides between the two readings of 3/4/2004; what it needs is read on first use."""

    def __init__(self, texts: Sequence[str], claims: Sequence[Claim], url: str | None) -> None:
        self.texts = texts
        self.claims = claims
        self.url = url

    def settled(self, text: str, day: Day, known: frozenset[str]) -> str:
        """Return the reading of a day that a known date of the page confirms, else the one in the page's order.

        Dots separate the day first in every country, unless another date of the page contradicts.

        >>> order = DateOrder(["Tech", "12/25/2020"], [], None)
        >>> day = Day("2020-04-03", 0, 8, "2020-03-04")
        >>> order.settled("3/4/2020", day, frozenset()), order.settled("3/4/2020", day, frozenset(["2020-04-03"]))
        ('2020-03-04', '2020-04-03')
        """
        if day.other is None or day.value in known:
            return day.value
        has_dots = "." in text[day.start : day.end]
        return day.other if day.other in known or (not has_dots and self.is_month_first) else day.value

    @cached_property
    def language(self) -> str | None:
        """The claimed language of the page: two letters."""
        return next((claim.value[:2].lower() for claim in self.claims if claim.field == "language"), None)

    @cached_property
    def is_month_first(self) -> bool:
        """Whether the page writes the month before the day."""
        votes = 0
        for text in self.texts:
            for m in _NUMBERS.finditer(text) if len(text) < LONG and ("/" in text or "-" in text) else ():
                votes += (int(m[3]) > 12) - (int(m[1]) > 12)
        if votes:
            return votes > 0
        claimed = [claim.value for claim in self.claims if claim.field == "language"]
        if claimed and not any(_ENGLISH.match(value) for value in claimed):
            return False
        suffix = (host_of(self.url or "") or "").rpartition(".")[2]
        if len(suffix) == 2 and suffix not in GENERIC:
            return suffix in MONTH_FIRST
        return bool(claimed) and not any(value[:5].lower() in ("en-gb", "en_gb", "en-au", "en_au") for value in claimed)
