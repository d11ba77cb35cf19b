cimport cython
from libc cimport math

cdef class Tallies:
    cdef public dict seen
    cdef public double pages, good
    cdef double _good, _bad, _usual
    cpdef object ready(self)
    cpdef tuple of(self, tuple keys)
    @cython.locals(counts=list, pages=double, good=double)
    cpdef double _difference(self, object key)
