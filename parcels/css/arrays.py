"""Convert rows of computed values to the arrays of `Styles`: once per distinct style, then one row per node."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.css.columns import COLUMN, FLOW_END, FLOW_START, LINE_FACTOR, LINE_NORMAL, SIDES, WIDTH
from parcels.css.compute import StyleComputer
from parcels.css.style import Align, Display, Lengths, Placement, Sides, Styles, Template
from parcels.css.values import grid
from parcels.css.values.lengths import LINE_EM

_LENGTHS = (
    *("width", "height", "min-width", "max-width", "min-height", "max-height", "flex-basis"),
    *SIDES,
    *(f"margin-{side}" for side in SIDES),
    *(f"padding-{side}" for side in SIDES),
    *(f"border-{side}-width" for side in SIDES),
)
_FLOATS = {
    "opacity": "opacity-above",
    "z_index": "z-index",
    "font_size": "font-size",
    "font_weight": "font-weight",
    "line_height": "line-value",
    "letter_spacing": "letter-spacing",
    "text_indent": "text-indent",
    "flex_grow": "flex-grow",
    "flex_shrink": "flex-shrink",
    "order": "order",
    "column_gap": "column-gap",
    "row_gap": "row-gap",
    "border_spacing": "border-spacing",
}
_CODES = {
    "display": "display",
    "position": "position",
    "float_": "float",
    "clear": "clear",
    "text_align": "text-align",
    "vertical_align": "vertical-align",
    "white_space": "white-space",
    "direction": "flex-direction",
    "justify_content": "justify-content",
    "align_items": "align-items",
    "align_self": "align-self",
    "column_count": "column-count",
}
_BOOLS = {
    "is_visible": "visibility",
    "overflow_hidden": "overflow-x",
    "is_border_box": "box-sizing",
    "is_italic": "font-style",
    "is_underlined": "underline",
    "is_upper_case": "text-transform",
    "has_background_image": "background-image",
    "list_marker": "list-style-type",
    "is_wrapping": "flex-wrap",
    "clip_hidden": "clip",
    "centres_blocks": "text-align-block",
    "is_collapsed": "border-collapse",
    "is_fixed_table": "table-layout",
}
# The output arrays by type: their columns, and the type of their numbers.
_KINDS: tuple[tuple[NDArray[np.int32], Any], ...] = tuple(
    (np.array(columns, np.int32), type_)
    for columns, type_ in (
        ([COLUMN[name] for name in (*_FLOATS.values(), *_LENGTHS)], np.float32),
        ([*(COLUMN[name] for name in _CODES.values()), *(COLUMN[name] + 1 for name in _LENGTHS)], np.int8),
        ([COLUMN[name] for name in _BOOLS.values()], np.bool_),
        ([COLUMN["color"], COLUMN["background-color"]], np.uint32),
        ([COLUMN["font-family"]], np.int16),
    )
)
_LINE_NAMES = ("grid-column-start", "grid-column-end", "grid-row-start", "grid-row-end")
_LINES = frozenset(_LINE_NAMES)
_MAX_CODE = 100.0  # column-count is the only code that a page can make large
_DISPLAY, _GRIDS = COLUMN["display"], frozenset([float(Display.GRID), float(Display.INLINE_GRID)])


def styles_of(computer: StyleComputer, style: Sequence[int], css_coverage: float) -> Styles:
    """Return the arrays of Styles, from the distinct styles and the number of each node's style."""
    cells = computer.cells[WIDTH : computer.at(computer.count)]
    floats, codes, bools, colours, family = arrays_of(cells, style)
    first_float, first_code = len(_FLOATS), len(_CODES)
    lengths = {name: Lengths(floats[first_float + at], codes[first_code + at]) for at, name in enumerate(_LENGTHS)}
    arrays: dict[str, Any] = {
        **dict(zip(_FLOATS, floats, strict=False)),  # the numbers and units of lengths follow
        **dict(zip(_CODES, codes, strict=False)),
        **dict(zip(_BOOLS, bools, strict=True)),
        **{name.replace("-", "_"): lengths[name] for name in _LENGTHS[:7]},
    }
    templates, placements = _grids(computer, style)
    return Styles(
        **arrays,
        offset=Sides(*(lengths[side] for side in SIDES)),
        margin=Sides(*(lengths[f"margin-{side}"] for side in SIDES)),
        padding=Sides(*(lengths[f"padding-{side}"] for side in SIDES)),
        border=Sides(*(lengths[f"border-{side}-width"] for side in SIDES)),
        font_family=family[0],
        family_names=tuple(computer.families),
        colour=colours[0],
        background=colours[1],
        css_coverage=css_coverage,
        templates=templates,
        placements=placements,
    )


def arrays_of(cells: Any, style: Sequence[int]) -> tuple[NDArray[Any], ...]:
    """Return the columns of each kind, one row per column and one place per node.

    `cells` are the numbers of all styles, concatenated; `style` is the number of each node's style.
    """
    table = np.array(cells).reshape(-1, WIDTH).T
    _finish(table)
    of_node = np.asarray(style, np.intp)
    with np.errstate(over="ignore", invalid="ignore"):  # pages contain arbitrary numbers
        of_style = [
            table[columns] != 0 if type_ is np.bool_ else table[columns].astype(type_) for columns, type_ in _KINDS
        ]
    return tuple(values.take(of_node, axis=1) for values in of_style)


def _finish(table: NDArray[np.float64]) -> None:
    """Compute the columns that depend on others, in place."""
    kind, value, size = COLUMN["line-kind"], COLUMN["line-value"], COLUMN["font-size"]
    factor = np.where(table[kind] == LINE_FACTOR, table[value], LINE_EM)
    is_relative = (table[kind] == LINE_FACTOR) | (table[kind] == LINE_NORMAL)
    table[value] = np.where(is_relative, factor * table[size], table[value])
    align, is_leftwards = COLUMN["text-align"], table[COLUMN["direction"]] != 0
    start, end = float(Align.START), float(Align.END)
    table[align] = np.where(table[align] == FLOW_START, np.where(is_leftwards, end, start), table[align])
    table[align] = np.where(table[align] == FLOW_END, np.where(is_leftwards, start, end), table[align])
    for side in SIDES:
        table[COLUMN[f"border-{side}-width"]] *= table[COLUMN[f"border-{side}-style"]] != 0
    across, down = COLUMN["overflow-x"], COLUMN["overflow-y"]
    table[across] = (table[across] != 0) | (table[down] != 0)
    is_positioned = (table[COLUMN["position"]] == 2.0) | (table[COLUMN["position"]] == 3.0)
    table[COLUMN["clip"]] = ((table[COLUMN["clip"]] != 0) & is_positioned) | (table[COLUMN["clip-path"]] != 0)
    marker = COLUMN["list-style-type"]
    is_item = table[COLUMN["display"]] == float(Display.LIST_ITEM)
    table[marker] = is_item & ((table[marker] != 0) | (table[COLUMN["list-style-image"]] != 0))
    table[COLUMN["border-spacing"]] *= table[COLUMN["border-collapse"]] == 0
    count = COLUMN["column-count"]
    table[count] = np.minimum(table[count], _MAX_CODE)


def _grids(computer: StyleComputer, style: Sequence[int]) -> tuple[dict[int, Template], dict[int, Placement]]:
    if not computer.objects:
        return {}, {}
    templates: dict[int, Template] = {}
    placements: dict[int, Placement] = {}
    plans, places = {}, {}
    for number, parts in computer.objects.items():
        if computer.cells[computer.at(number) + _DISPLAY] in _GRIDS:
            names = ("grid-template-columns", "grid-template-rows", "grid-template-areas")
            plans[number] = grid.template(*(parts.get(name) for name in names))
        places[number] = (
            None if _LINES.isdisjoint(parts) else grid.placement(*(parts.get(name) for name in _LINE_NAMES))
        )
    is_placed = np.zeros(computer.count, np.bool_)
    is_placed[[number for number in computer.objects if plans.get(number) or places[number]]] = True
    of_node = np.asarray(style, np.intc)
    for row in is_placed[of_node].nonzero()[0].tolist():
        number = style[row]
        if plan := plans.get(number):
            templates[row] = plan
        if place := places[number]:
            placements[row] = place
    return templates, placements
