"""HTML's presentational attributes as declarations: width, bgcolor, align, cellpadding, <font size>, type=checkbox …

They count as author rules with no specificity, before all sheets: HTML standard, section 15.2.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from parcels.css.columns import COLUMN, SIDES
from parcels.css.sheets.declarations import block
from parcels.css.sheets.packed import Packed
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
# Which attributes are looked at, by tag; others of the element do not change its style.
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
ALWAYS_HINTED = frozenset(["input", "textarea", "audio", "dialog"])  # the attribute that is not there says something

Cell = tuple[str | None, str | None]  # the border and cellpadding of the table around a cell


Looks = tuple[tuple[str, str], ...]  # attributes and their values
ALWAYS_INTERESTING = frozenset(["style", "hidden", "dir"])
INTERESTING = {tag: ALWAYS_INTERESTING.union(names) for tag, names in HINTS.items()}


@lru_cache(CACHED_HINTS)
def hints(tag: str, looks: Looks, cell: Cell | None = None) -> Packed:
    """Return the declarations of an element's presentational attributes. The result is shared: do not change it.

    >>> hints("font", (("size", "5"),)).values == {COLUMN["font-size"]: 24.0}
    True
    """
    given = dict(looks)
    made: Values = {}
    if cell is not None and tag in CELLS:
        if cell[0] is not None:
            made.update(_border(1.0 if (_whole(cell[0], 1) or 0) > 0 else 0.0))
        if cell[1] is not None and (padding := _whole(cell[1])) is not None:
            for side in SIDES:
                _set_px(made, f"padding-{side}", padding)
    for name in HINTS.get(tag, ()):
        value = given.get(name)
        if value is not None:
            _READERS[name](made, tag, value[:_MAX_ATTRIBUTE])
    if tag == "input":
        _input(made, given.get("type"), given.get("size"))
    elif tag == "textarea":
        rows, columns = _whole(given.get("rows")) or 2.0, _whole(given.get("cols")) or 20.0
        _set_px(made, "width", TEXTAREA_PX[0] + (columns - 20) * TEXTAREA_PX[1])
        _set_px(made, "height", rows * TEXTAREA_PX[2])
    elif (tag == "audio" and "controls" not in given) or (tag == "dialog" and "open" not in given):
        made[COLUMN["display"]] = 0.0
    if tag == "a" and "href" in given:
        _link(made, tag, given["href"])
    direction = given.get("dir", "").strip().lower()
    if direction in ("rtl", "ltr"):
        made[COLUMN["direction"]] = float(direction == "rtl")
    return Packed(made)


_MAX_ATTRIBUTE = 100  # characters


def _whole(value: str | None, default: float | None = None) -> float | None:
    found = _DIMENSION.match(value or "")
    return default if found is None else min(float(found[1]), MAX_PX)


def _set_px(made: Values, name: str, px: float) -> None:
    made[COLUMN[name]] = px
    made[COLUMN[name] + 1] = float(Unit.PX)


def _border(px: float) -> Values:
    made: Values = {}
    for side in SIDES:
        _set_px(made, f"border-{side}-width", px)
        made[COLUMN[f"border-{side}-style"]] = float(px > 0)
    return made


def _dimension(name: str) -> Callable[[Values, str, str], None]:
    def read(made: Values, tag: str, value: str) -> None:
        found = _DIMENSION.match(value)
        if found is None or (tag in CELLS | {"table"} and float(found[1]) == 0):
            return
        made[COLUMN[name]] = min(float(found[1]), MAX_PX)
        made[COLUMN[name] + 1] = float(Unit.PERCENT if found[2] else Unit.PX)

    return read


def _margins(*sides: str) -> Callable[[Values, str, str], None]:
    def read(made: Values, tag: str, value: str) -> None:
        px = _whole(value)
        if px is not None:
            for side in sides:
                _set_px(made, f"margin-{side}", px)

    return read


def _align(made: Values, tag: str, value: str) -> None:
    value = value.strip().lower()
    if tag == "table" or tag in _REPLACED:
        if value in ("left", "right"):
            made.update(block(f"float: {value}").values())
        elif value in ("center", "middle") and tag == "table":
            made.update(block("margin-left: auto; margin-right: auto").values())
        elif value in ("top", "middle", "bottom", "absmiddle", "abscenter", "texttop"):
            vertical = {"absmiddle": "middle", "abscenter": "middle", "texttop": "text-top"}.get(value, value)
            made.update(block(f"vertical-align: {vertical}").values())
    elif tag == "hr":
        sides = {"left": "0 auto 0 0", "right": "0 0 0 auto"}.get(value, "0 auto").split()
        left = sides[3] if len(sides) == 4 else sides[-1]
        made.update(block(f"margin-left: {left}; margin-right: {sides[1]}").values())
    elif value in ("left", "right", "center", "middle", "justify"):
        word = {"middle": "center"}.get(value, value)
        made.update(block(f"text-align: {word if word == 'justify' else '-webkit-' + word}").values())


def _bgcolor(made: Values, tag: str, value: str) -> None:
    colour = from_attribute(value)
    if colour is not None:
        made[COLUMN["background-color"]] = colour


def _colour(made: Values, tag: str, value: str) -> None:
    colour = from_attribute(value)
    if colour is not None:
        made[COLUMN["color"]] = colour


def _background(made: Values, tag: str, value: str) -> None:
    made[COLUMN["background-image"]] = float(bool(value.strip()))


def _valign(made: Values, tag: str, value: str) -> None:
    value = value.strip().lower()
    if value in ("top", "middle", "bottom", "baseline"):
        made.update(block(f"vertical-align: {value}").values())


def _border_attribute(made: Values, tag: str, value: str) -> None:
    if tag == "table":
        made.update(_border(_whole(value, 1.0) or 0.0))
    else:
        made.update(_border(_whole(value, 0.0) or 0.0))


def _spacing(made: Values, tag: str, value: str) -> None:
    px = _whole(value)
    if px is not None:
        made[COLUMN["border-spacing"]] = px


def _rules(made: Values, tag: str, value: str) -> None:
    if value.strip().lower() in ("none", "groups", "rows", "cols", "all"):
        made[COLUMN["border-collapse"]] = 1.0


def _size(made: Values, tag: str, value: str) -> None:
    if tag == "font":
        value = value.strip()
        step = _whole(value.lstrip("+-"))
        if step is not None:
            place = 3 + step if value[:1] == "+" else 3 - step if value[:1] == "-" else step
            made[COLUMN["font-size"]] = FONT_SIZES[FONT_STEPS[int(min(max(place, 1), 7)) - 1]]
    elif tag == "hr":
        _set_px(made, "height", _whole(value) or 2.0)


def _face(made: Values, tag: str, value: str) -> None:
    made.update(font_family(value.lower()) or {})


def _nowrap(made: Values, tag: str, value: str) -> None:
    made.update(block("white-space: nowrap").values())


def _wrap(made: Values, tag: str, value: str) -> None:
    if tag == "textarea" and value.strip().lower() == "off":
        made.update(block("white-space: pre").values())
    elif tag == "pre":
        made.update(block("white-space: pre-wrap").values())


def _frame(made: Values, tag: str, value: str) -> None:
    if value.strip().lower() in ("0", "no"):
        made.update(_border(0.0))


def _clear(made: Values, tag: str, value: str) -> None:
    word = {"all": "both"}.get(value.strip().lower(), value.strip().lower())
    made.update(block(f"clear: {word}").values() if word.isalpha() else {})


def _marker(made: Values, tag: str, value: str) -> None:
    if value.strip().lower() == "none":
        made[COLUMN["list-style-type"]] = 0.0


def _link(made: Values, tag: str, value: str) -> None:
    """Style an `a` with an address; the value is the link colour that the body sets, or empty."""
    made[COLUMN["color"]] = (from_attribute(value) if value else None) or LINK_COLOUR
    made[COLUMN["text-decoration"]] = 1.0


def _nothing(made: Values, tag: str, value: str) -> None:
    """Read together with others."""


def _input(made: Values, kind: str | None, size: str | None) -> None:
    kind = (kind or "text").strip().lower()
    if kind in _INPUTS:
        border = COLUMN["border-top-width"]
        made.update(
            {key: value for key, value in block(_INPUTS[kind]).values().items() if key not in made or key != border}
        )
        return
    if COLUMN["width"] not in made or kind != "image":
        characters = _whole(size) or 20.0
        _set_px(made, "width", FIELD_PX[0] + (characters - 20) * FIELD_PX[1])
    made.pop(COLUMN["height"], None)


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
    **dict.fromkeys(("cellpadding", "frame", "rows", "cols", "multiple", "noshade", "open", "controls"), _nothing),
}
