cimport cython

from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef double ROUNDING
cdef int _NOWRAP, _CENTRE, _END

@cython.locals(
    node=int, above=double, under=double, high=double, wide=double, room=double, start=double, reach=double, x=double,
    count=int, part=int, behind=int, end=int, align=int,
)
cdef double lay_text(BoxTree t, int row, int leaf, double width, double inset, double down)
cdef str original_text(BoxTree t, int node, int leaf)
