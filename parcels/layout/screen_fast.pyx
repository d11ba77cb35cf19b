"""What styles say as columns of numbers, in C: what `parcels.layout.flow_screen.Screen` reads with NumPy where this is
not compiled. One loop a step over all nodes, and one piece of memory for all columns."""

from libc.math cimport fabsf, fmaxf, fminf, rint
from libc.string cimport memcpy, memset

from parcels.layout cimport column_pointers as columns
from parcels.layout.flow_screen cimport Screen

import numpy as np

from parcels.css.style import Display, Position, Unit
from parcels.css.values import LINE_EM
from parcels.layout import flow_codes, flow_kinds
from parcels.layout.text_measure import measure
from parcels.layout.text_metrics import ASCENTS, BLANKS, BOLD_FROM, DESCENTS, GAPS, face_number
from parcels.tags import IS_BLOCK_LEVEL

ctypedef double* Doubles
ctypedef signed char* Codes
ctypedef const float* Floats

cdef enum:
    SIDES = 4
    DOUBLES = 39  # columns of each kind that are made here
    CODES = 33
    INTS = 4

cdef int _NONE = int(Display.NONE), _INLINE = int(Display.INLINE), _BLOCK = int(Display.BLOCK)
cdef int _LIST_ITEM = int(Display.LIST_ITEM), _CONTENTS = int(Display.CONTENTS)
cdef int _STATIC = int(Position.STATIC), _ABSOLUTE = int(Position.ABSOLUTE), _FIXED = int(Position.FIXED)
cdef int _AUTO = int(Unit.AUTO), _PX = int(Unit.PX)
cdef int _BOX = flow_codes.BOX
cdef double _MOST = flow_codes.MOST_PX
cdef float _EM = LINE_EM, _BOLD = BOLD_FROM, _ALIKE = 0.02
cdef const unsigned char[::1] _IS_ITEM_BOX = flow_kinds.IS_ITEM_BOX.view("u1")
cdef const unsigned char[::1] _IS_INLINE_LEVEL = flow_kinds.IS_INLINE_LEVEL.view("u1")
cdef const unsigned char[::1] _IS_ROOT = flow_kinds.IS_ROOT.view("u1")
cdef const unsigned char[::1] _IS_PART = flow_kinds.IS_PART.view("u1")
cdef const unsigned char[::1] _IS_TABLE_PART = flow_kinds.IS_TABLE_PART.view("u1")
cdef const unsigned char[::1] _IS_BLOCK_LEVEL = IS_BLOCK_LEVEL.view("u1")
cdef const unsigned char[::1] _SPACED_BY_TAG = flow_kinds.SPACED_BY_TAG.view("u1")
cdef const signed char[::1] _BLOCKIFIED = flow_kinds.BLOCKIFIED, _KIND_OF_TAG = flow_kinds.KIND_OF_TAG
cdef const double[::1] _ASCENTS = ASCENTS, _DESCENTS = DESCENTS, _BLANKS = BLANKS, _GAPS = GAPS


cdef class _Room:
    """The memory of the columns, given out one after the other."""

    cdef object kept
    cdef double* doubles
    cdef int* ints
    cdef signed char* codes
    cdef Py_ssize_t count

    def __cinit__(self, Py_ssize_t count, Py_ssize_t more):
        self.count = count
        self.kept = np.empty(8 * DOUBLES * count + 4 * (INTS * count + more) + CODES * count + 16, np.uint8)
        cdef unsigned char[::1] memory = self.kept
        self.doubles = <double*> &memory[0]
        self.ints = <int*> (self.doubles + DOUBLES * count)
        self.codes = <signed char*> (self.ints + INTS * count + more)

    cdef double* some_doubles(self, int columns=1) noexcept:
        cdef double* given = self.doubles
        self.doubles += columns * self.count
        return given

    cdef int* some_ints(self, Py_ssize_t count) noexcept:
        cdef int* given = self.ints
        self.ints += count
        return given

    cdef signed char* some_codes(self, int columns=1) noexcept:
        cdef signed char* given = self.codes
        self.codes += columns * self.count
        return given


def read(Screen s, page, styles):
    """Fill the columns of a screen; False where the styles are not in arrays of the cascade's types."""
    cdef _Room room = _Room(s.count, s.leaf_count + 1)
    s.keep.append(room.kept)
    try:
        kinds = _Kinds(s, room, styles)
        kinds.read(page)
        _read_lengths(s, room, styles, kinds.is_flow)
        _read_text(s, room, page, styles)
        return kinds.read_children(page)
    except (TypeError, ValueError):  # columns of other types
        return False


cdef inline double _bounded(double number) noexcept:
    """The number within sane bounds, 0 for what is none."""
    if number != number:
        return 0.0
    return -_MOST if number < -_MOST else _MOST if number > _MOST else number


cdef class _Kinds:
    """What kind of box each node has, and which boxes and texts are in it."""

    cdef Screen s
    cdef _Room room
    cdef object styles
    cdef signed char* has_box
    cdef signed char* is_flow  # a plain block
    cdef bint has_contents

    def __cinit__(self, Screen s, _Room room, styles):
        self.s, self.room, self.styles = s, room, styles

    cdef read(self, page):
        cdef Screen s = self.s
        cdef _Room room = self.room
        cdef const short* tag = columns.shorts(s.keep, page.nodes.tag)
        cdef Codes shown = columns.codes(s.keep, self.styles.display)
        cdef Codes position = columns.codes(s.keep, self.styles.position)
        cdef Codes floats = columns.codes(s.keep, self.styles.float_)
        cdef Codes column_count = columns.codes(s.keep, self.styles.column_count)
        cdef Codes hides = columns.codes(s.keep, self.styles.overflow_hidden)
        cdef int row, above, count = s.count
        cdef bint has_out
        cdef Codes display = room.some_codes(), was = room.some_codes()
        cdef Codes out = room.some_codes(), inline = room.some_codes()
        if count < 1 or len(self.styles) != count:
            raise ValueError
        s.display, s.kind, s.is_block_by_tag = display, room.some_codes(), room.some_codes()
        s.is_spaced_by_tag, s.is_inline, s.is_absolute = room.some_codes(), room.some_codes(), room.some_codes()
        s.is_root, s.is_placed, s.float_ = room.some_codes(), room.some_codes(), room.some_codes()
        s.is_cell_holder = room.some_codes()
        self.has_box, self.is_flow = room.some_codes(), room.some_codes()
        s.flow_row, s.flow_count = room.some_ints(count), 0
        for row in range(count):
            was[row] = shown[row]
        was[0] = _BLOCK if was[0] != _NONE else _NONE
        for row in range(count):
            above = s.parent[row] if row else 0
            s.kind[row] = _KIND_OF_TAG[tag[row]]
            s.is_block_by_tag[row] = _IS_BLOCK_LEVEL[tag[row]]
            s.is_spaced_by_tag[row] = _SPACED_BY_TAG[tag[row]]
            s.is_absolute[row] = position[row] == _ABSOLUTE or position[row] == _FIXED
            s.is_placed[row] = position[row] != _STATIC
            has_out = row > 0 and _IS_ITEM_BOX[was[above]]
            s.float_[row] = 0 if s.is_absolute[row] or has_out else floats[row]
            out[row] = has_out or s.is_absolute[row] or s.float_[row] != 0
            display[row] = _BLOCKIFIED[was[row]] if out[row] else was[row]
            inline[row] = display[row] == _INLINE
        self.hold_blocks(inline)
        memset(s.is_cell_holder, 0, count)
        self.has_contents = False
        has_items = False
        for row in range(count):
            s.is_root[row] = row == 0 or _IS_ROOT[display[row]] or hides[row] or out[row] or column_count[row] > 1
            s.is_inline[row] = _IS_INLINE_LEVEL[display[row]]
            self.is_flow[row] = (
                (display[row] == _BLOCK or display[row] == _LIST_ITEM) and not s.is_root[row] and s.kind[row] == _BOX
            )
            if self.is_flow[row]:
                s.flow_row[s.flow_count] = row
                s.flow_count += 1
            if row and _IS_PART[display[row]] and not _IS_TABLE_PART[display[s.parent[row]]]:
                s.is_cell_holder[s.parent[row]] = 1
            if _IS_ITEM_BOX[display[row]]:
                has_items = True
            if display[row] == _CONTENTS:
                self.has_contents = True
            self.has_box[row] = display[row] != _NONE and display[row] != _CONTENTS
        for row in range(count):
            self.is_flow[row] = self.is_flow[row] and not s.is_cell_holder[row]
        s.position, s.column_count, s.clear = position, column_count, columns.codes(s.keep, self.styles.clear)
        self.read_tables()
        s._read_items(self.styles, has_items)

    cdef void hold_blocks(self, signed char* inline) noexcept:
        """An inline element with a block in it is laid out as a block."""
        cdef Screen s = self.s
        cdef signed char* display = s.display
        cdef signed char* is_holding = self.has_box  # which is filled in later
        cdef int row, above, over
        for row in range(s.count):
            above = s.parent[row] if row else 0
            is_holding[row] = (
                display[above] == _INLINE and s.kind[above] == _BOX and not _IS_INLINE_LEVEL[display[row]]
                and display[row] != _NONE and display[row] != _CONTENTS and not s.is_absolute[row]
                and not s.float_[row]
            )
        for row in range(s.count):
            if is_holding[row]:
                over = s.parent[row]
                while over > 0 and inline[over]:
                    inline[over] = False
                    display[over] = _BLOCK
                    over = s.parent[over]

    cdef read_tables(self):
        """What the cascade says of tables and of <center>, where it says it."""
        cdef Screen s = self.s
        cdef Floats spacing = columns.floats(s.keep, self.styles.border_spacing)
        cdef Codes centres = columns.codes(s.keep, self.styles.centres_blocks)
        cdef Codes align = columns.codes(s.keep, self.styles.text_align), aligned = self.room.some_codes()
        cdef int row, count = s.count
        cdef bint has_spacing = len(self.styles.border_spacing) == count
        cdef bint has_centres = len(self.styles.centres_blocks) == count
        cdef Doubles spaces = self.room.some_doubles()
        s.spacing, s.aligned = spaces, aligned
        for row in range(count):
            spaces[row] = spacing[row] if has_spacing else 0.0
            aligned[row] = align[row] if has_centres and centres[row] else 0
        if len(self.styles.is_fixed_table) == count:
            s.is_fixed_table = columns.codes(s.keep, self.styles.is_fixed_table)
        else:
            s.is_fixed_table = self.room.some_codes()
            memset(s.is_fixed_table, 0, count)

    cdef bint read_children(self, page) except -1:
        """The children of each box in order; False where leaves are not in the order of the elements around them."""
        cdef Screen s = self.s
        cdef const int* opened = columns.ints(s.keep, page.leaves.opened)
        cdef list kinds = page.leaves.kind
        made, firsts = np.empty(s.leaf_count, np.int8), np.zeros(s.count + 1, np.int32)
        places = np.zeros((2, s.count), np.int32)
        cdef int row, leaf, owner, count = s.count, leaves = s.leaf_count
        cdef int* home = self.room.some_ints(count)
        cdef int* filled = self.room.some_ints(count + 1)
        s.is_text, s.kid = columns.codes(s.keep, made), self.room.some_ints(count + leaves)
        s.first_kid = columns.ints(s.keep, firsts)
        s.place, s.owner = columns.ints(s.keep, places[0]), columns.ints(s.keep, places[1])
        for row in range(count):
            home[row] = row
            if self.has_contents and s.display[row] == _CONTENTS:
                home[row] = home[s.parent[row]] if row else 0
            if row and self.has_box[row]:
                s.first_kid[home[s.parent[row]] + 1] += 1
        for leaf in range(leaves):
            s.is_text[leaf] = kinds[leaf] == "text"
            if s.is_text[leaf]:
                s.first_kid[home[s.leaf_node[leaf]] + 1] += 1
            if leaf and opened[leaf] < opened[leaf - 1]:
                return False
        filled[0] = 0
        for row in range(count):
            s.first_kid[row + 1] += s.first_kid[row]
            filled[row + 1] = s.first_kid[row + 1]
        row, leaf = 1, 0
        while row < count or leaf < leaves:
            if leaf < leaves and (row >= count or opened[leaf] <= row):
                # A text stands before the first element that opens behind it.
                if s.is_text[leaf]:
                    owner = home[s.leaf_node[leaf]]
                    s.kid[filled[owner]] = ~leaf
                    filled[owner] += 1
                leaf += 1
                continue
            if self.has_box[row]:
                owner = home[s.parent[row]]
                s.kid[filled[owner]] = row
                s.place[row], s.owner[row] = filled[owner], owner
                filled[owner] += 1
            row += 1
        return True


cdef _read_lengths(Screen s, _Room room, styles, signed char* is_flow):
    """Margins, paddings, borders and sizes."""
    cdef int side, row, count = s.count
    cdef Floats number
    cdef Codes unit
    cdef double value
    # Written by way of these: a code that is written may be anything to C, and all of the screen was read again.
    cdef Doubles pixels = room.some_doubles(SIDES), insets = room.some_doubles(SIDES), inset
    cdef Doubles numbers = room.some_doubles(2 * SIDES), borders = room.some_doubles(SIDES)
    cdef Codes is_odd = room.some_codes(2), is_sized = is_odd + count, units = room.some_codes(2 * SIDES)
    s.odd_numbers, s.borders, s.odd_units = numbers, borders, units
    s.offsets, s.offset_units = room.some_doubles(SIDES), room.some_codes(SIDES)
    s.is_odd, s.is_sized, s.is_plain = is_odd, is_sized, room.some_codes()
    memset(is_odd, 0, 2 * count)
    s.margin_top, s.margin_right, s.margin_bottom = pixels, pixels + count, pixels + 2 * count
    s.margin_left, s.tops = pixels + 3 * count, room.some_doubles()
    s.top, s.right, s.bottom, s.left = insets, insets + count, insets + 2 * count, insets + 3 * count
    for length in _four(styles.margin):
        number, unit = columns.floats(s.keep, length.number), columns.codes(s.keep, length.unit)
        memcpy(units, unit, count)
        for row in range(count):
            numbers[row] = value = _bounded(number[row])
            pixels[row] = value if unit[row] == _PX else 0.0
        for row in range(count):
            is_odd[row] |= unit[row] != _PX
        numbers, pixels, units = numbers + count, pixels + count, units + count
    inset = insets
    for length in _four(styles.border):
        number = columns.floats(s.keep, length.number)
        for row in range(count):
            borders[row] = value = _bounded(number[row])
            inset[row] = value if value > 0.0 else 0.0
        borders, inset = borders + count, inset + count
    inset = insets
    for length in _four(styles.padding):
        number, unit = columns.floats(s.keep, length.number), columns.codes(s.keep, length.unit)
        memcpy(units, unit, count)
        for row in range(count):
            numbers[row] = value = _bounded(number[row])
            if unit[row] == _PX and value > 0.0:
                inset[row] += value
        for row in range(count):
            is_odd[row] |= unit[row] != _PX
        numbers, inset, units = numbers + count, inset + count, units + count
    for side, length in enumerate(_four(styles.offset)):
        number = columns.floats(s.keep, length.number)
        memcpy(s.offset_units + side * count, columns.codes(s.keep, length.unit), count)
        for row in range(count):
            s.offsets[side * count + row] = number[row]
    memcpy(s.tops, s.margin_top, count * sizeof(double))  # later collapsed with those of first children
    s.width_number = _size(s, room, styles.width, False, &s.width_unit)
    s.height_number = _size(s, room, styles.height, False, &s.height_unit)
    s.min_width = _size(s, room, styles.min_width, True, &s.min_width_unit)
    s.min_height = _size(s, room, styles.min_height, True, &s.min_height_unit)
    s.max_width = _size(s, room, styles.max_width, False, &s.max_width_unit)
    s.max_height = _size(s, room, styles.max_height, False, &s.max_height_unit)
    s.is_border_box = columns.codes(s.keep, styles.is_border_box)
    units = s.is_plain
    for row in range(count):
        # Plain blocks, most of a page: as wide as their holder, as high as their content.
        units[row] = is_flow[row] and not is_sized[row] and not is_odd[row]


cdef tuple _four(sides):
    return sides.top, sides.right, sides.bottom, sides.left


cdef double* _size(Screen s, _Room room, length, bint is_least, signed char** units) except NULL:
    """The numbers of a size; boxes that state it are sized, by a least one if it is more than nothing."""
    cdef Floats number = columns.floats(s.keep, length.number)
    cdef Codes unit = columns.codes(s.keep, length.unit), is_sized = s.is_sized
    cdef Doubles made = room.some_doubles()
    cdef int row
    for row in range(s.count):
        made[row] = _bounded(number[row])
        if unit[row] != _AUTO and (not is_least or made[row] > 0):
            is_sized[row] = True
    units[0] = unit
    return made


cdef _read_text(Screen s, _Room room, page, styles):
    """Fonts and lines, and the measures of all texts."""
    cdef const short* families = columns.shorts(s.keep, styles.font_family)
    cdef Floats weight = columns.floats(s.keep, styles.font_weight), indent = columns.floats(s.keep, styles.text_indent)
    cdef Floats font_size = columns.floats(s.keep, styles.font_size), lines = columns.floats(s.keep, styles.line_height)
    cdef Floats spacing = columns.floats(s.keep, styles.letter_spacing)
    cdef Codes is_upper = columns.codes(s.keep, styles.is_upper_case)
    cdef signed char[::1] faces = np.array([face_number(name) for name in styles.family_names] or [0], np.int8)
    cdef int row, leaf, node, family, most = faces.shape[0] - 1, count = s.count, leaves = s.leaf_count
    cdef signed char face
    cdef float size, line
    cdef double rise, fall, high, lead
    cdef bint has_upper = False
    s.face, s.font_size = room.some_codes(), room.some_doubles()
    s.above, s.under, s.rise = room.some_doubles(), room.some_doubles(), room.some_doubles()
    s.letters, s.line_height = room.some_doubles(), room.some_doubles()
    s.has_indent = False
    for row in range(count):
        family = families[row]
        face = faces[0 if family < 0 else most if family > most else family] + (weight[row] >= _BOLD)
        size = fminf(fmaxf(font_size[row], 0.0), 1000.0)
        line = fminf(fmaxf(lines[row], 0.0), 2000.0)
        rise, fall = rint(size * _ASCENTS[face]), rint(size * _DESCENTS[face])
        high = rise + fall + rint(size * _GAPS[face]) if fabsf(line - _EM * size) < _ALIKE else line
        lead = (high - rise - fall) / 2
        s.face[row], s.font_size[row], s.line_height[row] = face, size, high
        s.above[row], s.under[row], s.rise[row], s.letters[row] = rise + lead, fall + lead, rise, rise + fall
        if indent[row] != 0:
            s.has_indent = True
        if is_upper[row]:
            has_upper = True
    s.indent = room.some_doubles()
    if s.has_indent:
        for row in range(count):
            s.indent[row] = _bounded(indent[row])
    s.text_align, s.white_space = columns.codes(s.keep, styles.text_align), columns.codes(s.keep, styles.white_space)
    s.vertical_align = columns.codes(s.keep, styles.vertical_align)
    s.leaf_node, s.is_spaced = columns.ints(s.keep, page.leaves.node), columns.codes(s.keep, page.leaves.is_spaced)
    s.texts = texts = page.leaves.text
    fonts = np.empty((3, leaves))
    cdef double[:, ::1] font = fonts
    of_leaf = np.empty(leaves, np.int8)
    cdef signed char[::1] leaf_face = of_leaf
    for leaf in range(leaves):
        node = s.leaf_node[leaf]
        leaf_face[leaf] = s.face[node]
        font[0, leaf], font[1, leaf] = s.font_size[node], _bounded(spacing[node])
        font[2, leaf] = _BLANKS[s.face[node]] * s.font_size[node] + font[1, leaf]
    if has_upper:
        texts = [text.upper() if is_upper[s.leaf_node[leaf]] else text for leaf, text in enumerate(texts)]
    words = measure(texts, of_leaf, fonts[0], fonts[1])
    s.first_word = columns.ints(s.keep, words.first)
    s.starts, s.ends = columns.doubles(s.keep, words.starts), columns.doubles(s.keep, words.ends)
    s.total, s.widest = columns.doubles(s.keep, words.total), columns.doubles(s.keep, words.widest)
    s.blank = columns.doubles(s.keep, fonts[2])
