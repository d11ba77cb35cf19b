# cython: infer_types=True, wraparound=False
"""The box tree during layout: computed styles as columns of numbers, and the boxes laid out so far.

A box is placed relative to the border box of the block that holds it; `parcels.layout.boxes.virtual` adds the places up
at the end, so that moving a box moves all that is in it. `parcels.layout.boxes.box_generation` fills in what the styles
say.
"""

from math import nan
from typing import Any

import numpy as np

from parcels.css.style import Styles, Unit
from parcels.html.page import Page
from parcels.layout.boxes.column_store import ColumnStore
from parcels.layout.boxes.flow.kinds import MOST_PX

_UNITS_AUTO, _PERCENT = int(Unit.AUTO), int(Unit.PERCENT)
_COLUMNS = 64  # of a page's nodes that one piece of memory holds
_FRAGMENTS = 64  # pieces of lines that there is room for at first


class Lay:
    """Lays out a box that establishes a formatting context; `parcels.layout.boxes.flow.block` implements it."""

    __slots__ = ()

    def lay(self, s: "Screen", row: int, width: float, holder_height: float, depth: int, height: float) -> float:
        """Lay the box out at a border box's width; its height."""
        raise NotImplementedError


class Screen:
    """The boxes of one page during layout.

    A height of NaN is one that is not known. The children of box n are those from kid[first_kid[n]] up to
    kid[first_kid[n + 1]]; a text among them is ~leaf, so that it is negative.
    """

    def __init__(self, page: Page, styles: Styles, width: float, layer: Lay):
        self.count, self.leaf_count = len(page.nodes), len(page.leaves)
        if not self.count or len(styles) != self.count:
            raise ValueError(f"a page of {self.count} nodes needs a style for each of them, got {len(styles)}")
        self.page, self.styles, self.width, self.layer = page, styles, width, layer
        self.store = ColumnStore(_COLUMNS * self.count)
        self._view_page(page)
        self._view_styles(styles)
        self._make_columns()
        self._make_boxes()
        self._make_leaves()
        self.empties: list[tuple[int, int, float, float, float]] = []  # inline elements without content
        self.absolutes: list[tuple[int, int, float, float]] = []  # row, holder, static place
        self.grids: dict[int, Any] = {}  # table row to its cells
        self.raw: dict[int, dict[str, str]] = {}  # folded to original texts of a node
        self.fragment_count, self.fragment_room = 0, _FRAGMENTS
        self.fragment_item = self.store.ints(_FRAGMENTS)
        self.fragment_x, self.fragment_end = self.store.doubles(_FRAGMENTS), self.store.doubles(_FRAGMENTS)
        self.fragment_rise, self.fragment_height = self.store.doubles(_FRAGMENTS), self.store.doubles(_FRAGMENTS)

    def _view_page(self, page: Page) -> None:
        self.elements, self.attributes = page.nodes.elements, page.nodes.attributes
        self.node_texts, self.node_tails, self.texts = page.nodes.texts, page.nodes.tails, page.leaves.text
        self.is_after_blank = page.nodes.is_after_blank.view("i1")
        self.parent, self.last, self.tag = page.nodes.parent, page.nodes.last, page.nodes.tag
        self.first_leaf, self.end_leaf = page.nodes.first_leaf, page.nodes.end_leaf
        self.leaf_node, self.is_spaced = page.leaves.node, page.leaves.is_spaced.view("i1")

    def _view_styles(self, styles: Styles) -> None:
        """See the columns of the styles that are read as they are."""
        self.position, self.clear, self.column_count = styles.position, styles.clear, styles.column_count
        self.is_border_box = styles.is_border_box.view("i1")
        self.width_unit, self.height_unit = styles.width.unit, styles.height.unit
        self.min_width_unit, self.min_height_unit = styles.min_width.unit, styles.min_height.unit
        self.max_width_unit, self.max_height_unit = styles.max_width.unit, styles.max_height.unit
        self.text_align, self.white_space = styles.text_align, styles.white_space
        self.vertical_align = styles.vertical_align
        self.is_hiding = styles.overflow_hidden.view("i1")

    def view_items(self, styles: Styles) -> None:
        """See what flex boxes and grids ask of their items; on a page without them all of it is 0."""
        self.direction, self.is_wrapping = styles.direction, styles.is_wrapping.view("i1")
        self.justify, self.align_items, self.align_self = styles.justify_content, styles.align_items, styles.align_self
        self.basis_unit = styles.flex_basis.unit
        gaps = (styles.column_gap, styles.row_gap)
        table = np.array([styles.flex_grow, styles.flex_shrink, styles.order, styles.flex_basis.number, *gaps], "f8")
        self.grow, self.shrink, self.order, self.basis = table[0], table[1], table[2], table[3]
        self.column_gap, self.row_gap = table[4], table[5]

    def _make_columns(self) -> None:
        """Make room for what `screen_styles` fills in."""
        store, count, leaf_count = self.store, self.count, self.leaf_count
        self.display, self.kind, self.float_ = store.codes(count), store.codes(count), store.codes(count)
        self.is_block_by_tag, self.is_spaced_by_tag = store.codes(count), store.codes(count)
        self.is_inline, self.is_absolute = store.codes(count), store.codes(count)
        self.is_root, self.is_placed = store.codes(count), store.codes(count)
        self.is_cell_holder = store.filled_codes(count, 0)
        self.flow_row, self.flow_count = store.ints(count), 0
        none: Any = store.filled_codes(count, 0)
        self.direction = self.is_wrapping = self.justify = self.align_items = self.align_self = self.basis_unit = none
        nothing: Any = store.filled_doubles(count, 0.0)
        self.grow = self.shrink = self.order = self.basis = self.column_gap = self.row_gap = nothing
        # Of tables, and how the blocks in a box stand where margins do not say.
        self.spacing, self.is_fixed_table = store.filled_doubles(count, 0.0), store.filled_codes(count, 0)
        self.aligned = store.filled_codes(count, 0)
        # Lengths of the sides are columns one behind the other: top, right, bottom, left.
        self.margins, self.insets = store.doubles(4 * count), store.doubles(4 * count)
        self.margin_top, self.margin_right = self.margins[:count], self.margins[count : 2 * count]
        self.margin_bottom, self.margin_left = self.margins[2 * count : 3 * count], self.margins[3 * count : 4 * count]
        # Padding and border together.
        self.top, self.right = self.insets[:count], self.insets[count : 2 * count]
        self.bottom, self.left = self.insets[2 * count : 3 * count], self.insets[3 * count : 4 * count]
        self.tops = store.doubles(count)  # top margins, later collapsed with those of first children
        self.odd_numbers, self.odd_units = store.doubles(8 * count), store.codes(8 * count)  # margins, then paddings
        self.borders = store.doubles(4 * count)
        self.offsets, self.offset_units = store.doubles(4 * count), store.codes(4 * count)
        self.is_odd = store.filled_codes(count, 0)  # percentages or auto among margins and paddings
        self.is_sized, self.is_plain = store.filled_codes(count, 0), store.codes(count)
        self.width_number, self.height_number = store.doubles(count), store.doubles(count)
        self.min_width, self.min_height = store.doubles(count), store.doubles(count)
        self.max_width, self.max_height = store.doubles(count), store.doubles(count)
        self.face, self.font_size, self.line_height = store.codes(count), store.doubles(count), store.doubles(count)
        # A line with this font: how far it reaches above and below the baseline; the letters' own rise and height.
        self.above, self.under = store.doubles(count), store.doubles(count)
        self.rise, self.letters = store.doubles(count), store.doubles(count)
        self.indent, self.has_indent = store.doubles(count), False
        self.kid, self.first_kid = store.ints(count + leaf_count), store.filled_ints(count + 1, 0)
        self.place, self.owner = store.filled_ints(count, 0), store.filled_ints(count, 0)  # of a box among the kids

    def _make_boxes(self) -> None:
        store, count = self.store, self.count
        # Boxes: place relative to the border box of `across` (x) and `down` (y), which differ for absolute boxes only.
        self.across, self.down = store.ints(count), store.ints(count)
        for row in range(count):
            self.across[row] = self.down[row] = self.parent[row]
        self.w, self.h = store.filled_doubles(count, nan), store.filled_doubles(count, 0.0)
        self.x, self.y = store.filled_doubles(count, 0.0), store.filled_doubles(count, 0.0)
        self.moved_y = store.filled_doubles(count, 0.0)  # all in the box goes down by this (vertical alignment)
        self.natural = store.filled_doubles(count, 0.0)  # height of the border box that the content alone asks for
        self.below = store.filled_doubles(count, 0.0)  # bottom margin that sticks out of the box
        self.baseline = store.filled_doubles(count, nan)  # of the last line, from the top of the border box
        # What is asked for more than once: the border box's min-content and max-content width, an image's own size.
        self.least, self.most = store.filled_doubles(count, nan), store.filled_doubles(count, nan)
        self.own_width, self.own_height = store.filled_doubles(count, nan), store.filled_doubles(count, 0.0)
        self.own_ratio = store.filled_doubles(count, 0.0)
        self.made_before = store.filled_ints(count, 0)  # pieces of the lines before an open element

    def _make_leaves(self) -> None:
        store, count = self.store, self.leaf_count
        self.is_text, self.blank = store.codes(count), store.doubles(count)
        self.first_word: Any = store.filled_ints(count + 1, 0)
        self.starts: Any = store.doubles(0)  # of each unbreakable part of a text
        self.ends: Any = store.doubles(0)
        self.total: Any = store.filled_doubles(count, 0.0)
        self.widest: Any = store.filled_doubles(count, 0.0)
        # NaN where the leaf has no box.
        self.leaf_left, self.leaf_top = store.filled_doubles(count, nan), store.filled_doubles(count, nan)
        self.leaf_right, self.leaf_bottom = store.filled_doubles(count, nan), store.filled_doubles(count, nan)
        self.leaf_in = store.filled_ints(count, 0)

    def _make_room(self, room: int) -> None:
        """Make room for that many fragments: pieces of the lines that are being set, those of inner boxes behind."""
        store = self.store
        item, x, end = store.ints(room), store.doubles(room), store.doubles(room)
        rise, height = store.doubles(room), store.doubles(room)
        for n in range(self.fragment_count):
            item[n], x[n], end[n] = self.fragment_item[n], self.fragment_x[n], self.fragment_end[n]
            rise[n], height[n] = self.fragment_rise[n], self.fragment_height[n]
        self.fragment_item, self.fragment_x, self.fragment_end = item, x, end
        self.fragment_rise, self.fragment_height = rise, height
        self.fragment_room = room

    def add_fragment(self, item: int, x: float, end: float, rise: float, height: float) -> None:
        """Add a piece to the line that is being set."""
        n = self.fragment_count
        if n == self.fragment_room:
            self._make_room(2 * n)
        self.fragment_item[n], self.fragment_x[n], self.fragment_end[n] = item, x, end
        self.fragment_rise[n], self.fragment_height[n] = rise, height
        self.fragment_count = n + 1

    def first_end_beyond(self, reach: float, first: int, end: int) -> int:
        """Return the first part of a text, from `first` up to `end`, that ends beyond this place."""
        while first < end:
            middle = (first + end) >> 1
            if reach < self.ends[middle]:
                end = middle
            else:
                first = middle + 1
        return first

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
        """Return whether a margin is auto: 0 top, 1 right, 2 bottom, 3 left."""
        return bool(self.is_odd[row]) and bool(self.odd_units[side * self.count + row] == _UNITS_AUTO)
