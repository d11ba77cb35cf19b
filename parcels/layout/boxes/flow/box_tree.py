# cython: infer_types=True, wraparound=False
"""The box tree during layout: computed styles as columns of numbers, and the boxes laid out so far.

A box is placed relative to the border box of its container; `parcels.layout.boxes.virtual` computes page coordinates at
the end, so that moving a box moves its content. `parcels.layout.boxes.box_generation` fills the columns.
"""

from math import nan
from typing import Any

import numpy as np

from parcels.css.style import Styles, Unit
from parcels.html.page import Page
from parcels.layout.boxes.column_store import ColumnStore
from parcels.layout.boxes.flow.kinds import MAX_PX

_UNITS_AUTO, _PERCENT = int(Unit.AUTO), int(Unit.PERCENT)
_COLUMNS = 64  # per node in one piece of memory
_FRAGMENTS = 64  # pieces of lines that there is room for at first


class Layouter:
    """Lays out a box that establishes a formatting context; `parcels.layout.boxes.flow.block` implements it."""

    __slots__ = ()

    def lay(self, t: "BoxTree", row: int, width: float, container_height: float, depth: int, height: float) -> float:
        """Lay the box out at a border box's width; its height."""
        raise NotImplementedError


class BoxTree:
    """The boxes of one page during layout.

    A height of NaN is indefinite. The children of box n are child[first_child[n]] up to child[first_child[n + 1]]; a
    text among them is ~leaf, which is negative.
    """

    def __init__(self, page: Page, styles: Styles, width: float, layouter: Layouter):
        self.count, self.leaf_count = len(page.nodes), len(page.leaves)
        if not self.count or len(styles) != self.count:
            raise ValueError(f"a page of {self.count} nodes needs a style for each of them, got {len(styles)}")
        self.page, self.styles, self.width, self.layouter = page, styles, width, layouter
        self.store = ColumnStore(_COLUMNS * self.count)
        self._view_page(page)
        self._view_styles(styles)
        self._make_columns()
        self._make_boxes()
        self._make_leaves()
        self.empty_inlines: list[tuple[int, int, float, float, float]] = []  # inline elements without content
        self.absolute_boxes: list[tuple[int, int, float, float]] = []  # row, container, static position
        self.table_cells: dict[int, Any] = {}  # table row to its cells
        self.original_texts: dict[int, dict[str, str]] = {}  # original by folded texts of a node
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
        self.hides_overflow = styles.overflow_hidden.view("i1")

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
        """Allocate the columns that `box_generation` fills."""
        store, count, leaf_count = self.store, self.count, self.leaf_count
        self.display, self.kind, self.float_ = store.codes(count), store.codes(count), store.codes(count)
        self.is_block_by_tag, self.is_spaced_by_tag = store.codes(count), store.codes(count)
        self.is_inline, self.is_absolute = store.codes(count), store.codes(count)
        self.is_bfc_root, self.is_positioned = store.codes(count), store.codes(count)
        self.is_anonymous_table = store.filled_codes(count, 0)
        self.flow_row, self.flow_count = store.ints(count), 0
        none: Any = store.filled_codes(count, 0)
        self.direction = self.is_wrapping = self.justify = self.align_items = self.align_self = self.basis_unit = none
        nothing: Any = store.filled_doubles(count, 0.0)
        self.grow = self.shrink = self.order = self.basis = self.column_gap = self.row_gap = nothing
        # Of tables; and the alignment of blocks without auto margins.
        self.spacing, self.is_fixed_table = store.filled_doubles(count, 0.0), store.filled_codes(count, 0)
        self.block_alignment = store.filled_codes(count, 0)
        # Lengths of the sides are consecutive columns: top, right, bottom, left.
        self.margins, self.insets = store.doubles(4 * count), store.doubles(4 * count)
        self.margin_top, self.margin_right = self.margins[:count], self.margins[count : 2 * count]
        self.margin_bottom, self.margin_left = self.margins[2 * count : 3 * count], self.margins[3 * count : 4 * count]
        # Padding and border together.
        self.top, self.right = self.insets[:count], self.insets[count : 2 * count]
        self.bottom, self.left = self.insets[2 * count : 3 * count], self.insets[3 * count : 4 * count]
        self.top_margins = store.doubles(count)  # top margins, later collapsed with those of first children
        self.edge_numbers, self.edge_units = store.doubles(8 * count), store.codes(8 * count)  # margins, then paddings
        self.borders = store.doubles(4 * count)
        self.offsets, self.offset_units = store.doubles(4 * count), store.codes(4 * count)
        self.has_relative_edges = store.filled_codes(count, 0)  # percentages or auto among margins and paddings
        self.is_sized, self.is_plain_block = store.filled_codes(count, 0), store.codes(count)
        self.width_number, self.height_number = store.doubles(count), store.doubles(count)
        self.min_width, self.min_height = store.doubles(count), store.doubles(count)
        self.max_width, self.max_height = store.doubles(count), store.doubles(count)
        self.face, self.font_size, self.line_height = store.codes(count), store.doubles(count), store.doubles(count)
        # A line with this font: how far it reaches above and below the baseline; the letters' own rise and height.
        self.line_ascent, self.line_descent = store.doubles(count), store.doubles(count)
        self.text_ascent, self.text_height = store.doubles(count), store.doubles(count)
        self.indent, self.has_indent = store.doubles(count), False
        self.child, self.first_child = store.ints(count + leaf_count), store.filled_ints(count + 1, 0)
        self.child_index, self.parent_box = (
            store.filled_ints(count, 0),
            store.filled_ints(count, 0),
        )  # of a box among the children

    def _make_boxes(self) -> None:
        store, count = self.store, self.count
        # Positions are relative to the border boxes of these; the two differ for absolutely positioned boxes only.
        self.x_container, self.y_container = store.ints(count), store.ints(count)
        for row in range(count):
            self.x_container[row] = self.y_container[row] = self.parent[row]
        self.w, self.h = store.filled_doubles(count, nan), store.filled_doubles(count, 0.0)
        self.x, self.y = store.filled_doubles(count, 0.0), store.filled_doubles(count, 0.0)
        self.shift_y = store.filled_doubles(count, 0.0)  # all in the box goes down by this (vertical alignment)
        self.content_based_height = store.filled_doubles(count, 0.0)  # border-box height of the content alone
        self.end_margin = store.filled_doubles(count, 0.0)  # bottom margin that sticks out of the box
        self.baseline = store.filled_doubles(count, nan)  # of the last line, from the top of the border box
        # Caches: the border box's min-content and max-content width, and natural sizes.
        self.min_content, self.max_content = store.filled_doubles(count, nan), store.filled_doubles(count, nan)
        self.natural_width, self.natural_height = store.filled_doubles(count, nan), store.filled_doubles(count, 0.0)
        self.natural_ratio = store.filled_doubles(count, 0.0)
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

    def resolve_edges(self, row: int, container: float) -> None:
        """Resolve percentage margins and paddings against the container's width."""
        share = min(max(container, 0.0), MAX_PX) / 100
        self.margin_top[row] = self._resolved_edge(0, row, share, self.margin_top[row])
        self.margin_right[row] = self._resolved_edge(1, row, share, self.margin_right[row])
        self.margin_bottom[row] = self._resolved_edge(2, row, share, self.margin_bottom[row])
        self.margin_left[row] = self._resolved_edge(3, row, share, self.margin_left[row])
        self.top[row] = self._resolved_edge(4, row, share, self.top[row])
        self.right[row] = self._resolved_edge(5, row, share, self.right[row])
        self.bottom[row] = self._resolved_edge(6, row, share, self.bottom[row])
        self.left[row] = self._resolved_edge(7, row, share, self.left[row])

    def _resolved_edge(self, side: int, row: int, share: float, pixels: float) -> float:
        at = side * self.count + row
        if self.edge_units[at] != _PERCENT:
            return pixels
        if side < 4:
            return float(self.edge_numbers[at]) * share
        return max(0.0, float(self.edge_numbers[at]) * share) + float(self.borders[at - 4 * self.count])

    def has_auto_margin(self, row: int, side: int) -> bool:
        """Return whether a margin is auto: 0 top, 1 right, 2 bottom, 3 left."""
        return bool(self.has_relative_edges[row]) and bool(self.edge_units[side * self.count + row] == _UNITS_AUTO)
