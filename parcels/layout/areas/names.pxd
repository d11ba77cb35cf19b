# The C types of names.py.
cimport cython

from parcels.layout.areas.part_table cimport PartTable

cdef int _OF_WRAPPER, _IN_ARTICLE, _OF_HEADER, _INNER_HEADER, _OF_FOOTER, _INNER_FOOTER, _OF_CONTENT, _PART_OF_CONTENT
cdef int _AD, _BANNER
cdef double WRAPPER_SHARE
cdef list _OF_TAG
cdef bytes _IS_PHRASE
cdef dict _flags_by_name, _ROLES

@cython.locals(flags=object)
cdef int _cached_flags(str name) except -1
@cython.locals(flags=int, name=str)
cpdef int own_flags(dict attributes, int tag) except -1
@cython.locals(attributes=list, part=int, flags=int, holder=int, row=int, inherited=int, all_flags='int[::1]')
cpdef find_flags(PartTable page_parts)
