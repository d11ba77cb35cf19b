cimport cython

from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef double nan
cdef int REPLACED, _STRETCHED_WITHIN, _FLEX, _INLINE_FLEX, _CENTRE, _END, _SPACE_BETWEEN, _SPACE_AROUND, _SPACE_EVENLY
cdef int _AUTO, _UNIT_AUTO, _COLUMN, _STRETCH

cpdef (double, double) spaced(int justify, double rest, int count)
@cython.locals(own=int)
cdef int alignment(BoxTree t, int row, int child)
@cython.locals(n=int, child=int, align=int, justify=int, more=double)
cdef void stretch(BoxTree t, int row, double height, int depth)
