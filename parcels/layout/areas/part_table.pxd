# The C types of page_parts.py.
cimport cython

from parcels.layout.boxes.column_store cimport ColumnStore


cdef double NAN
cdef int _COLUMNS

cdef class PartTable:
    cdef readonly object page
    cdef list kinds, texts
    cdef ColumnStore store
    cdef readonly int count, leaf_count, part_count, holder_count
    cdef readonly double height

    # Of each node.
    cdef const int[::1] node_first
    cdef const int[::1] node_end
    cdef const int[::1] node_parent
    cdef const int[::1] node_last
    cdef const short[::1] node_tag

    # Of each element that holds leaves: its row, part by part.
    cdef int[::1] holder

    # Of each part: its first holder, its outermost row, the part around it, the last of its subtree, its leaves.
    cdef int[::1] first_holder
    cdef int[::1] row
    cdef int[::1] parent
    cdef int[::1] last
    cdef int[::1] first
    cdef int[::1] end
    cdef int[::1] flags  # see `names`
    cdef double[::1] rectangle
    cdef double[::1] share
    cdef double[::1] density

    # Of each leaf.
    cdef const int[::1] leaf_node
    cdef int[::1] of_leaf
    cdef const signed char[::1] is_link
    cdef double[::1] box
    cdef double[::1] is_text
    cdef double[::1] letters
    cdef double[::1] linked
    cdef double[::1] prose

    @cython.locals(count=int, at=int, up=int, outer=int, held=int, parts=int, part=int, leaf=int, part_of='int[::1]', store=ColumnStore)
    cdef _find_parts(self)
    cpdef read_layout(self, layout, int least)
    @cython.locals(
        count=int, leaf=int, at=int, start=double, stop=double, lowest=double, extent=double, right=double,
        bottom=double, box='const double[::1]', edges='double[::1]', store=ColumnStore,
    )
    cdef _find_shares(self, places, tuple hidden, double width, double height)
    @cython.locals(leaf=int, part=int, at=int, box='double[::1]', rectangles='double[::1]', store=ColumnStore)
    cdef _find_rectangles(self)
    cdef void _widen(self, int at, double left, double top, double right, double bottom) noexcept
    @cython.locals(
        count=int, parts=int, leaf=int, part=int, up=int, size=cython.Py_ssize_t, linked='double[::1]', letters='double[::1]',
        store=ColumnStore,
    )
    cdef _find_text(self, int least)
    @cython.locals(box='double[::1]', low=int, high=int, count=int, part=int, leaf=int)
    cdef int outermost(self, double most, bint is_across, int[::1] chosen, int[::1] of_leaf) noexcept
    cpdef reals(self, str name)
    cpdef dict part_arrays(self)
