cimport cython
from parcels.topics.links cimport addresses

cdef class LinkRow:
    cdef public tuple dense, keys, marks

@cython.locals(one=int, highest_mark=int)
cdef int highest(tuple marks)

cdef class LinkReader:
    cdef public dict odds, anchors, headings, addresses, around, marks, shapes, where, looks
    @cython.locals(groups=dict, marks=dict, anchor=tuple, address=tuple, heading=tuple, around=tuple, all_marks=tuple, link_rows=list, shape=tuple, kind=tuple, around_odds=double, left=int)
    cpdef list rows(self, object places, str source, object source_odds)
    @cython.locals(total=double)
    cpdef double spoken(self, tuple words)
    cpdef tuple anchor(self, tuple words)
    cpdef tuple heading(self, tuple words)
    cpdef tuple address(self, str url)
    cpdef object marked(self, str name)
    cpdef tuple said_around(self, str word)
    cpdef tuple shaped(self, tuple shape)
    cpdef tuple placed(self, object place, object source_odds)

cdef object keep(dict known, object name, object value)
cpdef tuple look_of(object place, object source_odds)
