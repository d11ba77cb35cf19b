cimport cython
from parcels.css.sheets.rules cimport Rule
from parcels.css.selectors.compound cimport Selector

cdef class ActiveSelector:
    cdef public Selector selector
    cdef public Rule rule
    cdef public frozenset own, ancestor_names
    cdef public int layer, number
    cdef public unsigned long long ancestor_bits, own_bits

cdef class StyleGroup:
    cdef list candidates
    cdef dict variants
    cdef int context, style

cdef unsigned long long _ONE
@cython.locals(bits=cython.ulonglong)
cpdef unsigned long long bloom_bits(object names)

@cython.locals(active=ActiveSelector)
cpdef ActiveSelector new_active_selector(Selector selector, frozenset own, Rule rule, int layer)

@cython.locals(group=StyleGroup)
cpdef StyleGroup new_style_group(list candidates)

cpdef int by_layer(ActiveSelector active)
