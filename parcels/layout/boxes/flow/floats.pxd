cimport cython

cdef double inf

cdef class Floats:
    cdef readonly bint is_empty
    cdef double top, left_bottom, right_bottom
    cdef list left_from, left_edge, right_from, right_edge
    cdef void open(self)
    cdef (double, double) room(self, double y, double height)
    @cython.locals(left=Py_ssize_t, right=Py_ssize_t, below_left=double, below_right=double)
    cdef double next_step(self, double y)
    @cython.locals(left=double, right=double, free_left=double, free_right=double, below=double, x=double)
    cpdef (double, double) place(self, double y, double width, double height, double low, double high, bint is_right)
    cdef double cleared(self, int clear)

@cython.final
@cython.freelist(64)
@cython.no_gc
cdef class Origin:
    cdef Floats floats
    cdef double x, y
    cdef int depth

@cython.locals(origin=Origin)
cpdef Origin origin_at(Floats floats, double x, double y, int depth)

@cython.locals(n=Py_ssize_t, edge=double, below=double, step=double)
cdef double _edge(list starts, list edges, double y, double height)
@cython.locals(first=Py_ssize_t, end=Py_ssize_t, n=Py_ssize_t, here=double)
cdef void _raise(list starts, list edges, double top, double bottom, double edge)
