# cython: infer_types=True, wraparound=False
"""Min-content and max-content widths of boxes, each computed once.

A subtree is processed from its last row to its first, so children come before their parents without recursion. Outer
boxes are processed before inner ones, so every row is visited once.
"""

from math import inf, nan

from parcels.css.style import Direction, Display, Unit, WhiteSpace
from parcels.layout.boxes.flow import sizes
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.kinds import BOX, BREAK, MAX_PX, REPLACED
from parcels.layout.boxes.tracks import grid_sizing
from parcels.layout.boxes.tracks import table_cells as tables

_PX, _PERCENT = int(Unit.PX), int(Unit.PERCENT)
_INLINE, _CONTENTS, _CELL = int(Display.INLINE), int(Display.CONTENTS), int(Display.CELL)
_FLEX, _INLINE_FLEX = int(Display.FLEX), int(Display.INLINE_FLEX)
_GRID, _INLINE_GRID = int(Display.GRID), int(Display.INLINE_GRID)
_TABLE, _INLINE_TABLE, _TABLE_COLUMN = int(Display.TABLE), int(Display.INLINE_TABLE), int(Display.COLUMN)
_NOWRAP, _PRE = int(WhiteSpace.NOWRAP), int(WhiteSpace.PRE)
_COLUMN = int(Direction.COLUMN)


def content_widths(t: BoxTree, row: int) -> tuple[float, float]:
    """Return the border box's min-content and max-content width."""
    if t.min_content[row] != t.min_content[row]:
        for below in range(t.last[row], row - 1, -1):
            if t.min_content[below] != t.min_content[below] and t.display[below] and t.display[below] != _CONTENTS:
                _find(t, below)
    return t.min_content[row], t.max_content[row]


def shrink_to_fit_width(t: BoxTree, row: int, free: float) -> float:
    """Return the shrink-to-fit width: the max-content width if it fits, at least the min-content width."""
    low, high = content_widths(t, row)
    return min(max(low, free), high)


def automatic_minimum_width(t: BoxTree, row: int) -> float:
    """Return the border box's automatic minimum width, ignoring its CSS width; call `content_widths` first."""
    low, _ = _content(t, row)
    return low + t.left[row] + t.right[row]


def _find(t: BoxTree, row: int) -> None:
    kind = t.kind[row]
    if kind != BOX:
        width = 0.0
        if kind == REPLACED:
            width, _ = sizes.replaced_size(t, row, inf, nan)
        t.max_content[row] = width
        is_share = kind == REPLACED and (t.width_unit[row] == _PERCENT or t.max_width_unit[row] == _PERCENT)
        t.min_content[row] = 0.0 if is_share else min(width, sizes.min_label_width(t, row))
        return
    display = t.display[row]
    insets = t.left[row] + t.right[row]
    if t.width_unit[row] == _PX and display != _INLINE:
        width = max(0.0, t.width_number[row]) + (0.0 if t.is_border_box[row] else insets)
        low = high = max(width, insets)
        if display in (_TABLE, _INLINE_TABLE):
            wanted, _ = tables.content_widths(t, row)
            low = max(low, wanted + insets)
            high = max(low, high)
        elif display == _CELL:  # a wish: the table may be narrower
            wanted, _ = _flow(t, row)
            low = wanted + insets
            high = max(low, high)
    else:
        low, high = _content(t, row)
        low, high = low + insets, high + insets
        if display == _INLINE:
            margins = t.margin_left[row] + t.margin_right[row]
            low, high = low + margins, high + margins
    if t.is_sized[row] and display != _INLINE:
        extra = 0.0 if t.is_border_box[row] else insets
        if t.max_width_unit[row] == _PX:
            cap = max(0.0, t.max_width[row]) + extra
            low, high = min(low, cap), min(high, cap)
        if t.min_width_unit[row] == _PX:
            floor = t.min_width[row] + extra
            low, high = max(low, floor), max(high, floor)
    t.min_content[row] = min(max(low, 0.0), MAX_PX)
    t.max_content[row] = min(max(low, high, 0.0), MAX_PX)


def _content(t: BoxTree, row: int) -> tuple[float, float]:
    """Return the content's min-content and max-content width, by display type."""
    display = t.display[row]
    if display < _FLEX:  # most boxes
        return _flow(t, row)
    if display in (_FLEX, _INLINE_FLEX):
        return _flex(t, row)
    if display in (_GRID, _INLINE_GRID):
        return _grid(t, row)
    if display in (_TABLE, _INLINE_TABLE):
        return tables.content_widths(t, row)
    if display == _TABLE_COLUMN:
        return 0.0, 0.0
    return _flow(t, row)


def _flow(t: BoxTree, row: int) -> tuple[float, float]:
    if t.is_anonymous_table[row]:
        return tables.content_widths(t, row)
    low = high = run = 0.0
    is_kept = t.white_space[row] == _NOWRAP or t.white_space[row] == _PRE
    for n in range(t.first_child[row], t.first_child[row + 1]):
        child = t.child[n]
        if child < 0:
            leaf = ~child
            run += t.total[leaf] + (t.blank[leaf] if run and t.is_spaced[leaf] else 0.0)
            white_space = t.white_space[t.leaf_node[leaf]]
            part = t.total[leaf] if white_space in (_NOWRAP, _PRE) else t.widest[leaf]
            low = max(low, part)
            continue
        if t.is_absolute[child]:
            continue
        if t.kind[child] == BREAK:
            high = max(high, run)
            if is_kept:
                low = max(low, run)
            run = 0.0
            continue
        if t.display[child] == _INLINE and t.kind[child] == BOX:
            run += t.max_content[child]
            low = max(low, t.min_content[child])
            continue
        margins = t.margin_left[child] + t.margin_right[child]
        low = max(low, t.min_content[child] + margins)
        if t.is_inline[child] or t.float_[child]:
            run += t.max_content[child] + margins
        else:
            if is_kept:
                low = max(low, run)
            high, run = max(high, run, t.max_content[child] + margins), 0.0
    high = max(high, run)
    if is_kept:
        return max(low, run), max(low, high)
    return low, max(low, high)


def _flex(t: BoxTree, row: int) -> tuple[float, float]:
    count = 0
    low = high = low_sum = high_sum = 0.0
    for n in range(t.first_child[row], t.first_child[row + 1]):
        child = t.child[n]
        if child < 0:
            one, other = t.widest[~child], t.total[~child]
        elif not t.is_absolute[child]:
            margins = t.margin_left[child] + t.margin_right[child]
            basis = min(t.basis[child], MAX_PX) if t.basis_unit[child] == _PX else 0.0
            one, other = t.min_content[child] + margins, max(t.max_content[child] + margins, basis)
        else:
            continue
        low, high = max(low, one) if count else one, max(high, other) if count else other
        low_sum, high_sum, count = low_sum + one, high_sum + other, count + 1
    if not count:
        return 0.0, 0.0
    if t.direction[row] >= _COLUMN:
        return low, high
    gaps = min(t.column_gap[row], MAX_PX) * (count - 1)
    if not t.is_wrapping[row]:
        low = low_sum + gaps
    return low, max(low, high_sum + gaps)


def _grid(t: BoxTree, row: int) -> tuple[float, float]:
    lows, highs = [], []
    for n in range(t.first_child[row], t.first_child[row + 1]):
        child = t.child[n]
        if child >= 0 and not t.is_absolute[child]:
            lows.append(t.min_content[child] + t.margin_left[child] + t.margin_right[child])
            highs.append(t.max_content[child] + t.margin_left[child] + t.margin_right[child])
    low, high = grid_sizing.content_widths(t.styles, row, lows, highs)
    return low, high
