"""The screen while it is being laid out: what the styles say as plain lists, and the boxes found so far.

Inner loops read Python lists, since a NumPy scalar costs ten times as much. A box is placed relative to the border box
of the block that holds it; `parcels.layout.virtual` adds the places up at the end, so that moving a box moves all that
is in it.
"""

from math import nan
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from parcels.css.style import Display, Lengths, Position, Sides, Styles, Unit
from parcels.css.values import LINE_EM
from parcels.layout.text_measure import measure
from parcels.layout.text_metrics import ASCENTS, BLANKS, BOLD_FROM, DESCENTS, GAPS, face_number
from parcels.page import Page
from parcels.tags import IS_BLOCK_LEVEL, NUMBER, lookup

MOST_PX = 1e6  # no number of a page is taken for more: 1e30 px must not spoil the sums
VIEW_HEIGHT = 800.0  # of the window that fixed boxes and percentages of the page's height refer to
_UNITS_AUTO, _PX, _PERCENT = int(Unit.AUTO), int(Unit.PX), int(Unit.PERCENT)

# What an element is to the flow, by tag.
BOX, REPLACED, BREAK, BREAK_CHANCE = 0, 1, 2, 3
_KIND_OF_TAG = np.zeros(len(lookup("p")), np.int8)
_KIND_OF_TAG[
    lookup(
        "img video audio iframe embed object canvas svg math input textarea select progress meter applet image keygen"
    )
] = REPLACED
_KIND_OF_TAG[NUMBER["br"]] = BREAK
_KIND_OF_TAG[NUMBER["wbr"]] = BREAK_CHANCE
_SPACED_BY_TAG = IS_BLOCK_LEVEL | (_KIND_OF_TAG == REPLACED)  # the walk says `is_spaced` behind these in any case

_D = Display
# As plain numbers, since a member of an enum takes long to reach.
_NONE, _INLINE, _BLOCK, _LIST_ITEM, _CONTENTS = (
    int(kind) for kind in (_D.NONE, _D.INLINE, _D.BLOCK, _D.LIST_ITEM, _D.CONTENTS)
)
_STATIC, _ABSOLUTE, _FIXED = int(Position.STATIC), int(Position.ABSOLUTE), int(Position.FIXED)
_BLOCKIFIED = np.arange(len(Display), dtype=np.int8)
_BLOCKIFIED[[_D.INLINE, _D.INLINE_BLOCK]] = _D.BLOCK
_BLOCKIFIED[_D.INLINE_FLEX], _BLOCKIFIED[_D.INLINE_GRID] = _D.FLEX, _D.GRID
_BLOCKIFIED[_D.INLINE_TABLE] = _D.TABLE
for _part in (_D.ROW_GROUP, _D.ROW, _D.CELL, _D.CAPTION):
    _BLOCKIFIED[_part] = _D.BLOCK


def _set_of(*displays: Display) -> NDArray[np.bool_]:
    table = np.zeros(len(Display), np.bool_)
    table[list(displays)] = True
    return table


_IS_INLINE_LEVEL = _set_of(_D.INLINE, _D.INLINE_BLOCK, _D.INLINE_FLEX, _D.INLINE_GRID, _D.INLINE_TABLE)
_IS_ITEM_BOX = _set_of(_D.FLEX, _D.INLINE_FLEX, _D.GRID, _D.INLINE_GRID)
_IS_ROOT = _set_of(
    *(_D.INLINE_BLOCK, _D.FLEX, _D.INLINE_FLEX, _D.GRID, _D.INLINE_GRID, _D.TABLE, _D.INLINE_TABLE),
    *(_D.CELL, _D.CAPTION),
)

_IS_PART = _set_of(_D.CELL, _D.ROW, _D.ROW_GROUP)
_IS_TABLE_PART = _set_of(_D.TABLE, _D.INLINE_TABLE, _D.ROW_GROUP, _D.ROW, _D.CONTENTS)


class Lay(Protocol):
    """Lays out a box in which floats are its own affair, at a border box's width; its height."""

    def __call__(
        self, s: "Screen", row: int, width: float, holder_height: float | None, depth: int, height: float | None = None
    ) -> float:
        """See `parcels.layout.flow.lay_root`."""


class Screen:
    """One page being laid out."""

    # Slots: with this many attributes a plain object would look each of them up in a dict.
    __slots__ = (
        *("above", "absolutes", "across", "aligned", "attributes", "baseline", "below", "blank", "borders", "bottom"),
        *("cell_holders", "clear", "column_count", "count", "display", "down", "elements", "empties", "end_leaf"),
        *("ends", "face", "first_leaf", "first_word", "float_", "font_size", "grids", "h", "has_box"),
        *("height_number", "height_unit", "home", "indent", "is_absolute", "is_block_by_tag", "is_border_box"),
        *("is_fixed_table", "is_flow", "is_inline", "is_odd", "is_placed", "is_plain", "is_root", "is_sized"),
        *("is_spaced", "is_spaced_by_tag", "kids", "kind", "last", "lay", "leaf_box", "leaf_in", "leaf_node"),
        *("least", "left", "letters", "limit_numbers", "limit_units", "line_height", "margin_bottom"),
        *("margin_left", "margin_right", "margin_top", "most", "moved_y", "natural", "odd_numbers", "odd_units"),
        *("page", "parent", "raw", "right", "rise", "size_units", "spacing", "starts", "styles", "text_align"),
        *("texts", "top", "tops", "total", "under", "vertical_align", "w", "white_space", "widest", "width"),
        *("width_number", "width_unit", "x", "y", "zeros"),
    )

    def __init__(self, page: Page, styles: Styles, width: float, lay: Lay):
        self.page, self.styles, self.width = page, styles, width
        self.count = count = len(page.nodes)
        self.elements, self.attributes = page.nodes.elements, page.nodes.attributes
        self.parent: list[int] = page.nodes.parent.tolist()
        self.last: list[int] = page.nodes.last.tolist()
        self.first_leaf, self.end_leaf = page.nodes.first_leaf.tolist(), page.nodes.end_leaf.tolist()
        self.zeros: list[Any] = [0] * count  # shared by all that the page does not use: never written to
        self._read_kinds(page, styles)
        self._read_lengths(styles)
        self._read_text(page, styles)
        self._read_children(page)
        # Boxes: place relative to the border box of `across` (x) and `down` (y), which differ for absolute boxes only.
        self.x, self.y, self.w, self.h = [0.0] * count, [0.0] * count, [nan] * count, [0.0] * count
        self.across, self.down = self.parent[:], self.parent[:]
        self.moved_y = [0.0] * count  # all that stands in the box goes down by this (vertical alignment)
        self.natural = [0.0] * count  # height of the border box that the content alone asks for
        self.below = [0.0] * count  # bottom margin that sticks out of the box
        self.baseline = [nan] * count  # of the last line, from the top of the border box
        leaf_count = len(page.leaves)
        self.leaf_box: list[list[float] | None] = [None] * leaf_count  # left, top, right, bottom
        self.leaf_in = [0] * leaf_count
        self.empties: list[tuple[int, int, float, float, float]] = []  # inline elements without content
        self.absolutes: list[tuple[int, int, float, float]] = []  # row, holder, static place
        # What is asked for more than once.
        self.least: list[float] = [nan] * count  # border box, min-content
        self.most: list[float] = [nan] * count  # border box, max-content
        self.tops: list[float] = []  # top margin, collapsed with those of first children
        self.grids: dict[int, Any] = {}  # table row to its cells
        self.raw: dict[int, dict[str, str]] = {}  # folded to original texts of a node
        self.lay = lay

    def _read_kinds(self, page: Page, styles: Styles) -> None:
        tag, parent = page.nodes.tag, page.nodes.parent
        position = styles.position
        is_absolute = (position == _ABSOLUTE) | (position == _FIXED)
        is_float = (styles.float_ != 0) & ~is_absolute
        display = styles.display.copy()
        display[0] = _BLOCK if display[0] != _NONE else _NONE
        above = np.where(parent >= 0, parent, 0)
        is_item = _IS_ITEM_BOX[display[above]] & (parent >= 0)
        is_float &= ~is_item
        out = is_absolute | is_float | is_item
        display = np.where(out, _BLOCKIFIED[display], display)
        self.kind: list[int] = _KIND_OF_TAG[tag].tolist()
        self.is_block_by_tag = IS_BLOCK_LEVEL[tag].tolist()
        self.is_spaced_by_tag = _SPACED_BY_TAG[tag].tolist()
        # An inline element with a block in it is laid out as a block.
        is_block = ~_IS_INLINE_LEVEL[display] & (display != _NONE) & (display != _CONTENTS) & ~is_absolute & ~is_float
        is_inline = display == _INLINE
        holders = (is_block & is_inline[above] & (_KIND_OF_TAG[tag[above]] == BOX)).nonzero()[0]
        if len(holders):
            inline, blocks = is_inline.tolist(), []
            for row in holders.tolist():
                over = self.parent[row]
                while over > 0 and inline[over]:
                    inline[over] = False
                    blocks.append(over)
                    over = self.parent[over]
            display[blocks] = _BLOCK
        is_root = _IS_ROOT[display] | styles.overflow_hidden | out | (styles.column_count > 1)
        is_root[0] = True
        self.display: list[int] = display.tolist()
        self.has_box = (display != _NONE) & (display != _CONTENTS)
        self.is_flow = ((display == _BLOCK) | (display == _LIST_ITEM)) & ~is_root & (_KIND_OF_TAG[tag] == BOX)
        self.is_inline = _IS_INLINE_LEVEL[display].tolist()
        self.is_absolute, self.is_root = is_absolute.tolist(), is_root.tolist()
        self.is_placed = (position != _STATIC).tolist()
        self.float_: list[int] = _or_zeros(np.where(is_float, styles.float_, 0), self.zeros)
        self.clear: list[int] = _or_zeros(styles.clear, self.zeros)
        self.column_count = styles.column_count.tolist() if (styles.column_count > 1).any() else None
        # Blocks that hold cells or rows without a table around them are tables as far as their content goes.
        is_part = _IS_PART[display] & ~_IS_TABLE_PART[display[above]] & (parent >= 0)
        self.cell_holders = frozenset(parent[is_part].tolist()) if is_part.any() else frozenset()
        self._read_tables(styles)
        self.home: list[int] | None = None  # where the children of a `display: contents` go
        if (display == _CONTENTS).any():
            self.home = list(range(self.count))
            for row in (display == _CONTENTS).nonzero()[0].tolist():
                self.home[row] = self.home[self.parent[row]] if row else 0

    def _read_tables(self, styles: Styles) -> None:
        """What the cascade says of tables and of <center>, where it says it."""
        nothing = [0.0] * self.count
        self.spacing: list[float] = styles.border_spacing.tolist() or nothing
        self.is_fixed_table: list[float] = styles.is_fixed_table.tolist() or nothing
        self.aligned: list[int] | None = None  # of each node, how the blocks in it stand where margins do not say
        if styles.centres_blocks.any():
            self.aligned = np.where(styles.centres_blocks, styles.text_align, 0).tolist()

    def _read_lengths(self, styles: Styles) -> None:
        margins, paddings, borders = _four(styles.margin), _four(styles.padding), _four(styles.border)
        sizes = (styles.width, styles.height, styles.min_width, styles.min_height, styles.max_width, styles.max_height)
        numbers = np.array([length.number for length in (*margins, *paddings, *borders, *sizes)], np.float64)
        numbers = _bounded(numbers)
        units = np.array([length.unit for length in (*margins, *paddings)])
        self.size_units = np.array([length.unit for length in sizes])
        pixels = np.where(units == _PX, numbers[:8], 0.0)
        insets = np.maximum(pixels[4:], 0.0) + np.maximum(numbers[8:12], 0.0)
        four: list[list[float]] = pixels[:4].tolist()
        self.margin_top, self.margin_right, self.margin_bottom, self.margin_left = four
        four = insets.tolist()
        self.top, self.right, self.bottom, self.left = four  # padding and border together
        self.is_odd: list[bool] = (units != _PX).any(axis=0).tolist()  # percentages or auto among margins and paddings
        self.odd_units, self.odd_numbers, self.borders = units, numbers[:8], numbers[8:12]
        is_given = self.size_units != _UNITS_AUTO
        is_given[2:4] &= numbers[14:16] > 0
        self.is_sized: list[bool] = is_given.any(axis=0).tolist()
        # Plain blocks, most of a page: as wide as their holder, as high as their content.
        is_plain = self.is_flow & ~is_given.any(axis=0) & (units == _PX).all(axis=0)
        if self.cell_holders:
            is_plain[list(self.cell_holders)] = False
        self.is_plain: list[bool] = is_plain.tolist()
        size_numbers: list[list[float]] = numbers[12:14].tolist()
        size_units: list[list[int]] = self.size_units[:2].tolist()
        self.width_number, self.height_number = size_numbers[0], size_numbers[1]
        self.width_unit, self.height_unit = size_units[0], size_units[1]
        self.limit_numbers = [_or_zeros(row, self.zeros) for row in numbers[14:]]
        self.limit_units = [_or_zeros(row, self.zeros) for row in self.size_units[2:]]
        self.is_border_box = _or_zeros(styles.is_border_box, self.zeros)

    def _read_text(self, page: Page, styles: Styles) -> None:
        faces = np.array([face_number(name) for name in styles.family_names] or [0], np.int16)
        family = np.clip(styles.font_family, 0, len(faces) - 1)
        face = faces[family] + (styles.font_weight >= BOLD_FROM)
        self.face: list[int] = face.tolist()
        size = np.fmin(np.fmax(styles.font_size, 0.0), 1000.0)
        self.font_size: list[float] = size.tolist()
        line_height = np.fmin(np.fmax(styles.line_height, 0.0), 2000.0)
        is_normal = np.abs(line_height - LINE_EM * size) < 0.02
        rise, fall = np.rint(size * ASCENTS[face]), np.rint(size * DESCENTS[face])
        line_height = np.where(is_normal, rise + fall + np.rint(size * GAPS[face]), line_height)
        lead = (line_height - rise - fall) / 2
        # A line with this font: how far it reaches above and below the baseline; the letters' own rise and height.
        self.above: list[float] = (rise + lead).tolist()
        self.under: list[float] = (fall + lead).tolist()
        self.rise: list[float] = rise.tolist()
        self.letters: list[float] = (rise + fall).tolist()
        self.line_height: list[float] = line_height.tolist()
        self.text_align: list[int] = _or_zeros(styles.text_align, self.zeros)
        self.white_space: list[int] = _or_zeros(styles.white_space, self.zeros)
        indent = _bounded(styles.text_indent)
        self.indent: list[float] | None = indent.tolist() if indent.any() else None
        self.vertical_align = styles.vertical_align.tolist()
        self.texts = page.leaves.text
        self.leaf_node: list[int] = page.leaves.node.tolist()
        self.is_spaced = page.leaves.is_spaced.tolist()
        node = page.leaves.node
        texts = self.texts
        if styles.is_upper_case[node].any():
            texts = [t.upper() if up else t for t, up in zip(texts, styles.is_upper_case[node].tolist(), strict=True)]
        spacing = _bounded(styles.letter_spacing)
        words = measure(texts, face[node], size[node], spacing[node])
        self.first_word, self.starts, self.ends = words.first, words.starts, words.ends
        self.total, self.widest = words.total, words.widest
        self.blank: list[float] = (BLANKS[face[node]] * size[node] + spacing[node]).tolist()

    def _read_children(self, page: Page) -> None:
        """The children of each box in order; a text is ~leaf, so that it is negative."""
        nothing: list[int] = []  # shared by all that have no children: never added to
        self.kids: list[list[int]] = [nothing] * self.count
        kids, home = self.kids, self.home
        is_text = np.array([kind == "text" for kind in page.leaves.kind], np.bool_)
        texts, rows = is_text.nonzero()[0], self.has_box.nonzero()[0]
        # A text stands before the first element that opens behind it.
        moments = np.concatenate([2 * page.leaves.opened[texts].astype(np.int64) - 1, 2 * rows])
        order = np.argsort(moments, kind="stable")
        items = np.concatenate([~texts, rows])[order].tolist()
        owners = np.concatenate([page.leaves.node[texts], page.nodes.parent[rows]])[order].tolist()
        for item, owner in zip(items, owners, strict=True):
            if owner < 0:
                continue
            holder = owner if home is None else home[owner]
            if kids[holder]:
                kids[holder].append(item)
            else:
                kids[holder] = [item]

    def settle(self, row: int, holder: float) -> None:
        """Turn the percentages among a box's margins and paddings into pixels of its holder's width."""
        units, numbers = self.odd_units, self.odd_numbers
        share = min(max(holder, 0.0), MOST_PX) / 100
        margins = (self.margin_top, self.margin_right, self.margin_bottom, self.margin_left)
        for side, pixels in enumerate(margins):
            if units[side, row] == _PERCENT:
                pixels[row] = float(numbers[side, row]) * share
        for side, pixels in enumerate((self.top, self.right, self.bottom, self.left)):
            if units[4 + side, row] == _PERCENT:
                pixels[row] = max(0.0, float(numbers[4 + side, row]) * share) + float(self.borders[side, row])

    def has_auto_margin(self, row: int, side: int) -> bool:
        """Whether a margin is auto: 0 top, 1 right, 2 bottom, 3 left."""
        return self.is_odd[row] and int(self.odd_units[side, row]) == _UNITS_AUTO


def _four(sides: Sides) -> tuple[Lengths, Lengths, Lengths, Lengths]:
    return sides.top, sides.right, sides.bottom, sides.left


def _bounded(numbers: NDArray[Any]) -> NDArray[Any]:
    """Numbers within sane bounds, 0 for what is none; nearly all pages have none that is not."""
    if numbers.size and not (numbers.min() >= -MOST_PX and numbers.max() <= MOST_PX):
        numbers = np.clip(np.nan_to_num(numbers, nan=0.0), -MOST_PX, MOST_PX)
    return numbers


def _or_zeros(array: NDArray[Any], zeros: list[Any]) -> list[Any]:
    return array.tolist() if array.any() else zeros
