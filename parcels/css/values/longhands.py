"""Longhand properties: one value to columns. Values that the layout does not distinguish become the same."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum

from parcels.css.columns import COLUMN, FLOW_END, FLOW_START, LINE_FACTOR, LINE_NORMAL, LINE_PX, MEDIUM_BORDER, SIDES
from parcels.css.style import Align, Clear, Direction, Display, Float, Position, Unit, WhiteSpace
from parcels.css.values.colours import colour
from parcels.css.values.lengths import Length, RelativeLength, length, number

Key = int | str  # a column, or the name of an object or of a custom property
Values = dict[Key, object]
Parser = Callable[[str], Values | None]

MAX_FAMILY = 100  # characters of a font's name
PX, PERCENT, AUTO = float(Unit.PX), float(Unit.PERCENT), float(Unit.AUTO)


@dataclass(frozen=True, slots=True)
class Family:
    """The first family of a font-family list."""

    name: str


def _codes(enum: type[IntEnum], words: str) -> dict[str, float]:
    """Return the codes of an enum by CSS keyword, from words such as `none inline-start=LEFT`."""
    pairs = (word.partition("=") for word in words.split())
    return {name: float(enum[(member or name).upper().replace("-", "_")]) for name, _, member in pairs}


DISPLAY = _codes(
    Display,
    "none inline block inline-block list-item flex inline-flex grid inline-grid table inline-table contents "
    "table-row-group=ROW_GROUP table-header-group=ROW_GROUP table-footer-group=ROW_GROUP table-row=ROW "
    "table-cell=CELL table-caption=CAPTION table-column=COLUMN table-column-group=COLUMN flow-root=BLOCK "
    "-webkit-box=FLEX -webkit-inline-box=INLINE_FLEX -webkit-flex=FLEX -webkit-inline-flex=INLINE_FLEX "
    "ruby=INLINE ruby-text=INLINE run-in=BLOCK math=INLINE",
)
# `display: block flow` and the like: CSS Display 3, section 2.
_DISPLAY_PAIRS = {
    "block flow": "block",
    "block flow-root": "block",
    "inline flow": "inline",
    "inline flow-root": "inline-block",
    "block flex": "flex",
    "inline flex": "inline-flex",
    "block grid": "grid",
    "inline grid": "inline-grid",
    "block table": "table",
    "inline table": "inline-table",
}
_PLACE = "start center=CENTRE end flex-start=START flex-end=END left=START right=END stretch baseline "
_DISTRIBUTE = _codes(
    Align, _PLACE + "space-between space-around space-evenly normal=START self-start=START self-end=END"
)
_ITEMS = _codes(Align, _PLACE + "normal=STRETCH self-start=START self-end=END")
_SELF = {**_ITEMS, "auto": float(Align.AUTO), "normal": float(Align.AUTO)}
_WEIGHTS = {"normal": 400.0, "bold": 700.0}
# CSS Fonts 4, section 2.5, as Chromium has them at a medium of 16 px.
FONT_SIZES = {
    "xx-small": 9.0,
    "x-small": 10.0,
    "small": 13.0,
    "medium": 16.0,
    "large": 18.0,
    "x-large": 24.0,
    "xx-large": 32.0,
    "xxx-large": 48.0,
}
BORDER_WIDTHS = {"thin": 1.0, "medium": MEDIUM_BORDER, "thick": 5.0}
BORDER_STYLES = {
    "none": 0.0,
    "hidden": 0.0,
    **dict.fromkeys(["dotted", "dashed", "solid", "double", "groove", "ridge", "inset", "outset"], 1.0),
}
_OVERFLOW = {"visible": 0.0, "hidden": 1.0, "clip": 1.0, "auto": 2.0, "scroll": 2.0, "overlay": 2.0}
_WHITE_SPACE = {**_codes(WhiteSpace, "normal nowrap pre pre-wrap pre-line"), "break-spaces": float(WhiteSpace.PRE_WRAP)}
_TEXT_ALIGN = {
    **_codes(Align, "left=START right=END center=CENTRE justify -webkit-center=CENTRE"),
    **_codes(Align, "-webkit-left=START -webkit-right=END"),
    **dict.fromkeys(("start", "match-parent", "-webkit-auto"), FLOW_START),
    "end": FLOW_END,
}
_VERTICAL = _codes(
    Align,
    "baseline top=START text-top=START middle=CENTRE bottom=END text-bottom=END sub=BASELINE super=BASELINE "
    "-webkit-baseline-middle=CENTRE",
)
_NO_FAMILY = frozenset(":#!{}()")  # `font: 14px Arial color: #fff` is not valid
_NO_MARKER = ("none",)
_EMPTY_PATHS = (
    "inset(50%)",
    "inset(100%)",
    "circle(0)",
    "circle(0px)",
    "polygon(0 0,0 0,0 0,0 0)",
    "inset(0 0 100% 0)",
)


def one_of(name: str, codes: Mapping[str, float]) -> Parser:
    """Return a parser for a property whose value is one of some keywords."""
    column = COLUMN[name]
    ready: dict[str, Values] = {keyword: {column: code} for keyword, code in codes.items()}
    return ready.get


def length_of(name: str, *, has_auto: bool = True, has_percent: bool = True, least: float | None = None) -> Parser:
    """Return a parser for a length, in two columns."""
    column = COLUMN[name]

    def parse(text: str) -> Values | None:
        parsed = length(text)
        if parsed is None or not is_fitting(parsed, has_auto, has_percent, least):
            return None
        return {column: parsed[0], column + 1: parsed[1]}

    return parse


def is_fitting(parsed: Length, has_auto: bool, has_percent: bool, least: float | None) -> bool:
    """Return whether a length is in the property's range."""
    amount, unit = parsed
    if unit not in (PX, PERCENT):
        return has_auto
    if unit == PERCENT and not has_percent:
        return False
    return least is None or not isinstance(amount, float) or amount >= least


def px_of(name: str, *, percent_px: float | None = None, normal: bool = True) -> Parser:
    """Return a parser for a property in pixels; percentages refer to `percent_px`."""
    column = COLUMN[name]

    def parse(text: str) -> Values | None:
        if normal and text == "normal":
            return {column: 0.0}
        parsed = length(text)
        if parsed is None or parsed[1] not in (PX, PERCENT):
            return None
        if parsed[1] == PERCENT:
            if percent_px is None or isinstance(parsed[0], RelativeLength):
                return None
            return {column: parsed[0] * percent_px / 100}
        return {column: parsed[0]}

    return parse


def number_of(name: str, *, least: float | None = None, words: Mapping[str, float] | None = None) -> Parser:
    """Return a parser for a property that is a plain number."""
    column = COLUMN[name]

    def parse(text: str) -> Values | None:
        value = words.get(text) if words else None
        if value is None:
            value = number(text)
        return None if value is None or (least is not None and value < least) else {column: value}

    return parse


def colour_of(name: str) -> Parser:
    """Return a parser for a colour."""
    column = COLUMN[name]

    def parse(text: str) -> Values | None:
        value = colour(text)
        return None if value is None else {column: value}

    return parse


def _border_width(name: str) -> Parser:
    column, parse_length = COLUMN[name], length_of(name, has_auto=False, has_percent=False, least=0.0)
    ready: dict[str, Values] = {word: {column: px, column + 1: PX} for word, px in BORDER_WIDTHS.items()}
    return lambda text: ready.get(text) or parse_length(text)


def _display(text: str) -> Values | None:
    code = DISPLAY.get(_DISPLAY_PAIRS.get(text, text))
    return None if code is None else {COLUMN["display"]: code}


def font_size(text: str) -> Values | None:
    """Parse a font size; relative sizes are deferred until the parent's is known."""
    if text in FONT_SIZES:
        return {COLUMN["font-size"]: FONT_SIZES[text]}
    if text in ("smaller", "larger"):  # CSS Fonts 4: a ratio of 1.2
        return {COLUMN["font-size"]: RelativeLength((0.0, 1.2 if text == "larger" else 1 / 1.2, 0.0, 0.0, 0.0, 0.0))}
    parsed = length(text)
    if parsed is None or parsed[1] not in (PX, PERCENT):
        return None
    size = parsed[0]
    if parsed[1] == PERCENT and isinstance(size, float):
        size = RelativeLength((0.0, size / 100, 0.0, 0.0, 0.0, 0.0))
    return None if isinstance(size, float) and size < 0 else {COLUMN["font-size"]: size}


def font_weight(text: str) -> Values | None:
    """Parse a font weight; bolder and lighter are deferred until the parent's is known."""
    if text in ("bolder", "lighter"):
        return {COLUMN["font-weight"]: text}
    weight = _WEIGHTS.get(text)
    if weight is None:
        weight = number(text)
    return {COLUMN["font-weight"]: weight} if weight is not None and 1 <= weight <= 1000 else None


def line_height(text: str) -> Values | None:
    """Parse a line height: normal, a factor of the element's font size, or a length."""
    kind, value = COLUMN["line-kind"], COLUMN["line-value"]
    if text == "normal":
        return {kind: LINE_NORMAL, value: 0.0}
    if text[-1:] != "%":
        factor = number(text)
        if factor is not None:
            return {kind: LINE_FACTOR, value: factor} if factor >= 0 else None
    parsed = length(text)
    if parsed is None or parsed[1] not in (PX, PERCENT):
        return None
    amount = parsed[0]
    if parsed[1] == PERCENT and isinstance(amount, float):
        amount = RelativeLength((0.0, amount / 100, 0.0, 0.0, 0.0, 0.0))
    return None if isinstance(amount, float) and amount < 0 else {kind: LINE_PX, value: amount}


def font_family(text: str) -> Values | None:
    """Parse a font family list; only the first family counts."""
    name = " ".join(text.split(",", 1)[0].strip().strip("\"'").split())
    if not name or not _NO_FAMILY.isdisjoint(name):
        return None
    is_generic = text.strip() == "monospace"
    return {COLUMN["font-family"]: Family(name[:MAX_FAMILY]), COLUMN["monospace"]: float(is_generic)}


def _text_align(text: str) -> Values | None:
    code = _TEXT_ALIGN.get(text)
    if code is None:
        return None
    return {COLUMN["text-align"]: code, COLUMN["text-align-block"]: float(text.startswith("-webkit-"))}


def _vertical_align(text: str) -> Values | None:
    code = _VERTICAL.get(text)
    if code is None:
        code = float(Align.BASELINE) if length(text) else None
    return None if code is None else {COLUMN["vertical-align"]: code}


def _list_style_type(text: str) -> Values | None:
    return {COLUMN["list-style-type"]: float(text not in _NO_MARKER)}


def _image(name: str) -> Parser:
    column = COLUMN[name]
    return lambda text: {column: float(text != "none" and ("(" in text))}


def _text_decoration(text: str) -> Values | None:
    return {COLUMN["text-decoration"]: float("underline" in text.split())}


def _clip(text: str) -> Values | None:
    """Parse clip, which counts only if its rectangle is empty: `rect(0 0 0 0)`, `rect(1px,1px,1px,1px)`."""
    column = COLUMN["clip"]
    if text == "auto":
        return {column: 0.0}
    if not text.startswith("rect(") or text[-1] != ")":
        return None
    edges = [length(part) for part in text[5:-1].replace(",", " ").split()]
    if len(edges) != 4:
        return None
    top, right, bottom, left = (edge[0] if edge and edge[1] == PX else None for edge in edges)

    def is_nothing(low: object, high: object) -> bool:
        return isinstance(low, float) and isinstance(high, float) and high - low <= 1

    return {column: float(is_nothing(top, bottom) or is_nothing(left, right))}


def _clip_path(text: str) -> Values | None:
    folded = ",".join(part.strip() for part in text.split(","))
    return {COLUMN["clip-path"]: float(folded in _EMPTY_PATHS)}


def _columns(text: str) -> Values | None:
    for part in text.split():
        count = number(part)
        if count is not None and count >= 1:
            return {COLUMN["column-count"]: float(min(int(count), 100))}
    return {COLUMN["column-count"]: 0.0}


LONGHANDS: dict[str, Parser] = {
    "display": _display,
    "position": one_of("position", _codes(Position, "static relative absolute fixed sticky -webkit-sticky=STICKY")),
    "float": one_of("float", _codes(Float, "none left right inline-start=LEFT inline-end=RIGHT")),
    "clear": one_of("clear", _codes(Clear, "none left right both inline-start=LEFT inline-end=RIGHT")),
    "visibility": one_of("visibility", {"visible": 1.0, "hidden": 0.0, "collapse": 0.0}),
    "opacity": number_of("opacity"),
    "overflow-x": one_of("overflow-x", _OVERFLOW),
    "overflow-y": one_of("overflow-y", _OVERFLOW),
    "z-index": number_of("z-index", words={"auto": float("nan")}),
    "box-sizing": one_of("box-sizing", {"content-box": 0.0, "border-box": 1.0}),
    **{name: length_of(name, least=0.0) for name in ("width", "height")},
    **{
        f"{end}-{name}": length_of(f"{end}-{name}", least=0.0) for end in ("min", "max") for name in ("width", "height")
    },
    **{side: length_of(side) for side in SIDES},
    **{f"margin-{side}": length_of(f"margin-{side}") for side in SIDES},
    **{f"padding-{side}": length_of(f"padding-{side}", has_auto=False, least=0.0) for side in SIDES},
    **{f"border-{side}-width": _border_width(f"border-{side}-width") for side in SIDES},
    **{f"border-{side}-style": one_of(f"border-{side}-style", BORDER_STYLES) for side in SIDES},
    "font-size": font_size,
    "font-weight": font_weight,
    "font-style": one_of("font-style", {"normal": 0.0, "italic": 1.0, "oblique": 1.0}),
    "font-family": font_family,
    "line-height": line_height,
    "letter-spacing": px_of("letter-spacing"),
    "text-indent": px_of("text-indent", percent_px=1000.0),
    "text-align": _text_align,
    "vertical-align": _vertical_align,
    "white-space": one_of("white-space", _WHITE_SPACE),
    "text-transform": one_of(
        "text-transform", {"uppercase": 1.0, **dict.fromkeys(("none", "lowercase", "capitalize", "full-width"), 0.0)}
    ),
    "color": colour_of("color"),
    "background-color": colour_of("background-color"),
    "background-image": _image("background-image"),
    "list-style-type": _list_style_type,
    "list-style-image": _image("list-style-image"),
    "text-decoration": _text_decoration,
    "text-decoration-line": _text_decoration,
    "border-collapse": one_of("border-collapse", {"separate": 0.0, "collapse": 1.0}),
    "border-spacing": lambda text: px_of("border-spacing")(text.split(" ")[0]),
    "direction": one_of("direction", {"ltr": 0.0, "rtl": 1.0}),
    "flex-direction": one_of("flex-direction", _codes(Direction, "row row-reverse column column-reverse")),
    "-webkit-box-orient": one_of("flex-direction", _codes(Direction, "horizontal=ROW vertical=COLUMN")),
    "flex-wrap": one_of("flex-wrap", {"nowrap": 0.0, "wrap": 1.0, "wrap-reverse": 1.0}),
    "flex-grow": number_of("flex-grow", least=0.0),
    "flex-shrink": number_of("flex-shrink", least=0.0),
    "flex-basis": length_of("flex-basis", least=0.0),
    "justify-content": one_of("justify-content", _DISTRIBUTE),
    "align-items": one_of("align-items", _ITEMS),
    "align-self": one_of("align-self", _SELF),
    "order": number_of("order"),
    "column-gap": px_of("column-gap", percent_px=1000.0),
    "row-gap": px_of("row-gap", percent_px=1000.0),
    "column-count": number_of("column-count", least=1.0, words={"auto": 0.0}),
    "columns": _columns,
    "clip": _clip,
    "clip-path": _clip_path,
    "table-layout": one_of("table-layout", {"auto": 0.0, "fixed": 1.0}),
}
