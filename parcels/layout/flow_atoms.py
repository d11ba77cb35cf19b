"""What stands in the flow as one piece: floats, images, controls, inline blocks."""

from parcels.css.style import Display, Unit
from parcels.layout.flow_floats import Floats
from parcels.layout.flow_intrinsic import content_widths, fitted_width
from parcels.layout.flow_screen import REPLACED, Screen
from parcels.layout.flow_sizes import given_width, limited_width, replaced_size

_TABLES = (int(Display.TABLE), int(Display.INLINE_TABLE))
_PERCENT = int(Unit.PERCENT)
_ROUNDING = 0.05  # px


def lay_float(
    s: Screen, row: int, kid: int, floats: Floats, x: float, y: float, top: float, width: float, depth: int
) -> bool:
    """Lay out and place a float of `row`, whose content begins at x, y of the floats, at `top` or below.

    True where it stands at `top`.
    """
    if s.is_odd[kid]:
        s.settle(kid, width)
    wide, high = atom_size(s, kid, width, depth)
    left, above = s.margin_left[kid], s.margin_top[kid]
    across, along = wide + left + s.margin_right[kid], high + above + s.margin_bottom[kid]
    if s.clear[kid]:
        top = max(top, floats.cleared(s.clear[kid]) - y)
    at_x, at_y = floats.place(y + top, across, along, x, x + width, is_right=s.float_[kid] == 2)
    s.across[kid] = s.down[kid] = row
    s.x[kid], s.y[kid] = s.left[row] + at_x - x + left, s.top[row] + at_y - y + above
    return at_y - y <= top + _ROUNDING


def atom_size(s: Screen, kid: int, width: float, depth: int) -> tuple[float, float]:
    """Width and height of the border box of a float or of what stands in a line as one piece."""
    if s.kind[kid] == REPLACED:
        s.w[kid], s.h[kid] = replaced_size(s, kid, width, None)
        return s.w[kid], s.h[kid]
    if s.width_unit[kid] > _PERCENT:
        content_widths(s, kid)
    wide = given_width(s, kid, width)
    if wide is None:
        wide = fitted_width(s, kid, width - s.margin_left[kid] - s.margin_right[kid])
    wide = limited_width(s, kid, wide, width)
    if s.display[kid] in _TABLES:
        wide = max(wide, content_widths(s, kid)[0])
    return wide, s.lay(s, kid, wide, None, depth + 1)
