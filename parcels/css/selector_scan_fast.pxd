from parcels.css.names_fast cimport Names

cpdef bint has_seen(str text, Names seen) except -1
cpdef int fate(str selectors, Names seen) except -1
cpdef Py_ssize_t plain_start(str text) except -2
cpdef tuple plain_parts(str text, Names seen)
cpdef int likelihood(str text, Names seen, frozenset never, frozenset known) except -1
cpdef tuple plain_compounds(str text)
cpdef list selector_list(str text)
