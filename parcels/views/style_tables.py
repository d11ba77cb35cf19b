"""Stylistic features of tables (Lee, Kan and Lai 2004, section 5.2.2): cell flow, data types, position, depth."""

import re
from dataclasses import dataclass

import numpy as np

from parcels.tags import NUMBER, lookup
from parcels.views.ancestors import nearest
from parcels.views.feature import family
from parcels.views.look import Bools, Column, Floats, Ints, Look, loops

_CELL, _ROW, _TABLE = lookup("td th"), lookup("tr"), lookup("table")
_NUMERIC = re.compile(r"^[\W\d_]*\d[\W\d_]*$")  # digits and signs: prices, shares, dates in figures


@dataclass(frozen=True, slots=True)
class Cells:
    """Where each block stands in its innermost table; all zero outside tables."""

    is_in_cell: Bools
    row: Ints  # ordinal of the row in its table
    column: Ints  # ordinal of the cell in its row
    rows: Ints  # rows of the table
    columns: Ints  # cells of the row
    cell: Ints  # the cell's node
    table: Ints  # the table's node
    depth: Ints  # tables around the block


def cells(look: Look) -> Cells:
    """Rows and columns of the blocks' cells, in one pass over the page's rows and cells."""
    nodes = look.page.nodes
    is_cell = _CELL.take(nodes.tag)
    if not is_cell.any():
        none: Ints = np.zeros(len(look), np.int64)
        return Cells(none > 0, none, none, none, none, none, none, none)
    is_row, is_table = _ROW[nodes.tag], _TABLE[nodes.tag]
    cell = nearest(look, is_cell)
    is_in_cell = is_cell[cell]
    table_of: dict[int, int] = {}
    ordinal: dict[int, int] = {}
    count: dict[int, int] = {}
    parent = nodes.parent.tolist()
    for row in np.flatnonzero(is_row | is_cell).tolist():
        holder = parent[row]
        if is_row[row]:
            while holder > 0 and not is_table[holder]:
                holder = parent[holder]
        table_of[row] = holder
        ordinal[row] = count.get(holder, 0)
        count[holder] = ordinal[row] + 1
    tables = np.flatnonzero(is_table)
    begins = np.bincount(tables, minlength=len(nodes) + 1)
    ends = np.bincount(nodes.last[tables] + 1, minlength=len(nodes) + 1)
    depth = np.cumsum(begins - ends)[look.container]
    wanted = [int(row) if inside else -1 for row, inside in zip(cell.tolist(), is_in_cell.tolist(), strict=True)]
    line = [table_of.get(row, -1) for row in wanted]
    table = [table_of.get(row, -1) for row in line]

    def numbers(values: list[int]) -> Ints:
        return np.array(values, np.int64)

    return Cells(
        is_in_cell,
        numbers([ordinal.get(row, 0) for row in line]),
        numbers([ordinal.get(row, 0) for row in wanted]),
        numbers([count.get(row, 0) for row in table]),
        numbers([count.get(row, 0) for row in line]),
        cell,
        numbers(table),
        depth,
    )


def table_depth(look: Look) -> Floats:
    """Tables around the block."""
    return look.cells.depth.astype(np.float32)


def is_in_cell(look: Look) -> Floats:
    """1 inside a table cell."""
    return look.cells.is_in_cell.astype(np.float32)


def is_header_cell(look: Look) -> Floats:
    """1 in a th."""
    return np.equal(look.page.nodes.tag[look.cells.cell], NUMBER["th"]).astype(np.float32)


def row_share(look: Look) -> Floats:
    """Ordinal of the row as a share of the table's rows."""
    return (look.cells.row / np.maximum(look.cells.rows, 1)).astype(np.float32)


def column_share(look: Look) -> Floats:
    """Ordinal of the cell as a share of its row's cells."""
    return (look.cells.column / np.maximum(look.cells.columns, 1)).astype(np.float32)


def table_rows(look: Look) -> Floats:
    """Rows of the table, on a logarithmic scale."""
    return np.log1p(look.cells.rows).astype(np.float32)


def row_cells(look: Look) -> Floats:
    """Cells of the row: 1 where cells flow downwards, more where they flow across."""
    return np.log1p(look.cells.columns).astype(np.float32)


def is_numeric(look: Look) -> Floats:
    """1 where the block is figures and signs only."""
    return look.is_numeric


def figures(look: Look) -> Floats:
    """The same, read."""
    match, texts = _NUMERIC.match, look.page.leaves.text
    if loops is not None:
        is_other = np.empty(len(texts), np.float32)
        loops.figures(texts, is_other)
    else:
        others = [text == "" or text[0].isalpha() or match(text) is None for text in texts]
        is_other = np.array(others, np.float32)
    return np.equal(look.total(is_other), 0).astype(np.float32)


def like_row(look: Look) -> Floats:
    """Share of the blocks of the same table row that are of the block's type (figures or words)."""
    return _alike(look, look.cells.table * 4096 + look.cells.row)


def like_column(look: Look) -> Floats:
    """Share of the blocks of the same table column that are of the block's type (figures or words)."""
    return _alike(look, look.cells.table * 4096 + look.cells.column)


def _alike(look: Look, group: Ints) -> Floats:
    """Share of a group's blocks that are of the same type; 0 outside tables."""
    if not look.cells.is_in_cell.any():
        return np.zeros(len(look), np.float32)
    kind = look.is_numeric.astype(np.int64)
    _, groups, sizes = np.unique(group, return_inverse=True, return_counts=True)
    _, pairs, counts = np.unique(group * 2 + kind, return_inverse=True, return_counts=True)
    return np.where(look.cells.is_in_cell, counts[pairs] / sizes[groups], 0).astype(np.float32)


def cell_density(look: Look) -> Floats:
    """Words of the block's cell as a share of the page's words."""
    before = np.concatenate(([0.0], np.cumsum(look.leaf_words)))
    nodes, cell = look.page.nodes, look.cells.cell
    words = before[nodes.end_leaf[cell]] - before[nodes.first_leaf[cell]]
    return np.where(look.cells.is_in_cell, words / max(1.0, before[-1]), 0).astype(np.float32)


TABLED: tuple[Column, ...] = (
    table_depth, is_in_cell, is_header_cell, row_share, column_share, table_rows, row_cells, is_numeric, like_row,
    like_column, cell_density,
)  # fmt: skip


def of_tables(look: Look) -> Floats:
    """The rows of TABLED; outside tables all but one are zero."""
    if _CELL.take(look.page.nodes.tag).any():
        return np.stack([column(look) for column in TABLED])
    found = np.zeros((len(TABLED), len(look)), np.float32)
    found[TABLED.index(is_numeric)] = look.is_numeric
    return found


FEATURES = family(of_tables, TABLED)
