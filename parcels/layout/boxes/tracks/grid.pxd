cimport cython

from parcels.layout.boxes.tracks cimport flex
from parcels.layout.boxes.tracks cimport alignment as aligning
from parcels.layout.boxes.flow cimport intrinsic
from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.tracks.flex cimport FlexItem
from parcels.layout.boxes.flow.floats cimport Floats, origin_at
from parcels.layout.boxes.flow.lines cimport Lines
from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef double inf, nan, MAX_PX
cdef int REPLACED, _STRETCH, _ALIGN_AUTO, _START, _PERCENT, _PX, _CENTRE, _END

@cython.locals(item=FlexItem, justify=int, across=double, along=double, start=double, step=double, low=double, high=double, room=double, width=double)
cdef double lay(BoxTree t, int row, double inner, double inside, int depth) except? -1
@cython.locals(child=int, text=int, low=double, high=double, margins=double, width=double, _=double, is_share=bint)
cdef (double, double) _widths(BoxTree t, FlexItem item, double inner)
@cython.locals(child=int, lines=Lines, margins=double, wide=double, high=double, most=double, _=double)
cdef double _lay_item(BoxTree t, int row, FlexItem item, double width, double inside, int depth) except? -1
@cython.locals(child=int, left=double, top=double, rest=double, align=int, below=double, specified=double)
cdef void _put(BoxTree t, int row, FlexItem item, double x, double y, double wide, double high)
cdef list _starts(list widths, double gap, double start)
cdef double _gap(double gap)
