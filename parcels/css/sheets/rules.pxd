cimport cython
from parcels.css.selectors.names cimport Names
from parcels.css.sheets.declarations cimport Block, block
from parcels.css.selectors.keys cimport keyed, needed_names
from parcels.css.selectors.parser cimport selector
from parcels.css.selectors.scan cimport fate, likelihood, selector_list
from parcels.css.selectors.compound cimport Selector, plain_selector

cdef class Rule:
    cdef Block _block
    cdef public bint is_quirky
    cdef public str layer, text
    cdef public int order
    cpdef Block read(self)

cdef dict _blocks
@cython.locals(known=Block)
cdef Block _block_of(str text, bint is_quirky)

cdef class Entry:
    cdef frozenset _names
    cdef Selector _selector
    cdef public str text
    cdef public int order
    cpdef frozenset names(self)
    cpdef Selector selector(self)

cdef class Sheet:
    cdef public bint is_quirky
    cdef public list rules, imports
    cdef list _texts
    cdef dict _made
    cdef public dict layers, left_out
    cdef bint _is_used
    cdef object _index
    cpdef add(self, str selectors, str text, str layer)
    @cython.locals(made=Rule)
    cpdef Rule rule(self, int order)
    @cython.locals(entry=Entry, key=str)
    cpdef list selectors(self, Names seen)
    @cython.locals(order=int, selectors=str, what=int, made=Selector, text=str, key=str)
    cdef list _looked_through(self, Names seen)

@cython.locals(found=list, text=str, what=int, compiled=Selector, keys=tuple, key=str, entry=Entry)
cdef list _likely(str selectors, Names seen)
cdef list _keyed(str selectors, int order)
cdef tuple _entry(str text, int order)
