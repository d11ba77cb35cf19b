"""Grid tracks: sizes of columns and rows, and placement of items (CSS Grid 1, 8 and 12, simplified)."""

from parcels.css.style import Placement, Styles, Template, Track
from parcels.layout.boxes.flow.kinds import MAX_PX

MAX_COLUMNS = 200
MAX_ROWS = 1000
MAX_SPANNED = 60  # rows or columns of one item
_AUTO = Track(0.0, "auto")
_NO_TEMPLATE, _NO_PLACEMENT = Template(), Placement()


class GridArea:
    """The grid area of an item: first column and row, and how many of each."""

    __slots__ = ("column", "columns", "row", "rows")

    def __init__(self, column: int, row: int, columns: int, rows: int):
        self.column, self.row, self.columns, self.rows = column, row, columns, rows


def template_of(styles: Styles, row: int, inner: float) -> tuple[list[Track], Template]:
    """Return the columns of a grid at this width, with auto-fill repeated as often as it fits, and its template."""
    template = styles.templates.get(row, _NO_TEMPLATE)
    columns = list(template.columns[:MAX_COLUMNS])
    if template.auto_fill_min > 0:
        gap = max(0.0, float(styles.column_gap[row]))
        times = int((min(inner, MAX_PX) + gap) // (template.auto_fill_min + gap)) if inner > 0 else 1
        columns = ((columns or [Track(1.0, "fr")]) * min(max(times, 1), MAX_COLUMNS))[:MAX_COLUMNS]
    if template.areas:
        columns += [_AUTO] * (min(len(template.areas[0]), MAX_COLUMNS) - len(columns))
    return columns, template


def content_widths(styles: Styles, row: int, lows: list[float], highs: list[float]) -> tuple[float, float]:
    """Return a grid's min-content and max-content width: every column of unknown width holds the widest item."""
    if not lows:
        return 0.0, 0.0
    template = styles.templates.get(row, _NO_TEMPLATE)
    gap = max(0.0, float(styles.column_gap[row]))
    if template.auto_fill_min > 0:
        return template.auto_fill_min, sum(highs, 0.0) + gap * (len(highs) - 1)
    columns = template_of(styles, row, 0.0)[0] or [_AUTO]
    low = high = gap * (len(columns) - 1)
    for track in columns:
        low += track.number if track.unit == "px" else max(lows) if len(columns) == 1 else min(lows)
        high += track.number if track.unit == "px" else max(highs)
    return low, max(low, high)


def place_items(styles: Styles, children: list[int], count: int, template: Template) -> tuple[list[GridArea], int]:
    """Return the area of each item, auto-placed by rows, and the number of columns."""
    areas = _areas(template)
    placements = styles.placements
    row_count = max(len(template.rows), len(template.areas))
    taken: dict[int, int] = {}  # of each row the columns that are taken, as bits
    places: list[GridArea | None] = [None] * len(children)
    waiting = []
    for n, child in enumerate(children):
        asked = placements.get(child, _NO_PLACEMENT) if child >= 0 else _NO_PLACEMENT
        place = areas.get(asked.area) if asked.area else None
        if place is None:
            column, columns = _line(asked.column_start, asked.column_end, asked.column_span, count, MAX_COLUMNS)
            line, lines = _line(asked.row_start, asked.row_end, asked.row_span, row_count, MAX_ROWS)
            if column < 0 or line < 0:
                waiting.append((n, column, columns, line, lines))
                continue
            place = GridArea(column, line, columns, lines)
        places[n] = place
        _take(taken, place)
    count = max(count, max((place.column + place.columns for place in places if place), default=1), 1)
    count = max(count, min(MAX_COLUMNS, max((max(item[1], 0) + item[2] for item in waiting), default=1)))
    at_row = at_column = 0
    for n, column, columns, line, lines in waiting:
        columns = min(columns, count)
        if line >= 0:
            place = GridArea(_free(taken, line, columns, lines, count), line, columns, lines)
        elif column >= 0:
            if column < at_column:
                at_row += 1
            at_column = column
            while at_row < MAX_ROWS and _is_taken(taken, column, at_row, columns, lines):
                at_row += 1
            place = GridArea(min(column, count - columns), at_row, columns, lines)
        else:
            while at_row < MAX_ROWS:
                if at_column + columns > count:
                    at_row, at_column = at_row + 1, 0
                elif _is_taken(taken, at_column, at_row, columns, lines):
                    at_column += 1
                else:
                    break
            place = GridArea(min(at_column, count - columns), at_row, columns, lines)
            at_column += columns
        places[n] = place
        _take(taken, place)
    return [place for place in places if place is not None], count


def _areas(template: Template) -> dict[str, GridArea]:
    areas: dict[str, GridArea] = {}
    for row, names in enumerate(template.areas[:MAX_ROWS]):
        for column, name in enumerate(names[:MAX_COLUMNS]):
            place = areas.setdefault(name, GridArea(column, row, 1, 1))
            place.columns = max(place.columns, column - place.column + 1)
            place.rows = max(place.rows, row - place.row + 1)
    return areas


def _line(start: int, end: int, span: int, count: int, most: int) -> tuple[int, int]:
    """Return first track (-1 is auto) and number of tracks for two grid lines.

    Lines count from 1, negative ones from the end of the template.
    """
    span = min(max(span, 1), MAX_SPANNED)
    first = start - 1 if start > 0 else count + 1 + start if start < 0 else -1
    behind = end - 1 if end > 0 else count + 1 + end if end < 0 else -1
    if start and end and behind != first:
        first, behind = min(first, behind), max(first, behind)
        span = behind - first
    elif end and not start:
        first = behind - span
    if not start and not end:
        return -1, span
    first = min(max(first, 0), most - 1)
    return first, min(max(span, 1), most - first, MAX_SPANNED)


def _take(taken: dict[int, int], place: GridArea) -> None:
    bits = ((1 << place.columns) - 1) << place.column
    for row in range(place.row, min(place.row + place.rows, MAX_ROWS)):
        taken[row] = taken.get(row, 0) | bits


def _is_taken(taken: dict[int, int], column: int, row: int, columns: int, rows: int) -> bool:
    bits = ((1 << columns) - 1) << column
    return any(taken.get(line, 0) & bits for line in range(row, min(row + rows, MAX_ROWS)))


def _free(taken: dict[int, int], row: int, columns: int, rows: int, count: int) -> int:
    for column in range(count - columns + 1):
        if not _is_taken(taken, column, row, columns, rows):
            return column
    return 0


def sizes(
    tracks: list[Track], needs: list[tuple[int, int, float, float]], room: float, gap: float, *, is_filled: bool
) -> list[float]:
    """Return the sizes of tracks in a given space.

    `needs` has first track, number of tracks, min-content and max-content size of each item.

    >>> sizes([Track(100.0, "px"), Track(1.0, "fr"), Track(2.0, "fr")], [], 400.0, 0.0, is_filled=True)
    [100.0, 100.0, 200.0]
    """
    count = len(tracks)
    lows, highs = [0.0] * count, [0.0] * count
    is_fixed = [track.unit in ("px", "percent") for track in tracks]
    for n, track in enumerate(tracks):
        if is_fixed[n]:
            lows[n] = highs[n] = track.number if track.unit == "px" else track.number * max(room, 0.0) / 100
    for first, span, low, high in sorted(needs, key=lambda need: need[1]):
        tracks_of = [n for n in range(first, min(first + span, count)) if not is_fixed[n]]
        if not tracks_of:
            continue
        if span > 1:  # only the missing space, in equal shares
            whole = range(first, min(first + span, count))
            between = gap * (span - 1)
            if any(tracks[n].unit == "fr" for n in tracks_of):
                continue
            missing = (
                low - between - sum([lows[n] for n in whole], 0.0),
                high - between - sum([highs[n] for n in whole], 0.0),
            )
            for n in tracks_of:
                lows[n] += max(0.0, missing[0]) / len(tracks_of)
                highs[n] = max(lows[n], highs[n] + max(0.0, missing[1]) / len(tracks_of))
        else:
            lows[first], highs[first] = max(lows[first], low), max(highs[first], high)
    for n, track in enumerate(tracks):
        if track.unit == "min-content":
            highs[n] = lows[n]
        elif track.unit == "max-content":
            lows[n] = highs[n]
    result = lows[:]
    free = room - gap * (count - 1) - sum(result, 0.0)
    shares = [n for n in range(count) if tracks[n].unit == "fr"]
    growing = [n for n in range(count) if not is_fixed[n] and n not in shares and highs[n] > result[n]]
    if growing and free > 0:
        wanted = sum([highs[n] - result[n] for n in growing], 0.0)
        part = min(1.0, free / wanted)
        for n in growing:
            result[n] += (highs[n] - result[n]) * part
        free -= wanted * part
    if shares:
        return _shared(tracks, shares, result, room - gap * (count - 1))
    autos = [n for n in range(count) if tracks[n].unit == "auto"]
    if is_filled and free > 0 and autos:
        for n in autos:
            result[n] += free / len(autos)
    return result


def _shared(tracks: list[Track], shares: list[int], result: list[float], room: float) -> list[float]:
    """Give the fr tracks what is left, none less than its content."""
    loose = list(shares)
    while loose:
        rest = room - sum([result[n] for n in range(len(result)) if n not in loose], 0.0)
        unit = max(rest, 0.0) / max(sum([tracks[n].number for n in loose], 0.0), 1e-6)
        narrow = [n for n in loose if tracks[n].number * unit < result[n] - 1e-6]
        if not narrow:
            for n in loose:
                result[n] = tracks[n].number * unit
            break
        loose = [n for n in loose if n not in narrow]
    return result
