cimport cython

from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef int REPLACED, _NONE, _BLOCK
cdef double nan

@cython.locals(leaf=int, node=int, first=int, below=int, wide=double, high=double, down=double)
cdef double stack(BoxTree t, int row, double width)
