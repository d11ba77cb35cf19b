cimport cython

from parcels.layout.boxes.flow.box_tree cimport Screen

cdef double ROUNDING
cdef int _NOWRAP, _CENTRE, _END

@cython.locals(
    node=int, above=double, under=double, high=double, wide=double, room=double, start=double, reach=double, x=double,
    count=int, part=int, behind=int, end=int, align=int,
)
cdef double lay_text(Screen s, int row, int leaf, double width, double inset, double down)
cdef str raw_text(Screen s, int node, int leaf)
