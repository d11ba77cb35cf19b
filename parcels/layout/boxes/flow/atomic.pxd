cimport cython

from parcels.layout.boxes.flow cimport intrinsic
from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.flow.floats cimport Floats, Origin
from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef int REPLACED, _TABLE, _INLINE_TABLE, _PERCENT
cdef double nan

@cython.locals(floats=Floats, x=double, y=double, wide=double, high=double, at_x=double, at_y=double)
cdef void lay_float(BoxTree t, int row, int child, Origin origin, double top, double width)
@cython.locals(wide=double, high=double, low=double, _=double)
cdef (double, double) atomic_size(BoxTree t, int child, double width, int depth)
