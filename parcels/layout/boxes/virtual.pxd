cimport cython

from parcels.layout.boxes.flow cimport intrinsic
from parcels.layout.boxes.flow cimport margins as edges
from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.column_store cimport ColumnStore
from parcels.layout.boxes.flow.box_tree cimport BoxTree
from parcels.layout.boxes.box_generation cimport fill

cdef class _PageBoxes

cdef double nan, MAX_PX, VIEW_HEIGHT
cdef int REPLACED, _INLINE, _PERCENT, _PX, _FIXED, _RELATIVE

@cython.locals(done=int)
cdef _lay_absolutes(BoxTree t)
@cython.locals(
    box=int, x0=double, y0=double, wide=double, high=double, left=double, right=double, top=double, bottom=double,
    has_left=bint, has_right=bint, has_top=bint, has_bottom=bint, width=double, height=double, specified=double,
    margins=double, low=double, most=double, tall=double, rest=double,
)
cdef _lay_absolute(BoxTree t, int row, int container, double static_x, double static_y)
@cython.locals(over=int, top=double, right=double, bottom=double, left=double)
cdef (int, double, double, double, double) _containing_box(BoxTree t, int row, int container)
@cython.locals(unit=int, number=double)
cdef double _offset(BoxTree t, int side, int row, double whole)
@cython.locals(page_boxes=_PageBoxes)
cdef _page_coordinates(BoxTree t)
@cython.locals(rows=cython.float[:, ::1], row=Py_ssize_t, lowest=float)
cdef tuple _boxes(double[::1] lefts, double[::1] tops, double[::1] widths, double[::1] heights)
cdef float _within(float number) noexcept
@cython.locals(row=int, container=int, wide=double, high=double, left=double, top=double, right=double, bottom=double)
cdef void _shift_relative(BoxTree t)

cdef class _PageBoxes:
    cdef BoxTree t
    cdef double[::1] x, y, left, top, right, bottom, leaf_left, leaf_top, leaf_width, leaf_height
    @cython.locals(row=int, container=int)
    cdef void add_places(self)
    cdef void extend(self, int row, double left, double top, double right, double bottom)
    @cython.locals(leaf=int, node=int, over=int, left=double, top=double, right=double, bottom=double, x=double, y=double)
    cdef void place_leaves(self)
    @cython.locals(row=int, over=int, left=double, top=double, high=double)
    cdef void place_empty_inlines(self)
    @cython.locals(row=int, over=int, left=double, top=double)
    cdef void place_inlines(self)
