"""Evidence from structured data: how well a block agrees with what the page says of itself (parcels.html.structured).

Each feature is a function from a Look to one number per block.
"""

import re
from collections.abc import Sequence

import numpy as np

from parcels.features.feature import columns, feature, features_of
from parcels.features.look import Floats, Look
from parcels.features.shared_words import SharedWords, bag, shared_words
from parcels.html.structured import Claim

_DIGITS = re.compile(r"\d+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MAX_AUTHOR_CHARS = 200  # a longer block that holds a name is about more than the name
MAX_AUTHOR_WORDS = 6
MAX_DATE_CHARS = 200
MAX_NUMBERS = 20  # of a text that may hold a date
DATES = ("published", "modified", "created")

MATCHED = ("title", "description", "author", "publisher", "section", "keywords", "body")  # by their words

Date = tuple[int, int, int]  # year, month, day


class Claims:
    """A page's claims, by field, as bags of words."""

    def __init__(self, found: Sequence[Claim]):
        self.by_field: dict[str, list[str]] = {}
        for claim in found:
            self.by_field.setdefault(claim.field, []).append(claim.value)
        self.bags = {
            field: [words for words in dict.fromkeys(map(bag, values)) if words]
            for field, values in self.by_field.items()
            if field in MATCHED
        }

    def shared(self, texts: Sequence[str]) -> SharedWords:
        """The words that they share with these texts."""
        return shared_words(texts, self.bags)

    def dates(self) -> list[Date]:
        """The days that the page states, each once."""
        found: dict[Date, None] = {}
        for field in DATES:
            for value in self.by_field.get(field, ()):
                parts = [int(digits) for digits in _DIGITS.findall(value)[:4] if len(digits) <= 4]
                if len(parts) >= 3 and parts[0] >= 1900 and 1 <= parts[1] <= 12:
                    found[parts[0], parts[1], parts[2]] = None
        return list(found)


@feature(view="evidence", low=0, high=1)
def title_match(look: Look) -> Floats:
    """Overlap with the title that the page states."""
    return look.title_overlap


@feature(view="evidence", low=0, high=1)
def description_match(look: Look) -> Floats:
    """Overlap with the description that the page states."""
    return look.shared_words.best("description")


@feature(view="evidence", low=0, high=1)
def author_match(look: Look) -> Floats:
    """1 where a short block holds the whole name of an author that the page states."""
    shared, found = look.shared_words, np.zeros(len(look), np.float32)
    if "author" in shared.common:
        authors = shared.claims["author"][:, None]
        is_whole = (shared.common["author"] == authors) & (authors <= MAX_AUTHOR_WORDS)
        for block in np.flatnonzero(is_whole.any(axis=0)).tolist():
            found[block] = len(look.texts[block]) <= MAX_AUTHOR_CHARS
    return found


@feature(view="evidence", low=0, high=1)
def publisher_match(look: Look) -> Floats:
    """Overlap with the publisher that the page states."""
    return look.shared_words.best("publisher")


@feature(view="evidence", low=0, high=1)
def section_match(look: Look) -> Floats:
    """Overlap with the section or a keyword that the page states."""
    return np.maximum(look.shared_words.best("section"), look.shared_words.best("keywords"))


@feature(view="evidence", low=0, high=1)
def body_match(look: Look) -> Floats:
    """Share of the block's words that stand in the text that the page states as the article's body."""
    shared = look.shared_words
    if "body" not in shared.common:
        return np.zeros(len(look), np.float32)
    return np.asarray(shared.common["body"].max(axis=0) / np.maximum(shared.sizes, 1), np.float32)


@feature(view="evidence", low=0, high=1)
def date_match(look: Look) -> Floats:
    """Parts of a stated date (year, month, day) that a short block holds, as a share."""
    found, dates, texts = np.zeros(len(look), np.float32), look.claims.dates(), look.texts
    for n in np.flatnonzero(look.shared_words.has_digit).tolist() if dates else ():
        if len(texts[n]) <= MAX_DATE_CHARS:
            found[n] = date_share(texts[n], dates)
    return found


def date_share(text: str, dates: Sequence[Date]) -> float:
    """Return the largest share of a date's year, month and day that a text holds.

    >>> date_share("Mar 7, '24", [(2024, 3, 7)]), date_share("7/8/2023", [(2024, 3, 7), (2023, 1, 7)])
    (1.0, 0.6666666666666666)
    """
    numbers = {int(digits) for digits in _DIGITS.findall(text)[:MAX_NUMBERS] if len(digits) <= 4}
    lower = text.lower()
    best = 0
    for year, month, day in dates:
        has_month = month in numbers or _MONTHS[month - 1] in lower
        best = max(best, (year in numbers or year % 100 in numbers) + has_month + (day in numbers))
    return best / 3


@feature(view="evidence", low=0, high=1)
def has_claims(look: Look) -> Floats:
    """1 where the page states an author or date at all: without, a missing match says nothing."""
    return np.full(len(look), any(field in look.claims.by_field for field in ("author", "published")), np.float32)


FEATURES = features_of("evidence", __name__)


def evidence_view(look: Look) -> Floats:
    """Return one row per block, one column per feature."""
    return columns(FEATURES, look, len(look))
