cimport cython

from parcels.layout.boxes.flow.box_tree cimport BoxTree

cdef int _NONE, _INLINE, _BLOCK, _LIST_ITEM, _CONTENTS, _STATIC, _ABSOLUTE, _FIXED, _AUTO, _PX, BOX
cdef double MAX_PX
cdef float _LINE_EM, _BOLD_FROM, _ALIKE, _MAX_FONT, _MAX_LINE
cdef const unsigned char[::1] _IS_ITEM_BOX, _IS_INLINE_LEVEL, _IS_ROOT, _IS_PART, _IS_TABLE_PART, _IS_BLOCK_LEVEL
cdef const unsigned char[::1] _SPACED_BY_TAG
cdef const signed char[::1] _BLOCKIFIED, _KIND_OF_TAG
cdef const double[::1] _ASCENTS, _DESCENTS, _BLANKS, _GAPS

@cython.locals(kinds=_Kinds)
cpdef fill(BoxTree t)

@cython.final
cdef class _Kinds:
    cdef BoxTree t
    cdef signed char[::1] has_box, is_flow, was_inline, is_out
    cdef bint has_contents

    @cython.locals(
        t=BoxTree, shown="const signed char[::1]", floats="const signed char[::1]", row=int, above=int, tag=int,
        own=int, is_item=bint, is_absolute=bint,
    )
    cdef find_displays(self)
    @cython.locals(t=BoxTree, row=int, above=int, over=int, display=int)
    cdef open_inline(self)
    @cython.locals(t=BoxTree, row=int, display=int, is_bfc_root=bint, has_items=bint)
    cdef find_kinds(self)
    @cython.locals(t=BoxTree, spacing="const float[::1]", is_fixed="const signed char[::1]", centres="const signed char[::1]", row=int)
    cdef read_tables(self)
    @cython.locals(
        t=BoxTree, home=cython.int[::1], filled=cython.int[::1], opened="const int[::1]", order="const int[::1]",
        row=int, leaf=int, owner=int, n=int, count=int, leaves=int, is_ordered=bint, kinds=list,
    )
    cdef read_children(self)

cdef double _bounded(double number) noexcept
cdef float _within(float number, float most) noexcept
cdef tuple _four(sides)
@cython.locals(count=int, side=int, row=int)
cdef _read_lengths(BoxTree t, signed char[::1] is_flow)
@cython.locals(number="const float[::1]", unit="const signed char[::1]", row=int, value=double)
cdef _read_margin(BoxTree t, length, int at)
@cython.locals(number="const float[::1]", row=int, value=double)
cdef _read_border(BoxTree t, length, int at)
@cython.locals(number="const float[::1]", unit="const signed char[::1]", row=int, value=double, behind=int)
cdef _read_padding(BoxTree t, length, int at)
@cython.locals(number="const float[::1]", unit="const signed char[::1]", row=int)
cdef _read_offset(BoxTree t, length, int at)
@cython.locals(number="const float[::1]", unit="const signed char[::1]", row=int)
cdef _read_size(BoxTree t, length, double[::1] column, bint is_least)
@cython.locals(
    families="const short[::1]", weights="const float[::1]", sizes="const float[::1]", lines="const float[::1]",
    faces="const signed char[::1]", most=int, row=int, family=int, face=int, size=float, line=float, gap=float,
    rise=double, fall=double, high=double, lead=double,
)
cdef _read_fonts(BoxTree t)
@cython.locals(indents="const float[::1]", row=int)
cdef _read_indents(BoxTree t)
@cython.locals(
    spacings="const float[::1]", is_upper="const signed char[::1]", faces="signed char[::1]", fonts="double[:, ::1]",
    leaf=int, node=int, has_upper=bint, texts=list,
)
cdef _measure_texts(BoxTree t)
