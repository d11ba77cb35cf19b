"""Dates far from the title, for pages without better evidence: labelled lines, attributes, data in scripts."""

import re
from collections.abc import Iterator, Sequence

from parcels.articles.body.parts import Parts
from parcels.articles.fields.dates.iso import iso
from parcels.articles.fields.dates.order import DateOrder
from parcels.articles.fields.dates.shown import shown_days
from parcels.html.structured import Claim
from parcels.text.days import label_in

LABELLED, SENTENCE_ABOUT, ALONE, IN_SENTENCE, BEFORE_TITLE = 3.0, 1.8, 1.2, 0.15, 0.5
LATER = 0.8  # factor for each further date of the same kind: readers' comments and teasers follow the article
UPDATED, OTHER = 0.3, 0.02
ATTRIBUTE, IN_SCRIPT, IN_IMAGE = 1.0, 2.0, 0.2
FEW_CHARS = 36  # beside a date that stands alone
BARE_CHARS = 12  # beside one that stands alone before the title
MOST_WORDS, MOST_LINES = 60, 2000  # of a line that is read, and lines read
MOST_VOTES = 40
MOST_STAMP = 40  # characters of an attribute with a date
MOST_SCRIPT_CHARS = 400_000
_STAMPS = ("datetime", "title", "data-date", "data-time", "data-timestamp", "data-published", "data-datetime")
_STAMPED = frozenset(["time", "abbr", "span", "a", "div", "p", "relative-time", "local-time"])
_IN_SCRIPT = re.compile(
    r"[\"']?(?:date_?published|publish(?:ed|ing|ation)?_?(?:at|on|time|date|datetime)?|pub_?date|first_?publi\w{0,20}|"
    r"creat(?:ed|ion)_?(?:at|on|time|date)|article_?date|post_?date|showdate)[\"']?\s?[:=(,]\s?\[?[\"']([\d-]{4}[^\"']{4,30})[\"']",
    re.I,
)
_IN_IMAGE = re.compile(r"/((?:19|20)\d\d)/?([01]\d)/?([0-3]\d)(?=/|\d{0,6}[_-])")


def votes_anywhere(
    parts: Parts, claims: Sequence[Claim], title_line: int | None, order: DateOrder, known: frozenset[str]
) -> Iterator[tuple[str, float]]:
    """Yield dates of the whole page with their weights.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> page = read_page("<h1>Fire</h1>" + "<p>The pier burnt." * 40 + "<p>Posted: 3 May 2021<p>Ek, 4 May 2021")
    >>> list(votes_anywhere(parts_of(page), [], 0, DateOrder([], [], None), frozenset()))
    [('2021-05-03', 3.0), ('2021-05-04', 1.2)]
    """
    at = -1 if title_line is None else title_line
    numbers = [n for n, text in enumerate(parts.texts[:MOST_LINES]) if text.count(" ") <= MOST_WORDS]
    fade = dict.fromkeys((LABELLED, SENTENCE_ABOUT, ALONE, IN_SENTENCE, BEFORE_TITLE), 1.0)
    for count, shown in enumerate(shown_days(parts, numbers, order, known)):
        if count == MOST_VOTES:
            break
        kind = LABELLED if shown.meaning == "published" else ALONE if shown.beside <= FEW_CHARS else IN_SENTENCE
        if kind == IN_SENTENCE and label_in(parts.texts[shown.line]) == "published":
            kind = SENTENCE_ABOUT
        if kind == ALONE and shown.line < at:
            if shown.beside > BARE_CHARS:
                continue  # a masthead: the day of the visit, the place, the weather
            kind = BEFORE_TITLE
        worth = kind * fade[kind] * {"updated": UPDATED, "other": OTHER}.get(shown.meaning or "", 1.0)
        fade[kind] *= LATER if shown.meaning in (None, "published") else 1.0
        yield shown.value, worth
    yield from _attributes(parts)
    yield from _scripts(parts)
    for claim in claims:
        if claim.field == "image" and (m := _IN_IMAGE.search(claim.value)) and (value := iso("-".join(m.groups()))):
            yield value, IN_IMAGE


def _attributes(parts: Parts) -> Iterator[tuple[str, float]]:
    worth = ATTRIBUTE
    for tag, attributes in zip(parts.page.nodes.tags, parts.page.nodes.attributes, strict=True):
        if tag not in _STAMPED or not attributes:
            continue
        for name in _STAMPS:
            written = attributes.get(name, "")
            if 8 <= len(written) <= MOST_STAMP and (value := iso(written)):
                yield value, worth
                worth *= LATER
                break
        if worth < IN_IMAGE:
            return


def _scripts(parts: Parts) -> Iterator[tuple[str, float]]:
    left = MOST_SCRIPT_CHARS
    for script in parts.page.root.iter("script"):
        text = (script.text or "")[:left]
        left -= len(text)
        if (m := _IN_SCRIPT.search(text)) and (value := iso(m[1])):
            yield value, IN_SCRIPT
            return
