cimport cython
from parcels.css.sheets.packed cimport PackedValues

cdef int _FONT_SIZE, _COLOUR, _BACKGROUND, _DISPLAY, _FLOAT, _POSITION, _OPACITY, _OPACITY_ABOVE, _UNDERLINE
cdef int _DECORATION, _FAMILY, _WEIGHT, _MONOSPACE, _TEXT_ALIGN, _TEXT_BLOCK, _VERTICAL, _CUSTOM
cdef int WIDTH, INHERITED_COUNT
cdef double MAX_PX
cdef double _ROW_GROUP, _CENTRE, _ABSOLUTE, _FIXED, _FIRST_OF_ITEMS, _LAST_OF_ITEMS
cdef double[::1] _BLOCKIFIED
cdef bytes _IS_ATOM

cdef class StyleComputer:
    cdef public double width, height, rem
    cdef public int count
    cdef public double[::1] cells  # what _room holds
    cdef object _room
    cdef public list customs
    cdef public dict objects, families
    cdef unsigned char[::1] _is_deferred
    cdef dict _custom_sets, _expanded
    cpdef int at(self, int style)
    @cython.locals(
        cells="double[::1]", row=int, parent=int, column=int, deferred=dict, own=dict, number=int,
        packed=PackedValues, has_absolute_size=bint, is_deferred="unsigned char[::1]", place=int
    )
    cpdef int add(self, int parent_style, list layers, PackedValues ua_values)
    cdef _grow(self)
    cdef int _custom_set_number(self, int inherited, dict own) except -1
    cdef _substitute(self, dict deferred, int custom, PackedValues ua_values)
    @cython.locals(cells="double[::1]", column=int, size=double, rem=double)
    cdef _resolve(self, int row, int parent, dict deferred, int number)
    @cython.locals(
        px=double, per_em=double, per_rem=double, per_vw=double, per_vh=double, total=double
    )
    cdef double _px(self, tuple terms, double em, double rem) except? -1
    @cython.locals(cells="double[::1]", above=double, rem=double)
    cdef _set_font_size(self, int row, int parent, object value)
    cdef double _family(self, str name)
    @cython.locals(
        cells="double[::1]", size=double, opacity=double, display=int, position=double, around=double, is_absolute=bint
    )
    cdef _adjust(self, int row, int parent, bint has_absolute_size)

cdef double _relative_weight(double above, bint is_bolder)
