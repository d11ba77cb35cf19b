cdef class Floats:
    cdef public bint is_empty
    cdef public double top, left_bottom, right_bottom
    cdef public list left_from, left_edge, right_from, right_edge
    cpdef tuple room(self, double y, double height)
    cpdef double next_step(self, double y)
    cpdef double cleared(self, int clear)

cdef double _edge(list starts, list edges, double y, double height)
