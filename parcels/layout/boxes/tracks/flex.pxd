cimport cython

from parcels.layout.boxes.tracks cimport alignment as aligning
from parcels.layout.boxes.flow cimport intrinsic
from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.flow.floats cimport Floats, origin_at
from parcels.layout.boxes.flow.lines cimport Lines
from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef double inf, nan, MAX_PX
cdef int REPLACED, _ROUNDS, _COLUMN, _COLUMN_REVERSE, _ROW_REVERSE, _PERCENT, _PX, _AUTO
cdef int _CENTRE, _END, _STRETCH, _ALIGN_AUTO
cdef list _NO_TEXTS

cdef class FlexItem:
    cdef public int row
    cdef public list texts
    cdef double base, low, high, size, cross, before, after, grow, shrink, weight
    cdef bint is_frozen

@cython.locals(n=int, child=int, is_ordered=bint, is_text=bint, item=FlexItem)
cdef list items_of(BoxTree t, int row)
cdef double _order(BoxTree t, int child)
@cython.locals(item=FlexItem, direction=int)
cdef double lay(BoxTree t, int row, double inner, double inside, int depth) except? -1
@cython.locals(
    line=list, item=FlexItem, count=int, gap=double, between=double, gaps=double, down=double, high=double, above=double,
    insets=double, used=double, start=double, step=double, x=double, at=double,
)
cdef double _row(
    BoxTree t, int row, list items, double inner, double inside, int depth, bint is_reversed
) except? -1
@cython.locals(
    child=int, text=int, leaf=int, unit=int, number=double, insets=double, width=double, least=double, most=double,
    _=double, base=double, low=double,
)
cdef void _measure(BoxTree t, FlexItem item, double inner, double inside)
@cython.locals(item=FlexItem, used=double, size=double)
cdef list _lines(list items, double inner, double gap)
@cython.locals(
    item=FlexItem, margins=double, whole=double, is_growing=bint, loose=int, over=int, taken=double, weight=double,
    rest=double, excess=double, size=double, _=int,
)
cdef void _flex(list items, double room)
@cython.locals(item=FlexItem, count=int, is_any=bint)
cdef int _freeze(list items, double rest, double weight, bint is_over)
@cython.locals(child=int, lines=Lines, natural=double, high=double, specified=double)
cdef void _lay_item(BoxTree t, int row, FlexItem item, double width, double inside, int depth)
@cython.locals(item=FlexItem, autos=int)
cdef (double, double) _justified(BoxTree t, int row, list line, double rest)
@cython.locals(child=int, align=int, top=double, bottom=double, rest=double, is_top=bint, is_bottom=bint)
cdef double _aligned(BoxTree t, int row, FlexItem item, double high)
@cython.locals(text=int, leaf=int)
cdef void move_texts(BoxTree t, list texts, double x, double y)
@cython.locals(child=int, align=int)
cdef void _put(BoxTree t, int row, FlexItem item, double x, double y, double high)
@cython.locals(
    item=FlexItem, child=int, autos=int, gap=double, gaps=double, used=double, width=double, least=double, room=double,
    start=double, step=double, y=double,
)
cdef double _column(
    BoxTree t, int row, list items, double inner, double inside, int depth, bint is_reversed
) except? -1
@cython.locals(child=int, align=int, rest=double, x=double, is_left=bint, is_right=bint)
cdef void _put_in_column(BoxTree t, int row, FlexItem item, double inner, double y)
@cython.locals(width=double, _=double, align=int, is_auto=bint)
cdef double _column_width(BoxTree t, int row, int child, double inner)
cdef double _gap(double gap)
