"""Places, sources, reporters and times inside a block's text: "WASHINGTON (AP) - …", "By ANN LEE | 6 January 2004".

Rules combine patterns at fixed positions with recognised names. A span's confidence is the approximate precision of its
rule.
"""

import re
from bisect import bisect_left, bisect_right
from operator import attrgetter

from parcels.results import Span
from parcels.text.analysis import Analysis, Name
from parcels.text.dates import find_moments
from parcels.text.names.gazetteers import gazetteers

PLACE, SOURCE, REPORTER, TIME = "country", "source", "reporter", "timestamp"  # labels of parcels.labels

_DATELINE = re.compile(
    r"^\s*(?P<place>[^\W\d_][^()\n|:;!?–—]{1,48}?)"
    r"(?:\s*\((?P<source>[^()]{2,40})\)\s*(?:[-–—]{1,2}|:)|\s*(?:\s--?|[–—])\s)(?=\s*\S)"
)
_BYLINE = re.compile(r"(?:^|[|•·–—]\s*|\b(?:reported|written|posted)\s+)by:?\s+(?=\S)", re.I)
_SIGNED = re.compile(r"[-–—(]\s*(?P<source>[^\s()–—-][^()–—.]{1,40}?)\)?\s*\.?\s*$")
BYLINE_LENGTH = 90  # characters; in longer texts a name after "by" is less certain
SURE, LIKELY, POSSIBLE = 0.9, 0.7, 0.5

_start = attrgetter("start")


def find_spans(analysis: Analysis, text: int = 0) -> list[Span]:
    """Return the spans of one of the analysed texts, in order.

    >>> from parcels.text.analysis import analyse
    >>> line = "WASHINGTON (AP) - Congress met on Tuesday."
    >>> [(span.label, line[span.start:span.end]) for span in find_spans(analyse(line))]
    [('country', 'WASHINGTON'), ('source', 'AP'), ('timestamp', 'Tuesday')]
    """
    string, names = analysis.texts[text], _Names(analysis, text)
    spans = [*_dateline(string, names), *_reporters(string, names), *_signed(string)]
    spans += [Span(TIME, moment.start, moment.end, LIKELY) for moment in find_moments(string)]
    kept: list[Span] = []  # in order, without overlaps
    for span in sorted(spans, key=lambda span: (-span.confidence, span.start)):
        at = bisect_right(kept, span.start, key=_start)
        if (at == 0 or kept[at - 1].end <= span.start) and (at == len(kept) or span.end <= kept[at].start):
            kept.insert(at, span)
    return kept


class _Names:
    """The names in a text, looked up when they are first needed: most texts have no use for them."""

    def __init__(self, analysis: Analysis, text: int):
        self._analysis, self._text = analysis, text
        self._names: list[Name] | None = None

    def __call__(self) -> list[Name]:
        if self._names is None:
            self._names = self._analysis.names(self._text)
        return self._names


def _dateline(string: str, names: _Names) -> list[Span]:
    """Return the place and the source before the first hyphen of a text."""
    match = _DATELINE.match(string)
    if not match:
        return []
    place, source = match.span("place"), match.span("source")
    has_place = match["place"].isupper() or any(name.kind == "LOC" and name.start < place[1] for name in names())
    spans = [Span(PLACE, *place, SURE if source[0] >= 0 else LIKELY)] if has_place else []
    if source[0] >= 0 and (has_place or is_source(match["source"])):
        spans.append(Span(SOURCE, *source, SURE))
    return spans


def _reporters(string: str, names: _Names) -> list[Span]:
    """Return the names after "by": the next one, and those joined to it by commas and "and"."""
    spans: list[Span] = []
    if "by" not in string.lower():  # most texts have none, and the pattern is slow
        return spans
    for match in _BYLINE.finditer(string):
        at = match.end()
        for n in range(bisect_left(names(), at, key=_start), len(names())):
            name = names()[n]
            if string[at : name.start].strip(" ,&").lower() not in ("", "and"):
                break
            if name.kind == "ORG" and is_source(name.text):
                spans.append(Span(SOURCE, name.start, name.end, LIKELY))
            else:
                is_byline = name.kind == "PER" and len(string) <= BYLINE_LENGTH
                spans.append(Span(REPORTER, name.start, name.end, SURE if is_byline else POSSIBLE))
            at = name.end
    return spans


def _signed(string: str) -> list[Span]:
    """Return the agency at the end of a text: "- AFP." or "(Reuters)"."""
    match = _SIGNED.search(string, max(0, len(string) - 50))
    return [Span(SOURCE, *match.span("source"), LIKELY)] if match and is_source(match["source"]) else []


def is_source(text: str) -> bool:
    """Return whether a text is a listed organisation or ends like a newspaper's name.

    >>> is_source("Reuters"), is_source("The Daily Herald"), is_source("Tuesday")
    (True, True, False)
    """
    words = text.lower().split()
    words = words[1:] if words[:1] == ["the"] else words
    if not words:
        return False
    lists = gazetteers()
    if len(words) == 1:
        return "organisation" in lists.words.get(words[0], ())
    is_listed = any(rest == tuple(words[1:]) and kind == "ORG" for rest, kind in lists.phrases.get(words[0], ()))
    return is_listed or ("orgwords" in lists.words.get(words[-1], ()) and text[:1].isupper())
