cimport cython

@cython.no_gc
cdef class Block:
    cdef public dict normal, important

@cython.locals(
    normal=dict, important=dict, name=str, value=str, word=str, is_important=bint, values=dict
)
cdef _read(Block made, str text, bint is_quirky)
cdef str _with_px(str name, str value)
