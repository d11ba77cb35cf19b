# The C types of partition.py.
cimport cython

from parcels.layout cimport column_pointers as columns
from parcels.layout.areas.ground cimport Ground

cdef int CENTRE, HEADER, AREA_COUNT, BAR_LEAVES
cdef double BAR_SHARE, BAR_PX, BAR_LINKS, BAR_GAP_PX

cpdef tuple partition(Ground ground, gains, double price, double further=*)
cpdef object areas_by_gains(Ground ground, gains, double price, double further)
@cython.locals(
    parts=int, leaves=int, parent='int*', first='int*', end='int*', running='double*', alone='double*',
    alone_area='int*', whole='double*', whole_area='int*', pieces='double*', takes_whole='int*', most='double*',
    leaf=int, part=int, area=int, value=double, best=double,
)
cdef tuple cut(Ground ground, double* gain, double price, double further)
@cython.locals(of_node='signed char*', of_leaf='signed char*', row=int, leaf=int, part=int, area=int)
cdef object mapped(Ground ground, double* gain, double price, double further)
@cython.locals(row=int, leaf=int)
cdef void _paint(Ground ground, int part, int area, signed char* of_node, signed char* of_leaf) noexcept
@cython.locals(lowest=double, has_header=bint, leaf=int, bottom=double, top=double, part=int)
cdef _add_bars(Ground ground, signed char* of_node, signed char* of_leaf)
@cython.locals(box='double*', part=int, at=int)
cdef list _bars(Ground ground, signed char* of_node, double lowest)
@cython.locals(leaf=int, others=int)
cdef bint _is_centre(Ground ground, int part, signed char* of_leaf) noexcept
@cython.locals(leaf=int, row=int, most=int)
cdef _keep_centre(Ground ground, signed char* of_node, signed char* of_leaf)
