cimport cython

cdef int _FONT_SIZE, _COLOUR, _BACKGROUND, _DISPLAY, _FLOAT, _POSITION, _OPACITY, _OPACITY_ABOVE, _UNDERLINE
cdef int _DECORATION, _FAMILY, _WEIGHT, _MONOSPACE, _TEXT_ALIGN, _TEXT_BLOCK, _VERTICAL
cdef double _ROW_GROUP, _CENTRE

cdef class Computer:
    cdef public double width, height, rem
    cdef public list rows, custom
    cdef public dict objects, families
    cdef dict _expanded
    @cython.locals(row=double[::1], parent=double[::1], late=dict, own=dict, number=int)
    cpdef int add(self, int above, dict specified, dict by_default)
    cdef _substitute(self, dict late, object custom, dict by_default)
    @cython.locals(size=double, rem=double)
    cdef _resolve(self, double[::1] row, double[::1] parent, dict late, int number, bint is_root)
    cdef _set_font_size(self, double[::1] row, double[::1] parent, object value, bint is_root)
    cdef double _family(self, str name)

@cython.locals(opacity=double, display=double)
cdef _settle(double[::1] row, double[::1] parent, dict specified, bint is_root)
cdef double _relative_weight(double above, bint is_bolder)
