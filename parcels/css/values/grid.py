"""Grid templates and placements: text to `Track`, `Template` and `Placement`."""

import re

from parcels.css.style import Placement, Template, Track
from parcels.css.values.lengths import NOMINAL_PX, RelativeLength, length

MAX_TRACKS = 200  # columns or rows of one grid: repeat(1000000, 1px) is cut here
MAX_LINE = 1000  # a line's number
_PIECE = re.compile(r"\[[^\]]*+\]|[-a-z]++\((?:[^()]++|\([^()]*+\))*+\)|[^\s\[]++")
_STRING = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_AUTO_TRACK = Track(0.0, "auto")

Tracks = tuple[tuple[Track, ...], float]  # and the px of repeat(auto-fill, minmax(px, 1fr)), or 0
Line = tuple[int, int, str]  # line, span, name


def tracks(text: str) -> Tracks | None:
    """Parse the tracks of grid-template-columns or -rows.

    >>> tracks("200px 1fr")
    ((Track(number=200.0, unit='px'), Track(number=1.0, unit='fr')), 0.0)
    >>> tracks("repeat(auto-fill, minmax(120px, 1fr))")[1]
    120.0
    """
    if text in ("none", "auto", "masonry"):
        return (), 0.0
    if text.startswith("subgrid"):
        return (), 0.0
    sizes: list[Track] = []
    fill = 0.0
    for piece in _PIECE.findall(text):
        if piece[0] == "[":
            continue
        if piece.startswith("repeat("):
            count, comma, inner = piece[7:-1].partition(",")
            count = count.strip()
            repeated = tracks(inner.strip()) if comma and "repeat(" not in inner else None
            if repeated is None:
                return None
            if count in ("auto-fill", "auto-fit"):
                fill = max(sum(_least(t) for t in inner_pieces(inner)), 1.0)
                sizes.extend(repeated[0])
            elif count.isdecimal():
                sizes.extend((repeated[0] * min(int(count[:6]), MAX_TRACKS))[:MAX_TRACKS])
            else:
                return None
        else:
            track = _track(piece)
            if track is None:
                return None
            sizes.append(track)
        if len(sizes) >= MAX_TRACKS:
            break
    return tuple(sizes[:MAX_TRACKS]), fill


def inner_pieces(text: str) -> list[str]:
    """Return the tracks inside a repeat(), as text."""
    return [piece for piece in _PIECE.findall(text) if piece[0] != "["]


def _track(piece: str) -> Track | None:
    if piece.startswith("minmax("):
        low, comma, high = _split_pair(piece[7:-1])
        largest = _track(high) if comma else None
        smallest = _track(low) if comma else None
        if largest is None or smallest is None:
            return None
        return smallest if largest.unit in ("auto", "min-content", "max-content") and smallest.number else largest
    if piece.startswith("fit-content("):
        return _AUTO_TRACK
    if piece.endswith("fr"):
        try:
            return Track(min(max(float(piece[:-2]), 0.0), 1e6), "fr")
        except ValueError:
            return None
    if piece in ("min-content", "max-content", "auto"):
        return Track(0.0, piece)
    parsed = length(piece)
    if parsed is None or parsed[1] not in (1.0, 2.0):
        return None
    return Track(_px(parsed[0]), "px" if parsed[1] == 1.0 else "percent")


def _split_pair(text: str) -> tuple[str, str, str]:
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            return text[:at].strip(), ",", text[at + 1 :].strip()
    return text, "", ""


def _least(piece: str) -> float:
    """Return the minimum size in px of a track in an auto-fill."""
    low = _split_pair(piece[7:-1])[0] if piece.startswith("minmax(") else piece
    parsed = length(low)
    if parsed is None:
        return 0.0
    return _px(parsed[0]) if parsed[1] == 1.0 else NOMINAL_PX[0] * _px(parsed[0]) / 100 if parsed[1] == 2.0 else 0.0


def _px(amount: float | RelativeLength) -> float:
    """Return the amount in px, with the nominal font size and screen: tracks are stored as plain numbers."""
    width, height, em = NOMINAL_PX
    return amount.px(em, em, width, height) if isinstance(amount, RelativeLength) else amount


def areas(text: str) -> tuple[tuple[str, ...], ...] | None:
    """Parse the rows of named areas.

    >>> areas('"head head" "menu main"')
    (('head', 'head'), ('menu', 'main'))
    """
    if text == "none":
        return ()
    rows = [tuple((double or single).split()[:MAX_TRACKS]) for double, single in _STRING.findall(text)]
    return tuple(rows[:MAX_TRACKS]) if rows else None


def line(text: str) -> Line | None:
    """Parse one of grid-column-start and its siblings: a line, a span, or a name.

    >>> line("span 2"), line("-1"), line("main")
    ((0, 2, ''), (-1, 1, ''), (0, 1, 'main'))
    """
    number, span, name, is_span = 0, 1, "", False
    for word in text.split():
        if word == "span":
            is_span = True
        elif word.lstrip("+-").isdecimal():
            number = max(min(int(word[:9]), MAX_LINE), -MAX_LINE)
        elif word != "auto":
            name = word
    if is_span:
        number, span = 0, max(abs(number), 1)
    return number, span, name


def template(columns: object, rows: object, named: object) -> Template | None:
    """Return the template of its parts; None if all are empty."""
    across: Tracks = columns if isinstance(columns, tuple) else ((), 0.0)
    down: Tracks = rows if isinstance(rows, tuple) else ((), 0.0)
    plan: tuple[tuple[str, ...], ...] = named if isinstance(named, tuple) else ()
    made = Template(across[0], down[0], plan, across[1])
    return None if made == Template() else made


def placement(column_start: object, column_end: object, row_start: object, row_end: object) -> Placement | None:
    """Return the placement of four lines; None if all are auto."""
    lines = [part if isinstance(part, tuple) else (0, 1, "") for part in (column_start, column_end, row_start, row_end)]
    across, across_end, down, down_end = lines
    made = Placement(
        across[0],
        across_end[0],
        max(across[1], across_end[1]),
        down[0],
        down_end[0],
        max(down[1], down_end[1]),
        across[2] or down[2],
    )
    return None if made == Placement() else made
