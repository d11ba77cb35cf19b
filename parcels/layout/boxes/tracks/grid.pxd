cimport cython

from parcels.layout.boxes.tracks cimport flex
from parcels.layout.boxes.tracks cimport alignment as aligning
from parcels.layout.boxes.flow cimport intrinsic
from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.tracks.flex cimport Item
from parcels.layout.boxes.flow.floats cimport Floats, origin_at
from parcels.layout.boxes.flow.lines cimport Lines
from parcels.layout.boxes.flow.box_tree cimport Screen

cdef double inf, nan, MOST_PX
cdef int REPLACED, _STRETCH, _ALIGN_AUTO, _START, _PERCENT, _PX, _CENTRE, _END

@cython.locals(item=Item, justify=int, across=double, along=double, start=double, step=double, low=double, high=double, room=double, width=double)
cdef double lay(Screen s, int row, double inner, double inside, int depth) except? -1
@cython.locals(kid=int, text=int, low=double, high=double, margins=double, width=double, _=double, is_share=bint)
cdef (double, double) _widths(Screen s, Item item, double inner)
@cython.locals(kid=int, lines=Lines, margins=double, wide=double, high=double, most=double, _=double)
cdef double _lay_item(Screen s, int row, Item item, double width, double inside, int depth) except? -1
@cython.locals(kid=int, left=double, top=double, rest=double, align=int, below=double, given=double)
cdef void _put(Screen s, int row, Item item, double x, double y, double wide, double high)
cdef list _starts(list widths, double gap, double start)
cdef double _gap(double gap)
