cdef double CAP


cdef class LeafTable:
    cdef readonly Py_ssize_t count
    cdef readonly const int[::1] node
    cdef readonly const float[::1] chars
    cdef readonly const float[::1] words
    cdef readonly const signed char[::1] kind
    cdef readonly const signed char[::1] area
    cdef readonly const unsigned char[::1] is_link
    cdef readonly const unsigned char[::1] is_figures
    cdef readonly const unsigned char[::1] is_hidden
    cdef readonly const float[:, ::1] box
    cdef readonly const long long[::1] target
    cdef readonly const float[:, ::1] target_kinds
    cdef readonly const float[::1] target_depth
    cdef readonly long long[::1] block
    cdef readonly double[::1] chars_before
    cdef readonly double[::1] linked_before
    cdef readonly double[::1] words_before


cdef class NodeTable:
    cdef readonly Py_ssize_t count
    cdef readonly const short[::1] tag
    cdef readonly const int[::1] parent
    cdef readonly const int[::1] depth
    cdef readonly const int[::1] last
    cdef readonly const int[::1] first_leaf
    cdef readonly const int[::1] end_leaf
    cdef readonly const int[::1] link
    cdef readonly const float[::1] font_size
    cdef readonly const float[::1] font_weight
    cdef readonly const float[::1] line_height
    cdef readonly const float[::1] z_index
    cdef readonly const short[::1] font_family
    cdef readonly const unsigned int[::1] colour
    cdef readonly const unsigned int[::1] background
    cdef readonly const unsigned char[::1] is_italic
    cdef readonly const unsigned char[::1] is_underlined
    cdef readonly const unsigned char[::1] is_upper_case
    cdef readonly const signed char[::1] text_align
    cdef readonly const signed char[::1] position
    cdef readonly const signed char[::1] float_
    cdef readonly const signed char[::1] display
    cdef readonly float[::1] chars
    cdef readonly float[::1] linked
    cdef readonly float[::1] images
    cdef readonly float[::1] repeats
    cdef readonly float[::1] running
    cdef readonly long long[::1] first_block
    cdef readonly long long[::1] end_block
    cdef readonly int[::1] h1_before


cdef class BlockTable:
    cdef readonly Py_ssize_t count
    cdef readonly LeafTable leaves
    cdef readonly NodeTable nodes
    cdef readonly double screen_width
    cdef readonly double page_height
    cdef readonly double css_coverage
    cdef readonly long long[::1] first_leaf
    cdef readonly long long[::1] end_leaf
    cdef readonly long long[::1] container
    cdef readonly long long[::1] parent
    cdef readonly float[::1] chars
    cdef readonly float[::1] words
    cdef readonly float[::1] link_share
    cdef readonly float[::1] links
    cdef readonly float[::1] images
    cdef readonly float[:, ::1] box
    cdef readonly unsigned char[:, ::1] inside
    cdef readonly float[::1] heading_level
    cdef readonly long long[::1] layer
    cdef readonly float[::1] font_size
    cdef readonly float[::1] font_weight
    cdef readonly long long commonest_family
    cdef readonly long long commonest_colour
    cdef readonly unsigned char[::1] is_numeric
    cdef readonly unsigned char[::1] is_in_cell
    cdef readonly long long[::1] cell
    cdef readonly long long[::1] table
    cdef readonly long long[::1] table_depth
    cdef readonly long long[::1] row
    cdef readonly long long[::1] column
    cdef readonly long long[::1] row_count
    cdef readonly long long[::1] column_count
    cdef readonly long long[::1] entry
    cdef readonly long long[::1] list_
    cdef readonly float[::1] mass
    cdef readonly double total_mass
    cdef readonly long long main
    cdef readonly long long[::1] common
    cdef readonly long long[::1] branch
    cdef readonly long long first_running
    cdef readonly long long last_running
    cdef readonly long long title
    cdef readonly float running_left
    cdef readonly float running_right
    cdef readonly unsigned char[::1] is_heading
    cdef readonly long long[::1] over
    cdef readonly long long[::1] over_list
    cdef readonly long long[::1] of_branch


cpdef float safe(double value) noexcept
cpdef double part_of(double part, double whole) noexcept
