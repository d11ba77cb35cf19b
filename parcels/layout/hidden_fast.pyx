"""Which leaves a reader cannot see, in C: what `parcels.layout.hidden` finds with NumPy where this is not compiled."""

from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM

import numpy as np

from parcels.css.style import Display, Position, Unit
from parcels.layout import hidden_limits as limits

cdef enum:  # the reasons, in the order of hidden_limits.REASONS
    SHOWN = 0
    DISPLAY = 1
    VISIBILITY = 2
    SIZE = 3
    OFF_SCREEN = 4
    COLOUR = 5
    CUT = 6  # while it is being found out
    UNKNOWN = -1  # the colour behind a text

cdef int _NONE = int(Display.NONE), _PX = int(Unit.PX)
cdef int _STATIC = int(Position.STATIC), _RELATIVE = int(Position.RELATIVE)
cdef int _ABSOLUTE = int(Position.ABSOLUTE), _FIXED = int(Position.FIXED)
cdef float _SEEN_PX = limits.SEEN_PX, _LEAST_FONT_PX = limits.LEAST_FONT_PX, _LEAST_OPACITY = limits.LEAST_OPACITY
cdef float _OPAQUE = limits.OPAQUE
cdef unsigned int _ALPHA_OPAQUE = limits.ALPHA_OPAQUE
cdef int _ALIKE = limits.ALIKE, _WHITE = limits.WHITE, _MOST_COVERS = limits.MOST_COVERS
cdef const unsigned char[::1] _IS_PICTURE = limits.IS_PICTURE.view("u1")
cdef const unsigned char[::1] _CUTS_NOTHING = limits.CUTS_NOTHING.view("u1")


def reasons(page, styles, nodes, leaves, list texts):
    """Of each leaf the number of its reason but for those that others cover, its box without NaN, and what may cover.

    None where something is not in arrays of the cascade's types.
    """
    found, boxes = np.zeros(len(leaves), np.int8), np.empty((len(leaves), 4), np.float32)
    try:
        search = _Search(page, styles, nodes, found, boxes)
        search.find_boxes(leaves, styles)
        search.cut_off(styles)
        search.find_rest(texts, styles)
        return found, boxes, np.array(search.covers(styles), np.intp)
    except ValueError:  # arrays of other types
        return None


def named(const signed char[::1] found, tuple names):
    """The names of reasons by their numbers."""
    cdef Py_ssize_t leaf, count = found.shape[0]
    cdef tuple made = PyTuple_New(count)
    for leaf in range(count):
        name = names[found[leaf]]
        Py_INCREF(name)  # which PyTuple_SET_ITEM takes over
        PyTuple_SET_ITEM(made, leaf, name)
    return made


cdef class _Search:
    """The leaves of a page, and what is found of them."""

    cdef const short[::1] tag
    cdef const int[::1] parent, last, first_leaf, end_leaf, node
    cdef const signed char[::1] display, position
    cdef const float[:, ::1] nodes
    cdef signed char[::1] found
    cdef float[:, ::1] boxes
    cdef int count, leaves

    def __cinit__(self, page, styles, nodes, found, boxes):
        self.tag, self.parent, self.last = page.nodes.tag, page.nodes.parent, page.nodes.last
        self.first_leaf, self.end_leaf, self.node = page.nodes.first_leaf, page.nodes.end_leaf, page.leaves.node
        self.display, self.position = styles.display, styles.position
        self.nodes, self.found, self.boxes = nodes, found, boxes
        self.count, self.leaves = self.tag.shape[0], self.node.shape[0]

    cdef find_boxes(self, const float[:, ::1] given, styles):
        """What has no box, is transparent, or has no size."""
        cdef const unsigned char[::1] is_visible = styles.is_visible.view("u1")
        cdef const float[::1] opacity = styles.opacity
        cdef int leaf, side, node
        for leaf in range(self.leaves):
            node = self.node[leaf]
            for side in range(4):
                self.boxes[leaf, side] = given[leaf, side] if given[leaf, side] == given[leaf, side] else 0
            if given[leaf, 0] != given[leaf, 0] or self.display[node] == _NONE:
                self.found[leaf] = DISPLAY
            elif not is_visible[node] or opacity[node] < _LEAST_OPACITY:
                self.found[leaf] = VISIBILITY

    cdef cut_off(self, styles):
        """Leaves of which nothing lies inside a box around them that hides what overflows it, or that is clipped."""
        cdef const unsigned char[::1] clips = styles.clip_hidden.view("u1"), hides = styles.overflow_hidden.view("u1")
        cdef unsigned char[::1] is_out = np.empty(self.leaves, np.uint8)
        cdef int row, leaf
        for row in range(self.count):
            if not (clips[row] or hides[row]) or self.end_leaf[row] <= self.first_leaf[row]:
                continue
            if self.display[row] == _NONE:
                continue
            if clips[row]:
                for leaf in range(self.first_leaf[row], self.end_leaf[row]):
                    self.mark_cut(leaf)
            if hides[row] and not _CUTS_NOTHING[self.tag[row]] and self.nodes[row, 2] >= 0:
                self.cut_by(row, is_out)

    cdef void mark_cut(self, int leaf) noexcept:
        if self.found[leaf] == SHOWN:
            self.found[leaf] = CUT

    cdef void cut_by(self, int row, unsigned char[::1] is_out) noexcept:
        """Mark what a box cuts off."""
        cdef float left = self.nodes[row, 0], top = self.nodes[row, 1]
        cdef float right = <float> (<double> left + self.nodes[row, 2])
        cdef float bottom = <float> (<double> top + self.nodes[row, 3])
        cdef float x, y, end_x, end_y
        cdef bint has_any = False
        cdef int leaf
        for leaf in range(self.first_leaf[row], self.end_leaf[row]):
            x, y = self.boxes[leaf, 0], self.boxes[leaf, 1]
            end_x, end_y = x + self.boxes[leaf, 2], y + self.boxes[leaf, 3]
            # Comparisons with NaN are false, and NaN is what is taken in their place.
            end_x, end_y = end_x if end_x < right else right, end_y if end_y < bottom else bottom
            x, y = x if x > left else left, y if y > top else top
            is_out[leaf] = end_x - x < _SEEN_PX or end_y - y < _SEEN_PX
            has_any = has_any or is_out[leaf]
        if has_any:
            self.let_out(row, is_out)
            for leaf in range(self.first_leaf[row], self.end_leaf[row]):
                if is_out[leaf]:
                    self.mark_cut(leaf)

    cdef void let_out(self, int row, unsigned char[::1] is_out) noexcept:
        """An absolute box is cut off only by what holds it: take back what was said of those held from farther up."""
        cdef int free, over, leaf, looked_at = 0
        if self.position[row] != _STATIC:
            return
        for free in range(row, self.last[row] + 1):
            if self.position[free] != _ABSOLUTE and self.position[free] != _FIXED:
                continue
            looked_at += 1
            if looked_at > _MOST_COVERS:
                return
            over = self.parent[free]
            while over > row and self.position[over] == _STATIC:
                over = self.parent[over]
            if over <= row:
                for leaf in range(self.first_leaf[free], self.end_leaf[free]):
                    is_out[leaf] = False

    cdef find_rest(self, list kinds, styles):
        """What is small or off the screen, and texts in the colour of what is behind them."""
        cdef const float[::1] font_size = styles.font_size
        cdef const unsigned int[::1] colour = styles.colour, background = styles.background
        cdef const unsigned char[::1] has_picture = styles.has_background_image.view("u1")
        cdef int[::1] behind = np.empty(self.count, np.int32)
        cdef int leaf, row, node, ink
        cdef unsigned int alpha
        cdef bint is_off, is_text
        for row in range(self.count):
            alpha = background[row] & 0xFF
            if has_picture[row]:
                behind[row] = UNKNOWN
            elif alpha >= _ALPHA_OPAQUE:
                behind[row] = background[row] >> 8
            elif alpha or self.position[row] == _ABSOLUTE or self.position[row] == _FIXED:
                behind[row] = UNKNOWN
            else:
                behind[row] = behind[self.parent[row]] if self.parent[row] >= 0 else _WHITE
        for leaf in range(self.leaves):
            node = self.node[leaf]
            if self.found[leaf] == DISPLAY or self.found[leaf] == VISIBILITY:
                continue
            is_text = kinds[leaf] == "text"
            is_off = (
                self.boxes[leaf, 0] + self.boxes[leaf, 2] <= 0 or self.boxes[leaf, 1] + self.boxes[leaf, 3] <= 0
            )
            if (
                self.boxes[leaf, 2] < _SEEN_PX or self.boxes[leaf, 3] < _SEEN_PX
                or (is_text and font_size[node] < _LEAST_FONT_PX) or (self.found[leaf] == CUT and not is_off)
            ):
                self.found[leaf] = SIZE
            elif is_off:
                self.found[leaf] = OFF_SCREEN
            elif is_text:
                ink = colour[node] >> 8
                if (colour[node] & 0xFF) <= 2 or (behind[node] >= 0 and _are_alike(ink, behind[node])):
                    self.found[leaf] = COLOUR

    cdef list covers(self, styles):
        """The opaque boxes that are placed over others."""
        cdef const float[::1] z_index = styles.z_index, opacity = styles.opacity
        cdef const unsigned int[::1] background = styles.background
        cdef const unsigned char[::1] is_visible = styles.is_visible.view("u1"), clips = styles.clip_hidden.view("u1")
        cdef const signed char[::1] wide = styles.width.unit, high = styles.height.unit
        cdef float height
        cdef int row
        cdef list found = []
        for row in range(self.count):
            if self.position[row] == _STATIC or self.display[row] == _NONE or clips[row] or not is_visible[row]:
                continue
            height = z_index[row] if z_index[row] == z_index[row] else 0
            if height < 0 or not opacity[row] > _OPAQUE:
                continue
            if self.position[row] == _RELATIVE:
                if not height > 0:
                    continue
            elif self.position[row] != _ABSOLUTE and self.position[row] != _FIXED:
                continue
            # A picture counts where the page states its size; others may be of any size, or gone.
            if (background[row] & 0xFF) < _ALPHA_OPAQUE and not (
                _IS_PICTURE[self.tag[row]] and wide[row] == _PX and high[row] == _PX
            ):
                continue
            if self.nodes[row, 2] > _SEEN_PX and self.nodes[row, 3] > _SEEN_PX:
                found.append(row)
        return found


cdef inline bint _are_alike(int one, int other) noexcept:
    """Whether two colours (0xRRGGBB) look the same."""
    cdef int shift
    for shift in range(0, 24, 8):
        if abs((one >> shift & 0xFF) - (other >> shift & 0xFF)) > _ALIKE:
            return False
    return True
