cimport cython

from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.tracks cimport table_cells as tables
from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef int BOX, BREAK, REPLACED, _PX, _PERCENT, _INLINE, _CONTENTS, _CELL, _COLUMN, _NOWRAP, _PRE
cdef int _FLEX, _INLINE_FLEX, _GRID, _INLINE_GRID, _TABLE, _INLINE_TABLE, _TABLE_COLUMN
cdef double MAX_PX, inf, nan

@cython.locals(below=int)
cdef (double, double) content_widths(BoxTree t, int row)
@cython.locals(low=double, high=double)
cdef double shrink_to_fit_width(BoxTree t, int row, double free)
@cython.locals(low=double, _=double)
cdef double automatic_minimum_width(BoxTree t, int row)
@cython.locals(kind=int, display=int, width=double, low=double, high=double, wanted=double, _=double, is_share=bint)
cdef void _find(BoxTree t, int row)
@cython.locals(display=int)
cdef (double, double) _content(BoxTree t, int row)
@cython.locals(n=int, child=int, leaf=int, white_space=int, low=double, high=double, run=double, is_kept=bint)
cdef (double, double) _flow(BoxTree t, int row)
@cython.locals(n=int, child=int, count=int, low=double, high=double, low_sum=double, high_sum=double, one=double, other=double, basis=double)
cdef (double, double) _flex(BoxTree t, int row)
@cython.locals(n=int, child=int, low=double, high=double)
cdef (double, double) _grid(BoxTree t, int row)
