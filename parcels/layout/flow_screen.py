# cython: infer_types=True
"""The screen while it is being laid out: what the styles say as columns of numbers, and the boxes found so far.

A box is placed relative to the border box of the block that holds it; `parcels.layout.virtual` adds the places up at
the end, so that moving a box moves all that is in it.
"""

from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.compiled import loaded
from parcels.css.style import Display, Lengths, Position, Sides, Styles, Unit
from parcels.css.values import LINE_EM
from parcels.layout import columns
from parcels.layout.flow_codes import BOX, MOST_PX
from parcels.layout.flow_kinds import (
    BLOCKIFIED,
    IS_INLINE_LEVEL,
    IS_ITEM_BOX,
    IS_PART,
    IS_ROOT,
    IS_TABLE_PART,
    KIND_OF_TAG,
    SPACED_BY_TAG,
)
from parcels.layout.text_measure import measure
from parcels.layout.text_metrics import ASCENTS, BLANKS, BOLD_FROM, DESCENTS, GAPS, face_number
from parcels.page import Page
from parcels.tags import IS_BLOCK_LEVEL

_fast = loaded("parcels.layout.screen_fast")
_UNITS_AUTO, _PX, _PERCENT = int(Unit.AUTO), int(Unit.PX), int(Unit.PERCENT)

# As plain numbers, since a member of an enum takes long to reach.
_NONE, _INLINE, _BLOCK = int(Display.NONE), int(Display.INLINE), int(Display.BLOCK)
_LIST_ITEM, _CONTENTS = int(Display.LIST_ITEM), int(Display.CONTENTS)
_STATIC, _ABSOLUTE, _FIXED = int(Position.STATIC), int(Position.ABSOLUTE), int(Position.FIXED)


class Lay:
    """Lays out a box in which floats are its own affair; `parcels.layout.flow` says how."""

    __slots__ = ()

    def lay(self, s: "Screen", row: int, width: float, holder_height: float, depth: int, height: float) -> float:
        """Lay the box out at a border box's width; its height."""
        raise NotImplementedError


class Screen:
    """One page being laid out.

    A height of NaN is one that is not known. The children of box n are those from kid[first_kid[n]] up to
    kid[first_kid[n + 1]]; a text among them is ~leaf, so that it is negative.
    """

    # Slots: with this many attributes a plain object would look each of them up in a dict.
    __slots__ = (
        *("above", "absolutes", "across", "align_items", "align_self", "aligned", "attributes", "baseline", "basis"),
        *("basis_unit", "below", "blank", "borders", "bottom", "clear", "column_count", "column_gap", "count"),
        *("direction", "display", "down", "elements", "empties", "end_leaf", "ends", "face", "first_kid"),
        *("first_leaf", "first_word", "float_", "flow_count", "flow_row", "font_size", "fragment_count"),
        *("fragment_end", "fragment_height", "fragment_item", "fragment_rise", "fragment_room", "fragment_x"),
        *("grids", "grow", "h", "has_indent", "height_number", "height_unit", "high", "indent", "is_absolute"),
        *("is_block_by_tag", "is_border_box", "is_cell_holder", "is_fixed_table", "is_hiding", "is_inline", "is_odd"),
        *("is_placed", "is_plain", "is_root", "is_sized", "is_spaced", "is_spaced_by_tag", "is_text", "is_wrapping"),
        *("justify", "keep", "kid", "kind", "last", "layer", "leaf_bottom", "leaf_count", "leaf_in", "leaf_left"),
        *("leaf_node", "leaf_right", "leaf_top", "least", "left", "letters", "line_height", "made_before"),
        *("margin_bottom", "margin_left", "margin_right", "margin_top", "max_height", "max_height_unit", "max_width"),
        *("max_width_unit", "min_height", "min_height_unit", "min_width", "min_width_unit", "most", "moved_y"),
        *("natural", "odd_numbers", "odd_units", "offset_units", "offsets", "order", "own_height", "own_ratio"),
        *("is_after_blank", "node_tails", "node_texts"),
        *("own_width", "owner", "page", "parent", "place", "position", "raw", "right", "rise", "row_gap", "shrink"),
        *("spacing", "starts", "styles", "tag", "text_align", "texts", "top", "tops", "total", "under"),
        *("vertical_align", "w", "white_space", "wide", "widest", "width", "width_number", "width_unit", "x", "y"),
    )

    def __init__(self, page: Page, styles: Styles, width: float, layer: Lay):
        self.page, self.styles, self.width, self.layer = page, styles, width, layer
        self.keep: list[Any] = []  # the memory of the columns, where these are compiled
        keep = self.keep
        self.count, self.leaf_count = len(page.nodes), len(page.leaves)
        self.elements, self.attributes = page.nodes.elements, page.nodes.attributes
        self.node_texts, self.node_tails = page.nodes.texts, page.nodes.tails
        self.is_after_blank = columns.codes(keep, page.nodes.is_after_blank)
        self.parent, self.last = columns.ints(keep, page.nodes.parent), columns.ints(keep, page.nodes.last)
        self.first_leaf = columns.ints(keep, page.nodes.first_leaf)
        self.end_leaf = columns.ints(keep, page.nodes.end_leaf)
        self.tag = columns.ints(keep, page.nodes.tag.astype(np.int32))
        if _fast is None or not _fast.read(self, page, styles):
            has_box, home, is_plain = self._read_kinds(page, styles)
            self._read_lengths(styles, is_plain)
            self._read_text(page, styles)
            self._read_children(page, has_box, home)
        self._make_boxes(page)
        self.empties: list[tuple[int, int, float, float, float]] = []  # inline elements without content
        self.absolutes: list[tuple[int, int, float, float]] = []  # row, holder, static place
        self.grids: dict[int, Any] = {}  # table row to its cells
        self.raw: dict[int, dict[str, str]] = {}  # folded to original texts of a node
        self.fragment_count = self.fragment_room = 0
        self.fragment_item = columns.new_ints(keep, 0, 0)
        self.fragment_x, self.fragment_end = columns.new_doubles(keep, 0, 0.0), columns.new_doubles(keep, 0, 0.0)
        self.fragment_rise, self.fragment_height = columns.new_doubles(keep, 0, 0.0), columns.new_doubles(keep, 0, 0.0)

    def _make_boxes(self, page: Page) -> None:
        keep, count, leaf_count = self.keep, self.count, self.leaf_count
        # Boxes: place relative to the border box of `across` (x) and `down` (y), which differ for absolute boxes only.
        self.across = columns.ints(keep, page.nodes.parent.copy())
        self.down = columns.ints(keep, page.nodes.parent.copy())
        self.wide, self.high = np.full(count, nan), np.zeros(count)  # what w and h are columns of
        self.w, self.h = columns.fresh_doubles(keep, self.wide), columns.fresh_doubles(keep, self.high)
        self.x, self.y = columns.new_doubles(keep, count, 0.0), columns.new_doubles(keep, count, 0.0)
        # All that stands in the box goes down by this (vertical alignment).
        self.moved_y = columns.new_doubles(keep, count, 0.0)
        self.natural = columns.new_doubles(keep, count, 0.0)  # height of the border box that the content alone asks for
        self.below = columns.new_doubles(keep, count, 0.0)  # bottom margin that sticks out of the box
        self.baseline = columns.new_doubles(keep, count, nan)  # of the last line, from the top of the border box
        # What is asked for more than once: the border box's min-content and max-content width, an image's own size.
        self.least, self.most = columns.new_doubles(keep, count, nan), columns.new_doubles(keep, count, nan)
        self.own_width, self.own_height = columns.new_doubles(keep, count, nan), columns.new_doubles(keep, count, 0.0)
        self.own_ratio = columns.new_doubles(keep, count, 0.0)
        # NaN where the leaf has no box.
        self.leaf_left, self.leaf_top = (
            columns.new_doubles(keep, leaf_count, nan),
            columns.new_doubles(keep, leaf_count, nan),
        )
        self.leaf_right = columns.new_doubles(keep, leaf_count, nan)
        self.leaf_bottom = columns.new_doubles(keep, leaf_count, nan)
        self.leaf_in = columns.new_ints(keep, leaf_count, 0)
        self.made_before = columns.new_ints(keep, count, 0)  # pieces of the lines before an open element

    def _make_room(self, room: int) -> None:
        """Room for that many fragments: the pieces of the lines that are being set, those of inner boxes behind."""
        keep = self.keep
        x, end = columns.new_doubles(keep, room, 0.0), columns.new_doubles(keep, room, 0.0)
        rise, height = columns.new_doubles(keep, room, 0.0), columns.new_doubles(keep, room, 0.0)
        item = columns.new_ints(keep, room, 0)
        for n in range(self.fragment_count):
            item[n], x[n], end[n] = self.fragment_item[n], self.fragment_x[n], self.fragment_end[n]
            rise[n], height[n] = self.fragment_rise[n], self.fragment_height[n]
        self.fragment_item, self.fragment_x, self.fragment_end = item, x, end
        self.fragment_rise, self.fragment_height = rise, height
        self.fragment_room = room

    def add_fragment(self, item: int, x: float, end: float, rise: float, height: float) -> None:
        """One more piece of the line that is being set."""
        n = self.fragment_count
        if n == self.fragment_room:
            self._make_room(2 * n + 64)
        self.fragment_item[n], self.fragment_x[n], self.fragment_end[n] = item, x, end
        self.fragment_rise[n], self.fragment_height[n] = rise, height
        self.fragment_count = n + 1

    def _read_kinds(
        self, page: Page, styles: Styles
    ) -> tuple[NDArray[np.bool_], NDArray[np.intp] | None, NDArray[np.bool_]]:
        """What kind of box each node has.

        Whether it has one, where the children of a `display: contents` go, if the page has any, and whether it is a
        block in flow.
        """
        keep, tag, parent = self.keep, page.nodes.tag, page.nodes.parent
        position = styles.position
        is_absolute = (position == _ABSOLUTE) | (position == _FIXED)
        is_float = (styles.float_ != 0) & ~is_absolute
        display = styles.display.copy()
        display[0] = _BLOCK if display[0] != _NONE else _NONE
        above = np.maximum(parent, 0)
        is_item = IS_ITEM_BOX[display[above]]
        is_item[0] = False
        is_float &= ~is_item
        out = is_absolute | is_float | is_item
        if out.any():
            display = np.where(out, BLOCKIFIED[display], display)
        kind = KIND_OF_TAG[tag]
        self.kind = columns.codes(keep, kind)
        self.is_block_by_tag = columns.codes(keep, IS_BLOCK_LEVEL[tag])
        self.is_spaced_by_tag = columns.codes(keep, SPACED_BY_TAG[tag])
        # An inline element with a block in it is laid out as a block.
        is_block = ~IS_INLINE_LEVEL[display] & (display != _NONE) & (display != _CONTENTS) & ~is_absolute & ~is_float
        is_inline = display == _INLINE
        holders = (is_block & is_inline[above] & (kind[above] == BOX)).nonzero()[0]
        if len(holders):
            inline, blocks = is_inline.tolist(), []
            for row in holders.tolist():
                over = self.parent[row]
                while over > 0 and inline[over]:
                    inline[over] = False
                    blocks.append(over)
                    over = self.parent[over]
            display[blocks] = _BLOCK
        is_root = IS_ROOT[display] | styles.overflow_hidden | out | (styles.column_count > 1)
        is_root[0] = True
        is_flow = ((display == _BLOCK) | (display == _LIST_ITEM)) & ~is_root & (kind == BOX)
        self.display = columns.codes(keep, display)
        flow_rows = is_flow.nonzero()[0]
        self.flow_row, self.flow_count = columns.ints(keep, flow_rows.astype(np.int32)), len(flow_rows)
        self.is_inline = columns.codes(keep, IS_INLINE_LEVEL[display])
        self.is_absolute, self.is_root = columns.codes(keep, is_absolute), columns.codes(keep, is_root)
        self.position, self.is_placed = columns.codes(keep, position), columns.codes(keep, position != _STATIC)
        self.float_ = columns.rare_codes(keep, styles.float_ * is_float)
        self.clear = columns.rare_codes(keep, styles.clear)
        self.column_count = columns.rare_codes(keep, styles.column_count)
        # Blocks that hold cells or rows without a table around them are tables as far as their content goes.
        is_part, is_holder = IS_PART[display], np.zeros(self.count, np.bool_)
        if is_part.any():
            is_part &= ~IS_TABLE_PART[display[above]]
            is_part[0] = False
            is_holder[parent[is_part]] = True
        self.is_cell_holder = columns.rare_codes(keep, is_holder)
        self._read_tables(styles)
        self._read_items(styles, bool(IS_ITEM_BOX[display].any()))
        is_contents = display == _CONTENTS
        has_box = (display != _NONE) & ~is_contents
        if not is_contents.any():
            return has_box, None, is_flow & ~is_holder
        home = list(range(self.count))
        for row in is_contents.nonzero()[0].tolist():
            home[row] = home[self.parent[row]] if row else 0
        return has_box, np.array(home), is_flow & ~is_holder

    def _read_tables(self, styles: Styles) -> None:
        """What the cascade says of tables and of <center>, where it says it."""
        keep, count = self.keep, self.count
        has_tables = len(styles.border_spacing) == count
        spacing = styles.border_spacing.astype(np.float64) if has_tables else np.zeros(count)
        self.spacing = columns.rare_doubles(keep, spacing)
        has_tables = len(styles.is_fixed_table) == count
        self.is_fixed_table = columns.rare_codes(
            keep, styles.is_fixed_table if has_tables else np.zeros(count, np.int8)
        )
        # Of each node, how the blocks in it stand where margins do not say.
        if styles.centres_blocks.any():
            aligned = np.where(styles.centres_blocks, styles.text_align, 0).astype(np.int8)
        else:
            aligned = np.zeros(count, np.int8)
        self.aligned = columns.rare_codes(keep, aligned)

    def _read_items(self, styles: Styles, has_items: bool) -> None:
        """What flex boxes and grids ask of their items; empty where the page has neither."""
        keep, count = self.keep, self.count if has_items else 0
        self.direction = columns.codes(keep, styles.direction[:count])
        self.is_wrapping = columns.codes(keep, styles.is_wrapping[:count])
        self.is_hiding = columns.codes(keep, styles.overflow_hidden[:count])
        self.justify = columns.codes(keep, styles.justify_content[:count])
        self.align_items = columns.codes(keep, styles.align_items[:count])
        self.align_self = columns.codes(keep, styles.align_self[:count])
        self.basis_unit = columns.codes(keep, styles.flex_basis.unit[:count])
        numbers = (styles.flex_grow, styles.flex_shrink, styles.flex_basis.number, styles.order)
        table = np.array([number[:count] for number in (*numbers, styles.column_gap, styles.row_gap)], np.float64)
        self.grow, self.shrink = columns.doubles(keep, table[0]), columns.doubles(keep, table[1])
        self.basis, self.order = columns.doubles(keep, table[2]), columns.doubles(keep, table[3])
        self.column_gap, self.row_gap = columns.doubles(keep, table[4]), columns.doubles(keep, table[5])

    def _read_lengths(self, styles: Styles, is_plain: NDArray[np.bool_]) -> None:
        keep = self.keep
        margins, paddings, borders = _four(styles.margin), _four(styles.padding), _four(styles.border)
        sizes = (styles.width, styles.height, styles.min_width, styles.min_height, styles.max_width, styles.max_height)
        lengths = (*margins, *paddings, *borders, *sizes)
        numbers = _bounded(np.array([length.number for length in lengths], np.float64))
        all_units = np.array([length.unit for length in (*margins, *paddings, *sizes)], np.int8)
        units, size_units = all_units[:8], all_units[8:]
        is_px = units == _PX
        pixels = np.where(is_px, numbers[:8], 0.0)
        insets = np.maximum(pixels[4:], 0.0) + np.maximum(numbers[8:12], 0.0)
        self.tops = columns.doubles(keep, pixels[0].copy())  # later collapsed with those of first children
        self.margin_top, self.margin_right = columns.doubles(keep, pixels[0]), columns.doubles(keep, pixels[1])
        self.margin_bottom, self.margin_left = columns.doubles(keep, pixels[2]), columns.doubles(keep, pixels[3])
        # Padding and border together.
        self.top, self.right = columns.doubles(keep, insets[0]), columns.doubles(keep, insets[1])
        self.bottom, self.left = columns.doubles(keep, insets[2]), columns.doubles(keep, insets[3])
        is_even = is_px.all(axis=0)
        self.is_odd = columns.codes(keep, ~is_even)  # percentages or auto among margins and paddings
        self.odd_units = columns.seldom_codes(keep, units)
        self.odd_numbers = columns.seldom_doubles(keep, numbers[:8])
        self.borders = columns.seldom_doubles(keep, numbers[8:12])
        is_given = size_units != _UNITS_AUTO
        is_given[2:4] &= numbers[14:16] > 0
        is_sized = is_given.any(axis=0)
        self.is_sized = columns.codes(keep, is_sized)
        # Plain blocks, most of a page: as wide as their holder, as high as their content.
        self.is_plain = columns.codes(keep, is_plain & ~is_sized & is_even)
        self.width_number, self.height_number = columns.doubles(keep, numbers[12]), columns.doubles(keep, numbers[13])
        self.width_unit, self.height_unit = columns.codes(keep, size_units[0]), columns.codes(keep, size_units[1])
        self.min_width = columns.rare_doubles(keep, numbers[14])
        self.min_height = columns.rare_doubles(keep, numbers[15])
        self.max_width = columns.rare_doubles(keep, numbers[16])
        self.max_height = columns.rare_doubles(keep, numbers[17])
        self.min_width_unit = columns.rare_codes(keep, size_units[2])
        self.min_height_unit = columns.rare_codes(keep, size_units[3])
        self.max_width_unit = columns.rare_codes(keep, size_units[4])
        self.max_height_unit = columns.rare_codes(keep, size_units[5])
        self.is_border_box = columns.rare_codes(keep, styles.is_border_box)
        offsets = _four(styles.offset)
        self.offsets = columns.seldom_doubles(keep, np.array([length.number for length in offsets], np.float64))
        self.offset_units = columns.seldom_codes(keep, np.array([length.unit for length in offsets], np.int8))

    def _read_text(self, page: Page, styles: Styles) -> None:
        keep = self.keep
        faces = np.array([face_number(name) for name in styles.family_names] or [0], np.int8)
        family = np.clip(styles.font_family, 0, len(faces) - 1)
        face = faces[family] + (styles.font_weight >= BOLD_FROM)
        self.face = columns.codes(keep, face)
        size = np.fmin(np.fmax(styles.font_size, 0.0), 1000.0)
        self.font_size = columns.doubles(keep, size.astype(np.float64))
        line_height = np.fmin(np.fmax(styles.line_height, 0.0), 2000.0)
        is_normal = np.abs(line_height - LINE_EM * size) < 0.02
        rise, fall = np.rint(size * ASCENTS[face]), np.rint(size * DESCENTS[face])
        line_height = np.where(is_normal, rise + fall + np.rint(size * GAPS[face]), line_height)
        lead = (line_height - rise - fall) / 2
        # A line with this font: how far it reaches above and below the baseline; the letters' own rise and height.
        self.above, self.under = columns.doubles(keep, rise + lead), columns.doubles(keep, fall + lead)
        self.rise, self.letters = columns.doubles(keep, rise), columns.doubles(keep, rise + fall)
        self.line_height = columns.doubles(keep, line_height)
        self.text_align = columns.rare_codes(keep, styles.text_align)
        self.white_space = columns.rare_codes(keep, styles.white_space)
        self.has_indent = bool(styles.text_indent.any())
        indent = _bounded(styles.text_indent) if self.has_indent else np.zeros(0)
        self.indent = columns.doubles(keep, indent.astype(np.float64))
        self.vertical_align = columns.codes(keep, styles.vertical_align)
        self.texts = page.leaves.text
        node = page.leaves.node
        self.leaf_node = columns.ints(keep, node)
        self.is_spaced = columns.codes(keep, page.leaves.is_spaced)
        texts = self.texts
        if styles.is_upper_case.any() and styles.is_upper_case[node].any():
            texts = [t.upper() if up else t for t, up in zip(texts, styles.is_upper_case[node].tolist(), strict=True)]
        spacing = _bounded(styles.letter_spacing)
        words = measure(texts, face[node], size[node], spacing[node])
        self.first_word = columns.ints(keep, words.first)
        self.starts, self.ends = columns.doubles(keep, words.starts), columns.doubles(keep, words.ends)
        self.total, self.widest = columns.doubles(keep, words.total), columns.doubles(keep, words.widest)
        self.blank = columns.doubles(keep, BLANKS[face[node]] * size[node] + spacing[node])

    def _read_children(self, page: Page, has_box: NDArray[np.bool_], home: NDArray[np.intp] | None) -> None:
        """The children of each box in order."""
        keep, count = self.keep, self.count
        is_text = np.array([kind == "text" for kind in page.leaves.kind], np.bool_)
        self.is_text = columns.codes(keep, is_text)
        texts, rows = is_text.nonzero()[0], has_box.nonzero()[0]
        if len(rows) and rows[0] == 0:
            rows = rows[1:]  # the root is nobody's child
        owners = np.concatenate([page.leaves.node[texts], page.nodes.parent[rows]]).astype(np.int64)
        if home is not None:
            owners = home[owners]
        # A text stands before the first element that opens behind it.
        moments = np.concatenate([2 * page.leaves.opened[texts].astype(np.int64), 2 * rows + 1])
        order = np.argsort(owners * (2 * count + 4) + moments, kind="stable")
        kid, owner = np.concatenate([~texts, rows])[order], owners[order]
        first = np.zeros(count + 1, np.int32)
        np.cumsum(np.bincount(owner, minlength=count), out=first[1:])
        is_row = kid >= 0
        place, owner_of = np.zeros(count, np.int32), np.zeros(count, np.int32)
        place[kid[is_row]] = is_row.nonzero()[0]
        owner_of[kid[is_row]] = owner[is_row]
        self.kid, self.first_kid = columns.ints(keep, kid.astype(np.int32)), columns.ints(keep, first)
        self.place, self.owner = columns.ints(keep, place), columns.ints(keep, owner_of)  # of each box among the kids

    def settle(self, row: int, holder: float) -> None:
        """Turn the percentages among a box's margins and paddings into pixels of its holder's width."""
        share = min(max(holder, 0.0), MOST_PX) / 100
        self.margin_top[row] = self._settled(0, row, share, self.margin_top[row])
        self.margin_right[row] = self._settled(1, row, share, self.margin_right[row])
        self.margin_bottom[row] = self._settled(2, row, share, self.margin_bottom[row])
        self.margin_left[row] = self._settled(3, row, share, self.margin_left[row])
        self.top[row] = self._settled(4, row, share, self.top[row])
        self.right[row] = self._settled(5, row, share, self.right[row])
        self.bottom[row] = self._settled(6, row, share, self.bottom[row])
        self.left[row] = self._settled(7, row, share, self.left[row])

    def _settled(self, side: int, row: int, share: float, pixels: float) -> float:
        at = side * self.count + row
        if self.odd_units[at] != _PERCENT:
            return pixels
        if side < 4:
            return float(self.odd_numbers[at]) * share
        return max(0.0, float(self.odd_numbers[at]) * share) + float(self.borders[at - 4 * self.count])

    def has_auto_margin(self, row: int, side: int) -> bool:
        """Whether a margin is auto: 0 top, 1 right, 2 bottom, 3 left."""
        return bool(self.is_odd[row]) and bool(self.odd_units[side * self.count + row] == _UNITS_AUTO)


def _four(sides: Sides) -> tuple[Lengths, Lengths, Lengths, Lengths]:
    return sides.top, sides.right, sides.bottom, sides.left


def _bounded(numbers: NDArray[Any]) -> NDArray[Any]:
    """Numbers within sane bounds, 0 for what is none; nearly all pages have none that is not."""
    if numbers.size and not (numbers.min() >= -MOST_PX and numbers.max() <= MOST_PX):
        numbers = np.clip(np.nan_to_num(numbers, nan=0.0), -MOST_PX, MOST_PX)
    return numbers
