cimport cython
from parcels.css.scan_fast cimport pairs

cdef class _Declared:
    cdef dict values
    cdef int count
    @cython.locals(known=dict)
    cdef dict find(self, str name, str text)

cdef _Declared _DECLARED

@cython.no_gc
cdef class Block:
    cdef public dict normal, important

@cython.locals(
    normal=dict, important=dict, name=str, value=str, word=str, is_important=bint, values=dict
)
cdef _read(Block made, str text, bint is_quirky)
cdef str _with_px(str name, str value)
