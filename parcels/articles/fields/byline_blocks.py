"""Bylines and dates between a title and its story: fields of the article, not part of its text."""

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.parts import Parts
from parcels.articles.fields.names import is_byline
from parcels.text.dates import find_moments

STORY = 15  # words from which a block is the first paragraph
SHORT = 12  # words up to which a block may be a byline or a date
BESIDE = 16  # further characters in the line of a date, such as "Published on" or "Updated:"


def without_bylines(parts: Parts, taken: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the choice without bylines and dates before the first paragraph.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> story = "The old pier burnt down last night, and nobody was hurt, as the fire brigade said on Friday."
    >>> parts = parts_of(read_page(f"<p>By Ann Lee<p>3 May 2024<p>{story}<p>3 May 2024"))
    >>> without_bylines(parts, np.ones(4, bool)).tolist()
    [False, False, True, True]
    """
    kept = taken.copy()
    for number in np.flatnonzero(taken).tolist():
        words, text = int(parts.words[number]), parts.texts[number]
        if words >= STORY:
            break
        if words <= SHORT and (is_byline(text) or is_date_line(text)):
            kept[number] = False
    return kept


def is_date_line(text: str) -> bool:
    """Return whether a text is a date and next to nothing else.

    >>> is_date_line("Published: 3 May 2024, 21:10"), is_date_line("In May 2024 the old pier burnt down")
    (True, False)
    """
    moments = find_moments(text, in_words=False)
    covered = sum(moment.end - moment.start for moment in moments)
    return any(moment.kind == "date" for moment in moments) and len(text) - covered <= BESIDE
