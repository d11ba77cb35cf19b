cimport cython
from parcels.css.selectors.names cimport Names
from parcels.css.sheets.declarations cimport Block, parse_block
from parcels.css.selectors.keys cimport keys_and_selector, needed_names
from parcels.css.selectors.parser cimport selector
from parcels.css.selectors.scan cimport classify_list, classify_selector, selector_list
from parcels.css.selectors.compound cimport Selector, plain_selector

cdef class Rule:
    cdef Block _block
    cdef public bint is_quirky
    cdef public str layer, text
    cdef public int order
    cpdef Block read(self)

cdef dict _blocks
@cython.locals(known=Block)
cdef Block _cached_block(str text, bint is_quirky)

cdef class SelectorEntry:
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
    @cython.locals(rule=Rule)
    cpdef Rule rule(self, int order)
    @cython.locals(entry=SelectorEntry, key=str)
    cpdef list selectors(self, Names page_names)
    @cython.locals(order=int, selectors=str, verdict=int, compiled=Selector, text=str, key=str)
    cdef list _scan_rules(self, Names page_names)

@cython.locals(matching=list, text=str, verdict=int, compiled=Selector, keys=tuple, key=str, entry=SelectorEntry)
cdef list _possible_selectors(str selectors, Names page_names)
cdef list _keyed_entries(str selectors, int order)
cdef tuple _entry(str text, int order)
