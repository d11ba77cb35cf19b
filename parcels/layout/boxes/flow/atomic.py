# cython: infer_types=True, wraparound=False
"""Boxes that take part in a line or a float as one piece: floats, replaced elements, inline blocks."""

from math import nan

from parcels.css.style import Display, Unit
from parcels.layout.boxes.flow import intrinsic, sizes
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.floats import Origin
from parcels.layout.boxes.flow.kinds import REPLACED

_TABLE, _INLINE_TABLE = int(Display.TABLE), int(Display.INLINE_TABLE)
_PERCENT = int(Unit.PERCENT)


def lay_float(t: BoxTree, row: int, child: int, origin: Origin, top: float, width: float) -> None:
    """Lay out and place a float of `row`, whose content begins at this origin, at `top` or below."""
    floats, x, y = origin.floats, origin.x, origin.y
    if t.has_relative_edges[child]:
        t.resolve_edges(child, width)
    wide, high = atomic_size(t, child, width, origin.depth)
    left, above = t.margin_left[child], t.margin_top[child]
    across, along = wide + left + t.margin_right[child], high + above + t.margin_bottom[child]
    if t.clear[child]:
        top = max(top, floats.cleared(t.clear[child]) - y)
    at_x, at_y = floats.place(y + top, across, along, x, x + width, t.float_[child] == 2)
    t.x_container[child] = t.y_container[child] = row
    t.x[child], t.y[child] = t.left[row] + at_x - x + left, t.top[row] + at_y - y + above


def atomic_size(t: BoxTree, child: int, width: float, depth: int) -> tuple[float, float]:
    """Return width and height of the border box of a float or an atomic inline."""
    if t.kind[child] == REPLACED:
        wide, high = sizes.replaced_size(t, child, width, nan)
        t.w[child], t.h[child] = wide, high
        return wide, high
    if t.width_unit[child] > _PERCENT:
        intrinsic.content_widths(t, child)
    wide = sizes.specified_width(t, child, width)
    if wide != wide:
        wide = intrinsic.shrink_to_fit_width(t, child, width - t.margin_left[child] - t.margin_right[child])
    wide = sizes.constrained_width(t, child, wide, width)
    if t.display[child] == _TABLE or t.display[child] == _INLINE_TABLE:
        low, _ = intrinsic.content_widths(t, child)
        wide = max(wide, low)
    return wide, t.layouter.lay(t, child, wide, nan, depth + 1, nan)
