# The C types of features.py.
cimport cython
from libc cimport math

from parcels.layout.areas.part_table cimport PartTable
from parcels.layout.areas.notices cimport find_notices
from parcels.layout.boxes.column_store cimport ColumnStore

cdef double STRIP_SHARE, STRIP_PX
cdef int _FOOTER, _FLAG_COUNT, _PAIR_COUNT, LEAF_WIDTH, _SHORT
cdef bytes _FIRSTS, _SECONDS

cdef class LeafEvidence:
    cdef PartTable page_parts
    cdef list has_rights, is_legal
    cdef double texts_from, texts_to
    cdef int[::1] footer  # of each part
    cdef double[::1] first  # of each leaf, as all below
    cdef double[::1] early
    cdef int[::1] of_leaf
    cdef double[::1] strips
    cdef _find_notices(self)
    @cython.locals(part=int, footers='int[::1]', store=ColumnStore)
    cdef _find_footers(self)
    @cython.locals(count=int, leaf=int, store=ColumnStore)
    cdef _find_ends(self)
    @cython.locals(leaf=int, total=double, letters=double)
    cdef _find_edges(self)
    @cython.locals(
        height=double, around='double[::1]', parts=int, legal='int[::1]', linked='int[::1]', leaf=int, part=int, chosen='int[::1]',
        count=int, strips='double[::1]', number=int, at=int, top=double, bottom=double, up=double,
        store=ColumnStore,
    )
    cdef _find_strips(self)
    @cython.locals(
        height=double, count=int, box='double[::1]', around='double[::1]', prose='double[::1]', total=double, leaf=int,
        has_long=bint, late=int, so_far=double, row=cython.Py_ssize_t, part=int, top=double, bottom=double, holder=int,
        up=double, lowest=double, before=double, after=double, strip=int, at=int, flags=int, own=cython.Py_ssize_t,
    )
    cdef write(self, double[::1] table)

@cython.locals(so_far=double, place=double, letters=double, reached=double)
cdef double _reached(list places, double share) except? -1
