"""Tables of data on a page, and their cells as a rectangle."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from parcels.articles.body.parts import Ints, Parts
from parcels.html.leaves import Nodes
from parcels.html.tags import NUMBER, lookup

WORDS_PER_CELL = 40  # mean; a table with longer cells is for layout
MOST_WORDS = 25  # per cell, in a table without header or caption
MAX_SLOTS = 300_000  # per table; beyond it spans are not filled in
MAX_SPAN = 1000  # HTML's limit of a column span
_IS_CELL = lookup("td th")
_NAMES_DATA = lookup("th thead caption")
_LAYOUT_ROLES = ("presentation", "none")

Slot = tuple[int, bool] | None  # row of a cell's element, and whether the cell begins here; None for no cell


@dataclass(frozen=True, slots=True)
class DataTable:
    """One table of data and its blocks, from `first` to before `end`."""

    row: int  # of the table's element
    first: int
    end: int


def data_tables(parts: Parts) -> list[DataTable]:
    """Return the tables of data: at least two rows and columns, short cells, no nested table.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> html = "<table><tr><td>Menu<td><table><tr><th>Town<th>Fires<tr><td>Ely<td>3</table></table>"
    >>> [(table.first, table.end) for table in data_tables(parts_of(read_page(html)))]
    [(1, 5)]
    """
    nodes = parts.page.nodes
    is_table = nodes.tag == NUMBER["table"]
    rows = np.flatnonzero(is_table)
    if not len(rows):
        return []

    def inside(is_wanted: Any) -> Ints:
        before = np.concatenate(([0], np.cumsum(is_wanted)))
        count: Ints = before[nodes.last[rows] + 1] - before[rows + 1]
        return count

    before = np.concatenate(([0], np.cumsum(parts.leaf_words)))
    words = before[nodes.end_leaf] - before[nodes.first_leaf]
    is_cell = _IS_CELL[nodes.tag]
    cells, lines = inside(is_cell & (words > 0)), inside(nodes.tag == NUMBER["tr"])
    is_named = inside(_NAMES_DATA[nodes.tag]) > 0
    is_short = np.where(is_named, words[rows] <= WORDS_PER_CELL * cells, inside(is_cell & (words > MOST_WORDS)) == 0)
    is_data = (inside(is_table) == 0) & (lines >= 2) & (cells > lines) & is_short
    first = np.searchsorted(parts.division.first, nodes.first_leaf[rows], side="left")
    end = np.searchsorted(parts.division.first, nodes.end_leaf[rows], side="left")
    return [
        DataTable(int(rows[n]), int(first[n]), int(end[n]))
        for n in np.flatnonzero(is_data).tolist()
        if nodes.attributes[rows[n]].get("role", "").lower() not in _LAYOUT_ROLES
    ]


def slots(nodes: Nodes, table: int) -> list[list[Slot]]:
    """Return the cells of a table as rows of equal length, with column and row spans filled in.

    Rows keep their lengths in a table that would need more than MAX_SLOTS.

    >>> from parcels.html.page import read_page
    >>> nodes = read_page("<table><tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d<tr><td>e</table>").nodes
    >>> [[nodes.tags[slot[0]] + "-+"[slot[1]] if slot else None for slot in row] for row in slots(nodes, 2)]
    [['th+', 'th+', 'th-'], ['th-', 'td+', 'td+'], ['td+', None, None]]
    """
    rows: list[list[Slot]] = []
    open_below: dict[int, tuple[int, int]] = {}  # column -> (remaining rows, cell)
    room = MAX_SLOTS
    for cells in _lines(nodes, table):
        line: list[Slot] = []
        for cell in cells:
            _fill(line, open_below)
            given = nodes.attributes[cell]
            across, down = _span(given.get("colspan"), MAX_SPAN), _span(given.get("rowspan"), MAX_SLOTS)
            across = across if len(line) + across <= room else 1
            for step in range(across):
                if down > 1 and room > 0:
                    open_below[len(line)] = (down - 1, cell)
                line.append((cell, step == 0))
        _fill(line, open_below, max(open_below, default=-1) + 1)
        room -= len(line)
        if room <= 0:
            open_below.clear()
        rows.append(line)
    # Rows often span more columns than there are, so columns in which no cell begins are cut off.
    width = 1 + max((at for line in rows for at, slot in enumerate(line) if slot and slot[1]), default=-1)
    is_bounded = len(rows) * width <= MAX_SLOTS
    return [[*line[:width], *[None] * (width - len(line) if is_bounded else 0)] for line in rows]


def _lines(nodes: Nodes, table: int) -> list[list[int]]:
    """Return the cells of each line: siblings, since the parser adds no missing `tr`."""
    lines: list[list[int]] = []
    row, end, before = table + 1, int(nodes.last[table]) + 1, -1
    is_cell, parent, last = _IS_CELL[nodes.tag[table:end]], nodes.parent, nodes.last
    while row < end:
        if not is_cell[row - table]:
            row += 1
            continue
        if parent[row] != before:
            before = int(parent[row])
            lines.append([])
        lines[-1].append(row)
        row = int(last[row]) + 1
    return lines


def _fill(line: list[Slot], open_below: dict[int, tuple[int, int]], least: int = 0) -> None:
    """Continue cells that span rows from the lines above, at least up to a column."""
    while (at := len(line)) in open_below or at < least:
        left, cell = open_below.pop(at, (0, -1))
        line.append((cell, False) if cell >= 0 else None)
        if left > 1:
            open_below[at] = (left - 1, cell)


def _span(given: str | None, most: int) -> int:
    text = (given or "").strip()
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        return 1
    return min(most, int(text)) or (most if most == MAX_SLOTS else 1)  # a row span of 0 extends to the last row
