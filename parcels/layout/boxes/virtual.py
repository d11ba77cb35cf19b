# cython: infer_types=True, wraparound=False
"""The virtual screen: a box for every node and leaf of a page from its computed styles, without a browser.

The M-Tree of Kovacevic et al. 2003, section 2, with what pages use since: block and inline flow, floats, tables, flex,
grids, absolute and fixed boxes. Every box is laid out once; places are relative to the holding block until the end.
"""

from math import nan
from typing import TYPE_CHECKING

import numpy as np

from parcels.css.style import Display, Position, Styles, Unit
from parcels.html.page import Page
from parcels.layout.boxes import Boxes, Layout
from parcels.layout.boxes.box_generation import fill
from parcels.layout.boxes.flow import intrinsic, sizes
from parcels.layout.boxes.flow import margins as edges
from parcels.layout.boxes.flow.block import Flow
from parcels.layout.boxes.flow.box_tree import Screen
from parcels.layout.boxes.flow.kinds import MOST_PX, REPLACED, VIEW_HEIGHT
from parcels.layout.boxes.hidden import hidden_reasons

if TYPE_CHECKING:
    from parcels.layout.boxes.column_store import Doubles

WIDTH = 1000.0  # Kovacevic et al. 2003, section 2: what a window of 1024 pixels leaves
_INLINE = int(Display.INLINE)
_PERCENT, _PX = int(Unit.PERCENT), int(Unit.PX)
_FIXED, _RELATIVE = int(Position.FIXED), int(Position.RELATIVE)


def render(page: Page, styles: Styles, *, width: float = WIDTH) -> Layout:
    """Lay out the page on a virtual screen of this width."""
    width = min(max(width, 1.0), MOST_PX)
    screen = Screen(page, styles, width, Flow())
    fill(screen)
    if screen.display[0]:
        edges.find_tops(screen)
        screen.layer.lay(screen, 0, width, VIEW_HEIGHT, 0, nan)
        _lay_absolutes(screen)
    nodes, leaves, height = _added_up(screen)
    reasons = hidden_reasons(page, styles, nodes, leaves)
    return Layout(width, height, nodes, leaves, reasons, "virtual")


def _lay_absolutes(s: Screen) -> None:
    """Lay out absolutely positioned boxes, each in its containing block, including those nested in them."""
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
    has_left, has_right, has_top, has_bottom = left == left, right == right, top == top, bottom == bottom
    if s.kind[row] == REPLACED:
        width, height = sizes.replaced_size(s, row, wide, high)
        s.w[row], s.h[row] = width, height
    else:
        if s.width_unit[row] > _PERCENT:
            intrinsic.content_widths(s, row)
        given = sizes.given_width(s, row, wide)
        if given != given:
            margins = s.margin_left[row] + s.margin_right[row]
            given = wide - margins - (left if has_left else 0.0) - (right if has_right else 0.0)
            if not has_left or not has_right:
                low, most = intrinsic.content_widths(s, row)
                if not has_left and not has_right and s.across[holder] >= 0:
                    given = wide
                given = min(max(low, given), most)
            given = max(given, 0.0)
        width = sizes.limited_width(s, row, given, wide)
        tall = sizes.given_height(s, row, high)
        if tall != tall and has_top and has_bottom:
            tall = high - top - bottom - s.margin_top[row] - s.margin_bottom[row]
            tall = sizes.limited_height(s, row, tall, high)
        height = s.layer.lay(s, row, width, high, 0, tall)
    if not has_left and not has_right:
        s.across[row], s.x[row] = holder, static_x + s.margin_left[row]
    else:
        s.across[row] = box
        if has_left:
            s.x[row] = x0 + left + s.margin_left[row]
            rest = wide - left - (right if has_right else 0.0) - width
            if has_right and rest > 0 and s.has_auto_margin(row, 3):
                s.x[row] += rest / 2 if s.has_auto_margin(row, 1) else rest
        else:
            s.x[row] = x0 + wide - right - width - s.margin_right[row]
    if not has_top and not has_bottom:
        s.down[row], s.y[row] = holder, static_y + s.margin_top[row]
    else:
        s.down[row] = box
        if has_top:
            s.y[row] = y0 + top + s.margin_top[row]
        else:
            s.y[row] = y0 + high - bottom - height - s.margin_bottom[row]


def _containing_box(s: Screen, row: int, holder: int) -> tuple[int, float, float, float, float]:
    """Return a box's containing block: its row (-1 for the viewport), and its padding box."""
    if s.position[row] != _FIXED:
        over = s.parent[row]
        while over >= 0:
            if s.is_placed[over]:
                if not s.w[over] >= 0:  # an inline element: its block will do
                    over = holder
                break
            over = s.parent[over]
        if over >= 0:
            top, right = float(s.borders[over]), float(s.borders[s.count + over])
            bottom, left = float(s.borders[2 * s.count + over]), float(s.borders[3 * s.count + over])
            return over, left, top, max(0.0, s.w[over] - left - right), max(0.0, s.h[over] - top - bottom)
    return -1, 0.0, 0.0, s.width, VIEW_HEIGHT


def _offset(s: Screen, side: int, row: int, whole: float) -> float:
    """Return the used offset from a side (0 top, 1 right, 2 bottom, 3 left); NaN for auto."""
    unit, number = s.offset_units[side * s.count + row], float(s.offsets[side * s.count + row])
    if unit == _PX:
        return min(max(number, -MOST_PX), MOST_PX) if number == number else nan
    return min(max(number, -MOST_PX), MOST_PX) * whole / 100 if unit == _PERCENT else nan


def _added_up(s: Screen) -> tuple[Boxes, Boxes, float]:
    """Return the boxes in page coordinates, and the page's height."""
    _shift_relative(s)
    held = _Held(s)
    held.add_places()
    held.hold_leaves()
    held.hold_empties()
    held.hold_inline()
    nodes, low = _boxes(held.x, held.y, s.w, s.h)
    leaves, lower = _boxes(held.leaf_left, held.leaf_top, held.leaf_width, held.leaf_height)
    return nodes, leaves, max(low, lower)


class _Held:
    """Page coordinates, and bounding boxes of inline elements: left, top, right and bottom, NaN if empty."""

    def __init__(self, s: Screen):
        self.s = s
        store, count, leaf_count = self.s.store, self.s.count, self.s.leaf_count
        self.x, self.y = store.doubles(count), store.doubles(count)
        self.left, self.top = store.filled_doubles(count, nan), store.filled_doubles(count, nan)
        self.right, self.bottom = store.filled_doubles(count, nan), store.filled_doubles(count, nan)
        self.leaf_left, self.leaf_top = store.filled_doubles(leaf_count, nan), store.filled_doubles(leaf_count, nan)
        self.leaf_width, self.leaf_height = store.filled_doubles(leaf_count, nan), store.filled_doubles(leaf_count, nan)

    def add_places(self) -> None:
        """Add up the left and top of every box; the viewport is -1."""
        s = self.s
        for row in range(s.count):
            holder = s.across[row]
            self.x[row] = (self.x[holder] if holder >= 0 else 0.0) + s.x[row]
            holder = s.down[row]
            self.y[row] = (self.y[holder] + s.moved_y[holder] if holder >= 0 else 0.0) + s.y[row]

    def hold(self, row: int, left: float, top: float, right: float, bottom: float) -> None:
        """Extend an inline element's bounding box."""
        if self.left[row] != self.left[row]:
            self.left[row], self.top[row], self.right[row], self.bottom[row] = left, top, right, bottom
            return
        if left < self.left[row]:
            self.left[row] = left
        if top < self.top[row]:
            self.top[row] = top
        if right > self.right[row]:
            self.right[row] = right
        if bottom > self.bottom[row]:
            self.bottom[row] = bottom

    def hold_leaves(self) -> None:
        """Compute the leaves' boxes, and extend the inline elements directly around them."""
        s = self.s
        for leaf in range(s.leaf_count):
            node, left = s.leaf_node[leaf], s.leaf_left[leaf]
            if left != left:
                if not s.is_text[leaf] and s.w[node] >= 0:
                    self.leaf_left[leaf], self.leaf_top[leaf] = self.x[node], self.y[node]
                    self.leaf_width[leaf], self.leaf_height[leaf] = s.w[node], s.h[node]
                continue
            over, top, right, bottom = s.leaf_in[leaf], s.leaf_top[leaf], s.leaf_right[leaf], s.leaf_bottom[leaf]
            x, y = self.x[over], self.y[over] + s.moved_y[over]
            self.leaf_left[leaf], self.leaf_top[leaf] = left + x, top + y
            self.leaf_width[leaf], self.leaf_height[leaf] = right - left, bottom - top
            if s.display[node] == _INLINE:
                self.hold(node, left + x, top + y, right + x, bottom + y)

    def hold_empties(self) -> None:
        """Place inline elements without content."""
        s = self.s
        for row, over, left, top, high in s.empties:
            left, top = left + self.x[over], top + self.y[over] + s.moved_y[over]
            self.hold(row, left, top, left, top + high)

    def hold_inline(self) -> None:
        """Compute the boxes of nested inline elements, inner ones first."""
        s = self.s
        for row in range(s.count - 1, 0, -1):
            if s.display[row] == _INLINE and not s.w[row] >= 0:
                if self.left[row] != self.left[row]:
                    continue
                left, top = self.left[row] - s.left[row], self.top[row] - s.top[row]
                self.x[row], self.y[row] = left, top
                s.w[row], s.h[row] = self.right[row] + s.right[row] - left, self.bottom[row] + s.bottom[row] - top
            over = s.parent[row]
            if s.display[over] == _INLINE and s.w[row] >= 0 and not s.is_absolute[row] and not s.float_[row]:
                left, top = self.x[row], self.y[row]
                self.hold(over, left, top, left + s.w[row], top + s.h[row])


def _boxes(lefts: "Doubles", tops: "Doubles", widths: "Doubles", heights: "Doubles") -> tuple[Boxes, float]:
    """Return boxes as rows of an array, all NaN where they have no width, and the lowest edge of those with a size."""
    rows = boxes = np.empty((len(lefts), 4), np.float32)
    lowest = 0.0
    for row in range(len(lefts)):
        if widths[row] != widths[row]:
            rows[row, 0] = rows[row, 1] = rows[row, 2] = rows[row, 3] = nan
            continue
        rows[row, 0], rows[row, 1] = _within(lefts[row]), _within(tops[row])
        rows[row, 2], rows[row, 3] = _within(widths[row]), _within(heights[row])
        if rows[row, 2] > 0 and rows[row, 3] > 0:
            lowest = max(lowest, rows[row, 1] + rows[row, 3])
    return boxes, float(lowest)


def _within(number: float) -> float:
    """Return a number within sane bounds; NaN stays."""
    return -MOST_PX if number < -MOST_PX else MOST_PX if number > MOST_PX else number


def _shift_relative(s: Screen) -> None:
    """Shift relatively positioned boxes by their offsets, after everything else is placed."""
    for row in range(s.count):
        if s.position[row] != _RELATIVE or not s.w[row] >= 0:
            continue
        holder = s.across[row]
        wide = s.w[holder] if holder >= 0 else s.width
        high = s.h[holder] if holder >= 0 and s.height_unit[holder] == _PX else 0.0
        left, top = _offset(s, 3, row, wide), _offset(s, 0, row, high)
        if left != left:
            right = _offset(s, 1, row, wide)
            left = -(right if right == right else 0.0)
        if top != top:
            bottom = _offset(s, 2, row, high)
            top = -(bottom if bottom == bottom else 0.0)
        s.x[row] += left
        s.y[row] += top
