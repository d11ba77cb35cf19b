# cython: infer_types=True
"""Grid layout: columns by the template, items by line, area or auto-placement, rows by their items' heights."""

from math import inf, nan

from parcels.css.style import Align, Track, Unit
from parcels.layout.boxes.flow import intrinsic, sizes
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.floats import Floats, origin_at
from parcels.layout.boxes.flow.kinds import MAX_PX, REPLACED
from parcels.layout.boxes.flow.lines import Lines
from parcels.layout.boxes.tracks import alignment as aligning
from parcels.layout.boxes.tracks import flex
from parcels.layout.boxes.tracks import grid_sizing as tracks
from parcels.layout.boxes.tracks.flex import FlexItem

_AUTO = Track(0.0, "auto")
_STRETCH = int(Align.STRETCH)
_ALIGN_AUTO = int(Align.AUTO)
_START = int(Align.START)
_PERCENT = int(Unit.PERCENT)
_PX = int(Unit.PX)
_CENTRE = int(Align.CENTRE)
_END = int(Align.END)


def lay(t: BoxTree, row: int, inner: float, inside: float, depth: int) -> float:
    """Lay out a grid's content in this width; its height."""
    items = flex.items_of(t, row)
    if not items:
        return 0.0
    for item in items:
        if item.row >= 0 and t.has_relative_edges[item.row]:
            t.resolve_edges(item.row, inner)
    columns, template = tracks.template_of(t.styles, row, inner)
    places, count = tracks.place_items(t.styles, [item.row for item in items], len(columns), template)
    columns += [_AUTO] * (count - len(columns))
    across, along = _gap(t.column_gap[row]), _gap(t.row_gap[row])
    needs = []
    for item, place in zip(items, places, strict=True):
        low, high = _widths(t, item, inner)
        needs.append((place.column, place.columns, low, high))
    justify = t.justify[row]
    is_filled = justify in (_STRETCH, _START, _ALIGN_AUTO)
    widths = tracks.sizes(columns, needs, inner, across, is_filled=is_filled)
    start, step = aligning.spaced(justify, inner - sum(widths, 0.0) - across * (count - 1), count)
    lefts = _starts(widths, across + step, start)
    row_needs = []
    for item, place in zip(items, places, strict=True):
        width = lefts[place.column + place.columns - 1] + widths[place.column + place.columns - 1] - lefts[place.column]
        high = _lay_item(t, row, item, width, inside, depth)
        row_needs.append((place.row, place.rows, high, high))
    line_count = max([place.row + place.rows for place in places])
    lines = list(template.rows[:line_count])
    line_count = max(line_count, len(template.rows))
    lines = list(template.rows[:line_count]) + [_AUTO] * (line_count - len(template.rows))
    if inside != inside:
        lines = [track if track.unit == "px" else _AUTO for track in lines]
    room = sum([need[2] for need in row_needs], 0.0) + MAX_PX if inside != inside else inside
    heights = tracks.sizes(lines, row_needs, room, along, is_filled=inside == inside)
    tops = _starts(heights, along, 0.0)
    for item, place in zip(items, places, strict=True):
        last = place.row + place.rows - 1
        width = sum(widths[place.column : place.column + place.columns], 0.0) + (across + step) * (place.columns - 1)
        high = tops[last] + heights[last] - tops[place.row]
        _put(t, row, item, lefts[place.column], tops[place.row], width, high)
    return tops[-1] + heights[-1]


def _widths(t: BoxTree, item: FlexItem, inner: float) -> tuple[float, float]:
    child = item.row
    low = high = 0.0
    if child < 0:
        for text in item.texts:
            low = max(low, t.widest[~text])
            high += t.total[~text]
        return low, high
    margins = t.margin_left[child] + t.margin_right[child]
    if t.kind[child] == REPLACED:
        width, _ = sizes.replaced_size(t, child, inf, nan)
        width += margins
        is_share = t.width_unit[child] == _PERCENT or t.max_width_unit[child] == _PERCENT
        return (0.0 if is_share else width), width
    low, high = intrinsic.content_widths(t, child)
    if t.hides_overflow[child] or t.min_width_unit[child] == _PX:
        low = sizes.constrained_width(t, child, 0.0, inner)
    return low + margins, high + margins


def _lay_item(t: BoxTree, row: int, item: FlexItem, width: float, inside: float, depth: int) -> float:
    """Lay out an item in an area of this width; return its height with margins."""
    child = item.row
    if child < 0:
        lines = Lines()
        lines.start(t, row, origin_at(Floats(), 0.0, 0.0, depth), 0.0, max(width, 0.0) + 0.1)
        return lines.run_texts(item.texts)
    margins = t.margin_top[child] + t.margin_bottom[child]
    if t.kind[child] == REPLACED:
        wide, high = sizes.replaced_size(t, child, width, inside)
        t.w[child], t.h[child] = wide, high
        return high + margins
    wide = sizes.specified_width(t, child, width)
    if wide != wide:
        wide = max(0.0, width - t.margin_left[child] - t.margin_right[child])
        if t.has_auto_margin(child, 1) or t.has_auto_margin(child, 3):
            _, most = intrinsic.content_widths(t, child)
            wide = min(wide, most)
    return t.layouter.lay(t, child, sizes.constrained_width(t, child, wide, width), nan, depth + 1, nan) + margins


def _put(t: BoxTree, row: int, item: FlexItem, x: float, y: float, wide: float, high: float) -> None:
    """Put an item into its area, which begins at x, y of the grid's content."""
    child = item.row
    if child < 0:
        flex.move_texts(t, item.texts, x, y)
        return
    left, top = t.margin_left[child], t.margin_top[child]
    rest = wide - t.w[child] - left - t.margin_right[child]
    if rest > 0 and t.has_auto_margin(child, 3):
        left += rest / 2 if t.has_auto_margin(child, 1) else rest
    align = aligning.alignment(t, row, child)
    below = high - t.h[child] - top - t.margin_bottom[child]
    t.x_container[child] = t.y_container[child] = row
    t.x[child] = t.left[row] + x + left
    if align in (_CENTRE, _END):
        top += below / 2 if align == _CENTRE else below
    elif t.kind[child] != REPLACED and below > 0:
        specified = sizes.specified_height(t, child, nan)
        if specified != specified:
            aligning.stretch(t, child, t.h[child] + below, 0)
    t.y[child] = t.top[row] + y + top


def _starts(widths: list[float], gap: float, start: float) -> list[float]:
    starts = []
    for width in widths:
        starts.append(start)
        start += width + gap
    return starts


def _gap(gap: float) -> float:
    return min(max(gap, 0.0), MAX_PX) if gap == gap else 0.0
