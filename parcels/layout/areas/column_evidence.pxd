# The C types of columns.py.
cimport cython
from libc cimport math

from parcels.layout.areas.part_table cimport PartTable
from parcels.layout.boxes.column_store cimport ColumnStore

cdef double COLUMN_SHARE, LEFT_SHARE, OUTER_SHARE, MIN_PX, LEAF_WEIGHT, EDGE_SHARE, TALL_PX, RUN_EDGE, RUN_GAP_PX
cdef double LEVEL_SHARE
cdef int MIN_LEAVES, MAX_NARROW, SHORT_LINK, LONG_LINK, COLUMN_WIDTH, _PLAIN_COUNT, _LEFT_NAME, _RIGHT_NAME, _SIDE_NAME
cdef list _PLAIN_BITS
cdef bytes _IS_ITEM

cdef class ColumnEvidence:
    cdef PartTable page_parts
    cdef int count
    cdef double total
    cdef int[::1] part  # of each candidate
    cdef int[::1] is_right
    cdef int[::1] of_leaf
    @cython.locals(leaf=int)
    cdef _add_up(self)
    @cython.locals(
        box='double[::1]', narrow='int[::1]', narrow_count=int, least=int, room=int, candidate=int, part=int, size=int, at=int,
        number='int[::1]', middle=double, leaf=int, store=ColumnStore,
    )
    cdef _find_candidates(self)
    @cython.locals(runs='double[::1]', candidate=int, row=cython.Py_ssize_t)
    cdef write(self, double[::1] table)
    @cython.locals(
        box='double[::1]', at=int, part=int, is_right=bint, wide=double, high=double, from_edge=double, low=double,
    )
    cdef _write_shape(self, int candidate, double[::1] table, Py_ssize_t row)
    @cython.locals(
        count=int, box='double[::1]', part='int[::1]', run='int[::1]', tops='double[::1]', bottoms='double[::1]', heights='double[::1]', candidate=int,
        other=int, joined=int, kept=int, member=int, store=ColumnStore,
    )
    cdef double[::1] _runs(self)
    @cython.locals(
        box='double[::1]', parent='int[::1]', last='int[::1]', inside=int, own=int, is_right=bint, left=double, top=double,
        right=double, bottom=double, width=double, widest=double, around=int, sibling=int, at=int, shared=double,
        is_level=bint, wide=double,
    )
    cdef _write_siblings(self, int candidate, double[::1] table, Py_ssize_t to)
    @cython.locals(
        box='double[::1]', own=int, left=double, top=double, right=double, bottom=double, is_right=bint, width=double,
        inner=double, text=double, level=double, widest=double, wider=double, outer=double, leaf=int, at=int,
        weight=double, is_before=bint, is_behind=bint, wide=double,
    )
    cdef _write_beside(self, int candidate, double[::1] table, Py_ssize_t to)
    @cython.locals(
        part=int, written=double, sentences=double, items=double, short=double, headlines=double, leaf=int,
        size=double, node=int, above=int, count=double,
    )
    cdef _write_text(self, int candidate, double[::1] table, Py_ssize_t to)
    @cython.locals(flags=int, number=int, bit=int, own=int, other=int)
    cdef _write_names(self, int candidate, double[::1] table, Py_ssize_t to)

@cython.locals(box='double[::1]', is_left_alike=bint, is_right_alike=bint, shared=double, gap=double)
cdef bint _is_in_line(PartTable page_parts, int candidate, int other) noexcept
