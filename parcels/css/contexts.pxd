cimport cython
from parcels.css.compute cimport Computer
from parcels.maps cimport IntMap, pair_key

cdef int _DISPLAY, INHERITED_COUNT

cdef class Contexts:
    cdef public list style, heritage, names, bits, cell, in_list, is_hidden
    cdef public bint counts_levels
    cdef list _structure, _sight, _heritage_of
    cdef tuple _inherited
    cdef object _packed
    cdef double[::1] _numbers  # what _packed holds
    cdef IntMap _known, _pairs, _structures
    cdef dict _cells, _heritages
    @cython.locals(heritage=int, structure=int, pair=int, rest=int, number=int)
    cpdef int add(
        self, int above, int style, Computer computer, int sight, frozenset names, unsigned long long bits,
        object cell, bint in_list
    )
    @cython.locals(cells="double[::1]", made="double[::1]", row=int, column=int, place=int, known=int)
    cdef int _heritage(self, int style, Computer computer)
    @cython.locals(structure=int)
    cdef int _structure_of(self, int above, int sight)
