# The C types of partition.py.
cimport cython

from parcels.layout.areas.part_table cimport PartTable
from parcels.layout.boxes.column_store cimport ColumnStore

cdef int CENTRE, HEADER, AREA_COUNT, BAR_LEAVES
cdef double BAR_SHARE, BAR_PX, BAR_LINKS, BAR_GAP_PX

cpdef tuple partition(PartTable page_parts, gains, double price, double min_gain=*)
cpdef object areas_by_gains(PartTable page_parts, gains, double price, double min_gain)
@cython.locals(
    parts=int, leaves=int, parent='int[::1]', first='int[::1]', end='int[::1]', running='double[::1]', alone='double[::1]',
    alone_area='int[::1]', whole='double[::1]', whole_area='int[::1]', pieces='double[::1]', takes_whole='int[::1]', most='double[::1]',
    leaf=int, part=int, area=int, value=double, best=double, store=ColumnStore,
)
cdef tuple cut(PartTable page_parts, const double[::1] gain, double price, double min_gain)
@cython.locals(of_node='signed char[::1]', of_leaf='signed char[::1]', row=int, leaf=int, part=int, area=int)
cdef object area_map(PartTable page_parts, const double[::1] gain, double price, double min_gain)
@cython.locals(row=int, leaf=int)
cdef void _assign(PartTable page_parts, int part, int area, signed char[::1] of_node, signed char[::1] of_leaf) noexcept
@cython.locals(lowest=double, has_header=bint, leaf=int, bottom=double, top=double, part=int)
cdef _add_bars(PartTable page_parts, signed char[::1] of_node, signed char[::1] of_leaf)
@cython.locals(box='double[::1]', part=int, at=int)
cdef list _bars(PartTable page_parts, signed char[::1] of_node, double lowest)
@cython.locals(leaf=int, others=int)
cdef bint _is_centre(PartTable page_parts, int part, signed char[::1] of_leaf) noexcept
@cython.locals(leaf=int, row=int, most=int)
cdef _keep_centre(PartTable page_parts, signed char[::1] of_node, signed char[::1] of_leaf)
