cimport cython

from parcels.layout.boxes.flow.box_tree cimport Screen

cdef int BREAK, REPLACED, _INLINE

cpdef double collapsed(double one, double other)
@cython.locals(n=int, row=int, first=int, below=int)
cdef void find_tops(Screen s)
@cython.locals(n=int, kid=int, kind=int)
cdef int _first_block(Screen s, int row)
@cython.locals(n=int, kid=int, first=int, end=int)
cdef bint is_self_clearing(Screen s, int row)
