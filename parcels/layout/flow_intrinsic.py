"""Min-content and max-content widths of boxes, each found once.

A subtree is gone through from its last row to its first, so that children are known before their parents without
recursion. The outermost box that asks is asked first, so that every row is visited once in all.
"""

from collections.abc import Callable
from math import inf

from parcels.css.style import Direction, Display, Unit, WhiteSpace
from parcels.layout import grid_tracks, table_grid
from parcels.layout.flow_screen import BOX, BREAK, MOST_PX, REPLACED, Screen
from parcels.layout.flow_sizes import replaced_size

_PX, _PERCENT = int(Unit.PX), int(Unit.PERCENT)
_INLINE, _CONTENTS, _CELL = int(Display.INLINE), int(Display.CONTENTS), int(Display.CELL)
_TABLES = (int(Display.TABLE), int(Display.INLINE_TABLE))
_KEEPS_LINES = (int(WhiteSpace.NOWRAP), int(WhiteSpace.PRE))
_COLUMN = int(Direction.COLUMN)


def content_widths(s: Screen, row: int) -> tuple[float, float]:
    """The border box's min-content and max-content width."""
    least = s.least
    if least[row] != least[row]:
        display = s.display
        for below in range(s.last[row], row - 1, -1):
            if least[below] != least[below] and display[below] and display[below] != _CONTENTS:
                _find(s, below)
    return s.least[row], s.most[row]


def fitted_width(s: Screen, row: int, free: float) -> float:
    """Shrink to fit: the max-content width where there is room, never less than the min-content width."""
    low, high = content_widths(s, row)
    return min(max(low, free), high)


def least_content(s: Screen, row: int) -> float:
    """The border box's min-content width, whatever width CSS gives it; `content_widths` comes first."""
    return _CONTENT[s.display[row]](s, row)[0] + s.left[row] + s.right[row]


def _find(s: Screen, row: int) -> None:
    kind = s.kind[row]
    if kind != BOX:
        width = replaced_size(s, row, inf, None)[0] if kind == REPLACED else 0.0
        s.most[row] = width
        is_share = kind == REPLACED and (s.width_unit[row] == _PERCENT or s.limit_units[2][row] == _PERCENT)
        s.least[row] = 0.0 if is_share else width
        return
    insets = s.left[row] + s.right[row]
    if s.width_unit[row] == _PX and s.display[row] != _INLINE:
        width = max(0.0, s.width_number[row]) + (0.0 if s.is_border_box[row] else insets)
        low = high = max(width, insets)
        if s.display[row] in _TABLES:
            low = max(low, _table(s, row)[0] + insets)
            high = max(low, high)
        elif s.display[row] == _CELL:  # a wish: the table may be narrower
            low = _flow(s, row)[0] + insets
            high = max(low, high)
    else:
        low, high = _CONTENT[s.display[row]](s, row)
        low, high = low + insets, high + insets
        if s.display[row] == _INLINE:
            margins = s.margin_left[row] + s.margin_right[row]
            low, high = low + margins, high + margins
    if s.is_sized[row] and s.display[row] != _INLINE:
        extra = 0.0 if s.is_border_box[row] else insets
        if s.limit_units[2][row] == _PX:
            cap = max(0.0, s.limit_numbers[2][row]) + extra
            low, high = min(low, cap), min(high, cap)
        if s.limit_units[0][row] == _PX:
            floor = s.limit_numbers[0][row] + extra
            low, high = max(low, floor), max(high, floor)
    s.least[row] = min(max(low, 0.0), MOST_PX)
    s.most[row] = min(max(low, high, 0.0), MOST_PX)


def _flow(s: Screen, row: int) -> tuple[float, float]:
    if row in s.cell_holders:
        return _table(s, row)
    low = high = run = 0.0
    is_kept = s.white_space[row] in _KEEPS_LINES
    least, most, left, right = s.least, s.most, s.margin_left, s.margin_right
    for kid in s.kids[row]:
        if kid < 0:
            leaf = ~kid
            run += s.total[leaf] + (s.blank[leaf] if run and s.is_spaced[leaf] else 0.0)
            low = max(low, s.total[leaf] if s.white_space[s.leaf_node[leaf]] in _KEEPS_LINES else s.widest[leaf])
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
            run += most[kid]
            low = max(low, least[kid])
            continue
        margins = left[kid] + right[kid]
        low = max(low, least[kid] + margins)
        if s.is_inline[kid] or s.float_[kid]:
            run += most[kid] + margins
        else:
            if is_kept:
                low = max(low, run)
            high, run = max(high, run, most[kid] + margins), 0.0
    high = max(high, run)
    return (max(low, run) if is_kept else low), max(low, high)


def _flex(s: Screen, row: int) -> tuple[float, float]:
    lows, highs = [], []
    for kid in s.kids[row]:
        if kid < 0:
            lows.append(s.widest[~kid])
            highs.append(s.total[~kid])
        elif not s.is_absolute[kid]:
            margins = s.margin_left[kid] + s.margin_right[kid]
            lows.append(s.least[kid] + margins)
            highs.append(max(s.most[kid] + margins, _basis(s, kid)))
    if not lows:
        return 0.0, 0.0
    if s.styles.direction[row] >= _COLUMN:
        return max(lows), max(highs)
    gaps = min(float(s.styles.column_gap[row]), MOST_PX) * (len(lows) - 1)
    low = max(lows) if s.styles.is_wrapping[row] else sum(lows, 0.0) + gaps
    return low, max(low, sum(highs, 0.0) + gaps)


def _basis(s: Screen, row: int) -> float:
    basis = s.styles.flex_basis
    return min(float(basis.number[row]), MOST_PX) if basis.unit[row] == _PX else 0.0


def _grid(s: Screen, row: int) -> tuple[float, float]:
    items = [kid for kid in s.kids[row] if kid >= 0 and not s.is_absolute[kid]]
    lows = [s.least[kid] + s.margin_left[kid] + s.margin_right[kid] for kid in items]
    highs = [s.most[kid] + s.margin_left[kid] + s.margin_right[kid] for kid in items]
    return grid_tracks.content_widths(s, row, lows, highs)


def _table(s: Screen, row: int) -> tuple[float, float]:
    return table_grid.content_widths(s, row)


def _nothing(s: Screen, row: int) -> tuple[float, float]:
    return 0.0, 0.0


_CONTENT: list[Callable[[Screen, int], tuple[float, float]]] = [_flow] * len(Display)
for _display in (Display.FLEX, Display.INLINE_FLEX):
    _CONTENT[_display] = _flex
for _display in (Display.GRID, Display.INLINE_GRID):
    _CONTENT[_display] = _grid
for _display in (Display.TABLE, Display.INLINE_TABLE):
    _CONTENT[_display] = _table
_CONTENT[Display.COLUMN] = _nothing
