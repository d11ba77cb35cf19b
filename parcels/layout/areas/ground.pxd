# The C types of ground.py.
cimport cython

from parcels.layout cimport column_pointers as columns

cdef double NAN

cdef class Ground:
    cdef readonly object page
    cdef list keep, kinds, texts
    cdef readonly int count, leaf_count, part_count, holder_count
    cdef readonly double height

    # Of each node.
    cdef int* node_first
    cdef int* node_end
    cdef int* node_parent
    cdef int* node_last
    cdef short* node_tag

    # Of each element that holds leaves: its row, part by part.
    cdef int* holder

    # Of each part: its first holder, its outermost row, the part around it, the last of its subtree, its leaves.
    cdef int* first_holder
    cdef int* row
    cdef int* parent
    cdef int* last
    cdef int* first
    cdef int* end
    cdef int* flags  # see `names`
    cdef double* rectangle
    cdef double* share
    cdef double* density

    # Of each leaf.
    cdef int* leaf_node
    cdef int* of_leaf
    cdef signed char* is_link
    cdef double* box
    cdef double* is_text
    cdef double* letters
    cdef double* linked
    cdef double* prose

    @cython.locals(count=int, at=int, up=int, outer=int, held=int, parts=int, part=int, leaf=int, part_of='int*')
    cdef _find_parts(self)
    cpdef look_at(self, layout, int least)
    @cython.locals(
        count=int, leaf=int, at=int, start=double, stop=double, lowest=double, extent=double, right=double,
        bottom=double, box='double*', found='double*',
    )
    cdef _find_shares(self, places, tuple hidden, double width, double height)
    @cython.locals(leaf=int, part=int, at=int, box='double*', found='double*')
    cdef _find_rectangles(self)
    cdef void _widen(self, int at, double left, double top, double right, double bottom) noexcept
    @cython.locals(
        count=int, parts=int, leaf=int, part=int, up=int, size=cython.Py_ssize_t, linked='double*', letters='double*'
    )
    cdef _find_text(self, int least)
    @cython.locals(box='double*', low=int, high=int, count=int, part=int, leaf=int)
    cdef int outermost(self, double most, bint is_across, int* chosen, int* of_leaf) noexcept
    cpdef reals(self, str name)
    cpdef dict part_table(self)
