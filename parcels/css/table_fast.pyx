"""The numbers of all styles to arrays of nodes, in C: what `parcels.css.table.arrays_of` does with NumPy."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from parcels.css.columns import COLUMN, FLOW_END, FLOW_START, LINE_FACTOR, LINE_NORMAL, SIDES, WIDTH
from parcels.css.style import Align, Display, Position
from parcels.css.values import LINE_EM

cdef enum:
    SIDE_COUNT = 4

cdef int _WIDTH = WIDTH
cdef int _LINE_KIND = COLUMN["line-kind"], _LINE_VALUE = COLUMN["line-value"], _FONT_SIZE = COLUMN["font-size"]
cdef int _TEXT_ALIGN = COLUMN["text-align"], _FLOW = COLUMN["direction"]
cdef int _ACROSS = COLUMN["overflow-x"], _DOWN = COLUMN["overflow-y"], _POSITION = COLUMN["position"]
cdef int _CLIP = COLUMN["clip"], _CLIP_PATH = COLUMN["clip-path"], _DISPLAY = COLUMN["display"]
cdef int _MARKER = COLUMN["list-style-type"], _MARKER_IMAGE = COLUMN["list-style-image"]
cdef int _SPACING = COLUMN["border-spacing"], _COLLAPSE = COLUMN["border-collapse"], _COUNT = COLUMN["column-count"]
cdef double _FACTOR = LINE_FACTOR, _NORMAL = LINE_NORMAL, _EM = LINE_EM, _FROM = FLOW_START, _TO = FLOW_END
cdef double _START = float(Align.START), _END = float(Align.END), _ITEM = float(Display.LIST_ITEM)
cdef double _ABSOLUTE = float(Position.ABSOLUTE), _FIXED = float(Position.FIXED)
cdef double _MOST_COLUMNS = 100.0  # as in parcels.css.table
cdef int[SIDE_COUNT] _BORDER_WIDTH, _BORDER_STYLE
for _place, _side in enumerate(SIDES):
    _BORDER_WIDTH[_place] = COLUMN[f"border-{_side}-width"]
    _BORDER_STYLE[_place] = COLUMN[f"border-{_side}-style"]


ctypedef signed char schar
ctypedef unsigned int uint
ctypedef fused Number:
    float
    schar
    uint
    short

cdef struct Table:
    int count  # styles
    int nodes
    double* cells  # finished, one style behind the other
    int* of_node
    void* values  # room for one number a style


def fill(
    const double[::1] cells, const int[::1] style, list columns, float[:, ::1] floats, signed char[:, ::1] codes, facts,
    unsigned int[:, ::1] colours, short[:, ::1] families
):
    """Fill the arrays of each kind of columns: one row a column, one place a node."""
    cdef int row
    cdef Table table
    table.count, table.nodes = <int> (cells.shape[0] // _WIDTH), <int> len(style)
    table.cells = <double*> malloc(cells.shape[0] * sizeof(double))
    table.of_node = <int*> malloc(table.nodes * sizeof(int))
    table.values = malloc(table.count * sizeof(double))
    try:
        if table.cells is NULL or table.of_node is NULL or table.values is NULL:
            raise MemoryError
        memcpy(table.cells, &cells[0], cells.shape[0] * sizeof(double))
        for row in range(table.count):
            _finish(table.cells + row * _WIDTH)
        for row in range(table.nodes):
            table.of_node[row] = style[row]
        _fill_numbers[float](&table, columns[0], floats)
        _fill_numbers[schar](&table, columns[1], codes)
        _fill_facts(&table, columns[2], facts.view("u1"))
        _fill_numbers[uint](&table, columns[3], colours)
        _fill_numbers[short](&table, columns[4], families)
    finally:
        free(table.cells)
        free(table.of_node)
        free(table.values)


cdef int _fill_numbers(Table* table, const int[::1] columns, Number[:, ::1] made) except -1:
    cdef Number* values = <Number*> table.values
    cdef int place, row
    for place in range(<int> columns.shape[0]):
        for row in range(table.count):
            values[row] = <Number> table.cells[row * _WIDTH + columns[place]]
        _spread(values, table.of_node, table.nodes, &made[place, 0])
    return 0


cdef int _fill_facts(Table* table, const int[::1] columns, unsigned char[:, ::1] made) except -1:
    cdef schar* values = <schar*> table.values
    cdef int place, row
    for place in range(<int> columns.shape[0]):
        for row in range(table.count):
            values[row] = table.cells[row * _WIDTH + columns[place]] != 0
        _spread(values, table.of_node, table.nodes, <schar*> &made[place, 0])
    return 0


cdef void _spread(const Number* values, const int* of_node, int count, Number* made) noexcept:
    """The number of each node from that of its style."""
    cdef int node = 0
    while node + 4 <= count:  # four at a time: there is more to count than to copy otherwise
        made[node] = values[of_node[node]]
        made[node + 1] = values[of_node[node + 1]]
        made[node + 2] = values[of_node[node + 2]]
        made[node + 3] = values[of_node[node + 3]]
        node += 4
    while node < count:
        made[node] = values[of_node[node]]
        node += 1


cdef void _finish(double* cells) noexcept:
    """The columns that others decide on."""
    cdef int side
    cdef double start = _END if cells[_FLOW] != 0 else _START
    cdef double end = _START if cells[_FLOW] != 0 else _END
    if cells[_LINE_KIND] == _FACTOR:
        cells[_LINE_VALUE] = cells[_LINE_VALUE] * cells[_FONT_SIZE]
    elif cells[_LINE_KIND] == _NORMAL:
        cells[_LINE_VALUE] = _EM * cells[_FONT_SIZE]
    if cells[_TEXT_ALIGN] == _FROM:
        cells[_TEXT_ALIGN] = start
    elif cells[_TEXT_ALIGN] == _TO:
        cells[_TEXT_ALIGN] = end
    for side in range(SIDE_COUNT):
        if cells[_BORDER_STYLE[side]] == 0:
            cells[_BORDER_WIDTH[side]] *= 0.0
    cells[_ACROSS] = cells[_ACROSS] != 0 or cells[_DOWN] != 0
    cells[_CLIP] = (
        cells[_CLIP] != 0 and (cells[_POSITION] == _ABSOLUTE or cells[_POSITION] == _FIXED)
    ) or cells[_CLIP_PATH] != 0
    cells[_MARKER] = cells[_DISPLAY] == _ITEM and (cells[_MARKER] != 0 or cells[_MARKER_IMAGE] != 0)
    if cells[_COLLAPSE] != 0:
        cells[_SPACING] *= 0.0
    if cells[_COUNT] > _MOST_COLUMNS:
        cells[_COUNT] = _MOST_COLUMNS
