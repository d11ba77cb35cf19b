# cython: infer_types=True, wraparound=False
"""Min-content and max-content widths of boxes, each computed once.

A subtree is gone through from its last row to its first, so that children are known before their parents without
recursion. The outermost box that asks is asked first, so that every row is visited once in all.
"""

from math import inf, nan

from parcels.css.style import Direction, Display, Unit, WhiteSpace
from parcels.layout.boxes.flow import sizes
from parcels.layout.boxes.flow.box_tree import Screen
from parcels.layout.boxes.flow.kinds import BOX, BREAK, MOST_PX, REPLACED
from parcels.layout.boxes.tracks import grid_sizing
from parcels.layout.boxes.tracks import table_cells as tables

_PX, _PERCENT = int(Unit.PX), int(Unit.PERCENT)
_INLINE, _CONTENTS, _CELL = int(Display.INLINE), int(Display.CONTENTS), int(Display.CELL)
_FLEX, _INLINE_FLEX = int(Display.FLEX), int(Display.INLINE_FLEX)
_GRID, _INLINE_GRID = int(Display.GRID), int(Display.INLINE_GRID)
_TABLE, _INLINE_TABLE, _TABLE_COLUMN = int(Display.TABLE), int(Display.INLINE_TABLE), int(Display.COLUMN)
_NOWRAP, _PRE = int(WhiteSpace.NOWRAP), int(WhiteSpace.PRE)
_COLUMN = int(Direction.COLUMN)


def content_widths(s: Screen, row: int) -> tuple[float, float]:
    """Return the border box's min-content and max-content width."""
    if s.least[row] != s.least[row]:
        for below in range(s.last[row], row - 1, -1):
            if s.least[below] != s.least[below] and s.display[below] and s.display[below] != _CONTENTS:
                _find(s, below)
    return s.least[row], s.most[row]


def fitted_width(s: Screen, row: int, free: float) -> float:
    """Return the shrink-to-fit width: the max-content width if it fits, at least the min-content width."""
    low, high = content_widths(s, row)
    return min(max(low, free), high)


def least_content(s: Screen, row: int) -> float:
    """Return the border box's automatic minimum width, ignoring its CSS width; call `content_widths` first."""
    low, _ = _content(s, row)
    return low + s.left[row] + s.right[row]


def _find(s: Screen, row: int) -> None:
    kind = s.kind[row]
    if kind != BOX:
        width = 0.0
        if kind == REPLACED:
            width, _ = sizes.replaced_size(s, row, inf, nan)
        s.most[row] = width
        is_share = kind == REPLACED and (s.width_unit[row] == _PERCENT or s.max_width_unit[row] == _PERCENT)
        s.least[row] = 0.0 if is_share else min(width, sizes.least_label(s, row))
        return
    display = s.display[row]
    insets = s.left[row] + s.right[row]
    if s.width_unit[row] == _PX and display != _INLINE:
        width = max(0.0, s.width_number[row]) + (0.0 if s.is_border_box[row] else insets)
        low = high = max(width, insets)
        if display in (_TABLE, _INLINE_TABLE):
            wanted, _ = tables.content_widths(s, row)
            low = max(low, wanted + insets)
            high = max(low, high)
        elif display == _CELL:  # a wish: the table may be narrower
            wanted, _ = _flow(s, row)
            low = wanted + insets
            high = max(low, high)
    else:
        low, high = _content(s, row)
        low, high = low + insets, high + insets
        if display == _INLINE:
            margins = s.margin_left[row] + s.margin_right[row]
            low, high = low + margins, high + margins
    if s.is_sized[row] and display != _INLINE:
        extra = 0.0 if s.is_border_box[row] else insets
        if s.max_width_unit[row] == _PX:
            cap = max(0.0, s.max_width[row]) + extra
            low, high = min(low, cap), min(high, cap)
        if s.min_width_unit[row] == _PX:
            floor = s.min_width[row] + extra
            low, high = max(low, floor), max(high, floor)
    s.least[row] = min(max(low, 0.0), MOST_PX)
    s.most[row] = min(max(low, high, 0.0), MOST_PX)


def _content(s: Screen, row: int) -> tuple[float, float]:
    """Return the content's min-content and max-content width, by display type."""
    display = s.display[row]
    if display < _FLEX:  # most boxes
        return _flow(s, row)
    if display in (_FLEX, _INLINE_FLEX):
        return _flex(s, row)
    if display in (_GRID, _INLINE_GRID):
        return _grid(s, row)
    if display in (_TABLE, _INLINE_TABLE):
        return tables.content_widths(s, row)
    if display == _TABLE_COLUMN:
        return 0.0, 0.0
    return _flow(s, row)


def _flow(s: Screen, row: int) -> tuple[float, float]:
    if s.is_cell_holder[row]:
        return tables.content_widths(s, row)
    low = high = run = 0.0
    is_kept = s.white_space[row] == _NOWRAP or s.white_space[row] == _PRE
    for n in range(s.first_kid[row], s.first_kid[row + 1]):
        kid = s.kid[n]
        if kid < 0:
            leaf = ~kid
            run += s.total[leaf] + (s.blank[leaf] if run and s.is_spaced[leaf] else 0.0)
            white_space = s.white_space[s.leaf_node[leaf]]
            part = s.total[leaf] if white_space in (_NOWRAP, _PRE) else s.widest[leaf]
            low = max(low, part)
            continue
        if s.is_absolute[kid]:
            continue
        if s.kind[kid] == BREAK:
            high = max(high, run)
            if is_kept:
                low = max(low, run)
            run = 0.0
            continue
        if s.display[kid] == _INLINE and s.kind[kid] == BOX:
            run += s.most[kid]
            low = max(low, s.least[kid])
            continue
        margins = s.margin_left[kid] + s.margin_right[kid]
        low = max(low, s.least[kid] + margins)
        if s.is_inline[kid] or s.float_[kid]:
            run += s.most[kid] + margins
        else:
            if is_kept:
                low = max(low, run)
            high, run = max(high, run, s.most[kid] + margins), 0.0
    high = max(high, run)
    if is_kept:
        return max(low, run), max(low, high)
    return low, max(low, high)


def _flex(s: Screen, row: int) -> tuple[float, float]:
    count = 0
    low = high = low_sum = high_sum = 0.0
    for n in range(s.first_kid[row], s.first_kid[row + 1]):
        kid = s.kid[n]
        if kid < 0:
            one, other = s.widest[~kid], s.total[~kid]
        elif not s.is_absolute[kid]:
            margins = s.margin_left[kid] + s.margin_right[kid]
            basis = min(s.basis[kid], MOST_PX) if s.basis_unit[kid] == _PX else 0.0
            one, other = s.least[kid] + margins, max(s.most[kid] + margins, basis)
        else:
            continue
        low, high = max(low, one) if count else one, max(high, other) if count else other
        low_sum, high_sum, count = low_sum + one, high_sum + other, count + 1
    if not count:
        return 0.0, 0.0
    if s.direction[row] >= _COLUMN:
        return low, high
    gaps = min(s.column_gap[row], MOST_PX) * (count - 1)
    if not s.is_wrapping[row]:
        low = low_sum + gaps
    return low, max(low, high_sum + gaps)


def _grid(s: Screen, row: int) -> tuple[float, float]:
    lows, highs = [], []
    for n in range(s.first_kid[row], s.first_kid[row + 1]):
        kid = s.kid[n]
        if kid >= 0 and not s.is_absolute[kid]:
            lows.append(s.least[kid] + s.margin_left[kid] + s.margin_right[kid])
            highs.append(s.most[kid] + s.margin_left[kid] + s.margin_right[kid])
    low, high = grid_sizing.content_widths(s.styles, row, lows, highs)
    return low, high
