"""HTML's presentational attributes as declarations: width, bgcolor, align, cellpadding, <font size>, type=checkbox …

They count as author rules with no specificity, before all sheets: HTML standard, section 15.2.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from parcels.css.columns import COLUMN, SIDES
from parcels.css.sheets.declarations import parse_block
from parcels.css.sheets.packed import PackedValues
from parcels.css.style import Unit
from parcels.css.values.colours import from_attribute
from parcels.css.values.lengths import MAX_PX
from parcels.css.values.longhands import FONT_SIZES, Values, font_family

CACHED_HINTS = 8192
LINK_COLOUR = float(0x0000EEFF)
_INPUTS = {
    **dict.fromkeys(("checkbox", "radio"), "width: 13px; height: 13px; margin: 3px 3px 3px 4px; padding: 0; border: 0;"
                    "box-sizing: border-box; background: none"),
    **dict.fromkeys(
        ("submit", "button", "reset"),
        "padding: 1px 6px; border: 2px outset; background-color: #efefef; text-align: center; box-sizing: border-box;"
        "white-space: pre",
    ),
    "hidden": "display: none",
    "image": "padding: 0; border: 0; background: none; width: auto",
    "range": "width: 129px; height: 16px; margin: 2px; padding: 0; border: 0; background: none",
    "color": "width: 50px; height: 27px; padding: 1px 2px; border: 1px solid; box-sizing: border-box",
    "file": "padding: 0; border: 0; background: none; width: 253px",
}  # fmt: skip
FIELD_PX = 147.0, 7.0  # a text field of 20 characters, and each further character: Chromium with Arial of 13.333 px
TEXTAREA_PX = 162.0, 8.0, 15.0  # 20 columns; each further column; a row
FONT_STEPS = ("x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large")  # <font size=1..7>

_DIMENSION = re.compile(r"\s*\+?(\d+\.?\d*|\.\d+)\s*(%?)")
_ALIGNED = frozenset(
    ["div", "p", "h1", "h2", "h3", "h4", "h5", "h6", "td", "th", "tr", "thead", "tbody", "tfoot", "caption"]
)
_SIZED = frozenset(
    ["img", "table", "td", "th", "iframe", "video", "canvas", "embed", "object", "input", "col", "hr", "applet", "svg"]
)
_REPLACED = frozenset(["img", "iframe", "embed", "object", "applet", "input"])
_TALL = frozenset(["tr", "thead", "tbody", "tfoot"])
CELLS = frozenset(["td", "th"])
_BACKED = frozenset(["body", "table", "tr", "td", "th", "thead", "tbody", "tfoot", "marquee"])
# The presentational attributes by tag.
HINTS: dict[str, tuple[str, ...]] = {}
for _tag in _SIZED:
    HINTS[_tag] = ("width", "height")
for _tag in _TALL:
    HINTS[_tag] = ("height",)
for _tag in _ALIGNED | _REPLACED | {"table", "hr", "legend"}:
    HINTS[_tag] = (*HINTS.get(_tag, ()), "align")
for _tag in _BACKED:
    HINTS[_tag] = (*HINTS.get(_tag, ()), "bgcolor", "background")
for _tag in ("td", "th", "tr", "thead", "tbody", "tfoot", "col"):
    HINTS[_tag] = (*HINTS.get(_tag, ()), "valign")
for _tag in ("img", "table", "object", "input", "applet"):
    HINTS[_tag] = (*HINTS.get(_tag, ()), "border", "hspace", "vspace")
for _tag in CELLS:
    HINTS[_tag] = (*HINTS[_tag], "nowrap")
HINTS["body"] += ("text", "topmargin", "leftmargin", "marginheight", "marginwidth")
HINTS["table"] += ("cellspacing", "cellpadding", "rules", "frame")
HINTS["iframe"] += ("frameborder",)
HINTS["hr"] += ("size", "noshade", "color")
HINTS["input"] += ("type", "size")
HINTS["textarea"] = ("rows", "cols", "wrap")
HINTS["select"] = ("size", "multiple")
HINTS["font"] = ("size", "color", "face")
HINTS["br"] = ("clear",)
HINTS["pre"] = ("wrap",)
HINTS["dialog"] = ("open",)
HINTS["ul"] = HINTS["ol"] = HINTS["li"] = ("type",)
HINTS["audio"] = ("controls",)
HINTS["details"] = ("open",)
ALWAYS_HINTED = frozenset(["input", "textarea", "audio", "dialog"])  # a missing attribute has a meaning

Cell = tuple[str | None, str | None]  # the border and cellpadding of the table around a cell


HintAttributes = tuple[tuple[str, str], ...]  # attributes and their values
COMMON_STYLE_ATTRIBUTES = frozenset(["style", "hidden", "dir"])
STYLE_ATTRIBUTES = {tag: COMMON_STYLE_ATTRIBUTES.union(names) for tag, names in HINTS.items()}


@lru_cache(CACHED_HINTS)
def hints(tag: str, hint_attributes: HintAttributes, cell: Cell | None = None) -> PackedValues:
    """Return the declarations of an element's presentational attributes. The result is shared: do not change it.

    >>> hints("font", (("size", "5"),)).values == {COLUMN["font-size"]: 24.0}
    True
    """
    attributes = dict(hint_attributes)
    values: Values = {}
    if cell is not None and tag in CELLS:
        if cell[0] is not None:
            values.update(_border(1.0 if (_whole(cell[0], 1) or 0) > 0 else 0.0))
        if cell[1] is not None and (padding := _whole(cell[1])) is not None:
            for side in SIDES:
                _set_px(values, f"padding-{side}", padding)
    for name in HINTS.get(tag, ()):
        value = attributes.get(name)
        if value is not None:
            _READERS[name](values, tag, value[:_MAX_ATTRIBUTE])
    if tag == "input":
        _input(values, attributes.get("type"), attributes.get("size"))
    elif tag == "textarea":
        rows, columns = _whole(attributes.get("rows")) or 2.0, _whole(attributes.get("cols")) or 20.0
        _set_px(values, "width", TEXTAREA_PX[0] + (columns - 20) * TEXTAREA_PX[1])
        _set_px(values, "height", rows * TEXTAREA_PX[2])
    elif (tag == "audio" and "controls" not in attributes) or (tag == "dialog" and "open" not in attributes):
        values[COLUMN["display"]] = 0.0
    if tag == "a" and "href" in attributes:
        _link(values, tag, attributes["href"])
    direction = attributes.get("dir", "").strip().lower()
    if direction in ("rtl", "ltr"):
        values[COLUMN["direction"]] = float(direction == "rtl")
    return PackedValues(values)


_MAX_ATTRIBUTE = 100  # characters


def _whole(value: str | None, default: float | None = None) -> float | None:
    match = _DIMENSION.match(value or "")
    return default if match is None else min(float(match[1]), MAX_PX)


def _set_px(values: Values, name: str, px: float) -> None:
    values[COLUMN[name]] = px
    values[COLUMN[name] + 1] = float(Unit.PX)


def _border(px: float) -> Values:
    values: Values = {}
    for side in SIDES:
        _set_px(values, f"border-{side}-width", px)
        values[COLUMN[f"border-{side}-style"]] = float(px > 0)
    return values


def _dimension(name: str) -> Callable[[Values, str, str], None]:
    def read(values: Values, tag: str, value: str) -> None:
        match = _DIMENSION.match(value)
        if match is None or (tag in CELLS | {"table"} and float(match[1]) == 0):
            return
        values[COLUMN[name]] = min(float(match[1]), MAX_PX)
        values[COLUMN[name] + 1] = float(Unit.PERCENT if match[2] else Unit.PX)

    return read


def _margins(*sides: str) -> Callable[[Values, str, str], None]:
    def read(values: Values, tag: str, value: str) -> None:
        px = _whole(value)
        if px is not None:
            for side in sides:
                _set_px(values, f"margin-{side}", px)

    return read


def _align(values: Values, tag: str, value: str) -> None:
    value = value.strip().lower()
    if tag == "table" or tag in _REPLACED:
        if value in ("left", "right"):
            values.update(parse_block(f"float: {value}").values())
        elif value in ("center", "middle") and tag == "table":
            values.update(parse_block("margin-left: auto; margin-right: auto").values())
        elif value in ("top", "middle", "bottom", "absmiddle", "abscenter", "texttop"):
            vertical = {"absmiddle": "middle", "abscenter": "middle", "texttop": "text-top"}.get(value, value)
            values.update(parse_block(f"vertical-align: {vertical}").values())
    elif tag == "hr":
        sides = {"left": "0 auto 0 0", "right": "0 0 0 auto"}.get(value, "0 auto").split()
        left = sides[3] if len(sides) == 4 else sides[-1]
        values.update(parse_block(f"margin-left: {left}; margin-right: {sides[1]}").values())
    elif value in ("left", "right", "center", "middle", "justify"):
        word = {"middle": "center"}.get(value, value)
        values.update(parse_block(f"text-align: {word if word == 'justify' else '-webkit-' + word}").values())


def _bgcolor(values: Values, tag: str, value: str) -> None:
    colour = from_attribute(value)
    if colour is not None:
        values[COLUMN["background-color"]] = colour


def _colour(values: Values, tag: str, value: str) -> None:
    colour = from_attribute(value)
    if colour is not None:
        values[COLUMN["color"]] = colour


def _background(values: Values, tag: str, value: str) -> None:
    values[COLUMN["background-image"]] = float(bool(value.strip()))


def _valign(values: Values, tag: str, value: str) -> None:
    value = value.strip().lower()
    if value in ("top", "middle", "bottom", "baseline"):
        values.update(parse_block(f"vertical-align: {value}").values())


def _border_attribute(values: Values, tag: str, value: str) -> None:
    if tag == "table":
        values.update(_border(_whole(value, 1.0) or 0.0))
    else:
        values.update(_border(_whole(value, 0.0) or 0.0))


def _spacing(values: Values, tag: str, value: str) -> None:
    px = _whole(value)
    if px is not None:
        values[COLUMN["border-spacing"]] = px


def _rules(values: Values, tag: str, value: str) -> None:
    if value.strip().lower() in ("none", "groups", "rows", "cols", "all"):
        values[COLUMN["border-collapse"]] = 1.0


def _size(values: Values, tag: str, value: str) -> None:
    if tag == "font":
        value = value.strip()
        step = _whole(value.lstrip("+-"))
        if step is not None:
            place = 3 + step if value[:1] == "+" else 3 - step if value[:1] == "-" else step
            values[COLUMN["font-size"]] = FONT_SIZES[FONT_STEPS[int(min(max(place, 1), 7)) - 1]]
    elif tag == "hr":
        _set_px(values, "height", _whole(value) or 2.0)


def _face(values: Values, tag: str, value: str) -> None:
    values.update(font_family(value.lower()) or {})


def _nowrap(values: Values, tag: str, value: str) -> None:
    values.update(parse_block("white-space: nowrap").values())


def _wrap(values: Values, tag: str, value: str) -> None:
    if tag == "textarea" and value.strip().lower() == "off":
        values.update(parse_block("white-space: pre").values())
    elif tag == "pre":
        values.update(parse_block("white-space: pre-wrap").values())


def _frame(values: Values, tag: str, value: str) -> None:
    if value.strip().lower() in ("0", "no"):
        values.update(_border(0.0))


def _clear(values: Values, tag: str, value: str) -> None:
    word = {"all": "both"}.get(value.strip().lower(), value.strip().lower())
    values.update(parse_block(f"clear: {word}").values() if word.isalpha() else {})


def _marker(values: Values, tag: str, value: str) -> None:
    if value.strip().lower() == "none":
        values[COLUMN["list-style-type"]] = 0.0


def _link(values: Values, tag: str, value: str) -> None:
    """Style an `a` with an address; the value is the link colour that the body sets, or empty."""
    values[COLUMN["color"]] = (from_attribute(value) if value else None) or LINK_COLOUR
    values[COLUMN["text-decoration"]] = 1.0


def _ignore(values: Values, tag: str, value: str) -> None:
    """Read together with others."""


def _input(values: Values, kind: str | None, size: str | None) -> None:
    kind = (kind or "text").strip().lower()
    if kind in _INPUTS:
        border = COLUMN["border-top-width"]
        values.update(
            {
                key: value
                for key, value in parse_block(_INPUTS[kind]).values().items()
                if key not in values or key != border
            }
        )
        return
    if COLUMN["width"] not in values or kind != "image":
        characters = _whole(size) or 20.0
        _set_px(values, "width", FIELD_PX[0] + (characters - 20) * FIELD_PX[1])
    values.pop(COLUMN["height"], None)


_READERS: dict[str, Callable[[Values, str, str], None]] = {
    "width": _dimension("width"),
    "height": _dimension("height"),
    "align": _align,
    "bgcolor": _bgcolor,
    "background": _background,
    "valign": _valign,
    "border": _border_attribute,
    "hspace": _margins("left", "right"),
    "vspace": _margins("top", "bottom"),
    "nowrap": _nowrap,
    "text": _colour,
    "color": _colour,
    "topmargin": _margins("top"),
    "leftmargin": _margins("left"),
    "marginheight": _margins("top", "bottom"),
    "marginwidth": _margins("left", "right"),
    "cellspacing": _spacing,
    "rules": _rules,
    "frameborder": _frame,
    "size": _size,
    "type": _marker,
    "face": _face,
    "wrap": _wrap,
    "clear": _clear,
    **dict.fromkeys(("cellpadding", "frame", "rows", "cols", "multiple", "noshade", "open", "controls"), _ignore),
}
