cimport cython
from parcels.css.sheets.packed cimport PackedValues
from parcels.css.sheets.scan cimport pairs

cdef class _DeclarationCache:
    cdef dict values
    cdef int count
    @cython.locals(by_text=dict, parsed=PackedValues, values=dict)
    cdef PackedValues find(self, str name, str text)

cdef _DeclarationCache _DECLARATIONS

cdef class Block:
    cdef public list normal, important

@cython.locals(
    normal=list, important=list, custom=dict, custom_important=dict, name=str, value=str, word=str, is_important=bint,
    parsed=PackedValues
)
cpdef Block parse_block(str text, bint is_quirky=*)
cdef str _with_px(str name, str value)
