cimport cython
from parcels.css cimport packed_fast
from parcels.css.scan_fast cimport pairs

cdef class _Declared:
    cdef dict values
    cdef int count
    @cython.locals(known=dict, found=packed_fast.Packed, values=dict)
    cdef packed_fast.Packed find(self, str name, str text)

cdef _Declared _DECLARED

@cython.no_gc
cdef class Block:
    cdef public list normal, important

@cython.locals(
    normal=list, important=list, own=dict, own_important=dict, name=str, value=str, word=str, is_important=bint,
    found=packed_fast.Packed
)
cpdef Block block(str text, bint is_quirky=*)
cdef str _with_px(str name, str value)
