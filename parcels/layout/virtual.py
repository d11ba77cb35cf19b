"""The virtual screen: a box for every node and every leaf of a page, from its computed styles, without a browser.

The M-Tree of Kovacevic et al. 2003, section 2, with what pages use since: block and inline flow, floats, tables, flex,
grids, absolute and fixed boxes. Every box is laid out once; places are relative to the holding block until the end.
"""

from array import array
from math import nan

import numpy as np

from parcels.css.style import Display, Position, Styles, Unit
from parcels.layout.boxes import Boxes, Layout
from parcels.layout.flow import lay_root
from parcels.layout.flow_intrinsic import content_widths
from parcels.layout.flow_margins import find_tops
from parcels.layout.flow_screen import MOST_PX, REPLACED, VIEW_HEIGHT, Screen
from parcels.layout.flow_sizes import given_height, given_width, limited_height, limited_width, replaced_size
from parcels.layout.hidden import hidden_reasons
from parcels.page import Page

WIDTH = 1000.0  # Kovacevic et al. 2003, section 2: what a window of 1024 pixels leaves
_INLINE = int(Display.INLINE)
_NOTHING = (nan, nan, nan, nan)
_PERCENT = int(Unit.PERCENT)
_FIXED = int(Position.FIXED)
_PX = int(Unit.PX)
_RELATIVE = int(Position.RELATIVE)


def render(page: Page, styles: Styles, *, width: float = WIDTH) -> Layout:
    """The page on a virtual screen of this width."""
    width = min(max(width, 1.0), MOST_PX)
    screen = Screen(page, styles, width, lay_root)
    if screen.display[0]:
        find_tops(screen)
        lay_root(screen, 0, width, VIEW_HEIGHT, 0)
        _lay_absolutes(screen)
    nodes, leaves = _added_up(screen)
    boxes = np.concatenate([nodes, leaves])
    boxes = boxes[(boxes[:, 2] > 0) & (boxes[:, 3] > 0)]
    height = float(np.max(boxes[:, 1] + boxes[:, 3], initial=0.0))
    reasons = hidden_reasons(page, styles, nodes, leaves)
    return Layout(width, height, nodes, leaves, reasons, "virtual")


def _lay_absolutes(s: Screen) -> None:
    """Absolute and fixed boxes, each against its nearest positioned ancestor; those inside them come on the way."""
    done = 0
    while done < len(s.absolutes):
        row, holder, static_x, static_y = s.absolutes[done]
        done += 1
        _lay_absolute(s, row, holder, static_x, static_y)


def _lay_absolute(s: Screen, row: int, holder: int, static_x: float, static_y: float) -> None:
    box, x0, y0, wide, high = _containing_box(s, row, holder)
    if s.is_odd[row]:
        s.settle(row, wide)
    left, right = _offset(s, 3, row, wide), _offset(s, 1, row, wide)
    top, bottom = _offset(s, 0, row, high), _offset(s, 2, row, high)
    margins = s.margin_left[row] + s.margin_right[row]
    if s.kind[row] == REPLACED:
        width, height = replaced_size(s, row, wide, high)
        s.w[row], s.h[row] = width, height
    else:
        if s.width_unit[row] > _PERCENT:
            content_widths(s, row)
        given = given_width(s, row, wide)
        if given is None:
            free = wide - margins - (left or 0.0) - (right or 0.0)
            if left is None or right is None:
                low, most = content_widths(s, row)
                if left is None and right is None and s.across[holder] >= 0:
                    free = wide
                free = min(max(low, free), most)
            given = max(free, 0.0)
        width = limited_width(s, row, given, wide)
        tall = given_height(s, row, high)
        if tall is None and top is not None and bottom is not None:
            tall = limited_height(s, row, high - top - bottom - s.margin_top[row] - s.margin_bottom[row], high)
        height = s.lay(s, row, width, high, 0, tall)
    if left is None and right is None:
        s.across[row], s.x[row] = holder, static_x + s.margin_left[row]
    else:
        s.across[row] = box
        if left is not None:
            s.x[row] = x0 + left + s.margin_left[row]
            rest = wide - left - (right or 0.0) - width
            if right is not None and rest > 0 and s.has_auto_margin(row, 3):
                s.x[row] += rest / 2 if s.has_auto_margin(row, 1) else rest
        else:
            s.x[row] = x0 + wide - (right or 0.0) - width - s.margin_right[row]
    if top is None and bottom is None:
        s.down[row], s.y[row] = holder, static_y + s.margin_top[row]
    else:
        s.down[row] = box
        if top is not None:
            s.y[row] = y0 + top + s.margin_top[row]
        else:
            s.y[row] = y0 + high - (bottom or 0.0) - height - s.margin_bottom[row]


def _containing_box(s: Screen, row: int, holder: int) -> tuple[int, float, float, float, float]:
    """The box that an absolute box refers to: its row (-1 the screen), and its padding box in it."""
    if s.styles.position[row] != _FIXED:
        over = s.parent[row]
        while over >= 0:
            if s.is_placed[over]:
                if not s.w[over] >= 0:  # an inline element: its block will do
                    over = holder
                break
            over = s.parent[over]
        if over >= 0:
            top, right, bottom, left = s.borders[:, over].tolist()
            return over, left, top, max(0.0, s.w[over] - left - right), max(0.0, s.h[over] - top - bottom)
    return -1, 0.0, 0.0, s.width, VIEW_HEIGHT


def _offset(s: Screen, side: int, row: int, whole: float) -> float | None:
    sides = s.styles.offset
    lengths = (sides.top, sides.right, sides.bottom, sides.left)[side]
    unit, number = int(lengths.unit[row]), float(lengths.number[row])
    if unit == _PX:
        return min(max(number, -MOST_PX), MOST_PX) if number == number else None
    return min(max(number, -MOST_PX), MOST_PX) * whole / 100 if unit == _PERCENT else None


def _added_up(s: Screen) -> tuple[Boxes, Boxes]:
    """The boxes in the screen's own coordinates; inline elements hold what is in them."""
    _shift_relative(s)
    xs, ys = _places(s)
    w, h, moved = s.w, s.h, s.moved_y
    bounds: dict[int, list[float]] = {}
    leaves: list[float] = []  # four for each
    add, display = leaves.extend, s.display
    for box, over, node, kind in zip(s.leaf_box, s.leaf_in, s.leaf_node, s.page.leaves.kind, strict=True):
        if box is None:
            if kind != "text" and w[node] >= 0:
                add((xs[node], ys[node], w[node], h[node]))
            else:
                add(_NOTHING)
            continue
        left, top, right, bottom = box
        x, y = xs[over], ys[over] + moved[over]
        add((left + x, top + y, right - left, bottom - top))
        if display[node] == _INLINE:
            _hold(bounds, node, left + x, top + y, right + x, bottom + y)
    for row, over, left, top, high in s.empties:
        left, top = left + xs[over], top + ys[over] + moved[over]
        _hold(bounds, row, left, top, left, top + high)
    is_inline = np.array(display) == _INLINE
    is_inline[0] = False
    parent = s.parent
    for row in (is_inline | is_inline[s.page.nodes.parent]).nonzero()[0][::-1].tolist():
        if display[row] == _INLINE and not w[row] >= 0:
            held = bounds.get(row)
            if held is None:
                continue
            left, top = xs[row], ys[row] = held[0] - s.left[row], held[1] - s.top[row]
            w[row], h[row] = held[2] + s.right[row] - left, held[3] + s.bottom[row] - top
        over = parent[row]
        if display[over] == _INLINE and w[row] >= 0 and not s.is_absolute[row] and not s.float_[row]:
            _hold(bounds, over, xs[row], ys[row], xs[row] + w[row], ys[row] + h[row])
    nodes = np.stack([_array(xs[:-1]), _array(ys[:-1]), _array(w), _array(h)], axis=1)
    nodes[np.isnan(nodes[:, 2])] = nan
    return nodes, _array(leaves).reshape(-1, 4)


def _places(s: Screen) -> tuple[list[float], list[float]]:
    """The left and top of every box; the last is the screen itself, which a holder of -1 names."""
    count = s.count
    xs, ys = [0.0] * (count + 1), [0.0] * (count + 1)
    row = 0
    if any(s.moved_y):
        moved = [*s.moved_y, 0.0]
        for across, down, x, y in zip(s.across, s.down, s.x, s.y, strict=True):
            xs[row], ys[row] = xs[across] + x, ys[down] + moved[down] + y
            row += 1
    else:
        for across, down, x, y in zip(s.across, s.down, s.x, s.y, strict=True):
            xs[row], ys[row] = xs[across] + x, ys[down] + y
            row += 1
    return xs, ys


def _hold(bounds: dict[int, list[float]], row: int, left: float, top: float, right: float, bottom: float) -> None:
    held = bounds.get(row)
    if held is None:
        bounds[row] = [left, top, right, bottom]
        return
    if left < held[0]:
        held[0] = left
    if top < held[1]:
        held[1] = top
    if right > held[2]:
        held[2] = right
    if bottom > held[3]:
        held[3] = bottom


def _array(numbers: list[float]) -> Boxes:
    # By way of `array`: several times as fast as from the list.
    return np.clip(np.array(array("d", numbers)).astype(np.float32), -MOST_PX, MOST_PX)


def _shift_relative(s: Screen) -> None:
    """Relative boxes go where their offsets say, after all else has its place."""
    for row in (s.styles.position == _RELATIVE).nonzero()[0].tolist():
        if not s.w[row] >= 0:
            continue
        holder = s.across[row]
        left = _offset(s, 3, row, s.w[holder] if holder >= 0 else s.width)
        right = _offset(s, 1, row, s.w[holder] if holder >= 0 else s.width)
        high = s.h[holder] if holder >= 0 and s.height_unit[holder] == _PX else 0.0
        top, bottom = _offset(s, 0, row, high), _offset(s, 2, row, high)
        s.x[row] += left if left is not None else -(right or 0.0)
        s.y[row] += top if top is not None else -(bottom or 0.0)
