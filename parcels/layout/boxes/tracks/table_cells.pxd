cimport cython

from parcels.layout.boxes.flow.box_tree cimport Screen

cdef int _PX, _PERCENT, _CAPTION, _COLUMN, _ROW_GROUP, _ROW, _HEAD, _FOOT, MOST_COLUMNS

cdef class Cell:
    cdef int node, row, column, columns, rows

cdef class Cells:
    cdef public list captions, loose, absolutes, groups, rows, cells, lows, highs, fixed, shares
    cdef public double spacing
    cdef public bint is_fixed

cdef Cells cells_of(Screen s, int table)
@cython.locals(cells=Cells, around=double, low=double, high=double, shares=double, caption=int)
cdef (double, double) content_widths(Screen s, int table)
cdef void measure_columns(Screen s, Cells cells)
@cython.locals(cell=Cell, count=int, node=int, column=int, unit=int, number=double, extra=double, total=double)
cdef void _measure(Screen s, Cells cells)
@cython.locals(node=int, column=int, between=double, wanted=double, missing=double, weight=double, is_high=bint)
cdef void _spread(Screen s, Cells cells, Cell cell)

cdef class _Builder:
    cdef Screen s
    cdef int table, next
    cdef Cells found
    cdef list free
    @cython.locals(kid=int, cell=Cell, count=int, table=int, unit=int)
    cdef Cells result(self)
    @cython.locals(column=int, unit=int, number=double)
    cdef void columns(self, int node)
    @cython.locals(kid=int, first=int, is_open=bint)
    cdef void rows(self, list kids)
    @cython.locals(kid=int, is_open=bint)
    cdef void group(self, list kids)
    @cython.locals(kid=int)
    cdef void row(self, int node, list kids)
    @cython.locals(free=list, row=int, column=int, columns=int, rows=int, n=int)
    cdef void cell(self, int node)

@cython.locals(n=int)
cdef list _kids(Screen s, int row)
cdef int _span(Screen s, int node, str name)
