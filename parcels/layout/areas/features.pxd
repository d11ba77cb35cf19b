# The C types of features.py.
cimport cython
from libc cimport math

from parcels.layout cimport column_pointers as columns
from parcels.layout.areas.ground cimport Ground
from parcels.layout.areas.notices cimport sweep_notices

cdef double STRIP_SHARE, STRIP_PX
cdef int _FOOTER, _FLAG_COUNT, _PAIR_COUNT, LEAF_WIDTH, _SHORT
cdef bytes _FIRSTS, _SECONDS

cdef class Frame:
    cdef Ground ground
    cdef list keep, has_rights, is_legal
    cdef double texts_from, texts_to
    cdef int* footer  # of each part
    cdef double* first  # of each leaf, as all below
    cdef double* early
    cdef int* of_leaf
    cdef double* strips
    cdef _find_notices(self)
    @cython.locals(part=int, found='int*')
    cdef _find_footers(self)
    @cython.locals(count=int, leaf=int)
    cdef _find_ends(self)
    @cython.locals(leaf=int, total=double, letters=double)
    cdef _find_edges(self)
    @cython.locals(
        height=double, around='double*', parts=int, legal='int*', linked='int*', leaf=int, part=int, chosen='int*',
        count=int, found='double*', number=int, at=int, top=double, bottom=double, up=double,
    )
    cdef _find_strips(self)
    @cython.locals(
        height=double, count=int, box='double*', around='double*', prose='double*', total=double, leaf=int,
        has_long=bint, late=int, so_far=double, row=cython.Py_ssize_t, part=int, top=double, bottom=double, holder=int,
        up=double, lowest=double, before=double, after=double, strip=int, at=int, flags=int, own=cython.Py_ssize_t,
    )
    cdef write(self, double* table)

@cython.locals(so_far=double, place=double, letters=double)
cdef double _reached(list places, double share) except? -1
