cimport cython

from parcels.layout.boxes.tracks cimport flex, grid, table
from parcels.layout.boxes.flow cimport atomic
from parcels.layout.boxes.flow cimport deep
from parcels.layout.boxes.flow cimport intrinsic
from parcels.layout.boxes.flow cimport margins as edges
from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.text cimport single as texts
from parcels.layout.boxes.flow.floats cimport Floats, Origin, origin_at
from parcels.layout.boxes.flow.lines cimport Lines
from parcels.layout.boxes.flow.box_tree cimport Layouter, BoxTree

cdef double inf, nan, MAX_PX
cdef int BOX, MAX_DEPTH, REPLACED, _PERCENT, _INLINE, _CENTRE, _NOWRAP
cdef int _FLEX, _INLINE_FLEX, _GRID, _INLINE_GRID, _TABLE, _INLINE_TABLE, _CELL

cdef class BlockLayouter(Layouter):
    cdef Floats no_floats

@cython.locals(
    left=double, top=double, insets=double, inner=double, inside=double, content=double, is_sized=bint, is_open=bint,
    is_table=bint, display=int, depth=int, within=Origin,
)
cdef double lay_box(
    BoxTree t, int row, double width, double container_height, double height, Origin origin
) except? -1
@cython.locals(
    first=int, end=int, leaf=int, inset=double, down=double, margin=double, is_bfc_root=bint, is_top=bint, run=int,
    run_count=int, is_shallow=bint, n=int, child=int, is_simple=bint, below=double, above=double, gap=double,
    place=double, clear=int, floats=Floats, x=double, y=double, left=double, top=double, at=double, wide=double, room=double, height=double, base=double,
)
cdef double _flow(BoxTree t, int row, double width, double inside, Origin origin, bint is_open) except? -1
@cython.locals(leaf=int, inset=double, below=double, lines=Lines)
cdef double _lay_inline(
    BoxTree t, int row, int first, int end, int count, Origin origin, double down, double width
) except? -1
@cython.locals(inset=double, first=int)
cdef (int, double) _only_text(BoxTree t, int row, int child)
@cython.locals(
    left=double, free=double, is_replaced=bint, is_table=bint, wide=double, height=double, low=double, _=double,
    margin_left=double, within=Origin,
)
cdef (double, double) _lay_child(
    BoxTree t, int row, int child, double width, double inside, Origin origin, double place
)
@cython.locals(is_left=bint, is_right=bint)
cdef double _alignment_offset(BoxTree t, int row, int child, double rest)
@cython.locals(need=double, _=double, low=double, high=double, left=double, right=double, below=double, floats=Floats, x=double, y=double)
cdef (double, double, double) _room_beside_floats(BoxTree t, int child, double width, Origin origin, double place)
@cython.locals(
    count=int, gap=double, narrow=double, high=double, part=double, lowest=double, column=int, start=double, n=int,
    child=int, leaf=int, y=double, bottom=double, across=double,
)
cdef double _columns(BoxTree t, int row, double width, int depth) except? -1
