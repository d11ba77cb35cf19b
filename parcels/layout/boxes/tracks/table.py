# cython: infer_types=True
"""Table layout: column widths from the cells' widths (CSS Tables 3, 4.5), then row heights from the cells' heights."""

from math import nan

from parcels.css.style import Align
from parcels.layout.boxes.flow import intrinsic, sizes
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.floats import Floats, origin_at
from parcels.layout.boxes.flow.lines import Lines
from parcels.layout.boxes.tracks import table_cells as grids
from parcels.layout.boxes.tracks.table_cells import Cells

_CENTRE, _END = int(Align.CENTRE), int(Align.END)


def lay(t: BoxTree, row: int, inner: float, inside: float, depth: int) -> float:
    """Lay out a table in a content box of this width; its content's height."""
    intrinsic.content_widths(t, row)
    cells = grids.cells_of(t, row)
    grids.measure_columns(t, cells)
    left, down = t.left[row], t.top[row]
    if t.is_anonymous_table[row]:
        inner = min(inner, max(sum(cells.lows, 0.0), sum(cells.highs, 0.0)))
    for caption in cells.captions:
        t.x_container[caption] = t.y_container[caption] = row
        t.x[caption], t.y[caption] = left, down
        down += t.layouter.lay(t, caption, inner, nan, depth + 1, nan)
    if cells.loose:
        lines = Lines()
        lines.start(t, row, origin_at(Floats(), 0.0, 0.0, depth), down - t.top[row], inner)
        down = t.top[row] + lines.run_texts(cells.loose)
    for child in cells.absolute_boxes:
        t.absolute_boxes.append((child, row, left, down))
    if not cells.cells:
        return down - t.top[row]
    gap = cells.spacing
    widths = column_widths(cells, inner - gap * (len(cells.lows) + 1))
    starts = [left + gap]
    for width in widths:
        starts.append(starts[-1] + width + gap)
    for cell in cells.cells:
        node = cell.node
        t.x[node] = starts[cell.column]
        t.layouter.lay(t, node, starts[cell.column + cell.columns] - gap - starts[cell.column], nan, depth + 1, nan)
    bottom = _rows(t, row, cells, down + gap, inner, inside)
    return bottom + gap - t.top[row]


def column_widths(cells: Cells, total: float) -> list[float]:
    """Return the column widths for a total width: between the four guesses of CSS Tables 3, 4.5.2, or beyond the last.

    >>> from parcels.layout.boxes.tracks.table_cells import Cells
    >>> column_widths(Cells(lows=[10, 10], highs=[30, 90], fixed=[0, 0], shares=[0, 0]), 60)
    [18.0, 42.0]
    """
    lows, highs, fixed, shares = cells.lows, cells.highs, cells.fixed, cells.shares
    columns = range(len(lows))
    guess = [float(low) for low in lows]
    if total <= sum(guess, 0.0):
        return guess
    steps = (
        [max(lows[n], shares[n] * total / 100) if shares[n] else guess[n] for n in columns],
        [fixed[n] if fixed[n] and not shares[n] else -1.0 for n in columns],
        [highs[n] if not fixed[n] and not shares[n] else -1.0 for n in columns],
    )
    for step in steps:
        wider = [max(new, old) for new, old in zip(step, guess, strict=True)]
        more = sum(wider, 0.0) - sum(guess, 0.0)
        if more > 0 and sum(wider, 0.0) >= total:
            part = (total - sum(guess, 0.0)) / more
            return [old + (new - old) * part for new, old in zip(wider, guess, strict=True)]
        guess = wider
    weights = [highs[n] if not fixed[n] and not shares[n] else 0.0 for n in columns]
    if not any(weights):
        weights = [1.0 if not fixed[n] and not shares[n] else 0.0 for n in columns]
    if not any(weights):
        weights = [fixed[n] if not shares[n] else 0.0 for n in columns]
    if not any(weights):
        weights = [shares[n] for n in columns]
    rest, weight = total - sum(guess, 0.0), sum(weights, 0.0) or 1.0
    return [width + rest * weights[n] / weight for n, width in enumerate(guess)]


def _rows(t: BoxTree, table: int, cells: Cells, top: float, inner: float, inside: float) -> float:
    """Compute row heights and place rows, groups and cells; return the bottom of the last row."""
    gap, count = cells.spacing, len(cells.rows)
    heights = [0.0] * count
    ending: list[list[int]] = [[] for _ in range(count)]
    for n, cell in enumerate(cells.cells):
        if cell.rows == 1:
            heights[cell.row] = max(heights[cell.row], t.h[cell.node])
        else:
            ending[cell.row + cell.rows - 1].append(n)
    for n, node in enumerate(cells.rows):
        if node >= 0 and t.is_sized[node]:
            specified = sizes.specified_height(t, node, nan)
            if specified > heights[n]:
                heights[n] = specified
    tops = [top]
    for n in range(count):
        for which in ending[n]:
            cell = cells.cells[which]
            heights[n] = max(heights[n], t.h[cell.node] - (tops[n] - tops[cell.row]))
        tops.append(tops[n] + heights[n] + gap)
    if inside == inside:
        spare = inside - (tops[-1] - t.top[table])
        total = sum(heights, 0.0)
        if spare > 0:
            heights = [height + spare * (height / total if total else 1 / count) for height in heights]
            for n in range(count):
                tops[n + 1] = tops[n] + heights[n] + gap
    left, width = t.left[table] + gap, inner - 2 * gap
    for node, first, end in cells.groups:
        _put(t, table, node, left, tops[first], width, max(0.0, tops[end] - tops[first] - gap))
    for n, node in enumerate(cells.rows):
        if node >= 0:
            _put(t, table, node, left, tops[n], width, heights[n])
    for cell in cells.cells:
        node = cell.node
        height = tops[cell.row + cell.rows] - gap - tops[cell.row]
        spare = height - t.content_based_height[node]
        align = t.vertical_align[node]
        if spare > 0 and (align in (_CENTRE, _END)):
            t.shift_y[node] += spare / 2 if align == _CENTRE else spare
        _put(t, table, node, t.x[node], tops[cell.row], t.w[node], max(height, 0.0))
    return tops[-1] - gap


def _put(t: BoxTree, table: int, node: int, x: float, y: float, width: float, height: float) -> None:
    t.x_container[node] = t.y_container[node] = table
    t.x[node], t.y[node], t.w[node], t.h[node] = x, y, width, height
