cimport cython

from parcels.layout cimport column_pointers as columns

cdef int BOX
cdef double MOST_PX, nan
cdef int _UNITS_AUTO, _PERCENT

cdef class Screen

cdef class Lay:
    cdef double lay(self, Screen s, int row, double width, double holder_height, int depth, double height) except? -1

cdef class Screen:
    cdef public object page, styles
    cdef public object elements
    cdef public list attributes, texts, node_texts, node_tails
    cdef signed char* is_after_blank
    cdef list keep
    cdef object wide, high
    cdef public list empties, absolutes
    cdef public dict grids, raw
    cdef Lay layer
    cdef double width
    cdef int count, leaf_count, flow_count, fragment_count, fragment_room
    cdef bint has_indent

    # Of each node.
    cdef int* parent
    cdef int* last
    cdef int* first_leaf
    cdef int* end_leaf
    cdef int* tag
    cdef int* flow_row
    cdef int* kid
    cdef int* first_kid
    cdef int* place
    cdef int* owner
    cdef int* across
    cdef int* down
    cdef int* made_before
    cdef signed char* kind
    cdef signed char* display
    cdef signed char* position
    cdef signed char* float_
    cdef signed char* clear
    cdef signed char* column_count
    cdef signed char* aligned
    cdef signed char* direction
    cdef signed char* justify
    cdef signed char* align_items
    cdef signed char* align_self
    cdef signed char* basis_unit
    cdef signed char* odd_units
    cdef signed char* width_unit
    cdef signed char* height_unit
    cdef signed char* min_width_unit
    cdef signed char* min_height_unit
    cdef signed char* max_width_unit
    cdef signed char* max_height_unit
    cdef signed char* face
    cdef signed char* text_align
    cdef signed char* white_space
    cdef signed char* vertical_align
    cdef signed char* is_block_by_tag
    cdef signed char* is_spaced_by_tag
    cdef signed char* is_inline
    cdef signed char* is_absolute
    cdef signed char* is_root
    cdef signed char* is_placed
    cdef signed char* is_cell_holder
    cdef signed char* is_fixed_table
    cdef signed char* is_wrapping
    cdef signed char* is_hiding
    cdef signed char* is_odd
    cdef signed char* is_sized
    cdef signed char* is_plain
    cdef signed char* is_border_box
    cdef double* spacing
    cdef double* grow
    cdef double* shrink
    cdef double* basis
    cdef double* order
    cdef double* column_gap
    cdef double* row_gap
    cdef double* margin_top
    cdef double* margin_right
    cdef double* margin_bottom
    cdef double* margin_left
    cdef double* top
    cdef double* right
    cdef double* bottom
    cdef double* left
    cdef double* odd_numbers
    cdef double* borders
    cdef double* offsets
    cdef signed char* offset_units
    cdef double* width_number
    cdef double* height_number
    cdef double* min_width
    cdef double* min_height
    cdef double* max_width
    cdef double* max_height
    cdef double* font_size
    cdef double* above
    cdef double* under
    cdef double* rise
    cdef double* letters
    cdef double* line_height
    cdef double* indent
    cdef double* x
    cdef double* y
    cdef double* w
    cdef double* h
    cdef double* moved_y
    cdef double* natural
    cdef double* below
    cdef double* baseline
    cdef double* least
    cdef double* most
    cdef double* own_width
    cdef double* own_height
    cdef double* own_ratio
    cdef double* tops

    # Of each leaf.
    cdef int* leaf_node
    cdef int* leaf_in
    cdef int* first_word
    cdef signed char* is_spaced
    cdef signed char* is_text
    cdef double* leaf_left
    cdef double* leaf_top
    cdef double* leaf_right
    cdef double* leaf_bottom
    cdef double* total
    cdef double* widest
    cdef double* blank

    # Of each unbreakable part of a text, and of each piece of the lines that are being set.
    cdef double* starts
    cdef double* ends
    cdef int* fragment_item
    cdef double* fragment_x
    cdef double* fragment_end
    cdef double* fragment_rise
    cdef double* fragment_height

    cdef _make_boxes(self, page)
    @cython.locals(n=int)
    cdef _make_room(self, int room)
    @cython.locals(n=int)
    cdef void add_fragment(self, int item, double x, double end, double rise, double height)
    @cython.locals(over=int)
    cdef _read_kinds(self, page, styles)
    cdef _read_tables(self, styles)
    cdef _read_items(self, styles, bint has_items)
    cdef _read_lengths(self, styles, is_plain)
    cdef _read_text(self, page, styles)
    cdef _read_children(self, page, has_box, home)
    @cython.locals(share=double)
    cdef void settle(self, int row, double holder)
    @cython.locals(at=int)
    cdef double _settled(self, int side, int row, double share, double pixels)
    cdef bint has_auto_margin(self, int row, int side)
