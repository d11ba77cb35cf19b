cimport cython

from parcels.layout.boxes.column_store cimport ColumnStore

cdef double MAX_PX, nan
cdef int _UNITS_AUTO, _PERCENT, _COLUMNS, _FRAGMENTS

cdef class BoxTree

cdef class Layouter:
    cdef double lay(self, BoxTree t, int row, double width, double container_height, int depth, double height) except? -1

cdef class BoxTree:
    cdef public object page, styles
    cdef public object elements
    cdef public list attributes, texts, node_texts, node_tails
    cdef ColumnStore store
    cdef public list empty_inlines, absolute_boxes
    cdef public dict table_cells, original_texts
    cdef Layouter layouter
    cdef double width
    cdef int count, leaf_count, flow_count, fragment_count, fragment_room
    cdef bint has_indent

    # Of each node.
    cdef const signed char[::1] is_after_blank
    cdef double[::1] margins
    cdef double[::1] insets
    cdef const int[::1] parent
    cdef const int[::1] last
    cdef const int[::1] first_leaf
    cdef const int[::1] end_leaf
    cdef const short[::1] tag
    cdef int[::1] flow_row
    cdef int[::1] child
    cdef int[::1] first_child
    cdef int[::1] child_index
    cdef int[::1] parent_box
    cdef int[::1] x_container
    cdef int[::1] y_container
    cdef int[::1] made_before
    cdef signed char[::1] kind
    cdef signed char[::1] display
    cdef const signed char[::1] position
    cdef signed char[::1] float_
    cdef const signed char[::1] clear
    cdef const signed char[::1] column_count
    cdef signed char[::1] block_alignment
    cdef const signed char[::1] direction
    cdef const signed char[::1] justify
    cdef const signed char[::1] align_items
    cdef const signed char[::1] align_self
    cdef const signed char[::1] basis_unit
    cdef signed char[::1] edge_units
    cdef const signed char[::1] width_unit
    cdef const signed char[::1] height_unit
    cdef const signed char[::1] min_width_unit
    cdef const signed char[::1] min_height_unit
    cdef const signed char[::1] max_width_unit
    cdef const signed char[::1] max_height_unit
    cdef signed char[::1] face
    cdef const signed char[::1] text_align
    cdef const signed char[::1] white_space
    cdef const signed char[::1] vertical_align
    cdef signed char[::1] is_block_by_tag
    cdef signed char[::1] is_spaced_by_tag
    cdef signed char[::1] is_inline
    cdef signed char[::1] is_absolute
    cdef signed char[::1] is_bfc_root
    cdef signed char[::1] is_positioned
    cdef signed char[::1] is_anonymous_table
    cdef signed char[::1] is_fixed_table
    cdef const signed char[::1] is_wrapping
    cdef const signed char[::1] hides_overflow
    cdef signed char[::1] has_relative_edges
    cdef signed char[::1] is_sized
    cdef signed char[::1] is_plain_block
    cdef const signed char[::1] is_border_box
    cdef double[::1] spacing
    cdef const double[::1] grow
    cdef const double[::1] shrink
    cdef const double[::1] basis
    cdef const double[::1] order
    cdef const double[::1] column_gap
    cdef const double[::1] row_gap
    cdef double[::1] margin_top
    cdef double[::1] margin_right
    cdef double[::1] margin_bottom
    cdef double[::1] margin_left
    cdef double[::1] top
    cdef double[::1] right
    cdef double[::1] bottom
    cdef double[::1] left
    cdef double[::1] edge_numbers
    cdef double[::1] borders
    cdef double[::1] offsets
    cdef signed char[::1] offset_units
    cdef double[::1] width_number
    cdef double[::1] height_number
    cdef double[::1] min_width
    cdef double[::1] min_height
    cdef double[::1] max_width
    cdef double[::1] max_height
    cdef double[::1] font_size
    cdef double[::1] line_ascent
    cdef double[::1] line_descent
    cdef double[::1] text_ascent
    cdef double[::1] text_height
    cdef double[::1] line_height
    cdef double[::1] indent
    cdef double[::1] x
    cdef double[::1] y
    cdef double[::1] w
    cdef double[::1] h
    cdef double[::1] shift_y
    cdef double[::1] content_based_height
    cdef double[::1] end_margin
    cdef double[::1] baseline
    cdef double[::1] min_content
    cdef double[::1] max_content
    cdef double[::1] natural_width
    cdef double[::1] natural_height
    cdef double[::1] natural_ratio
    cdef double[::1] top_margins

    # Of each leaf.
    cdef const int[::1] leaf_node
    cdef int[::1] leaf_in
    cdef const int[::1] first_word
    cdef const signed char[::1] is_spaced
    cdef signed char[::1] is_text
    cdef double[::1] leaf_left
    cdef double[::1] leaf_top
    cdef double[::1] leaf_right
    cdef double[::1] leaf_bottom
    cdef const double[::1] total
    cdef const double[::1] widest
    cdef double[::1] blank

    # Of each unbreakable part of a text, and of each piece of the lines that are being set.
    cdef const double[::1] starts
    cdef const double[::1] ends
    cdef int[::1] fragment_item
    cdef double[::1] fragment_x
    cdef double[::1] fragment_end
    cdef double[::1] fragment_rise
    cdef double[::1] fragment_height

    cdef _view_page(self, page)
    cdef _view_styles(self, styles)
    cdef view_items(self, styles)
    @cython.locals(
        store=ColumnStore, count=int, leaf_count=int, none='const signed char[::1]', nothing='const double[::1]'
    )
    cdef _make_columns(self)
    @cython.locals(store=ColumnStore, count=int, row=int)
    cdef _make_boxes(self)
    @cython.locals(store=ColumnStore, count=int)
    cdef _make_leaves(self)
    @cython.locals(store=ColumnStore, n=int)
    cdef _make_room(self, int room)
    @cython.locals(n=int)
    cdef int add_fragment(self, int item, double x, double end, double rise, double height) except -1
    @cython.locals(middle=int)
    cdef int first_end_beyond(self, double reach, int first, int end) noexcept
    @cython.locals(share=double)
    cdef void resolve_edges(self, int row, double container)
    @cython.locals(at=int)
    cdef double _resolved_edge(self, int side, int row, double share, double pixels)
    cdef bint has_auto_margin(self, int row, int side)
