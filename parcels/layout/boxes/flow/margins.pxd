cimport cython

from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef int BREAK, REPLACED, _INLINE

cpdef double collapsed(double one, double other)
@cython.locals(n=int, row=int, first=int, below=int)
cdef void collapse_top_margins(BoxTree t)
@cython.locals(n=int, child=int, kind=int)
cdef int _first_block(BoxTree t, int row)
@cython.locals(n=int, child=int, first=int, end=int)
cdef bint contains_floats(BoxTree t, int row)
