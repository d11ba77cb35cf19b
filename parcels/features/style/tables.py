# cython: annotation_typing=True, wraparound=False, cdivision=True
"""Style features of tables (Lee, Kan and Lai 2004, section 5.2.2): cell flow, data types, position, depth."""

import cython
import numpy as np

from parcels.features.feature import feature
from parcels.features.table import BlockTable, LeafTable, NodeTable, part_of
from parcels.html.tags import NUMBER
from parcels.maps import IntMap

if cython.compiled:
    from cython.cimports.libc.math import log1p
else:
    from math import log1p

TH = NUMBER["th"]
MOST_LINES = 4096  # rows or columns per table that get distinct keys


@feature(view="style", low=0, high=1e4)
def table_depth(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of tables around the block."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.table_depth[i]


@feature(view="style", low=0, high=1)
def is_in_cell(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the block is inside a table cell."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.is_in_cell[i]


@feature(view="style", low=0, high=1)
def is_header_cell(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the block is inside a th element."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.nodes.tag[blocks.cell[i]] == TH


@feature(view="style", low=0, high=1)
def row_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Index of the block's table row as a share of the table's rows."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = part_of(blocks.row[i], blocks.row_count[i])


@feature(view="style", low=0, high=1)
def column_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Index of the block's cell as a share of its row's cells."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = part_of(blocks.column[i], blocks.column_count[i])


@feature(view="style", low=0, high=20)
def table_rows(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of rows in the block's table, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = log1p(blocks.row_count[i])


@feature(view="style", low=0, high=20)
def row_cells(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of cells in the block's table row, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = log1p(blocks.column_count[i])


@feature(view="style", low=0, high=1)
def is_numeric(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the block consists of digits and signs only."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.is_numeric[i]


@feature(view="style", low=0, high=1)
def like_row(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the blocks in the same table row that are of the same type (figures or words)."""
    _alike(blocks, blocks.row, column)


@feature(view="style", low=0, high=1)
def like_column(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the blocks in the same table column that are of the same type (figures or words)."""
    _alike(blocks, blocks.column, column)


@cython.cfunc
def _alike(blocks: BlockTable, line: cython.longlong[::1], column: cython.float[::1]) -> cython.int:
    """Fill the share of the blocks in the same line that are of the same type; 0 outside tables."""
    i: cython.Py_ssize_t
    has_cells: cython.bint = False
    for i in range(blocks.count):
        column[i] = 0
        has_cells = has_cells or blocks.is_in_cell[i]
    if not has_cells:
        return 0
    numbers: IntMap = IntMap()  # of the rows or columns of all tables
    number: cython.int[::1] = np.zeros(blocks.count, np.intc)
    times: cython.int[:, ::1] = np.zeros((blocks.count, 2), np.intc)  # per line: blocks of words, blocks of figures
    key: cython.ulonglong
    for i in range(blocks.count):
        key = cython.cast(cython.ulonglong, (blocks.table[i] + 1) * MOST_LINES + line[i])  # table is -1 outside tables
        number[i] = numbers.put(key, numbers.count)
        times[number[i], blocks.is_numeric[i]] += 1
    for i in range(blocks.count):
        if blocks.is_in_cell[i]:
            column[i] = part_of(times[number[i], blocks.is_numeric[i]], times[number[i], 0] + times[number[i], 1])
    return 0


@feature(view="style", low=0, high=1)
def cell_density(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the page's words that are in the block's table cell."""
    leaves: LeafTable = blocks.leaves
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    words: cython.double
    for i in range(blocks.count):
        column[i] = 0
        if blocks.is_in_cell[i]:
            words = leaves.words_before[nodes.end_leaf[blocks.cell[i]]]
            words -= leaves.words_before[nodes.first_leaf[blocks.cell[i]]]
            column[i] = part_of(words, leaves.words_before[leaves.count])
