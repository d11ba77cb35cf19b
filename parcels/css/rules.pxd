cimport cython
from parcels.css.selectors cimport Selector

from parcels.css.declarations cimport Block

@cython.no_gc
cdef class Rule:
    cdef Block _block
    cdef public bint is_quirky
    cdef public str layer, text
    cdef public int order

@cython.no_gc
cdef class Entry:
    cdef frozenset _names
    cdef Selector _selector
    cdef public str text
    cdef public int order

cdef class Sheet:
    cdef public bint is_quirky
    cdef public list rules, imports
    cdef list _texts
    cdef dict _made
    cdef public dict layers, left_out
    cdef bint _is_used
    cdef object _index
    cpdef add(self, str selectors, str text, str layer)
    cpdef Rule rule(self, int order)
    cpdef list selectors(self, set seen)
    @cython.locals(order=int, selectors=str, what=int, made=Selector, text=str, entry=Entry, key=str)
    cdef list _looked_through(self, set seen)

