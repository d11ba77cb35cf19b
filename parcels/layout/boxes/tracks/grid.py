# cython: infer_types=True
"""Grid layout: columns by the template, items by line, area or auto-placement, rows by their items' heights."""

from math import inf, nan

from parcels.css.style import Align, Track, Unit
from parcels.layout.boxes.flow import intrinsic, sizes
from parcels.layout.boxes.flow.box_tree import Screen
from parcels.layout.boxes.flow.floats import Floats, origin_at
from parcels.layout.boxes.flow.kinds import MOST_PX, REPLACED
from parcels.layout.boxes.flow.lines import Lines
from parcels.layout.boxes.tracks import alignment as aligning
from parcels.layout.boxes.tracks import flex
from parcels.layout.boxes.tracks import grid_sizing as tracks
from parcels.layout.boxes.tracks.flex import Item

_AUTO = Track(0.0, "auto")
_STRETCH = int(Align.STRETCH)
_ALIGN_AUTO = int(Align.AUTO)
_START = int(Align.START)
_PERCENT = int(Unit.PERCENT)
_PX = int(Unit.PX)
_CENTRE = int(Align.CENTRE)
_END = int(Align.END)


def lay(s: Screen, row: int, inner: float, inside: float, depth: int) -> float:
    """Lay out a grid's content in this width; its height."""
    items = flex.items_of(s, row)
    if not items:
        return 0.0
    for item in items:
        if item.row >= 0 and s.is_odd[item.row]:
            s.settle(item.row, inner)
    columns, template = tracks.template_of(s.styles, row, inner)
    places, count = tracks.placed(s.styles, [item.row for item in items], len(columns), template)
    columns += [_AUTO] * (count - len(columns))
    across, along = _gap(s.column_gap[row]), _gap(s.row_gap[row])
    needs = []
    for item, place in zip(items, places, strict=True):
        low, high = _widths(s, item, inner)
        needs.append((place.column, place.columns, low, high))
    justify = s.justify[row]
    is_filled = justify in (_STRETCH, _START, _ALIGN_AUTO)
    widths = tracks.sizes(columns, needs, inner, across, is_filled=is_filled)
    start, step = aligning.spaced(justify, inner - sum(widths, 0.0) - across * (count - 1), count)
    lefts = _starts(widths, across + step, start)
    row_needs = []
    for item, place in zip(items, places, strict=True):
        width = lefts[place.column + place.columns - 1] + widths[place.column + place.columns - 1] - lefts[place.column]
        high = _lay_item(s, row, item, width, inside, depth)
        row_needs.append((place.row, place.rows, high, high))
    line_count = max([place.row + place.rows for place in places])
    lines = list(template.rows[:line_count])
    line_count = max(line_count, len(template.rows))
    lines = list(template.rows[:line_count]) + [_AUTO] * (line_count - len(template.rows))
    if inside != inside:
        lines = [track if track.unit == "px" else _AUTO for track in lines]
    room = sum([need[2] for need in row_needs], 0.0) + MOST_PX if inside != inside else inside
    heights = tracks.sizes(lines, row_needs, room, along, is_filled=inside == inside)
    tops = _starts(heights, along, 0.0)
    for item, place in zip(items, places, strict=True):
        last = place.row + place.rows - 1
        width = sum(widths[place.column : place.column + place.columns], 0.0) + (across + step) * (place.columns - 1)
        high = tops[last] + heights[last] - tops[place.row]
        _put(s, row, item, lefts[place.column], tops[place.row], width, high)
    return tops[-1] + heights[-1]


def _widths(s: Screen, item: Item, inner: float) -> tuple[float, float]:
    kid = item.row
    low = high = 0.0
    if kid < 0:
        for text in item.texts:
            low = max(low, s.widest[~text])
            high += s.total[~text]
        return low, high
    margins = s.margin_left[kid] + s.margin_right[kid]
    if s.kind[kid] == REPLACED:
        width, _ = sizes.replaced_size(s, kid, inf, nan)
        width += margins
        is_share = s.width_unit[kid] == _PERCENT or s.max_width_unit[kid] == _PERCENT
        return (0.0 if is_share else width), width
    low, high = intrinsic.content_widths(s, kid)
    if s.is_hiding[kid] or s.min_width_unit[kid] == _PX:
        low = sizes.limited_width(s, kid, 0.0, inner)
    return low + margins, high + margins


def _lay_item(s: Screen, row: int, item: Item, width: float, inside: float, depth: int) -> float:
    """Lay out an item in an area of this width; return its height with margins."""
    kid = item.row
    if kid < 0:
        lines = Lines()
        lines.start(s, row, origin_at(Floats(), 0.0, 0.0, depth), 0.0, max(width, 0.0) + 0.1)
        return lines.run_texts(item.texts)
    margins = s.margin_top[kid] + s.margin_bottom[kid]
    if s.kind[kid] == REPLACED:
        wide, high = sizes.replaced_size(s, kid, width, inside)
        s.w[kid], s.h[kid] = wide, high
        return high + margins
    wide = sizes.given_width(s, kid, width)
    if wide != wide:
        wide = max(0.0, width - s.margin_left[kid] - s.margin_right[kid])
        if s.has_auto_margin(kid, 1) or s.has_auto_margin(kid, 3):
            _, most = intrinsic.content_widths(s, kid)
            wide = min(wide, most)
    return s.layer.lay(s, kid, sizes.limited_width(s, kid, wide, width), nan, depth + 1, nan) + margins


def _put(s: Screen, row: int, item: Item, x: float, y: float, wide: float, high: float) -> None:
    """Put an item into its area, which begins at x, y of the grid's content."""
    kid = item.row
    if kid < 0:
        flex.move_texts(s, item.texts, x, y)
        return
    left, top = s.margin_left[kid], s.margin_top[kid]
    rest = wide - s.w[kid] - left - s.margin_right[kid]
    if rest > 0 and s.has_auto_margin(kid, 3):
        left += rest / 2 if s.has_auto_margin(kid, 1) else rest
    align = aligning.alignment(s, row, kid)
    below = high - s.h[kid] - top - s.margin_bottom[kid]
    s.across[kid] = s.down[kid] = row
    s.x[kid] = s.left[row] + x + left
    if align in (_CENTRE, _END):
        top += below / 2 if align == _CENTRE else below
    elif s.kind[kid] != REPLACED and below > 0:
        given = sizes.given_height(s, kid, nan)
        if given != given:
            aligning.stretch(s, kid, s.h[kid] + below, 0)
    s.y[kid] = s.top[row] + y + top


def _starts(widths: list[float], gap: float, start: float) -> list[float]:
    starts = []
    for width in widths:
        starts.append(start)
        start += width + gap
    return starts


def _gap(gap: float) -> float:
    return min(max(gap, 0.0), MOST_PX) if gap == gap else 0.0
