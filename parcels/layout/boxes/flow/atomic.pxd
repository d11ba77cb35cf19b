cimport cython

from parcels.layout.boxes.flow cimport intrinsic
from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.flow.floats cimport Floats, Origin
from parcels.layout.boxes.flow.box_tree cimport Screen

cdef int REPLACED, _TABLE, _INLINE_TABLE, _PERCENT
cdef double nan

@cython.locals(floats=Floats, x=double, y=double, wide=double, high=double, at_x=double, at_y=double)
cdef void lay_float(Screen s, int row, int kid, Origin origin, double top, double width)
@cython.locals(wide=double, high=double, low=double, _=double)
cdef (double, double) atom_size(Screen s, int kid, double width, int depth)
