cimport cython

from parcels.layout.boxes.tracks cimport alignment as aligning
from parcels.layout.boxes.flow cimport intrinsic
from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.flow.floats cimport Floats, origin_at
from parcels.layout.boxes.flow.lines cimport Lines
from parcels.layout.boxes.flow.box_tree cimport Screen

cdef double inf, nan, MOST_PX
cdef int REPLACED, _ROUNDS, _COLUMN, _COLUMN_REVERSE, _ROW_REVERSE, _PERCENT, _PX, _AUTO
cdef int _CENTRE, _END, _STRETCH, _ALIGN_AUTO
cdef list _NO_TEXTS

cdef class Item:
    cdef public int row
    cdef public list texts
    cdef double base, low, high, size, cross, before, after, grow, shrink, weight
    cdef bint is_frozen

@cython.locals(n=int, kid=int, is_ordered=bint, is_text=bint, item=Item)
cdef list items_of(Screen s, int row)
cdef double _order(Screen s, int kid)
@cython.locals(item=Item, direction=int)
cdef double lay(Screen s, int row, double inner, double inside, int depth) except? -1
@cython.locals(
    line=list, item=Item, count=int, gap=double, between=double, gaps=double, down=double, high=double, above=double,
    insets=double, used=double, start=double, step=double, x=double, at=double,
)
cdef double _row(
    Screen s, int row, list items, double inner, double inside, int depth, bint is_reversed
) except? -1
@cython.locals(
    kid=int, text=int, leaf=int, unit=int, number=double, insets=double, width=double, least=double, most=double,
    _=double, base=double, low=double,
)
cdef void _measure(Screen s, Item item, double inner, double inside)
@cython.locals(item=Item, used=double, size=double)
cdef list _lines(list items, double inner, double gap)
@cython.locals(
    item=Item, margins=double, whole=double, is_growing=bint, loose=int, over=int, taken=double, weight=double,
    rest=double, excess=double, size=double, _=int,
)
cdef void _flex(list items, double room)
@cython.locals(item=Item, count=int, is_any=bint)
cdef int _freeze(list items, double rest, double weight, bint is_over)
@cython.locals(kid=int, lines=Lines, natural=double, high=double, given=double)
cdef void _lay_item(Screen s, int row, Item item, double width, double inside, int depth)
@cython.locals(item=Item, autos=int)
cdef (double, double) _justified(Screen s, int row, list line, double rest)
@cython.locals(kid=int, align=int, top=double, bottom=double, rest=double, is_top=bint, is_bottom=bint)
cdef double _aligned(Screen s, int row, Item item, double high)
@cython.locals(text=int, leaf=int)
cdef void move_texts(Screen s, list texts, double x, double y)
@cython.locals(kid=int, align=int)
cdef void _put(Screen s, int row, Item item, double x, double y, double high)
@cython.locals(
    item=Item, kid=int, autos=int, gap=double, gaps=double, used=double, width=double, least=double, room=double,
    start=double, step=double, y=double,
)
cdef double _column(
    Screen s, int row, list items, double inner, double inside, int depth, bint is_reversed
) except? -1
@cython.locals(kid=int, align=int, rest=double, x=double, is_left=bint, is_right=bint)
cdef void _put_in_column(Screen s, int row, Item item, double inner, double y)
@cython.locals(width=double, _=double, align=int, is_auto=bint)
cdef double _column_width(Screen s, int row, int kid, double inner)
cdef double _gap(double gap)
