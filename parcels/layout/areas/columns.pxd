# The C types of columns.py.
cimport cython
from libc cimport math

from parcels.layout cimport column_pointers as columns
from parcels.layout.areas.ground cimport Ground

cdef double COLUMN_SHARE, LEFT_SHARE, OUTER_SHARE, MIN_PX, LEAF_WEIGHT, EDGE_SHARE, TALL_PX, RUN_EDGE, RUN_GAP_PX
cdef double LEVEL_SHARE
cdef int MIN_LEAVES, MAX_NARROW, SHORT_LINK, LONG_LINK, COLUMN_WIDTH, _PLAIN_COUNT, _LEFT_NAME, _RIGHT_NAME, _SIDE_NAME
cdef list _PLAIN_BITS
cdef bytes _IS_ITEM

cdef class Sides:
    cdef Ground ground
    cdef list keep
    cdef int count
    cdef double total
    cdef int* part  # of each candidate
    cdef int* is_right
    cdef int* of_leaf
    @cython.locals(leaf=int)
    cdef _add_up(self)
    @cython.locals(
        box='double*', narrow='int*', found=int, least=int, room=int, one=int, part=int, size=int, at=int,
        number='int*', middle=double, leaf=int,
    )
    cdef _find_candidates(self)
    @cython.locals(runs='double*', one=int, row=cython.Py_ssize_t)
    cdef write(self, double* table)
    @cython.locals(
        box='double*', at=int, part=int, is_right=bint, wide=double, high=double, from_edge=double, low=double,
    )
    cdef _write_shape(self, int one, double* table, Py_ssize_t row)
    @cython.locals(
        count=int, box='double*', part='int*', run='int*', tops='double*', bottoms='double*', found='double*', one=int,
        other=int, joined=int, kept=int, member=int,
    )
    cdef double* _runs(self) except NULL
    @cython.locals(
        box='double*', parent='int*', last='int*', inside=int, own=int, is_right=bint, left=double, top=double,
        right=double, bottom=double, width=double, widest=double, around=int, sibling=int, at=int, shared=double,
        is_level=bint, wide=double,
    )
    cdef _write_siblings(self, int one, double* table, Py_ssize_t to)
    @cython.locals(
        box='double*', own=int, left=double, top=double, right=double, bottom=double, is_right=bint, width=double,
        inner=double, text=double, level=double, widest=double, wider=double, outer=double, leaf=int, at=int,
        weight=double, is_before=bint, is_behind=bint, wide=double,
    )
    cdef _write_beside(self, int one, double* table, Py_ssize_t to)
    @cython.locals(
        part=int, written=double, sentences=double, items=double, short=double, headlines=double, leaf=int,
        size=double, node=int, above=int, count=double,
    )
    cdef _write_text(self, int one, double* table, Py_ssize_t to)
    @cython.locals(flags=int, number=int, bit=int, own=int, other=int)
    cdef _write_names(self, int one, double* table, Py_ssize_t to)

@cython.locals(is_left_alike=bint, is_right_alike=bint, shared=double, gap=double)
cdef bint _is_in_line(double* box, int one, int other) noexcept
