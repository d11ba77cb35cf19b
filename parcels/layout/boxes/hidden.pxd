cimport cython

cdef tuple REASONS
cdef float MIN_VISIBLE_PX, MIN_FONT_PX, MIN_OPACITY, OPAQUE
cdef int ALIKE, MAX_COVERS, WHITE
cdef unsigned int ALPHA_OPAQUE
cdef const unsigned char[::1] _IS_PICTURE, _CUTS_NOTHING
cdef int _SHOWN, _DISPLAY, _VISIBILITY, _SIZE, _OFF_SCREEN, _COLOUR, _COVERED, _CUT, _UNKNOWN
cdef int _NONE, _PX, _STATIC, _RELATIVE, _ABSOLUTE, _FIXED


cdef class _LeafTable:
    cdef int count, leaf_count
    cdef list kinds
    # Of each node.
    cdef const short[::1] tag
    cdef const int[::1] parent, last, first_leaf, end_leaf
    cdef const signed char[::1] display, position, width_unit, height_unit
    cdef const unsigned char[::1] is_visible, is_clipped, hides_overflow, has_picture
    cdef const float[::1] z_index, opacity, font_size
    cdef const unsigned int[::1] colour, background
    cdef const float[:, ::1] nodes
    # Of each leaf.
    cdef const int[::1] node
    cdef signed char[::1] reasons
    cdef float[:, ::1] boxes

    @cython.locals(leaf=int, node=int, side=int, number=float)
    cdef read_boxes(self, const float[:, ::1] boxes)
    @cython.locals(is_out=cython.uchar[::1], row=int, leaf=int)
    cdef mark_cut_off(self)
    cdef _mark_cut(self, int leaf)
    @cython.locals(
        left=float, top=float, right=float, bottom=float, x=float, y=float, end_x=float, end_y=float, has_any=bint,
        leaf=int,
    )
    cdef _cut_by(self, int row, unsigned char[::1] is_out)
    @cython.locals(visited=int, free=int, over=int, leaf=int)
    cdef _release_absolute(self, int row, unsigned char[::1] is_out)
    @cython.locals(leaf=int, reason=int, wide=float, high=float, is_off=bint, is_tiny=bint)
    cdef mark_small_or_off_screen(self)
    @cython.locals(backdrop=cython.int[::1], leaf=int, node=int, ink=cython.uint)
    cdef mark_same_colour(self)
    @cython.locals(backdrop=cython.int[::1], row=int, alpha=cython.uint)
    cdef _backdrops(self)
    @cython.locals(row=int, position=int, level=float)
    cdef list covers(self)
    @cython.locals(leaf=int, names=list)
    cdef list names(self)
    @cython.locals(is_picture=bint)
    cdef bint _is_opaque(self, int row) except -1


@cython.locals(shift=int)
cdef bint _are_alike(int one, int other) noexcept
