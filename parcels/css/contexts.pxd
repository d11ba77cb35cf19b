cimport cython
from parcels.css.compute cimport StyleComputer
from parcels.maps cimport IntMap, pair_key

cdef int _DISPLAY, INHERITED_COUNT

cdef class Contexts:
    cdef public list style, inherited, names, bits, cell, in_list, is_hidden
    cdef public bint has_nameless_levels
    cdef list _structure, _signatures, _number_of_style
    cdef tuple _extra_columns
    cdef object _packed
    cdef double[::1] _numbers  # what _packed holds
    cdef IntMap _known, _pairs, _structures
    cdef dict _cells, _inherited_numbers
    @cython.locals(inherited=int, structure=int, pair=int, rest=int, number=int)
    cpdef int add(
        self, int above, int style, StyleComputer computer, int signature, frozenset names, unsigned long long bits,
        object cell, bint in_list
    )
    @cython.locals(cells="double[::1]", values="double[::1]", row=int, column=int, place=int, known=int)
    cdef int _inherited_number(self, int style, StyleComputer computer)
    @cython.locals(structure=int)
    cdef int _structure_of(self, int above, int signature)
