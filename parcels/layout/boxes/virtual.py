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
from parcels.layout.boxes.flow.block import BlockLayouter
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.kinds import MAX_PX, REPLACED, VIEW_HEIGHT
from parcels.layout.boxes.hidden import hidden_reasons

if TYPE_CHECKING:
    from parcels.layout.boxes.column_store import Doubles

WIDTH = 1000.0  # Kovacevic et al. 2003, section 2: what a window of 1024 pixels leaves
_INLINE = int(Display.INLINE)
_PERCENT, _PX = int(Unit.PERCENT), int(Unit.PX)
_FIXED, _RELATIVE = int(Position.FIXED), int(Position.RELATIVE)


def render(page: Page, styles: Styles, *, width: float = WIDTH) -> Layout:
    """Lay out the page on a virtual screen of this width."""
    width = min(max(width, 1.0), MAX_PX)
    tree = BoxTree(page, styles, width, BlockLayouter())
    fill(tree)
    if tree.display[0]:
        edges.collapse_top_margins(tree)
        tree.layouter.lay(tree, 0, width, VIEW_HEIGHT, 0, nan)
        _lay_absolutes(tree)
    nodes, leaves, height = _page_coordinates(tree)
    reasons = hidden_reasons(page, styles, nodes, leaves)
    return Layout(width, height, nodes, leaves, reasons, "virtual")


def _lay_absolutes(t: BoxTree) -> None:
    """Lay out absolutely positioned boxes, each in its containing block, including those nested in them."""
    done = 0
    while done < len(t.absolute_boxes):
        row, container, static_x, static_y = t.absolute_boxes[done]
        done += 1
        _lay_absolute(t, row, container, static_x, static_y)


def _lay_absolute(t: BoxTree, row: int, container: int, static_x: float, static_y: float) -> None:
    box, x0, y0, wide, high = _containing_box(t, row, container)
    if t.has_relative_edges[row]:
        t.resolve_edges(row, wide)
    left, right = _offset(t, 3, row, wide), _offset(t, 1, row, wide)
    top, bottom = _offset(t, 0, row, high), _offset(t, 2, row, high)
    has_left, has_right, has_top, has_bottom = left == left, right == right, top == top, bottom == bottom
    if t.kind[row] == REPLACED:
        width, height = sizes.replaced_size(t, row, wide, high)
        t.w[row], t.h[row] = width, height
    else:
        if t.width_unit[row] > _PERCENT:
            intrinsic.content_widths(t, row)
        specified = sizes.specified_width(t, row, wide)
        if specified != specified:
            margins = t.margin_left[row] + t.margin_right[row]
            specified = wide - margins - (left if has_left else 0.0) - (right if has_right else 0.0)
            if not has_left or not has_right:
                low, most = intrinsic.content_widths(t, row)
                if not has_left and not has_right and t.x_container[container] >= 0:
                    specified = wide
                specified = min(max(low, specified), most)
            specified = max(specified, 0.0)
        width = sizes.constrained_width(t, row, specified, wide)
        tall = sizes.specified_height(t, row, high)
        if tall != tall and has_top and has_bottom:
            tall = high - top - bottom - t.margin_top[row] - t.margin_bottom[row]
            tall = sizes.constrained_height(t, row, tall, high)
        height = t.layouter.lay(t, row, width, high, 0, tall)
    if not has_left and not has_right:
        t.x_container[row], t.x[row] = container, static_x + t.margin_left[row]
    else:
        t.x_container[row] = box
        if has_left:
            t.x[row] = x0 + left + t.margin_left[row]
            rest = wide - left - (right if has_right else 0.0) - width
            if has_right and rest > 0 and t.has_auto_margin(row, 3):
                t.x[row] += rest / 2 if t.has_auto_margin(row, 1) else rest
        else:
            t.x[row] = x0 + wide - right - width - t.margin_right[row]
    if not has_top and not has_bottom:
        t.y_container[row], t.y[row] = container, static_y + t.margin_top[row]
    else:
        t.y_container[row] = box
        if has_top:
            t.y[row] = y0 + top + t.margin_top[row]
        else:
            t.y[row] = y0 + high - bottom - height - t.margin_bottom[row]


def _containing_box(t: BoxTree, row: int, container: int) -> tuple[int, float, float, float, float]:
    """Return a box's containing block: its row (-1 for the viewport), and its padding box."""
    if t.position[row] != _FIXED:
        over = t.parent[row]
        while over >= 0:
            if t.is_positioned[over]:
                if not t.w[over] >= 0:  # an inline element: its block will do
                    over = container
                break
            over = t.parent[over]
        if over >= 0:
            top, right = float(t.borders[over]), float(t.borders[t.count + over])
            bottom, left = float(t.borders[2 * t.count + over]), float(t.borders[3 * t.count + over])
            return over, left, top, max(0.0, t.w[over] - left - right), max(0.0, t.h[over] - top - bottom)
    return -1, 0.0, 0.0, t.width, VIEW_HEIGHT


def _offset(t: BoxTree, side: int, row: int, whole: float) -> float:
    """Return the used offset from a side (0 top, 1 right, 2 bottom, 3 left); NaN for auto."""
    unit, number = t.offset_units[side * t.count + row], float(t.offsets[side * t.count + row])
    if unit == _PX:
        return min(max(number, -MAX_PX), MAX_PX) if number == number else nan
    return min(max(number, -MAX_PX), MAX_PX) * whole / 100 if unit == _PERCENT else nan


def _page_coordinates(t: BoxTree) -> tuple[Boxes, Boxes, float]:
    """Return the boxes in page coordinates, and the page's height."""
    _shift_relative(t)
    page_boxes = _PageBoxes(t)
    page_boxes.add_places()
    page_boxes.place_leaves()
    page_boxes.place_empty_inlines()
    page_boxes.place_inlines()
    nodes, low = _boxes(page_boxes.x, page_boxes.y, t.w, t.h)
    leaves, lower = _boxes(page_boxes.leaf_left, page_boxes.leaf_top, page_boxes.leaf_width, page_boxes.leaf_height)
    return nodes, leaves, max(low, lower)


class _PageBoxes:
    """Page coordinates, and bounding boxes of inline elements: left, top, right and bottom, NaN if empty."""

    def __init__(self, t: BoxTree):
        self.t = t
        store, count, leaf_count = self.t.store, self.t.count, self.t.leaf_count
        self.x, self.y = store.doubles(count), store.doubles(count)
        self.left, self.top = store.filled_doubles(count, nan), store.filled_doubles(count, nan)
        self.right, self.bottom = store.filled_doubles(count, nan), store.filled_doubles(count, nan)
        self.leaf_left, self.leaf_top = store.filled_doubles(leaf_count, nan), store.filled_doubles(leaf_count, nan)
        self.leaf_width, self.leaf_height = store.filled_doubles(leaf_count, nan), store.filled_doubles(leaf_count, nan)

    def add_places(self) -> None:
        """Add up the left and top of every box; the viewport is -1."""
        t = self.t
        for row in range(t.count):
            container = t.x_container[row]
            self.x[row] = (self.x[container] if container >= 0 else 0.0) + t.x[row]
            container = t.y_container[row]
            self.y[row] = (self.y[container] + t.shift_y[container] if container >= 0 else 0.0) + t.y[row]

    def extend(self, row: int, left: float, top: float, right: float, bottom: float) -> None:
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

    def place_leaves(self) -> None:
        """Compute the leaves' boxes, and extend the inline elements directly around them."""
        t = self.t
        for leaf in range(t.leaf_count):
            node, left = t.leaf_node[leaf], t.leaf_left[leaf]
            if left != left:
                if not t.is_text[leaf] and t.w[node] >= 0:
                    self.leaf_left[leaf], self.leaf_top[leaf] = self.x[node], self.y[node]
                    self.leaf_width[leaf], self.leaf_height[leaf] = t.w[node], t.h[node]
                continue
            over, top, right, bottom = t.leaf_in[leaf], t.leaf_top[leaf], t.leaf_right[leaf], t.leaf_bottom[leaf]
            x, y = self.x[over], self.y[over] + t.shift_y[over]
            self.leaf_left[leaf], self.leaf_top[leaf] = left + x, top + y
            self.leaf_width[leaf], self.leaf_height[leaf] = right - left, bottom - top
            if t.display[node] == _INLINE:
                self.extend(node, left + x, top + y, right + x, bottom + y)

    def place_empty_inlines(self) -> None:
        """Place inline elements without content."""
        t = self.t
        for row, over, left, top, high in t.empty_inlines:
            left, top = left + self.x[over], top + self.y[over] + t.shift_y[over]
            self.extend(row, left, top, left, top + high)

    def place_inlines(self) -> None:
        """Compute the boxes of nested inline elements, inner ones first."""
        t = self.t
        for row in range(t.count - 1, 0, -1):
            if t.display[row] == _INLINE and not t.w[row] >= 0:
                if self.left[row] != self.left[row]:
                    continue
                left, top = self.left[row] - t.left[row], self.top[row] - t.top[row]
                self.x[row], self.y[row] = left, top
                t.w[row], t.h[row] = self.right[row] + t.right[row] - left, self.bottom[row] + t.bottom[row] - top
            over = t.parent[row]
            if t.display[over] == _INLINE and t.w[row] >= 0 and not t.is_absolute[row] and not t.float_[row]:
                left, top = self.x[row], self.y[row]
                self.extend(over, left, top, left + t.w[row], top + t.h[row])


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
    return -MAX_PX if number < -MAX_PX else MAX_PX if number > MAX_PX else number


def _shift_relative(t: BoxTree) -> None:
    """Shift relatively positioned boxes by their offsets, after everything else is placed."""
    for row in range(t.count):
        if t.position[row] != _RELATIVE or not t.w[row] >= 0:
            continue
        container = t.x_container[row]
        wide = t.w[container] if container >= 0 else t.width
        high = t.h[container] if container >= 0 and t.height_unit[container] == _PX else 0.0
        left, top = _offset(t, 3, row, wide), _offset(t, 0, row, high)
        if left != left:
            right = _offset(t, 1, row, wide)
            left = -(right if right == right else 0.0)
        if top != top:
            bottom = _offset(t, 2, row, high)
            top = -(bottom if bottom == bottom else 0.0)
        t.x[row] += left
        t.y[row] += top
