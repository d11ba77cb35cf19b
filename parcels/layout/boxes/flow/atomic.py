# cython: infer_types=True, wraparound=False
"""Boxes that take part in a line or a float as one piece: floats, replaced elements, inline blocks."""

from math import nan

from parcels.css.style import Display, Unit
from parcels.layout.boxes.flow import intrinsic, sizes
from parcels.layout.boxes.flow.box_tree import Screen
from parcels.layout.boxes.flow.floats import Origin
from parcels.layout.boxes.flow.kinds import REPLACED

_TABLE, _INLINE_TABLE = int(Display.TABLE), int(Display.INLINE_TABLE)
_PERCENT = int(Unit.PERCENT)


def lay_float(s: Screen, row: int, kid: int, origin: Origin, top: float, width: float) -> None:
    """Lay out and place a float of `row`, whose content begins at this origin, at `top` or below."""
    floats, x, y = origin.floats, origin.x, origin.y
    if s.is_odd[kid]:
        s.settle(kid, width)
    wide, high = atom_size(s, kid, width, origin.depth)
    left, above = s.margin_left[kid], s.margin_top[kid]
    across, along = wide + left + s.margin_right[kid], high + above + s.margin_bottom[kid]
    if s.clear[kid]:
        top = max(top, floats.cleared(s.clear[kid]) - y)
    at_x, at_y = floats.place(y + top, across, along, x, x + width, s.float_[kid] == 2)
    s.across[kid] = s.down[kid] = row
    s.x[kid], s.y[kid] = s.left[row] + at_x - x + left, s.top[row] + at_y - y + above


def atom_size(s: Screen, kid: int, width: float, depth: int) -> tuple[float, float]:
    """Return width and height of the border box of a float or an atomic inline."""
    if s.kind[kid] == REPLACED:
        wide, high = sizes.replaced_size(s, kid, width, nan)
        s.w[kid], s.h[kid] = wide, high
        return wide, high
    if s.width_unit[kid] > _PERCENT:
        intrinsic.content_widths(s, kid)
    wide = sizes.given_width(s, kid, width)
    if wide != wide:
        wide = intrinsic.fitted_width(s, kid, width - s.margin_left[kid] - s.margin_right[kid])
    wide = sizes.limited_width(s, kid, wide, width)
    if s.display[kid] == _TABLE or s.display[kid] == _INLINE_TABLE:
        low, _ = intrinsic.content_widths(s, kid)
        wide = max(wide, low)
    return wide, s.layer.lay(s, kid, wide, nan, depth + 1, nan)
