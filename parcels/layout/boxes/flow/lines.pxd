cimport cython

from parcels.layout.boxes.flow cimport atomic
from parcels.layout.boxes.flow cimport intrinsic
from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.text cimport single as texts
from parcels.layout.boxes.flow.floats cimport Floats, Origin
from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef double inf, nan, ROUNDING, _MIDDLE
cdef int BOX, BREAK, REPLACED, _INLINE, _NOWRAP, _PRE, _START, _CENTRE, _END, _INPUT, _SELECT

cdef class Lines:
    cdef BoxTree t
    cdef Floats floats
    cdef Origin origin
    cdef int row, align, base
    cdef readonly int made
    cdef double y, width, blank, line_ascent, line_descent, tall, left, right, x
    cdef readonly double baseline
    cdef bint is_kept, is_spaced, is_exact

    cdef void start(self, BoxTree t, int row, Origin origin, double y, double width)
    @cython.locals(row=int)
    cdef void begin(self)
    @cython.locals(low=double, high=double)
    cdef void find_room(self)
    @cython.locals(
        row=int, n=int, item=int, leaf=int, above=double, below=double, height=double, shift=double, y=double,
        rise=double, high=double, x=double, end=double, top=double,
    )
    cdef void end(self, bint is_forced, bint is_last)
    @cython.locals(row=int, at=int, stop=int, container=int, item=int, x=double)
    cdef double run(self, int first, int end)
    cdef double run_texts(self, list items)
    cdef double finish(self)
    @cython.locals(inset=double, first=int)
    cdef void open(self, int row)
    @cython.locals(container=int)
    cdef void record_empty(self, int row, int font)
    cdef void close(self, int row)
    @cython.locals(
        node=int, white_space=int, part=int, behind=int, end=int, blank=double, x=double, total=double, start=double,
        is_spaced=bint, can_break=bint, is_whole=bint,
    )
    cdef void add_text(self, int leaf)
    cdef void add_preformatted(self, int leaf, int node, int white_space)
    cdef void place_text(self, int leaf, int node, double x, double end)
    @cython.locals(below=double)
    cdef bint move_below_floats(self)
    @cython.locals(
        is_spaced=bint, has_some=bint, container=int, align=int, wide=double, high=double, width=double, gap=double,
        x=double, tall=double, rise=double, baseline=double,
    )
    cdef void add_atomic(self, int row)
    @cython.locals(n=int, left=double, top=double, wide=double, moved=double, _=double)
    cdef void add_float(self, int row)

cdef bint _begins_in_blank(str text)
