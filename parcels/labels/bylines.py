"""Lines that name a reporter and a time: each leaf of such a block says which of the two it is.

A model gives a block one label, and "By Ann Lee | 6 January 2004" is two things. Where a block that it labels as a
reporter or a time holds both in different leaves, each leaf is labelled by what it holds; one that holds neither goes
with what it introduces ("by", "updated on"), or with what stands before it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from parcels.labels.features import Measured
from parcels.text.dates import find_moments
from parcels.text.spans import REPORTER, TIME

MAX_CHARS = 200  # a longer block is text
MIXED = frozenset([REPORTER, TIME])
_INTRODUCES = re.compile(r"(?:\b(?:by|on|at|updated|published|posted|modified|edited)|:)\s*$", re.I)
_BY = re.compile(r"\bby:?\s*$", re.I)
_WORDS = re.compile(r"\w+")

Range = tuple[int, int]


def byline_leaves(labels: Sequence[str], measured: Measured) -> dict[int, str]:
    """The labels of the leaves of all mixed lines of a page whose blocks have these labels."""
    found: dict[int, str] = {}
    leaves = measured.look.page.leaves.text
    for block, (first, end) in enumerate(measured.look.division.ranges()):
        if labels[block] in MIXED:
            found.update(
                zip(range(first, end), leaves_of_byline(measured, block, leaves[first:end]) or (), strict=False)
            )
    return found


def leaves_of_byline(measured: Measured, block: int, texts: Sequence[str]) -> list[str] | None:
    """The labels of a block's leaves, whose texts are given; None where it is one thing."""
    whole = measured.texts[block]
    if len(texts) < 2 or len(whole) > MAX_CHARS:
        return None
    places = _places(whole, texts)
    moments = [(moment.start, moment.end) for moment in find_moments(whole)]
    if places is None or not moments:
        return None
    names = [(name.start, name.end) for name in measured.analysis.names(block) if name.kind == "PER"]
    names += _named(measured.look.claims.bags.get("author", ()), texts, places)
    held = [_held(place, moments, names) for place in places]
    return _filled(held, texts) if MIXED.issubset(held) else None


def _places(whole: str, texts: Sequence[str]) -> list[Range] | None:
    """Where each text stands in the whole; None where one is not found."""
    found, at = [], 0
    for text in texts:
        start = whole.find(text, at)
        if start < 0:
            return None
        at = start + len(text)
        found.append((start, at))
    return found


def _named(authors: Iterable[frozenset[str]], texts: Sequence[str], places: list[Range]) -> Iterator[Range]:
    """The leaves that are names, whether or not they look like some: behind "by", or of an author the page states."""
    for at, (text, place) in enumerate(zip(texts, places, strict=True)):
        is_by = at > 0 and _BY.search(texts[at - 1]) is not None
        if is_by or any(author <= frozenset(_WORDS.findall(text.lower())) for author in authors):
            yield place


def _held(place: Range, moments: list[Range], names: list[Range]) -> str | None:
    """What a leaf holds, or what more of it is."""
    time, name = _covered(place, moments), _covered(place, names)
    return None if not time and not name else TIME if time >= name else REPORTER


def _covered(place: Range, ranges: list[Range]) -> int:
    return sum(max(0, min(place[1], end) - max(place[0], start)) for start, end in ranges)


def _filled(held: Sequence[str | None], texts: Sequence[str]) -> list[str]:
    """The leaves that hold neither, labelled by their neighbours.

    >>> _filled([None, "reporter", None, None, "timestamp"], ["By", "Ann Lee", "Editor", "Updated", "6 May 2004"])
    ['reporter', 'reporter', 'reporter', 'timestamp', 'timestamp']
    """
    found: list[str] = []
    for at, (label, text) in enumerate(zip(held, texts, strict=True)):
        behind = next((other for other in held[at:] if other), None)
        before = found[-1] if found else None
        found.append(label or (behind if _INTRODUCES.search(text) else before) or before or behind or REPORTER)
    return found
