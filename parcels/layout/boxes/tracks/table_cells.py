# cython: infer_types=True
"""The cells of a table by column and row, and the columns' intrinsic widths.

Chromium and HTML bound spans at 1,000 columns and 65,534 rows; here a table has at most MAX_COLUMNS columns, and a
span ends with the table, so that absurd spans cost nothing.
"""

from collections.abc import Sequence

from parcels.css.style import Display, Unit
from parcels.html.tags import NUMBER
from parcels.layout.boxes.flow.box_tree import BoxTree

MAX_COLUMNS = 300
_PX, _PERCENT = int(Unit.PX), int(Unit.PERCENT)
_CAPTION, _COLUMN = int(Display.CAPTION), int(Display.COLUMN)
_ROW_GROUP, _ROW = int(Display.ROW_GROUP), int(Display.ROW)
_HEAD, _FOOT = NUMBER["thead"], NUMBER["tfoot"]


class Cell:
    """A cell: its node, position and spans."""

    __slots__ = ("column", "columns", "node", "row", "rows")

    def __init__(self, node: int, row: int, column: int, columns: int, rows: int):
        self.node, self.row, self.column, self.columns, self.rows = node, row, column, columns, rows


class Cells:
    """A table's cells, rows, row groups, captions and column widths."""

    __slots__ = (
        *(
            "absolute_boxes",
            "captions",
            "cells",
            "fixed",
            "groups",
            "highs",
            "is_fixed",
            "loose",
            "lows",
            "rows",
            "shares",
        ),
        "spacing",
    )

    def __init__(
        self,
        lows: Sequence[float] = (),
        highs: Sequence[float] = (),
        fixed: Sequence[float] = (),
        shares: Sequence[float] = (),
    ):
        self.captions: list[int] = []
        self.loose: list[int] = []  # texts outside cells: browsers put them before the table
        self.absolute_boxes: list[int] = []
        self.groups: list[tuple[int, int, int]] = []  # node, first row, row behind the last
        self.rows: list[int] = []  # nodes; -1 for an anonymous row
        self.cells: list[Cell] = []
        self.lows, self.highs = list(lows), list(highs)  # of each column: min-content, max-content
        self.fixed = list(fixed)  # of each column: width in px, 0 is none
        self.shares = list(shares)  # of each column: width in per cent, 0 is none
        self.spacing = 0.0
        self.is_fixed = False  # table-layout: fixed, the first row decides


def cells_of(t: BoxTree, table: int) -> Cells:
    """Return the cells of a table, computed once."""
    if table not in t.table_cells:
        t.table_cells[table] = _Builder(t, table).result()
    known: Cells = t.table_cells[table]
    return known


def content_widths(t: BoxTree, table: int) -> tuple[float, float]:
    """Return the table's min-content and max-content width, with its spacing."""
    cells = cells_of(t, table)
    measure_columns(t, cells)
    around = cells.spacing * (len(cells.lows) + 1)
    low, high = sum(cells.lows, 0.0) + around, sum(cells.highs, 0.0) + around
    shares = sum(cells.shares, 0.0)
    if shares and cells.highs:  # a column of p per cent needs a table of which p per cent fit its content
        wanted = [high * 100 / p for high, p in zip(cells.highs, cells.shares, strict=True) if p > 0]
        rest = sum([high for high, p in zip(cells.highs, cells.shares, strict=True) if p <= 0], 0.0)
        if rest:
            wanted.append(rest * 100 / max(100 - shares, 1.0))
        high = max(high, max(wanted) + around)
    for caption in cells.captions:
        low, high = max(low, t.min_content[caption]), max(high, t.min_content[caption])
    return low, max(low, high)


def measure_columns(t: BoxTree, cells: Cells) -> None:
    """Fill in what the columns want; the cells' own widths are known by now."""
    if not cells.lows and cells.cells:
        _measure(t, cells)


def _measure(t: BoxTree, cells: Cells) -> None:
    count = max([cell.column + cell.columns for cell in cells.cells])
    cells.lows, cells.highs = [0.0] * count, [0.0] * count
    cells.fixed = (cells.fixed + [0.0] * count)[:count]
    cells.shares = (cells.shares + [0.0] * count)[:count]
    lows, highs, fixed, shares = cells.lows, cells.highs, cells.fixed, cells.shares
    spanning: list[Cell] = []
    for cell in cells.cells:
        node, column = cell.node, cell.column
        if cells.is_fixed and cell.row > 0:
            break
        unit, number = t.width_unit[node], t.width_number[node]
        if cell.columns > 1:
            spanning.append(cell)
            continue
        if not cells.is_fixed:
            lows[column] = max(lows[column], t.min_content[node])
        highs[column] = max(highs[column], t.max_content[node])
        if unit == _PX and number > 0:
            extra = 0.0 if t.is_border_box[node] else t.left[node] + t.right[node]
            fixed[column] = max(fixed[column], number + extra)
        elif unit == _PERCENT and number > 0:
            shares[column] = max(shares[column], number)
    for column in range(count):
        if fixed[column]:
            fixed[column] = max(fixed[column], lows[column])
            highs[column] = max(lows[column], fixed[column])
    if cells.is_fixed:
        cells.highs = [fixed[n] or 1.0 for n in range(count)]
        spanning = []
    by_span = [(cell.columns, n) for n, cell in enumerate(spanning)]
    by_span.sort()
    for _, n in by_span:
        _spread(t, cells, spanning[n])
    total = 0.0
    for column in range(count):  # more than 100 % is not given away
        shares[column] = min(shares[column], 100.0 - total)
        total += shares[column]


def _spread(t: BoxTree, cells: Cells, cell: Cell) -> None:
    """Let the columns that a cell spans hold it."""
    span = range(cell.column, cell.column + cell.columns)
    node = cell.node
    between = cells.spacing * (cell.columns - 1)
    for is_high in (False, True):
        widths, wanted = (cells.highs, t.max_content[node]) if is_high else (cells.lows, t.min_content[node])
        missing = wanted - between - sum([widths[column] for column in span], 0.0)
        if missing > 0:
            free = [column for column in span if not cells.fixed[column] and not cells.shares[column]] or list(span)
            weight = sum([cells.highs[column] for column in free], 0.0)
            for column in free:
                widths[column] += missing * (cells.highs[column] / weight if weight else 1 / len(free))
    for column in span:
        cells.highs[column] = max(cells.highs[column], cells.lows[column])
    if t.width_unit[node] == _PERCENT and t.width_number[node] > 0:
        missing = t.width_number[node] - sum([cells.shares[column] for column in span], 0.0)
        free = [column for column in span if not cells.shares[column] and not cells.fixed[column]]
        if missing > 0 and free:
            for column in free:
                cells.shares[column] = missing / len(free)


class _Builder:
    """Collects a table's cells, row group by row group."""

    __slots__ = ("collected", "free", "next", "t", "table")

    def __init__(self, t: BoxTree, table: int):
        self.t, self.table, self.collected = t, table, Cells()
        self.next = 0  # column
        self.free: list[int] = []  # of each column: the row from which it is free

    def result(self) -> Cells:
        t, collected, table = self.t, self.collected, self.table
        unit = t.width_unit[table]
        collected.is_fixed = bool(t.is_fixed_table[table]) and (unit in (_PX, _PERCENT))
        collected.spacing = min(max(t.spacing[table], 0.0), 1000.0)
        heads, bodies, feet = [], [], []
        for child in _children(t, table):
            if child < 0:
                collected.loose.append(child)
            elif t.is_absolute[child]:
                collected.absolute_boxes.append(child)
            elif t.display[child] == _CAPTION:
                collected.captions.append(child)
            elif t.display[child] == _COLUMN:
                self.columns(child)
            elif t.tag[child] == _HEAD:
                heads.append(child)
            elif t.tag[child] == _FOOT:
                feet.append(child)
            else:
                bodies.append(child)
        self.rows([*heads, *bodies, *feet])
        count = len(collected.rows)
        for cell in collected.cells:
            cell.rows = min(cell.rows, count - cell.row)
        return collected

    def columns(self, node: int) -> None:
        """Read the widths of `col` elements."""
        t = self.t
        for column in [child for child in _children(t, node) if child >= 0] or [node]:
            unit, number = t.width_unit[column], t.width_number[column]
            for _ in range(_span(t, column, "span")):
                if len(self.collected.fixed) >= MAX_COLUMNS:
                    return
                self.collected.fixed.append(number if unit == _PX else 0.0)
                self.collected.shares.append(number if unit == _PERCENT else 0.0)

    def rows(self, children: list[int]) -> None:
        """Add rows; consecutive boxes that are not rows share an anonymous one."""
        t, collected = self.t, self.collected
        is_open = False
        for child in children:
            if child < 0:
                collected.loose.append(child)
            elif t.is_absolute[child]:
                collected.absolute_boxes.append(child)
            elif t.display[child] == _ROW_GROUP:
                first = len(collected.rows)
                self.group(_children(t, child))
                collected.groups.append((child, first, len(collected.rows)))
                is_open = False
            elif t.display[child] == _ROW:
                self.row(child, _children(t, child))
                is_open = False
            else:
                if not is_open:
                    self.row(-1, [])
                    is_open = True
                self.cell(child)

    def group(self, children: list[int]) -> None:
        """Add the rows of a row group."""
        t, is_open = self.t, False
        for child in children:
            if child < 0:
                self.collected.loose.append(child)
            elif t.is_absolute[child]:
                self.collected.absolute_boxes.append(child)
            elif t.display[child] == _ROW:
                self.row(child, _children(t, child))
                is_open = False
            else:
                if not is_open:
                    self.row(-1, [])
                    is_open = True
                self.cell(child)

    def row(self, node: int, children: list[int]) -> None:
        """Add a row with its cells."""
        self.collected.rows.append(node)
        self.next = 0
        for child in children:
            if child < 0:
                self.collected.loose.append(child)
            elif self.t.is_absolute[child]:
                self.collected.absolute_boxes.append(child)
            else:
                self.cell(child)

    def cell(self, node: int) -> None:
        """Add a cell to the row, in the first column that no row span from above occupies."""
        free, row = self.free, len(self.collected.rows) - 1
        column = self.next
        while column < len(free) and free[column] > row:
            column += 1
        column = min(column, MAX_COLUMNS - 1)
        columns = min(_span(self.t, node, "colspan"), MAX_COLUMNS - column)
        rows = _span(self.t, node, "rowspan")
        free += [0] * (column + columns - len(free))
        for n in range(column, column + columns):
            free[n] = row + rows
        self.next = column + columns
        self.collected.cells.append(Cell(node, row, column, columns, rows))


def _children(t: BoxTree, row: int) -> list[int]:
    children = []
    for n in range(t.first_child[row], t.first_child[row + 1]):
        children.append(t.child[n])
    return children


def _span(t: BoxTree, node: int, name: str) -> int:
    text = t.attributes[node].get(name)
    if not text:
        return 1
    try:
        return min(max(int(text), 1), 65534)  # HTML 4.9.11
    except ValueError:
        return 1
