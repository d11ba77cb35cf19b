"""Shorthand properties: one value that sets several longhands."""

import re

from parcels.css.columns import COLUMN, INITIAL, SIDES, columns_of
from parcels.css.values import grid
from parcels.css.values.colours import TRANSPARENT, colour
from parcels.css.values.lengths import length, number
from parcels.css.values.longhands import (
    BORDER_STYLES,
    BORDER_WIDTHS,
    LONGHANDS,
    Parser,
    Values,
    font_family,
    font_size,
    font_weight,
    line_height,
)

# Components of a value: functions and strings are one component, a slash is one.
_WORD = re.compile(
    r"[^\s(/\"']*+\((?:[^()]++|\((?:[^()]++|\([^()]*+\))*+\))*+\)[^\s(/\"']*+|\"[^\"]*+\"|'[^']*+'|[^\s(/\"']++|/|\("
)
_FONT_PLAIN = frozenset(
    [
        "normal",
        "small-caps",
        "ultra-condensed",
        "extra-condensed",
        "condensed",
        "semi-condensed",
        "semi-expanded",
        "expanded",
    ]
)
_SYSTEM_FONTS = frozenset(["caption", "icon", "menu", "message-box", "small-caption", "status-bar"])
SYSTEM_FONT_PX = 13.333  # Chromium's


def words(text: str) -> list[str]:
    """Split a value into its components.

    >>> words("1px solid rgb(1, 2, 3)")
    ['1px', 'solid', 'rgb(1, 2, 3)']
    """
    return _WORD.findall(text) if "(" in text or "/" in text or '"' in text or "'" in text else text.split()


def initial(*names: str) -> Values:
    """Return the initial values of some longhands."""
    return {column: INITIAL[column] for name in names for column in columns_of(name)}


def _four(names: tuple[str, str, str, str]) -> Parser:
    """Return a parser for one to four values, clockwise from the top."""

    def parse(text: str) -> Values | None:
        parts = words(text)
        if not 1 <= len(parts) <= 4:
            return None
        second = parts[1] if len(parts) > 1 else parts[0]
        chosen = (
            parts[0],
            second,
            parts[2] if len(parts) > 2 else parts[0],
            parts[3] if len(parts) > 3 else second,
        )
        values: Values = {}
        for name, part in zip(names, chosen, strict=True):
            values_of_side = LONGHANDS[name](part)
            if values_of_side is None:
                return None
            values.update(values_of_side)
        return values

    return parse


def _two(first: str, second: str) -> Parser:
    def parse(text: str) -> Values | None:
        parts = words(text)
        if not 1 <= len(parts) <= 2:
            return None
        one, two = LONGHANDS[first](parts[0]), LONGHANDS[second](parts[-1])
        return None if one is None or two is None else {**one, **two}

    return parse


def _border(*sides: str) -> Parser:
    """Return a parser for `border: 1px solid red` on the given sides."""

    def parse(text: str) -> Values | None:
        width, style = "medium", "none"
        for part in words(text):
            if part in BORDER_STYLES:
                style = part
            elif part in BORDER_WIDTHS or length(part) is not None:
                width = part
            elif colour(part) is None:
                return None
        values: Values = {}
        for side in sides:
            values_of_side = LONGHANDS[f"border-{side}-width"](width)
            if values_of_side is None:
                return None
            values.update(values_of_side)
            values[COLUMN[f"border-{side}-style"]] = BORDER_STYLES[style]
        return values

    return parse


def _background(text: str) -> Values | None:
    """Parse the colour of the last layer, and whether any layer has an image."""
    values: Values = {COLUMN["background-color"]: TRANSPARENT, COLUMN["background-image"]: 0.0}
    for part in words(text):
        word = part.rstrip(",")
        parsed = colour(word) if word else None
        if parsed is not None:
            values[COLUMN["background-color"]] = parsed
        elif "(" in word and not word.startswith("calc("):
            if word.startswith(("rgb", "hsl")):
                return None
            values[COLUMN["background-image"]] = 1.0
        elif word[:1] == "#":
            return None
    return values


def _font(text: str) -> Values | None:
    values = initial("font-style", "font-weight", "line-kind", "line-value")
    if text in _SYSTEM_FONTS:
        return {**values, COLUMN["font-size"]: SYSTEM_FONT_PX, **(font_family("system-ui") or {})}
    parts = words(text)
    for at, part in enumerate(parts):
        if part in ("italic", "oblique"):
            values[COLUMN["font-style"]] = 1.0
            continue
        if part in _FONT_PLAIN:
            continue
        size = font_size(part)
        weight = font_weight(part) if size is None or part.isdecimal() else None
        if weight is not None:
            values.update(weight)
            continue
        if size is None:
            return None
        rest = parts[at + 1 :]
        if rest[:1] == ["/"] and len(rest) > 1:
            height = line_height(rest[1])
            if height is None:
                return None
            values.update(height)
            rest = rest[2:]
        family = font_family(" ".join(rest))
        return None if family is None else {**values, **size, **family}
    return None


def _flex(text: str) -> Values | None:
    grow, shrink, basis = 1.0, 1.0, "0px"
    if text in ("none", "auto"):
        grow, shrink, basis = (0.0, 0.0, "auto") if text == "none" else (1.0, 1.0, "auto")
    elif text == "initial":
        grow, basis = 0.0, "auto"
    else:
        numbers = 0
        for part in words(text):
            share = None if part[-1:] == "%" else number(part)
            if share is not None and numbers < 2:
                if numbers == 0:
                    grow = share
                else:
                    shrink = share
                numbers += 1
            else:
                basis = part
    parsed = LONGHANDS["flex-basis"](basis)
    if parsed is None or grow < 0 or shrink < 0:
        return None
    return {COLUMN["flex-grow"]: grow, COLUMN["flex-shrink"]: shrink, **parsed}


def _flex_flow(text: str) -> Values | None:
    values = initial("flex-direction", "flex-wrap")
    for part in text.split():
        parsed = LONGHANDS["flex-direction"](part) or LONGHANDS["flex-wrap"](part)
        if parsed is None:
            return None
        values.update(parsed)
    return values


def _list_style(text: str) -> Values | None:
    parts = words(text)
    has_image = any("(" in part for part in parts)
    kinds = [part for part in parts if part not in ("inside", "outside") and "(" not in part]
    return {
        COLUMN["list-style-type"]: float(kinds != ["none"] and kinds != ["none", "none"]),
        COLUMN["list-style-image"]: float(has_image),
    }


def _grid_lines(*names: str) -> Parser:
    """Return a parser for `grid-area: 1 / 2 / 3 / 4`, `grid-column: main`.

    A single name applies to both ends.
    """

    def parse(text: str) -> Values | None:
        parts = [part.strip() for part in text.split("/")]
        if len(parts) > len(names):
            return None
        lines = [grid.line(part) for part in parts]
        values: Values = {}
        for at, name in enumerate(names):
            if at < len(lines):
                values[name] = lines[at]
            else:  # grid-area: row-start / column-start / row-end / column-end
                opposite = lines[at - 2] if len(names) == 4 and at >= 2 and at - 2 < len(lines) else lines[0]
                values[name] = (0, 1, opposite[2]) if opposite else (0, 1, "")
        return values

    return parse


def _grid_tracks(name: str) -> Parser:
    def parse(text: str) -> Values | None:
        parsed = grid.tracks(text)
        return None if parsed is None else {name: parsed}

    return parse


def _grid_areas(text: str) -> Values | None:
    parsed = grid.areas(text)
    return None if parsed is None else {"grid-template-areas": parsed}


def _grid_template(text: str) -> Values | None:
    """Parse `rows / columns`, or strings of areas with row sizes, `/`, and columns."""
    rows, slash, columns = text.partition("/")
    values: Values = {"grid-template-areas": (), "grid-template-rows": ((), 0.0), "grid-template-columns": ((), 0.0)}
    named = grid.areas(rows)
    if named:
        values["grid-template-areas"] = named
        rows = re.sub(r"\"[^\"]*\"|'[^']*'", " ", rows).strip()
    if rows.strip() and "auto-flow" not in rows:
        values["grid-template-rows"] = grid.tracks(rows.strip()) or ((), 0.0)
    if slash and "auto-flow" not in columns:
        values["grid-template-columns"] = grid.tracks(columns.strip()) or ((), 0.0)
    return values


def _whole(text: str) -> Values | None:
    """Parse text-wrap as white-space."""
    return LONGHANDS["white-space"]({"wrap": "normal"}.get(text, text))


_SIDE_NAMES = {
    part: (f"{part}-top", f"{part}-right", f"{part}-bottom", f"{part}-left") for part in ("margin", "padding")
}
SHORTHANDS: dict[str, Parser] = {
    "margin": _four(_SIDE_NAMES["margin"]),
    "padding": _four(_SIDE_NAMES["padding"]),
    "inset": _four(("top", "right", "bottom", "left")),
    "border-width": _four(
        ("border-top-width", "border-right-width", "border-bottom-width", "border-left-width"),
    ),
    "border-style": _four(
        ("border-top-style", "border-right-style", "border-bottom-style", "border-left-style"),
    ),
    "border": _border(*SIDES),
    **{f"border-{side}": _border(side) for side in SIDES},
    **{f"{part}-inline": _two(f"{part}-left", f"{part}-right") for part in ("margin", "padding")},
    **{f"{part}-block": _two(f"{part}-top", f"{part}-bottom") for part in ("margin", "padding")},
    "inset-inline": _two("left", "right"),
    "inset-block": _two("top", "bottom"),
    "border-inline": _border("left", "right"),
    "border-block": _border("top", "bottom"),
    "background": _background,
    "font": _font,
    "flex": _flex,
    "flex-flow": _flex_flow,
    "list-style": _list_style,
    "overflow": _two("overflow-x", "overflow-y"),
    "gap": _two("row-gap", "column-gap"),
    "place-content": lambda text: LONGHANDS["justify-content"](text.split(" ")[-1]),
    "place-items": lambda text: LONGHANDS["align-items"](text.split(" ")[0]),
    "place-self": lambda text: LONGHANDS["align-self"](text.split(" ")[0]),
    "text-wrap": _whole,
    "text-wrap-mode": _whole,
    "grid-template-columns": _grid_tracks("grid-template-columns"),
    "grid-template-rows": _grid_tracks("grid-template-rows"),
    "grid-template-areas": _grid_areas,
    "grid-template": _grid_template,
    "grid": _grid_template,
    "grid-row": _grid_lines("grid-row-start", "grid-row-end"),
    "grid-column": _grid_lines("grid-column-start", "grid-column-end"),
    "grid-area": _grid_lines("grid-row-start", "grid-column-start", "grid-row-end", "grid-column-end"),
    **{name: _grid_lines(name) for name in ("grid-row-start", "grid-row-end", "grid-column-start", "grid-column-end")},
}
