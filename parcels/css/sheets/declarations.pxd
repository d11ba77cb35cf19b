cimport cython
from parcels.css.sheets.packed cimport Packed
from parcels.css.sheets.scan cimport pairs

cdef class _Declared:
    cdef dict values
    cdef int count
    @cython.locals(known=dict, found=Packed, values=dict)
    cdef Packed find(self, str name, str text)

cdef _Declared _DECLARED

cdef class Block:
    cdef public list normal, important

@cython.locals(
    normal=list, important=list, own=dict, own_important=dict, name=str, value=str, word=str, is_important=bint,
    found=Packed
)
cpdef Block block(str text, bint is_quirky=*)
cdef str _with_px(str name, str value)
