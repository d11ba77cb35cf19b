"""Evidence from structured data: how well a block agrees with what the page says of itself (parcels.structured)."""

import re
from collections.abc import Callable, Sequence

import numpy as np

from parcels.divide import Division, block_text
from parcels.page import Page
from parcels.structured import Claim, claims
from parcels.views.look import Floats

_WORDS = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MAX_AUTHOR_CHARS = 200  # a longer block that holds a name is about more than the name
MAX_DATE_CHARS = 200

Words = frozenset[str]


def _bag(text: str) -> Words:
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
        self.bags = {field: [_bag(value) for value in values] for field, values in self.by_field.items()}

    def best(self, field: str, words: Words) -> float:
        """The best overlap with a value of the field."""
        return max((overlap(words, bag) for bag in self.bags.get(field, ())), default=0.0)


def title_match(text: str, words: Words, said: Claims) -> float:
    """Overlap with the title that the page states."""
    return said.best("title", words)


def description_match(text: str, words: Words, said: Claims) -> float:
    """Overlap with the description that the page states."""
    return said.best("description", words)


def author_match(text: str, words: Words, said: Claims) -> float:
    """1 where a short block holds the whole name of an author that the page states."""
    if len(text) > MAX_AUTHOR_CHARS:
        return 0.0
    return float(any(bag and bag <= words and len(bag) < 7 for bag in said.bags.get("author", ())))


def publisher_match(text: str, words: Words, said: Claims) -> float:
    """Overlap with the publisher that the page states."""
    return said.best("publisher", words)


def section_match(text: str, words: Words, said: Claims) -> float:
    """Overlap with the section or a keyword that the page states."""
    return max(said.best("section", words), said.best("keywords", words))


def body_match(text: str, words: Words, said: Claims) -> float:
    """Share of the block's words that stand in the text that the page states as the article's body."""
    return max((len(words & bag) / max(1, len(words)) for bag in said.bags.get("body", ())), default=0.0)


def date_match(text: str, words: Words, said: Claims) -> float:
    """Parts of a stated date (year, month, day, hour) that a short block holds, as a share."""
    if len(text) > MAX_DATE_CHARS or not _DIGITS.search(text):
        return 0.0
    numbers = {int(digits) for digits in _DIGITS.findall(text)[:20] if len(digits) <= 4}
    lower = text.lower()
    best = 0.0
    for field in ("published", "modified", "created"):
        for value in said.by_field.get(field, ()):
            parts = [int(digits) for digits in _DIGITS.findall(value)[:4] if len(digits) <= 4]
            if len(parts) < 3 or parts[0] < 1900 or not 1 <= parts[1] <= 12:
                continue
            has_month = parts[1] in numbers or _MONTHS[parts[1] - 1] in lower
            found = (parts[0] in numbers or parts[0] % 100 in numbers, has_month, parts[2] in numbers)
            best = max(best, sum(found) / 3)
    return best


def has_claims(text: str, words: Words, said: Claims) -> float:
    """1 where the page states a title, author or date at all: without, a missing match says nothing."""
    return float(any(field in said.by_field for field in ("author", "published")))


FEATURES: tuple[Callable[[str, Words, Claims], float], ...] = (
    title_match, description_match, author_match, publisher_match, section_match, body_match, date_match, has_claims,
)  # fmt: skip
NAMES = tuple(feature.__name__ for feature in FEATURES)


def evidence_view(page: Page, division: Division) -> Floats:
    """One row a block, one column a feature.

    >>> from parcels.divide import fine
    >>> from parcels.page import read_page
    >>> page = read_page("<title>Fire at the pier</title><h1>Fire at the pier</h1><p>Nobody was hurt.")
    >>> evidence_view(page, fine.divide(page))[:, 0].tolist()
    [1.0, 0.0]
    """
    said = Claims(claims(page))
    rows = []
    for first, end in division.ranges():
        text = block_text(page, first, end)
        words = _bag(text)
        rows.append([feature(text, words, said) for feature in FEATURES])
    return np.array(rows, np.float32).reshape(len(rows), len(FEATURES))
