"""The evidence view: how well a block matches the page's structured data (parcels.html.structured).

A *claim* is one statement of the structured data, such as the title or an author.
"""

import re
from collections.abc import Sequence

import numpy as np

from parcels.features.feature import columns, feature, features_of
from parcels.features.page_features import Floats, PageFeatures
from parcels.features.shared_words import SharedWords, bag, shared_words
from parcels.html.structured import Claim

_DIGITS = re.compile(r"\d+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MAX_AUTHOR_CHARS = 200  # a longer block holds more than the name
MAX_AUTHOR_WORDS = 6
MAX_DATE_CHARS = 200
MAX_NUMBERS = 20  # numbers of a text that are tried as parts of a date
DATES = ("published", "modified", "created")

# Fields that are matched by their words.
MATCHED = ("title", "description", "author", "publisher", "section", "keywords", "body")

Date = tuple[int, int, int]  # year, month, day


class Claims:
    """The claims of a page by field, and their bags of words."""

    def __init__(self, claims: Sequence[Claim]):
        self.by_field: dict[str, list[str]] = {}
        for claim in claims:
            self.by_field.setdefault(claim.field, []).append(claim.value)
        self.bags = {
            field: [words for words in dict.fromkeys(map(bag, values)) if words]
            for field, values in self.by_field.items()
            if field in MATCHED
        }

    def shared(self, texts: Sequence[str]) -> SharedWords:
        """Return the words that the claims share with texts."""
        return shared_words(texts, self.bags)

    def dates(self) -> list[Date]:
        """Return the distinct dates that the page states."""
        dates: dict[Date, None] = {}
        for field in DATES:
            for value in self.by_field.get(field, ()):
                parts = [int(digits) for digits in _DIGITS.findall(value)[:4] if len(digits) <= 4]
                if len(parts) >= 3 and parts[0] >= 1900 and 1 <= parts[1] <= 12:
                    dates[parts[0], parts[1], parts[2]] = None
        return list(dates)


@feature(view="evidence", low=0, high=1)
def title_match(page: PageFeatures) -> Floats:
    """Word overlap of the block with the page's stated title."""
    return page.title_overlap


@feature(view="evidence", low=0, high=1)
def description_match(page: PageFeatures) -> Floats:
    """Word overlap of the block with the page's stated description."""
    return page.shared_words.best("description")


@feature(view="evidence", low=0, high=1)
def author_match(page: PageFeatures) -> Floats:
    """1 if the block is short and contains the full name of a stated author."""
    shared, column = page.shared_words, np.zeros(len(page), np.float32)
    if "author" in shared.common:
        authors = shared.claims["author"][:, None]
        is_whole = (shared.common["author"] == authors) & (authors <= MAX_AUTHOR_WORDS)
        for block in np.flatnonzero(is_whole.any(axis=0)).tolist():
            column[block] = len(page.texts[block]) <= MAX_AUTHOR_CHARS
    return column


@feature(view="evidence", low=0, high=1)
def publisher_match(page: PageFeatures) -> Floats:
    """Word overlap of the block with the page's stated publisher."""
    return page.shared_words.best("publisher")


@feature(view="evidence", low=0, high=1)
def section_match(page: PageFeatures) -> Floats:
    """Word overlap of the block with the page's stated section or one of its keywords."""
    return np.maximum(page.shared_words.best("section"), page.shared_words.best("keywords"))


@feature(view="evidence", low=0, high=1)
def body_match(page: PageFeatures) -> Floats:
    """Share of the block's distinct words that occur in the stated article body."""
    shared = page.shared_words
    if "body" not in shared.common:
        return np.zeros(len(page), np.float32)
    return np.asarray(shared.common["body"].max(axis=0) / np.maximum(shared.sizes, 1), np.float32)


@feature(view="evidence", low=0, high=1)
def date_match(page: PageFeatures) -> Floats:
    """Share of a stated date (year, month, day) that a short block contains."""
    column, dates, texts = np.zeros(len(page), np.float32), page.claims.dates(), page.texts
    for n in np.flatnonzero(page.shared_words.has_digit).tolist() if dates else ():
        if len(texts[n]) <= MAX_DATE_CHARS:
            column[n] = date_share(texts[n], dates)
    return column


def date_share(text: str, dates: Sequence[Date]) -> float:
    """Return the largest share of a date's year, month and day that a text contains.

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
def has_claims(page: PageFeatures) -> Floats:
    """1 if the page states an author or a publication date; otherwise a missing match means nothing."""
    return np.full(len(page), any(field in page.claims.by_field for field in ("author", "published")), np.float32)


FEATURES = features_of("evidence", __name__)


def evidence_view(page: PageFeatures) -> Floats:
    """Return one row per block, one column per feature."""
    return columns(FEATURES, page, len(page))
