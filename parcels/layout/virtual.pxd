cimport cython

from parcels.layout cimport column_pointers as columns
from parcels.layout cimport flow_intrinsic as intrinsic
from parcels.layout cimport flow_margins as edges
from parcels.layout cimport flow_sizes as sizes
from parcels.layout.flow_screen cimport Screen

cdef double nan, MOST_PX, VIEW_HEIGHT
cdef int REPLACED, _INLINE, _PERCENT, _PX, _FIXED, _RELATIVE

@cython.locals(done=int)
cdef _lay_absolutes(Screen s)
@cython.locals(
    box=int, x0=double, y0=double, wide=double, high=double, left=double, right=double, top=double, bottom=double,
    has_left=bint, has_right=bint, has_top=bint, has_bottom=bint, width=double, height=double, given=double,
    margins=double, low=double, most=double, tall=double, rest=double,
)
cdef _lay_absolute(Screen s, int row, int holder, double static_x, double static_y)
@cython.locals(over=int, top=double, right=double, bottom=double, left=double)
cdef (int, double, double, double, double) _containing_box(Screen s, int row, int holder)
@cython.locals(unit=int, number=double)
cdef double _offset(Screen s, int side, int row, double whole)
cdef _added_up(Screen s)
@cython.locals(
    lefts=cython.double[::1], tops=cython.double[::1], widths=cython.double[::1], heights=cython.double[::1],
    rows=cython.float[:, ::1], row=Py_ssize_t, lowest=float,
)
cdef _boxes(list sides)
cdef float _within(float number) noexcept
@cython.locals(row=int, holder=int, wide=double, high=double, left=double, top=double, right=double, bottom=double)
cdef void _shift_relative(Screen s)

cdef class _Held:
    cdef Screen s
    cdef list keep
    cdef object arrays, leaves
    cdef double* x
    cdef double* y
    cdef double* left
    cdef double* top
    cdef double* right
    cdef double* bottom
    cdef double* one
    cdef double* other
    cdef double* wide
    cdef double* tall
    cdef list places(self)
    cdef list leaf_boxes(self)
    @cython.locals(row=int, holder=int)
    cdef void add_places(self)
    cdef void hold(self, int row, double left, double top, double right, double bottom)
    @cython.locals(leaf=int, node=int, over=int, left=double, top=double, right=double, bottom=double, x=double, y=double)
    cdef void hold_leaves(self)
    @cython.locals(row=int, over=int, left=double, top=double, high=double)
    cdef void hold_empties(self)
    @cython.locals(row=int, over=int, left=double, top=double)
    cdef void hold_inline(self)
