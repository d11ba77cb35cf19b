cimport cython
from parcels.css.compute cimport Computer

cdef int _DISPLAY, INHERITED_COUNT

cdef class Contexts:
    cdef public list style, heritage, names, bits, cell, in_list, is_hidden
    cdef public bint counts_levels
    cdef list _structure, _is_plain
    cdef tuple _inherited
    cdef object _packed
    cdef double[::1] _numbers  # what _packed holds
    cdef dict _known, _structures, _heritages, _heritage_of
    cpdef int add(
        self, int above, int style, Computer computer, frozenset names, unsigned long long bits, tuple answers,
        object cell, bint in_list
    )
    @cython.locals(cells="double[::1]", made="double[::1]", row=int, column=int, place=int)
    cdef int _heritage(self, int style, Computer computer)
    cdef int _structure_of(self, int above, frozenset names, tuple answers)
