"""Labels of the leaves of bylines that contain both a reporter and a time.

A model gives a block one label, but "By Ann Lee | 6 January 2004" has two parts. If a block labelled as reporter or
time has both in different leaves, each leaf gets its own label. A leaf with neither gets the label of the next leaf if
it introduces it ("by", "updated on"), else that of the previous leaf.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from parcels.labels.features import BlockViews
from parcels.text.dates import find_moments
from parcels.text.spans import REPORTER, TIME

MAX_CHARS = 200  # a longer block is text
MIXED = frozenset([REPORTER, TIME])
_INTRODUCES = re.compile(r"(?:\b(?:by|on|at|updated|published|posted|modified|edited)|:)\s*$", re.I)
_BY = re.compile(r"\bby:?\s*$", re.I)
_WORDS = re.compile(r"\w+")

Range = tuple[int, int]


def byline_leaves(labels: Sequence[str], measured: BlockViews) -> dict[int, str]:
    """Return the labels of the leaves of all mixed bylines, given the labels of the blocks."""
    labels_of_leaves: dict[int, str] = {}
    leaves = measured.look.page.leaves.text
    for block, (first, end) in enumerate(measured.look.division.ranges()):
        if labels[block] in MIXED:
            labels_of_leaves.update(
                zip(range(first, end), leaves_of_byline(measured, block, leaves[first:end]) or (), strict=False)
            )
    return labels_of_leaves


def leaves_of_byline(measured: BlockViews, block: int, texts: Sequence[str]) -> list[str] | None:
    """Return the labels of a block's leaves, given their texts; None if the block is not mixed."""
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
    """Return the position of each text in the whole; None if one does not occur."""
    positions, at = [], 0
    for text in texts:
        start = whole.find(text, at)
        if start < 0:
            return None
        at = start + len(text)
        positions.append((start, at))
    return positions


def _named(authors: Iterable[frozenset[str]], texts: Sequence[str], places: list[Range]) -> Iterator[Range]:
    """Yield the leaves that are names by their position: after "by", or of an author that the page states."""
    for at, (text, place) in enumerate(zip(texts, places, strict=True)):
        is_by = at > 0 and _BY.search(texts[at - 1]) is not None
        if is_by or any(author <= frozenset(_WORDS.findall(text.lower())) for author in authors):
            yield place


def _held(place: Range, moments: list[Range], names: list[Range]) -> str | None:
    """Return the label of most of a leaf's text, or None."""
    time, name = _covered(place, moments), _covered(place, names)
    return None if not time and not name else TIME if time >= name else REPORTER


def _covered(place: Range, ranges: list[Range]) -> int:
    return sum(max(0, min(place[1], end) - max(place[0], start)) for start, end in ranges)


def _filled(held: Sequence[str | None], texts: Sequence[str]) -> list[str]:
    """Return the labels of all leaves, with those of neighbours for leaves without one.

    >>> _filled([None, "reporter", None, None, "timestamp"], ["By", "Ann Lee", "Editor", "Updated", "6 May 2004"])
    ['reporter', 'reporter', 'reporter', 'timestamp', 'timestamp']
    """
    filled: list[str] = []
    for at, (label, text) in enumerate(zip(held, texts, strict=True)):
        following = next((other for other in held[at:] if other), None)
        before = filled[-1] if filled else None
        filled.append(label or (following if _INTRODUCES.search(text) else before) or before or following or REPORTER)
    return filled
