"""Grid containers: columns by the template, items by line, area or turn, rows by their items' heights."""

from math import inf

from parcels.css.style import Align, Track, Unit
from parcels.layout.flex import Item, items_of
from parcels.layout.flex_align import alignment, spaced, stretch
from parcels.layout.flow_floats import Floats
from parcels.layout.flow_intrinsic import content_widths
from parcels.layout.flow_lines import Lines
from parcels.layout.flow_screen import MOST_PX, REPLACED, Screen
from parcels.layout.flow_sizes import given_height, given_width, limited_width, replaced_size
from parcels.layout.grid_tracks import Place, placed, sizes, template_of

_AUTO = Track(0.0, "auto")
_STRETCH = int(Align.STRETCH)
_ALIGN_AUTO = int(Align.AUTO)
_START = int(Align.START)
_PERCENT = int(Unit.PERCENT)
_PX = int(Unit.PX)
_CENTRE = int(Align.CENTRE)
_END = int(Align.END)


def lay(s: Screen, row: int, inner: float, inside: float | None, depth: int) -> float:
    """Lay out a grid's content in this width; its height."""
    items = items_of(s, row)
    if not items:
        return 0.0
    for item in items:
        if item.row >= 0 and s.is_odd[item.row]:
            s.settle(item.row, inner)
    columns, template = template_of(s, row, inner)
    places, count = placed(s, row, [item.row for item in items], len(columns), template)
    columns += [_AUTO] * (count - len(columns))
    across, along = _gap(s.styles.column_gap[row]), _gap(s.styles.row_gap[row])
    needs = [(place.column, place.columns, *_widths(s, item, inner)) for item, place in zip(items, places, strict=True)]
    justify = int(s.styles.justify_content[row])
    is_filled = justify in (_STRETCH, _START, _ALIGN_AUTO)
    widths = sizes(columns, needs, inner, across, is_filled=is_filled)
    start, step = spaced(justify, inner - sum(widths, 0.0) - across * (count - 1), count)
    lefts = _starts(widths, across + step, start)
    row_needs = []
    for item, place in zip(items, places, strict=True):
        width = lefts[place.column + place.columns - 1] + widths[place.column + place.columns - 1] - lefts[place.column]
        high = _lay_item(s, row, item, width, inside, depth)
        row_needs.append((place.row, place.rows, high, high))
    line_count = max(place.row + place.rows for place in places)
    lines = list(template.rows[:line_count])
    line_count = max(line_count, len(template.rows))
    lines = list(template.rows[:line_count]) + [_AUTO] * (line_count - len(template.rows))
    if inside is None:
        lines = [track if track.unit == "px" else _AUTO for track in lines]
    room = sum([need[2] for need in row_needs], 0.0) + MOST_PX if inside is None else inside
    heights = sizes(lines, row_needs, room, along, is_filled=inside is not None)
    tops = _starts(heights, along, 0.0)
    for item, place in zip(items, places, strict=True):
        last = place.row + place.rows - 1
        _put(
            s,
            row,
            item,
            lefts[place.column],
            tops[place.row],
            tops[last] + heights[last] - tops[place.row],
            widths,
            place,
            across + step,
        )
    return tops[-1] + heights[-1]


def _widths(s: Screen, item: Item, inner: float) -> tuple[float, float]:
    kid = item.row
    if kid < 0:
        return max(s.widest[~text] for text in item.texts), sum([s.total[~text] for text in item.texts], 0.0)
    margins = s.margin_left[kid] + s.margin_right[kid]
    if s.kind[kid] == REPLACED:
        width = replaced_size(s, kid, inf, None)[0] + margins
        is_share = s.width_unit[kid] == _PERCENT or s.limit_units[2][kid] == _PERCENT
        return (0.0 if is_share else width), width
    low, high = content_widths(s, kid)
    if s.styles.overflow_hidden[kid] or s.limit_units[0][kid] == _PX:
        low = limited_width(s, kid, 0.0, inner)
    return low + margins, high + margins


def _lay_item(s: Screen, row: int, item: Item, width: float, inside: float | None, depth: int) -> float:
    """An item's height, margins included, in an area of this width."""
    kid = item.row
    if kid < 0:
        return Lines(s, row, Floats(), 0.0, 0.0, 0.0, max(width, 0.0) + 0.1, depth).run(item.texts)
    margins = s.margin_top[kid] + s.margin_bottom[kid]
    if s.kind[kid] == REPLACED:
        s.w[kid], s.h[kid] = replaced_size(s, kid, width, inside)
        return s.h[kid] + margins
    wide = given_width(s, kid, width)
    free = max(0.0, width - s.margin_left[kid] - s.margin_right[kid])
    if wide is None:
        is_auto = s.has_auto_margin(kid, 1) or s.has_auto_margin(kid, 3)
        wide = min(free, content_widths(s, kid)[1]) if is_auto else free
    return s.lay(s, kid, limited_width(s, kid, wide, width), None, depth + 1) + margins


def _put(
    s: Screen, row: int, item: Item, x: float, y: float, high: float, widths: list[float], place: Place, gap: float
) -> None:
    kid = item.row
    if kid < 0:
        for text in item.texts:
            box = s.leaf_box[~text]
            if box is not None:
                box[0], box[1], box[2], box[3] = box[0] + x, box[1] + y, box[2] + x, box[3] + y
        return
    wide = sum(widths[place.column : place.column + place.columns], 0.0) + gap * (place.columns - 1)
    left, top = s.margin_left[kid], s.margin_top[kid]
    rest = wide - s.w[kid] - left - s.margin_right[kid]
    if rest > 0 and s.has_auto_margin(kid, 3):
        left += rest / 2 if s.has_auto_margin(kid, 1) else rest
    align = alignment(s, row, kid)
    below = high - s.h[kid] - top - s.margin_bottom[kid]
    s.across[kid] = s.down[kid] = row
    s.x[kid] = s.left[row] + x + left
    if align in (_CENTRE, _END):
        top += below / 2 if align == _CENTRE else below
    elif s.kind[kid] != REPLACED and given_height(s, kid, None) is None and below > 0:
        stretch(s, kid, s.h[kid] + below, 0)
    s.y[kid] = s.top[row] + y + top


def _starts(widths: list[float], gap: float, start: float) -> list[float]:
    starts = []
    for width in widths:
        starts.append(start)
        start += width + gap
    return starts


def _gap(gap: float) -> float:
    return min(max(float(gap), 0.0), MOST_PX) if gap == gap else 0.0
