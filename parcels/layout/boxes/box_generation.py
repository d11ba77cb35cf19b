# cython: infer_types=True, wraparound=False
"""Box generation: fill the columns of a box tree with box types, lengths, fonts, children and texts."""

from typing import Any

import cython
import numpy as np

from parcels.css.style import Display, Lengths, Position, Sides, Unit
from parcels.css.values.lengths import LINE_EM
from parcels.html.tags import IS_BLOCK_LEVEL
from parcels.layout.boxes.flow import kinds as flow_kinds
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.kinds import BOX, MAX_PX
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
_MAX_FONT, _MAX_LINE = 1000.0, 2000.0  # px
_IS_ITEM_BOX, _IS_INLINE_LEVEL = flow_kinds.IS_ITEM_BOX.view("u1"), flow_kinds.IS_INLINE_LEVEL.view("u1")
_IS_ROOT, _IS_PART = flow_kinds.IS_ROOT.view("u1"), flow_kinds.IS_PART.view("u1")
_IS_TABLE_PART, _IS_BLOCK_LEVEL = flow_kinds.IS_TABLE_PART.view("u1"), IS_BLOCK_LEVEL.view("u1")
_SPACED_BY_TAG = flow_kinds.SPACED_BY_TAG.view("u1")
_BLOCKIFIED, _KIND_OF_TAG = flow_kinds.BLOCKIFIED, flow_kinds.KIND_OF_TAG
_ASCENTS, _DESCENTS, _BLANKS, _GAPS = ASCENTS, DESCENTS, BLANKS, GAPS


def fill(t: BoxTree) -> None:
    """Fill in all columns that the page and its styles give; a column of another type is a ValueError."""
    kinds = _Kinds(t)
    kinds.find_displays()
    kinds.open_inline()
    kinds.find_kinds()
    kinds.read_tables()
    kinds.read_children()
    _read_lengths(t, kinds.is_flow)
    _read_fonts(t)
    _read_indents(t)
    _measure_texts(t)


class _Kinds:
    """The box type of each node, and its child boxes and texts."""

    def __init__(self, t: BoxTree):
        self.t, self.has_contents = t, False
        store, count = self.t.store, self.t.count
        self.has_box, self.is_flow = store.codes(count), store.codes(count)  # is_flow: a plain block
        self.was_inline, self.is_out = store.codes(count), store.codes(count)

    def find_displays(self) -> None:
        """Find what is out of flow, which makes it a block."""
        t = self.t
        shown, floats = t.styles.display, t.styles.float_
        for row in range(t.count):
            tag, own = t.tag[row], shown[row]
            t.kind[row] = _KIND_OF_TAG[tag]
            t.is_block_by_tag[row] = _IS_BLOCK_LEVEL[tag]
            t.is_spaced_by_tag[row] = _SPACED_BY_TAG[tag]
            is_absolute = t.position[row] == _ABSOLUTE or t.position[row] == _FIXED
            t.is_absolute[row] = 1 if is_absolute else 0
            t.is_positioned[row] = 1 if t.position[row] != _STATIC else 0
            is_item = False
            if row == 0:
                own = _BLOCK if own != _NONE else _NONE
            else:
                above = t.parent[row]
                # The root is always a block.
                is_item = above > 0 and _IS_ITEM_BOX[shown[above]] != 0
            t.float_[row] = 0 if is_absolute or is_item else floats[row]
            self.is_out[row] = 1 if is_item or is_absolute or t.float_[row] else 0
            t.display[row] = _BLOCKIFIED[own] if self.is_out[row] else own
            self.was_inline[row] = 1 if t.display[row] == _INLINE else 0

    def open_inline(self) -> None:
        """Lay out an inline element with a block in it as a block."""
        t = self.t
        for row in range(1, t.count):
            above, display = t.parent[row], t.display[row]
            # Until `find_kinds` fills it: whether it is a block directly in an inline element.
            self.has_box[row] = 0
            if t.display[above] != _INLINE or t.kind[above] != BOX or _IS_INLINE_LEVEL[display]:
                continue
            if display not in (_NONE, _CONTENTS) and not t.is_absolute[row] and not t.float_[row]:
                self.has_box[row] = 1
        for row in range(1, t.count):
            if self.has_box[row]:
                over = t.parent[row]
                while over > 0 and self.was_inline[over]:
                    self.was_inline[over] = 0
                    t.display[over] = _BLOCK
                    over = t.parent[over]

    def find_kinds(self) -> None:
        """Find roots of block formatting, plain blocks, and blocks that hold cells without a table around them."""
        t, has_items = self.t, False
        for row in range(t.count):
            display = t.display[row]
            is_bfc_root = (
                row == 0 or _IS_ROOT[display] or t.hides_overflow[row] or self.is_out[row] or t.column_count[row] > 1
            )
            t.is_bfc_root[row] = 1 if is_bfc_root else 0
            t.is_inline[row] = _IS_INLINE_LEVEL[display]
            self.is_flow[row] = 0
            if not is_bfc_root and display in (_BLOCK, _LIST_ITEM) and t.kind[row] == BOX:
                self.is_flow[row] = 1
                t.flow_row[t.flow_count] = row
                t.flow_count += 1
            if row and _IS_PART[display] and not _IS_TABLE_PART[t.display[t.parent[row]]]:
                t.is_anonymous_table[t.parent[row]] = 1
            if display == _CONTENTS:
                self.has_contents = True
            if _IS_ITEM_BOX[display]:
                has_items = True
            self.has_box[row] = 0 if display in (_NONE, _CONTENTS) else 1
        if has_items:
            t.view_items(t.styles)
        for row in range(t.count):
            if t.is_anonymous_table[row]:
                self.is_flow[row] = 0

    def read_tables(self) -> None:
        """Read what the cascade says of tables and of <center>, where it says it."""
        t = self.t
        if len(t.styles.border_spacing) == t.count:
            spacing = t.styles.border_spacing
            for row in range(t.count):
                t.spacing[row] = spacing[row]
        if len(t.styles.is_fixed_table) == t.count:
            is_fixed = t.styles.is_fixed_table.view("i1")
            for row in range(t.count):
                t.is_fixed_table[row] = is_fixed[row]
        if len(t.styles.centres_blocks) == t.count:
            centres = t.styles.centres_blocks.view("i1")
            for row in range(t.count):
                if centres[row]:
                    t.block_alignment[row] = t.text_align[row]

    def read_children(self) -> None:
        """Find the children of each box in order; those of a `display: contents` belong to its parent."""
        t, count, leaves = self.t, self.t.count, self.t.leaf_count
        kinds, opened = t.page.leaves.kind, t.page.leaves.opened
        home, filled = t.store.ints(count), t.store.ints(count)
        for row in range(count):
            home[row] = row
            if self.has_contents and t.display[row] == _CONTENTS:
                home[row] = home[t.parent[row]] if row else 0
            if row and self.has_box[row]:
                t.first_child[home[t.parent[row]] + 1] += 1
        is_ordered = True
        for leaf in range(leaves):
            t.is_text[leaf] = 1 if kinds[leaf] == "text" else 0
            if t.is_text[leaf]:
                t.first_child[home[t.leaf_node[leaf]] + 1] += 1
            if leaf and opened[leaf] < opened[leaf - 1]:
                is_ordered = False
        for row in range(count):
            filled[row] = t.first_child[row]
            t.first_child[row + 1] += t.first_child[row]
        if not is_ordered:
            order = np.argsort(opened, kind="stable").astype(np.intc)
        row, n = 1, 0
        while row < count or n < leaves:
            if n < leaves:
                leaf = n if is_ordered else order[n]
                if row >= count or opened[leaf] <= row:
                    # A text comes before the first element that opens after it.
                    if t.is_text[leaf]:
                        owner = home[t.leaf_node[leaf]]
                        t.child[filled[owner]] = ~leaf
                        filled[owner] += 1
                    n += 1
                    continue
            if self.has_box[row]:
                owner = home[t.parent[row]]
                t.child[filled[owner]] = row
                t.child_index[row], t.parent_box[row] = filled[owner], owner
                filled[owner] += 1
            row += 1


def _bounded(number: float) -> float:
    """Return a number within sane bounds, 0 for NaN."""
    if number != number:
        return 0.0
    return -MAX_PX if number < -MAX_PX else MAX_PX if number > MAX_PX else number


def _within(number: float, most: float) -> float:
    """Return a number from 0 to `max_content`, 0 for NaN."""
    return 0.0 if not number > 0.0 else most if number > most else number


def _read_lengths(t: BoxTree, is_flow: Any) -> None:
    """Read margins, paddings, borders and sizes."""
    count, styles = t.count, t.styles
    for side, length in enumerate(_four(styles.margin)):
        _read_margin(t, length, side * count)
    for side, length in enumerate(_four(styles.border)):
        _read_border(t, length, side * count)
    for side, length in enumerate(_four(styles.padding)):
        _read_padding(t, length, side * count)
    for side, length in enumerate(_four(styles.offset)):
        _read_offset(t, length, side * count)
    _read_size(t, styles.width, t.width_number, False)
    _read_size(t, styles.height, t.height_number, False)
    _read_size(t, styles.min_width, t.min_width, True)
    _read_size(t, styles.min_height, t.min_height, True)
    _read_size(t, styles.max_width, t.max_width, False)
    _read_size(t, styles.max_height, t.max_height, False)
    for row in range(count):
        t.top_margins[row] = t.margin_top[row]
        # Plain blocks, most of a page: as wide as their container, as high as their content.
        t.is_plain_block[row] = 1 if is_flow[row] and not t.is_sized[row] and not t.has_relative_edges[row] else 0


def _four(sides: Sides) -> tuple[Lengths, Lengths, Lengths, Lengths]:
    return sides.top, sides.right, sides.bottom, sides.left


def _read_margin(t: BoxTree, length: Lengths, at: int) -> None:
    number, unit = length.number, length.unit
    for row in range(t.count):
        value = _bounded(number[row])
        t.edge_numbers[at + row] = value
        t.edge_units[at + row] = unit[row]
        t.margins[at + row] = value if unit[row] == _PX else 0.0
        if unit[row] != _PX:
            t.has_relative_edges[row] = 1


def _read_border(t: BoxTree, length: Lengths, at: int) -> None:
    number = length.number
    for row in range(t.count):
        value = _bounded(number[row])
        t.borders[at + row] = value
        t.insets[at + row] = value if value > 0.0 else 0.0


def _read_padding(t: BoxTree, length: Lengths, at: int) -> None:
    """Add a padding to the inset, where the border is already."""
    number, unit, behind = length.number, length.unit, at + 4 * t.count
    for row in range(t.count):
        value = _bounded(number[row])
        t.edge_numbers[behind + row] = value
        t.edge_units[behind + row] = unit[row]
        if unit[row] == _PX and value > 0.0:
            t.insets[at + row] += value
        if unit[row] != _PX:
            t.has_relative_edges[row] = 1


def _read_offset(t: BoxTree, length: Lengths, at: int) -> None:
    number, unit = length.number, length.unit
    for row in range(t.count):
        t.offsets[at + row] = number[row]
        t.offset_units[at + row] = unit[row]


def _read_size(t: BoxTree, length: Lengths, column: Any, is_least: bool) -> None:
    """Read a size; boxes that state it are sized, by a least one if it is more than nothing."""
    number, unit = length.number, length.unit
    for row in range(t.count):
        column[row] = _bounded(number[row])
        if unit[row] != _AUTO and (not is_least or column[row] > 0):
            t.is_sized[row] = 1


def _read_fonts(t: BoxTree) -> None:
    """Read faces, font sizes and line heights."""
    styles = t.styles
    families, weights, sizes, lines = styles.font_family, styles.font_weight, styles.font_size, styles.line_height
    faces = np.array([face_number(name) for name in styles.family_names] or [0], np.int8)
    most = len(faces) - 1
    for row in range(t.count):
        family = families[row]
        face = faces[0 if family < 0 else most if family > most else family] + (weights[row] >= _BOLD_FROM)
        size, line = _within(sizes[row], _MAX_FONT), _within(lines[row], _MAX_LINE)
        rise, fall = rint(size * _ASCENTS[face]), rint(size * _DESCENTS[face])
        gap = line - _LINE_EM * size
        high = rise + fall + rint(size * _GAPS[face]) if -_ALIKE < gap < _ALIKE else line
        lead = (high - rise - fall) / 2
        t.face[row], t.font_size[row], t.line_height[row] = face, size, high
        t.line_ascent[row], t.line_descent[row], t.text_ascent[row], t.text_height[row] = (
            rise + lead,
            fall + lead,
            rise,
            rise + fall,
        )


def _read_indents(t: BoxTree) -> None:
    indents = t.styles.text_indent
    for row in range(t.count):
        t.indent[row] = _bounded(indents[row])
        if indents[row] != 0:
            t.has_indent = True


def _measure_texts(t: BoxTree) -> None:
    """Measure all texts of the page in their fonts."""
    spacings, is_upper = t.styles.letter_spacing, t.styles.is_upper_case.view("i1")
    fonts = font_table = np.empty((2, t.leaf_count))  # the first of the two is typed where this is compiled
    faces = face_column = np.empty(t.leaf_count, np.int8)
    has_upper = False
    for leaf in range(t.leaf_count):
        node = t.leaf_node[leaf]
        faces[leaf] = t.face[node]
        fonts[0, leaf], fonts[1, leaf] = t.font_size[node], _bounded(spacings[node])
        t.blank[leaf] = _BLANKS[t.face[node]] * t.font_size[node] + fonts[1, leaf]
        if is_upper[node]:
            has_upper = True
    texts = t.texts
    if has_upper:
        texts = [text.upper() if is_upper[t.leaf_node[leaf]] else text for leaf, text in enumerate(texts)]
    words: Any = measure(texts, face_column, font_table[0], font_table[1])
    t.first_word, t.starts, t.ends, t.total, t.widest = words.first, words.starts, words.ends, words.total, words.widest
