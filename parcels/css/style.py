"""Computed styles: one array per property, one row per node of the page.

Lengths are two arrays, number and unit, since a percentage means something only where the containing box is known.
Everything that does not depend on a box (em, rem, vw, pt, keywords, inheritance, currentColor, var()) is resolved here.
"""

from dataclasses import dataclass, field
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Codes = NDArray[np.int8]
Bools = NDArray[np.bool_]
Colours = NDArray[np.uint32]


class Unit(IntEnum):
    """The unit of a length, or the keyword in its place."""

    AUTO = 0  # auto, none, normal, content: no number
    PX = 1
    PERCENT = 2  # of the containing box, 50 means 50 %
    MIN_CONTENT = 3
    MAX_CONTENT = 4
    FIT_CONTENT = 5


class Display(IntEnum):
    """The display types that the layout distinguishes; others map to the nearest."""

    NONE = 0
    INLINE = 1
    BLOCK = 2
    INLINE_BLOCK = 3
    LIST_ITEM = 4
    FLEX = 5
    INLINE_FLEX = 6
    GRID = 7
    INLINE_GRID = 8
    TABLE = 9
    INLINE_TABLE = 10
    ROW_GROUP = 11
    ROW = 12
    CELL = 13
    CAPTION = 14
    COLUMN = 15  # col and colgroup
    CONTENTS = 16


class Position(IntEnum):
    """The position property."""

    STATIC = 0
    RELATIVE = 1
    ABSOLUTE = 2
    FIXED = 3
    STICKY = 4


class Float(IntEnum):
    """The float property."""

    NONE = 0
    LEFT = 1
    RIGHT = 2


class Clear(IntEnum):
    """The clear property."""

    NONE = 0
    LEFT = 1
    RIGHT = 2
    BOTH = 3


class Align(IntEnum):
    """Alignment: text-align, justify-content, align-items and related properties."""

    START = 0
    CENTRE = 1
    END = 2
    JUSTIFY = 3
    SPACE_BETWEEN = 4
    SPACE_AROUND = 5
    SPACE_EVENLY = 6
    STRETCH = 7
    BASELINE = 8
    AUTO = 9  # align-self: the parent's align-items applies


class WhiteSpace(IntEnum):
    """The white-space property."""

    NORMAL = 0
    NOWRAP = 1
    PRE = 2
    PRE_WRAP = 3
    PRE_LINE = 4


class Direction(IntEnum):
    """The flex-direction property."""

    ROW = 0
    ROW_REVERSE = 1
    COLUMN = 2
    COLUMN_REVERSE = 3


@dataclass(frozen=True, slots=True)
class Lengths:
    """One length per node."""

    number: Floats
    unit: Codes

    @classmethod
    def auto(cls, count: int) -> "Lengths":
        """Return `auto` for all nodes."""
        return cls(np.zeros(count, np.float32), np.zeros(count, np.int8))

    @classmethod
    def px(cls, count: int, number: float = 0.0) -> "Lengths":
        """Return the same number of pixels for all nodes."""
        return cls(np.full(count, number, np.float32), np.full(count, Unit.PX, np.int8))


@dataclass(frozen=True, slots=True)
class Sides:
    """A length for each side of a box."""

    top: Lengths
    right: Lengths
    bottom: Lengths
    left: Lengths


@dataclass(frozen=True, slots=True)
class Track:
    """One column or row of a grid template: a length, or a share of what is left (fr), or auto."""

    number: float
    unit: str  # px, percent, fr, auto, min-content, max-content


@dataclass(frozen=True, slots=True)
class Template:
    """A grid's explicit columns, rows and named areas; empty if the page sets none."""

    columns: tuple[Track, ...] = ()
    rows: tuple[Track, ...] = ()
    areas: tuple[tuple[str, ...], ...] = ()
    auto_fill_min: float = 0.0  # repeat(auto-fill, minmax(N px, 1fr)): the N; 0 where there is no such repeat


@dataclass(frozen=True, slots=True)
class Placement:
    """Placement of a grid item: line numbers (1 is the first, negative from the end, 0 is auto), or a named area."""

    column_start: int = 0
    column_end: int = 0
    column_span: int = 1
    row_start: int = 0
    row_end: int = 0
    row_span: int = 1
    area: str = ""


@dataclass(frozen=True, slots=True)
class Styles:
    """The computed style of every node."""

    display: Codes  # Display; NONE also for descendants of a NONE
    position: Codes  # Position
    float_: Codes  # Float
    clear: Codes  # Clear
    is_visible: Bools  # visibility: visible
    opacity: Floats  # multiplied down the tree
    overflow_hidden: Bools
    z_index: Floats  # NaN is auto
    is_border_box: Bools  # box-sizing
    width: Lengths
    height: Lengths
    min_width: Lengths
    max_width: Lengths
    min_height: Lengths
    max_height: Lengths
    offset: Sides  # top, right, bottom, left of a positioned box
    margin: Sides
    padding: Sides
    border: Sides  # widths in px, 0 where the border's style is none
    font_size: Floats  # px
    font_weight: Floats  # 100 to 900
    is_italic: Bools
    is_underlined: Bools
    font_family: NDArray[np.int16]  # index into family_names: the first family of the list
    family_names: tuple[str, ...]
    line_height: Floats  # px
    letter_spacing: Floats  # px
    text_indent: Floats  # px; a large negative one hides text
    text_align: Codes  # Align
    vertical_align: Codes  # Align: START top, CENTRE middle, END bottom, BASELINE
    white_space: Codes  # WhiteSpace
    is_upper_case: Bools  # text-transform: uppercase
    colour: Colours  # 0xRRGGBBAA
    background: Colours  # 0xRRGGBBAA, 0 is transparent
    has_background_image: Bools
    list_marker: Bools  # a list item with a marker outside or inside
    direction: Codes  # Direction
    is_wrapping: Bools  # flex-wrap
    flex_grow: Floats
    flex_shrink: Floats
    flex_basis: Lengths
    justify_content: Codes  # Align
    align_items: Codes  # Align
    align_self: Codes  # Align, AUTO where not set
    order: Floats
    column_gap: Floats  # px
    row_gap: Floats  # px
    column_count: Codes  # multi-column text; 0 is none
    clip_hidden: Bools  # clip or clip-path that leaves nothing (screen-reader-only text)
    css_coverage: float  # share of the page's style sheets that are available, inline ones included; 1 without sheets
    templates: dict[int, Template] = field(default_factory=dict)  # of grids, by row
    placements: dict[int, Placement] = field(default_factory=dict)  # of grid items, by row
    border_spacing: Floats = field(default_factory=lambda: np.zeros(0, np.float32))  # px, of tables; 0 where collapsed
    is_collapsed: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))  # border-collapse: collapse
    is_fixed_table: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))  # table-layout: fixed
    # <center>, align=center|right: text_align moves the blocks inside as well (Chromium's text-align: -webkit-center)
    centres_blocks: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))

    def __len__(self) -> int:
        return len(self.display)
