cimport cython

from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef int _PX, _PERCENT, _CAPTION, _COLUMN, _ROW_GROUP, _ROW, _HEAD, _FOOT, MAX_COLUMNS

cdef class Cell:
    cdef int node, row, column, columns, rows

cdef class Cells:
    cdef public list captions, loose, absolute_boxes, groups, rows, cells, lows, highs, fixed, shares
    cdef public double spacing
    cdef public bint is_fixed

cdef Cells cells_of(BoxTree t, int table)
@cython.locals(cells=Cells, around=double, low=double, high=double, shares=double, caption=int)
cdef (double, double) content_widths(BoxTree t, int table)
cdef void measure_columns(BoxTree t, Cells cells)
@cython.locals(cell=Cell, count=int, node=int, column=int, unit=int, number=double, extra=double, total=double)
cdef void _measure(BoxTree t, Cells cells)
@cython.locals(node=int, column=int, between=double, wanted=double, missing=double, weight=double, is_high=bint)
cdef void _spread(BoxTree t, Cells cells, Cell cell)

cdef class _Builder:
    cdef BoxTree t
    cdef int table, next
    cdef Cells collected
    cdef list free
    @cython.locals(child=int, cell=Cell, count=int, table=int, unit=int)
    cdef Cells result(self)
    @cython.locals(column=int, unit=int, number=double)
    cdef void columns(self, int node)
    @cython.locals(child=int, first=int, is_open=bint)
    cdef void rows(self, list children)
    @cython.locals(child=int, is_open=bint)
    cdef void group(self, list children)
    @cython.locals(child=int)
    cdef void row(self, int node, list children)
    @cython.locals(free=list, row=int, column=int, columns=int, rows=int, n=int)
    cdef void cell(self, int node)

@cython.locals(n=int)
cdef list _children(BoxTree t, int row)
cdef int _span(BoxTree t, int node, str name)
