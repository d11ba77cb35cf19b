# cython: infer_types=True
"""The cells of a table by column and row, and the columns' intrinsic widths.

Chromium and HTML bound spans at 1,000 columns and 65,534 rows; here a table has at most MOST_COLUMNS columns, and a
span ends with the table, so that absurd spans cost nothing.
"""

from collections.abc import Sequence

from parcels.css.style import Display, Unit
from parcels.html.tags import NUMBER
from parcels.layout.boxes.flow.box_tree import Screen

MOST_COLUMNS = 300
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
        *("absolutes", "captions", "cells", "fixed", "groups", "highs", "is_fixed", "loose", "lows", "rows", "shares"),
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
        self.absolutes: list[int] = []
        self.groups: list[tuple[int, int, int]] = []  # node, first row, row behind the last
        self.rows: list[int] = []  # nodes; -1 for a row that the page does not name
        self.cells: list[Cell] = []
        self.lows, self.highs = list(lows), list(highs)  # of each column: min-content, max-content
        self.fixed = list(fixed)  # of each column: width in px, 0 is none
        self.shares = list(shares)  # of each column: width in per cent, 0 is none
        self.spacing = 0.0
        self.is_fixed = False  # table-layout: fixed, the first row decides


def cells_of(s: Screen, table: int) -> Cells:
    """Return the cells of a table, computed once."""
    if table not in s.grids:
        s.grids[table] = _Builder(s, table).result()
    known: Cells = s.grids[table]
    return known


def content_widths(s: Screen, table: int) -> tuple[float, float]:
    """Return the table's min-content and max-content width, with its spacing."""
    cells = cells_of(s, table)
    measure_columns(s, cells)
    around = cells.spacing * (len(cells.lows) + 1)
    low, high = sum(cells.lows, 0.0) + around, sum(cells.highs, 0.0) + around
    shares = sum(cells.shares, 0.0)
    if shares and cells.highs:  # a column of p per cent asks for a table so wide that p per cent hold its content
        wanted = [high * 100 / p for high, p in zip(cells.highs, cells.shares, strict=True) if p > 0]
        rest = sum([high for high, p in zip(cells.highs, cells.shares, strict=True) if p <= 0], 0.0)
        if rest:
            wanted.append(rest * 100 / max(100 - shares, 1.0))
        high = max(high, max(wanted) + around)
    for caption in cells.captions:
        low, high = max(low, s.least[caption]), max(high, s.least[caption])
    return low, max(low, high)


def measure_columns(s: Screen, cells: Cells) -> None:
    """Fill in what the columns want; the cells' own widths are known by now."""
    if not cells.lows and cells.cells:
        _measure(s, cells)


def _measure(s: Screen, cells: Cells) -> None:
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
        unit, number = s.width_unit[node], s.width_number[node]
        if cell.columns > 1:
            spanning.append(cell)
            continue
        if not cells.is_fixed:
            lows[column] = max(lows[column], s.least[node])
        highs[column] = max(highs[column], s.most[node])
        if unit == _PX and number > 0:
            extra = 0.0 if s.is_border_box[node] else s.left[node] + s.right[node]
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
        _spread(s, cells, spanning[n])
    total = 0.0
    for column in range(count):  # more than 100 % is not given away
        shares[column] = min(shares[column], 100.0 - total)
        total += shares[column]


def _spread(s: Screen, cells: Cells, cell: Cell) -> None:
    """Let the columns that a cell spans hold it."""
    span = range(cell.column, cell.column + cell.columns)
    node = cell.node
    between = cells.spacing * (cell.columns - 1)
    for is_high in (False, True):
        widths, wanted = (cells.highs, s.most[node]) if is_high else (cells.lows, s.least[node])
        missing = wanted - between - sum([widths[column] for column in span], 0.0)
        if missing > 0:
            free = [column for column in span if not cells.fixed[column] and not cells.shares[column]] or list(span)
            weight = sum([cells.highs[column] for column in free], 0.0)
            for column in free:
                widths[column] += missing * (cells.highs[column] / weight if weight else 1 / len(free))
    for column in span:
        cells.highs[column] = max(cells.highs[column], cells.lows[column])
    if s.width_unit[node] == _PERCENT and s.width_number[node] > 0:
        missing = s.width_number[node] - sum([cells.shares[column] for column in span], 0.0)
        free = [column for column in span if not cells.shares[column] and not cells.fixed[column]]
        if missing > 0 and free:
            for column in free:
                cells.shares[column] = missing / len(free)


class _Builder:
    """Collects a table's cells, row group by row group."""

    __slots__ = ("found", "free", "next", "s", "table")

    def __init__(self, s: Screen, table: int):
        self.s, self.table, self.found = s, table, Cells()
        self.next = 0  # column
        self.free: list[int] = []  # of each column: the row from which it is free

    def result(self) -> Cells:
        s, found, table = self.s, self.found, self.table
        unit = s.width_unit[table]
        found.is_fixed = bool(s.is_fixed_table[table]) and (unit in (_PX, _PERCENT))
        found.spacing = min(max(s.spacing[table], 0.0), 1000.0)
        heads, bodies, feet = [], [], []
        for kid in _kids(s, table):
            if kid < 0:
                found.loose.append(kid)
            elif s.is_absolute[kid]:
                found.absolutes.append(kid)
            elif s.display[kid] == _CAPTION:
                found.captions.append(kid)
            elif s.display[kid] == _COLUMN:
                self.columns(kid)
            elif s.tag[kid] == _HEAD:
                heads.append(kid)
            elif s.tag[kid] == _FOOT:
                feet.append(kid)
            else:
                bodies.append(kid)
        self.rows([*heads, *bodies, *feet])
        count = len(found.rows)
        for cell in found.cells:
            cell.rows = min(cell.rows, count - cell.row)
        return found

    def columns(self, node: int) -> None:
        """Read the widths of `col` elements."""
        s = self.s
        for column in [kid for kid in _kids(s, node) if kid >= 0] or [node]:
            unit, number = s.width_unit[column], s.width_number[column]
            for _ in range(_span(s, column, "span")):
                if len(self.found.fixed) >= MOST_COLUMNS:
                    return
                self.found.fixed.append(number if unit == _PX else 0.0)
                self.found.shares.append(number if unit == _PERCENT else 0.0)

    def rows(self, kids: list[int]) -> None:
        """Add rows; consecutive boxes that are not rows share an anonymous one."""
        s, found = self.s, self.found
        is_open = False
        for kid in kids:
            if kid < 0:
                found.loose.append(kid)
            elif s.is_absolute[kid]:
                found.absolutes.append(kid)
            elif s.display[kid] == _ROW_GROUP:
                first = len(found.rows)
                self.group(_kids(s, kid))
                found.groups.append((kid, first, len(found.rows)))
                is_open = False
            elif s.display[kid] == _ROW:
                self.row(kid, _kids(s, kid))
                is_open = False
            else:
                if not is_open:
                    self.row(-1, [])
                    is_open = True
                self.cell(kid)

    def group(self, kids: list[int]) -> None:
        """Add the rows of a row group."""
        s, is_open = self.s, False
        for kid in kids:
            if kid < 0:
                self.found.loose.append(kid)
            elif s.is_absolute[kid]:
                self.found.absolutes.append(kid)
            elif s.display[kid] == _ROW:
                self.row(kid, _kids(s, kid))
                is_open = False
            else:
                if not is_open:
                    self.row(-1, [])
                    is_open = True
                self.cell(kid)

    def row(self, node: int, kids: list[int]) -> None:
        """Add a row with its cells."""
        self.found.rows.append(node)
        self.next = 0
        for kid in kids:
            if kid < 0:
                self.found.loose.append(kid)
            elif self.s.is_absolute[kid]:
                self.found.absolutes.append(kid)
            else:
                self.cell(kid)

    def cell(self, node: int) -> None:
        """Add a cell to the row, in the first column that no row span from above occupies."""
        free, row = self.free, len(self.found.rows) - 1
        column = self.next
        while column < len(free) and free[column] > row:
            column += 1
        column = min(column, MOST_COLUMNS - 1)
        columns = min(_span(self.s, node, "colspan"), MOST_COLUMNS - column)
        rows = _span(self.s, node, "rowspan")
        free += [0] * (column + columns - len(free))
        for n in range(column, column + columns):
            free[n] = row + rows
        self.next = column + columns
        self.found.cells.append(Cell(node, row, column, columns, rows))


def _kids(s: Screen, row: int) -> list[int]:
    kids = []
    for n in range(s.first_kid[row], s.first_kid[row + 1]):
        kids.append(s.kid[n])
    return kids


def _span(s: Screen, node: int, name: str) -> int:
    text = s.attributes[node].get(name)
    if not text:
        return 1
    try:
        return min(max(int(text), 1), 65534)  # HTML 4.9.11
    except ValueError:
        return 1
