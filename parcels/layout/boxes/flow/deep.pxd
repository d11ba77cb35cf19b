cimport cython

from parcels.layout.boxes.flow cimport sizes
from parcels.layout.boxes.flow.box_tree cimport Screen

cdef int REPLACED, _NONE, _BLOCK
cdef double nan

@cython.locals(leaf=int, node=int, first=int, below=int, wide=double, high=double, down=double)
cdef double stack(Screen s, int row, double width)
