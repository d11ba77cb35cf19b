# cython: infer_types=True, wraparound=False
"""Box generation: fill the columns of a box tree with box types, lengths, fonts, children and texts."""

from typing import Any

import cython
import numpy as np

from parcels.css.style import Display, Lengths, Position, Sides, Unit
from parcels.css.values.lengths import LINE_EM
from parcels.html.tags import IS_BLOCK_LEVEL
from parcels.layout.boxes.flow import kinds as flow_kinds
from parcels.layout.boxes.flow.box_tree import Screen
from parcels.layout.boxes.flow.kinds import BOX, MOST_PX
from parcels.layout.boxes.text.measure import measure
from parcels.layout.boxes.text.metrics import ASCENTS, BLANKS, BOLD_FROM, DESCENTS, GAPS, face_number

if cython.compiled:
    from cython.cimports.libc.math import rint
else:
    from numpy import rint

_NONE, _INLINE, _BLOCK = int(Display.NONE), int(Display.INLINE), int(Display.BLOCK)
_LIST_ITEM, _CONTENTS = int(Display.LIST_ITEM), int(Display.CONTENTS)
_STATIC, _ABSOLUTE, _FIXED = int(Position.STATIC), int(Position.ABSOLUTE), int(Position.FIXED)
_AUTO, _PX = int(Unit.AUTO), int(Unit.PX)
_LINE_EM, _BOLD_FROM = LINE_EM, BOLD_FROM
_ALIKE = 0.02  # px: a line height that differs less from the normal one is the normal one
_MOST_FONT, _MOST_LINE = 1000.0, 2000.0  # px
_IS_ITEM_BOX, _IS_INLINE_LEVEL = flow_kinds.IS_ITEM_BOX.view("u1"), flow_kinds.IS_INLINE_LEVEL.view("u1")
_IS_ROOT, _IS_PART = flow_kinds.IS_ROOT.view("u1"), flow_kinds.IS_PART.view("u1")
_IS_TABLE_PART, _IS_BLOCK_LEVEL = flow_kinds.IS_TABLE_PART.view("u1"), IS_BLOCK_LEVEL.view("u1")
_SPACED_BY_TAG = flow_kinds.SPACED_BY_TAG.view("u1")
_BLOCKIFIED, _KIND_OF_TAG = flow_kinds.BLOCKIFIED, flow_kinds.KIND_OF_TAG
_ASCENTS, _DESCENTS, _BLANKS, _GAPS = ASCENTS, DESCENTS, BLANKS, GAPS


def fill(s: Screen) -> None:
    """Fill in all columns that the page and its styles give; a column of another type is a ValueError."""
    kinds = _Kinds(s)
    kinds.find_displays()
    kinds.open_inline()
    kinds.find_kinds()
    kinds.read_tables()
    kinds.read_children()
    _read_lengths(s, kinds.is_flow)
    _read_fonts(s)
    _read_indents(s)
    _measure_texts(s)


class _Kinds:
    """The box type of each node, and its child boxes and texts."""

    def __init__(self, s: Screen):
        self.s, self.has_contents = s, False
        store, count = self.s.store, self.s.count
        self.has_box, self.is_flow = store.codes(count), store.codes(count)  # is_flow: a plain block
        self.was_inline, self.is_out = store.codes(count), store.codes(count)

    def find_displays(self) -> None:
        """Find what is out of flow, which makes it a block."""
        s = self.s
        shown, floats = s.styles.display, s.styles.float_
        for row in range(s.count):
            tag, own = s.tag[row], shown[row]
            s.kind[row] = _KIND_OF_TAG[tag]
            s.is_block_by_tag[row] = _IS_BLOCK_LEVEL[tag]
            s.is_spaced_by_tag[row] = _SPACED_BY_TAG[tag]
            is_absolute = s.position[row] == _ABSOLUTE or s.position[row] == _FIXED
            s.is_absolute[row] = 1 if is_absolute else 0
            s.is_placed[row] = 1 if s.position[row] != _STATIC else 0
            is_item = False
            if row == 0:
                own = _BLOCK if own != _NONE else _NONE
            else:
                above = s.parent[row]
                # The root is a block whatever its styles say.
                is_item = above > 0 and _IS_ITEM_BOX[shown[above]] != 0
            s.float_[row] = 0 if is_absolute or is_item else floats[row]
            self.is_out[row] = 1 if is_item or is_absolute or s.float_[row] else 0
            s.display[row] = _BLOCKIFIED[own] if self.is_out[row] else own
            self.was_inline[row] = 1 if s.display[row] == _INLINE else 0

    def open_inline(self) -> None:
        """Lay out an inline element with a block in it as a block."""
        s = self.s
        for row in range(1, s.count):
            above, display = s.parent[row], s.display[row]
            # Until `find_kinds` fills it: whether it is a block directly in an inline element.
            self.has_box[row] = 0
            if s.display[above] != _INLINE or s.kind[above] != BOX or _IS_INLINE_LEVEL[display]:
                continue
            if display not in (_NONE, _CONTENTS) and not s.is_absolute[row] and not s.float_[row]:
                self.has_box[row] = 1
        for row in range(1, s.count):
            if self.has_box[row]:
                over = s.parent[row]
                while over > 0 and self.was_inline[over]:
                    self.was_inline[over] = 0
                    s.display[over] = _BLOCK
                    over = s.parent[over]

    def find_kinds(self) -> None:
        """Find roots of block formatting, plain blocks, and blocks that hold cells without a table around them."""
        s, has_items = self.s, False
        for row in range(s.count):
            display = s.display[row]
            is_root = row == 0 or _IS_ROOT[display] or s.is_hiding[row] or self.is_out[row] or s.column_count[row] > 1
            s.is_root[row] = 1 if is_root else 0
            s.is_inline[row] = _IS_INLINE_LEVEL[display]
            self.is_flow[row] = 0
            if not is_root and display in (_BLOCK, _LIST_ITEM) and s.kind[row] == BOX:
                self.is_flow[row] = 1
                s.flow_row[s.flow_count] = row
                s.flow_count += 1
            if row and _IS_PART[display] and not _IS_TABLE_PART[s.display[s.parent[row]]]:
                s.is_cell_holder[s.parent[row]] = 1
            if display == _CONTENTS:
                self.has_contents = True
            if _IS_ITEM_BOX[display]:
                has_items = True
            self.has_box[row] = 0 if display in (_NONE, _CONTENTS) else 1
        if has_items:
            s.view_items(s.styles)
        for row in range(s.count):
            if s.is_cell_holder[row]:
                self.is_flow[row] = 0

    def read_tables(self) -> None:
        """Read what the cascade says of tables and of <center>, where it says it."""
        s = self.s
        if len(s.styles.border_spacing) == s.count:
            spacing = s.styles.border_spacing
            for row in range(s.count):
                s.spacing[row] = spacing[row]
        if len(s.styles.is_fixed_table) == s.count:
            is_fixed = s.styles.is_fixed_table.view("i1")
            for row in range(s.count):
                s.is_fixed_table[row] = is_fixed[row]
        if len(s.styles.centres_blocks) == s.count:
            centres = s.styles.centres_blocks.view("i1")
            for row in range(s.count):
                if centres[row]:
                    s.aligned[row] = s.text_align[row]

    def read_children(self) -> None:
        """Find the children of each box in order; those of a `display: contents` are its holder's."""
        s, count, leaves = self.s, self.s.count, self.s.leaf_count
        kinds, opened = s.page.leaves.kind, s.page.leaves.opened
        home, filled = s.store.ints(count), s.store.ints(count)
        for row in range(count):
            home[row] = row
            if self.has_contents and s.display[row] == _CONTENTS:
                home[row] = home[s.parent[row]] if row else 0
            if row and self.has_box[row]:
                s.first_kid[home[s.parent[row]] + 1] += 1
        is_ordered = True
        for leaf in range(leaves):
            s.is_text[leaf] = 1 if kinds[leaf] == "text" else 0
            if s.is_text[leaf]:
                s.first_kid[home[s.leaf_node[leaf]] + 1] += 1
            if leaf and opened[leaf] < opened[leaf - 1]:
                is_ordered = False
        for row in range(count):
            filled[row] = s.first_kid[row]
            s.first_kid[row + 1] += s.first_kid[row]
        if not is_ordered:
            order = np.argsort(opened, kind="stable").astype(np.intc)
        row, n = 1, 0
        while row < count or n < leaves:
            if n < leaves:
                leaf = n if is_ordered else order[n]
                if row >= count or opened[leaf] <= row:
                    # A text stands before the first element that opens behind it.
                    if s.is_text[leaf]:
                        owner = home[s.leaf_node[leaf]]
                        s.kid[filled[owner]] = ~leaf
                        filled[owner] += 1
                    n += 1
                    continue
            if self.has_box[row]:
                owner = home[s.parent[row]]
                s.kid[filled[owner]] = row
                s.place[row], s.owner[row] = filled[owner], owner
                filled[owner] += 1
            row += 1


def _bounded(number: float) -> float:
    """Return a number within sane bounds, 0 for NaN."""
    if number != number:
        return 0.0
    return -MOST_PX if number < -MOST_PX else MOST_PX if number > MOST_PX else number


def _within(number: float, most: float) -> float:
    """Return a number from 0 to `most`, 0 for NaN."""
    return 0.0 if not number > 0.0 else most if number > most else number


def _read_lengths(s: Screen, is_flow: Any) -> None:
    """Read margins, paddings, borders and sizes."""
    count, styles = s.count, s.styles
    for side, length in enumerate(_four(styles.margin)):
        _read_margin(s, length, side * count)
    for side, length in enumerate(_four(styles.border)):
        _read_border(s, length, side * count)
    for side, length in enumerate(_four(styles.padding)):
        _read_padding(s, length, side * count)
    for side, length in enumerate(_four(styles.offset)):
        _read_offset(s, length, side * count)
    _read_size(s, styles.width, s.width_number, False)
    _read_size(s, styles.height, s.height_number, False)
    _read_size(s, styles.min_width, s.min_width, True)
    _read_size(s, styles.min_height, s.min_height, True)
    _read_size(s, styles.max_width, s.max_width, False)
    _read_size(s, styles.max_height, s.max_height, False)
    for row in range(count):
        s.tops[row] = s.margin_top[row]
        # Plain blocks, most of a page: as wide as their holder, as high as their content.
        s.is_plain[row] = 1 if is_flow[row] and not s.is_sized[row] and not s.is_odd[row] else 0


def _four(sides: Sides) -> tuple[Lengths, Lengths, Lengths, Lengths]:
    return sides.top, sides.right, sides.bottom, sides.left


def _read_margin(s: Screen, length: Lengths, at: int) -> None:
    number, unit = length.number, length.unit
    for row in range(s.count):
        value = _bounded(number[row])
        s.odd_numbers[at + row] = value
        s.odd_units[at + row] = unit[row]
        s.margins[at + row] = value if unit[row] == _PX else 0.0
        if unit[row] != _PX:
            s.is_odd[row] = 1


def _read_border(s: Screen, length: Lengths, at: int) -> None:
    number = length.number
    for row in range(s.count):
        value = _bounded(number[row])
        s.borders[at + row] = value
        s.insets[at + row] = value if value > 0.0 else 0.0


def _read_padding(s: Screen, length: Lengths, at: int) -> None:
    """Add a padding to the inset, where the border is already."""
    number, unit, behind = length.number, length.unit, at + 4 * s.count
    for row in range(s.count):
        value = _bounded(number[row])
        s.odd_numbers[behind + row] = value
        s.odd_units[behind + row] = unit[row]
        if unit[row] == _PX and value > 0.0:
            s.insets[at + row] += value
        if unit[row] != _PX:
            s.is_odd[row] = 1


def _read_offset(s: Screen, length: Lengths, at: int) -> None:
    number, unit = length.number, length.unit
    for row in range(s.count):
        s.offsets[at + row] = number[row]
        s.offset_units[at + row] = unit[row]


def _read_size(s: Screen, length: Lengths, column: Any, is_least: bool) -> None:
    """Read a size; boxes that state it are sized, by a least one if it is more than nothing."""
    number, unit = length.number, length.unit
    for row in range(s.count):
        column[row] = _bounded(number[row])
        if unit[row] != _AUTO and (not is_least or column[row] > 0):
            s.is_sized[row] = 1


def _read_fonts(s: Screen) -> None:
    """Read faces, font sizes and line heights."""
    styles = s.styles
    families, weights, sizes, lines = styles.font_family, styles.font_weight, styles.font_size, styles.line_height
    faces = np.array([face_number(name) for name in styles.family_names] or [0], np.int8)
    most = len(faces) - 1
    for row in range(s.count):
        family = families[row]
        face = faces[0 if family < 0 else most if family > most else family] + (weights[row] >= _BOLD_FROM)
        size, line = _within(sizes[row], _MOST_FONT), _within(lines[row], _MOST_LINE)
        rise, fall = rint(size * _ASCENTS[face]), rint(size * _DESCENTS[face])
        gap = line - _LINE_EM * size
        high = rise + fall + rint(size * _GAPS[face]) if -_ALIKE < gap < _ALIKE else line
        lead = (high - rise - fall) / 2
        s.face[row], s.font_size[row], s.line_height[row] = face, size, high
        s.above[row], s.under[row], s.rise[row], s.letters[row] = rise + lead, fall + lead, rise, rise + fall


def _read_indents(s: Screen) -> None:
    indents = s.styles.text_indent
    for row in range(s.count):
        s.indent[row] = _bounded(indents[row])
        if indents[row] != 0:
            s.has_indent = True


def _measure_texts(s: Screen) -> None:
    """Measure all texts of the page in their fonts."""
    spacings, is_upper = s.styles.letter_spacing, s.styles.is_upper_case.view("i1")
    fonts = font_table = np.empty((2, s.leaf_count))  # the first of the two is typed where this is compiled
    faces = face_column = np.empty(s.leaf_count, np.int8)
    has_upper = False
    for leaf in range(s.leaf_count):
        node = s.leaf_node[leaf]
        faces[leaf] = s.face[node]
        fonts[0, leaf], fonts[1, leaf] = s.font_size[node], _bounded(spacings[node])
        s.blank[leaf] = _BLANKS[s.face[node]] * s.font_size[node] + fonts[1, leaf]
        if is_upper[node]:
            has_upper = True
    texts = s.texts
    if has_upper:
        texts = [text.upper() if is_upper[s.leaf_node[leaf]] else text for leaf, text in enumerate(texts)]
    words: Any = measure(texts, face_column, font_table[0], font_table[1])
    s.first_word, s.starts, s.ends, s.total, s.widest = words.first, words.starts, words.ends, words.total, words.widest
