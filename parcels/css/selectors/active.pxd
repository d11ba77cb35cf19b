cimport cython
from parcels.css.sheets.rules cimport Rule
from parcels.css.selectors.compound cimport Selector

cdef class Active:
    cdef public Selector selector
    cdef public Rule rule
    cdef public frozenset own, above
    cdef public int layer, number
    cdef public unsigned long long above_bits, own_bits

cdef class Look:
    cdef list candidates
    cdef dict made
    cdef int context, style

cdef unsigned long long _ONE
@cython.locals(made=cython.ulonglong)
cpdef unsigned long long bits_of(object names)

@cython.locals(made=Active)
cpdef Active active_of(Selector selector, frozenset own, Rule rule, int layer)

@cython.locals(made=Look)
cpdef Look look_of(list candidates)

cpdef int by_layer(Active active)
