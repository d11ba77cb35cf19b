"""Evidence from structured data: how well a block agrees with what the page says of itself (parcels.structured).

Each feature is a function from a Look to one number a block, as in the stylistic view.
"""

import re
from collections.abc import Sequence

import numpy as np

from parcels.structured import Claim
from parcels.views.feature import columns
from parcels.views.look import Column, Floats, Look, loops

_WORDS = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MAX_AUTHOR_CHARS = 200  # a longer block that holds a name is about more than the name
MAX_AUTHOR_WORDS = 6
MAX_DATE_CHARS = 200
DATES = ("published", "modified", "created")

Words = frozenset[str]
Date = tuple[int, int, int]  # year, month, day


def _bag(text: str) -> Words:
    if loops is not None:
        found: Words = loops.bag(text.lower())
        return found
    return frozenset(_WORDS.findall(text.lower()))


def overlap(block: Words, claim: Words) -> float:
    """Words in common, as a share of the larger of the two.

    >>> overlap(_bag("Fire at the pier"), _bag("Fire at the pier - Gazette"))
    0.8
    """
    return len(block & claim) / max(len(block), len(claim), 1)


class Claims:
    """A page's claims, by field, as bags of words."""

    def __init__(self, found: Sequence[Claim]):
        self.by_field: dict[str, list[str]] = {}
        for claim in found:
            self.by_field.setdefault(claim.field, []).append(claim.value)
        self.bags = {
            field: [bag for bag in dict.fromkeys(map(_bag, values)) if bag] for field, values in self.by_field.items()
        }

    def best(self, field: str, blocks: Sequence[Words]) -> Floats:
        """The best overlap of each block with a value of the field."""
        found, bags = np.zeros(len(blocks), np.float32), self.bags.get(field)
        if bags and loops is not None:
            loops.overlaps(list(blocks), bags, frozenset().union(*bags), found)
        elif bags:
            is_apart = frozenset().union(*bags).isdisjoint  # most blocks have no word in common with any value
            for n, words in enumerate(blocks):
                if not is_apart(words):
                    found[n] = max([overlap(words, bag) for bag in bags])
        return found

    def dates(self) -> list[Date]:
        """The days that the page states, each once."""
        found: dict[Date, None] = {}
        for field in DATES:
            for value in self.by_field.get(field, ()):
                parts = [int(digits) for digits in _DIGITS.findall(value)[:4] if len(digits) <= 4]
                if len(parts) >= 3 and parts[0] >= 1900 and 1 <= parts[1] <= 12:
                    found[parts[0], parts[1], parts[2]] = None
        return list(found)


def title_match(look: Look) -> Floats:
    """Overlap with the title that the page states."""
    return look.title_overlap


def description_match(look: Look) -> Floats:
    """Overlap with the description that the page states."""
    return look.claims.best("description", look.bags)


def author_match(look: Look) -> Floats:
    """1 where a short block holds the whole name of an author that the page states."""
    found = np.zeros(len(look), np.float32)
    for author in look.claims.bags.get("author", ()):
        if len(author) <= MAX_AUTHOR_WORDS:
            found[[n for n, words in enumerate(look.bags) if author <= words]] = 1
    found[[len(text) > MAX_AUTHOR_CHARS for text in look.texts]] = 0
    return found


def publisher_match(look: Look) -> Floats:
    """Overlap with the publisher that the page states."""
    return look.claims.best("publisher", look.bags)


def section_match(look: Look) -> Floats:
    """Overlap with the section or a keyword that the page states."""
    return np.maximum(look.claims.best("section", look.bags), look.claims.best("keywords", look.bags))


def body_match(look: Look) -> Floats:
    """Share of the block's words that stand in the text that the page states as the article's body."""
    found = np.zeros(len(look), np.float32)
    for body in look.claims.bags.get("body", ()):
        np.maximum(
            found, [len(words & body) / max(1, len(words)) for words in look.bags], out=found, casting="same_kind"
        )
    return found


def date_match(look: Look) -> Floats:
    """Parts of a stated date (year, month, day) that a short block holds, as a share."""
    found, dates = np.zeros(len(look), np.float32), look.claims.dates()
    for n, text in enumerate(look.texts if dates else ()):
        if len(text) <= MAX_DATE_CHARS and _DIGITS.search(text):
            found[n] = _date_share(text, dates)
    return found


def _date_share(text: str, dates: Sequence[Date]) -> float:
    numbers = {int(digits) for digits in _DIGITS.findall(text)[:20] if len(digits) <= 4}
    lower = text.lower()
    best = 0
    for year, month, day in dates:
        has_month = month in numbers or _MONTHS[month - 1] in lower
        best = max(best, (year in numbers or year % 100 in numbers) + has_month + (day in numbers))
    return best / 3


def has_claims(look: Look) -> Floats:
    """1 where the page states an author or date at all: without, a missing match says nothing."""
    return np.full(len(look), any(field in look.claims.by_field for field in ("author", "published")), np.float32)


FEATURES: tuple[Column, ...] = (
    title_match, description_match, author_match, publisher_match, section_match, body_match, date_match, has_claims,
)  # fmt: skip
NAMES = tuple(feature.__name__ for feature in FEATURES)


def evidence_view(look: Look) -> Floats:
    """One row a block, one column a feature."""
    return columns(FEATURES, look, len(look))
