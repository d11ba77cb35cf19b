"""Declaration blocks: `color: red; margin: 0 !important` to values by column, parsed once per text."""

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from parcels.css.columns import COLUMN, OBJECTS, SIDES, columns_of
from parcels.css.sheets.packed import PackedValues
from parcels.css.sheets.scan import cleaned, pairs
from parcels.css.values.longhands import LONGHANDS, Key, Parser, Values
from parcels.css.values.shorthands import SHORTHANDS

CACHED_DECLARATIONS = 16_384
CACHED_BLOCKS = 4096  # style attributes

_VARIABLE = re.compile(r"\bvar\(", re.I)
_UNITLESS = re.compile(r"(?<![-\w.#%])([+-]?(?:\d+\.?\d*|\.\d+))(?![\w.%])")


class WideKeyword(Enum):
    """The CSS-wide keywords."""

    INHERIT = "inherit"
    INITIAL = "initial"
    UNSET = "unset"
    REVERT = "revert"


_WIDE_KEYWORDS = {word.value: word for word in WideKeyword} | {"revert-layer": WideKeyword.REVERT}


@dataclass(frozen=True, slots=True)
class PendingSubstitution:
    """A pending-substitution value: it contains var() and is known once the custom properties are."""

    name: str
    text: str


class Block:
    """A parsed declaration block: the values of each declaration, in order."""

    __slots__ = ("important", "normal")

    def __init__(self, normal: list[PackedValues], important: list[PackedValues]):
        self.normal = normal
        self.important = important

    def values(self) -> Values:
        """Return the winning values of the normal declarations."""
        values: Values = {}
        for declaration in self.normal:
            values.update(declaration.values)
        return values


_PHYSICAL_SIDES = {"inline-start": "left", "inline-end": "right", "block-start": "top", "block-end": "bottom"}
_ALIASES: dict[str, str] = {
    "grid-gap": "gap",
    "grid-row-gap": "row-gap",
    "grid-column-gap": "column-gap",
    "inline-size": "width",
    "block-size": "height",
    "-webkit-margin-start": "margin-left",
    "-webkit-margin-end": "margin-right",
    "-webkit-padding-start": "padding-left",
    "-webkit-padding-end": "padding-right",
    "justify-items": "",
    **{
        f"{end}-{new}": f"{end}-{old}"
        for end in ("min", "max")
        for new, old in (("inline-size", "width"), ("block-size", "height"))
    },
    **{
        f"{part}-{flow}": f"{part}-{side}"
        for part in ("margin", "padding", "border")
        for flow, side in _PHYSICAL_SIDES.items()
    },
    **{f"inset-{flow}": side for flow, side in _PHYSICAL_SIDES.items()},
    **{
        f"border-{flow}-{part}": f"border-{side}-{part}"
        for flow, side in _PHYSICAL_SIDES.items()
        for part in ("width", "style")
    },
    **{
        f"-webkit-{name}": name
        for name in [
            "box-sizing",
            "flex",
            "flex-basis",
            "flex-direction",
            "flex-flow",
            "flex-grow",
            "flex-shrink",
            "flex-wrap",
            "order",
            "align-items",
            "align-self",
            "justify-content",
            "opacity",
            "column-count",
            "column-gap",
            "columns",
            "clip-path",
        ]
    },
}
PARSERS: dict[str, Parser] = {**LONGHANDS, **SHORTHANDS}
PARSERS.update({alias: PARSERS[name] for alias, name in _ALIASES.items() if name})

# A valid value of each property: the columns that it sets are those of the property.
_SAMPLES = {
    "line-height": "1",
    "text-align": "left",
    "font-family": "a",
    "columns": "1",
    "-webkit-box-orient": "vertical",
    "margin": "0",
    "padding": "0",
    "inset": "0",
    "border-width": "0",
    "border-style": "none",
    "background": "none",
    "font": "1px a",
    "flex": "1",
    "flex-flow": "row",
    "list-style": "none",
    "overflow": "hidden",
    "gap": "0",
    "place-content": "start",
    "place-items": "start",
    "place-self": "start",
    "text-wrap": "nowrap",
    "text-wrap-mode": "nowrap",
    "text-decoration-line": "none",
    "grid-template-columns": "none",
    "grid-template-rows": "none",
    "grid-template-areas": "none",
    "grid-template": "none",
    "grid": "none",
}


def _columns_set_by(name: str) -> tuple[Key, ...]:
    name = _ALIASES.get(name, name)
    if name in _SAMPLES:
        return tuple(PARSERS[name](_SAMPLES[name]) or ())
    return columns_of(name) if name in COLUMN else tuple(PARSERS[name]("0") or ())


KEYS: dict[str, tuple[Key, ...]] = {name: _columns_set_by(name) for name in PARSERS}
KEYS["all"] = (*[key for name in COLUMN if name not in ("direction", "custom") for key in columns_of(name)], *OBJECTS)
# Where a page without a doctype may leave out `px`: HTML quirks mode, section 3.2.
_QUIRKY = frozenset(
    [
        *SIDES,
        *[f"{part}-{side}" for part in ("margin", "padding") for side in SIDES],
        *[f"border-{side}-width" for side in SIDES],
        *[
            "width",
            "height",
            "min-width",
            "max-width",
            "min-height",
            "max-height",
            "font-size",
            "text-indent",
            "margin",
            "padding",
        ],
        *["border-width", "letter-spacing", "border-spacing"],
    ]
)


class _DeclarationCache:
    """A cache of parsed declarations: by name, then by value."""

    def __init__(self) -> None:
        self.values: dict[str, dict[str, PackedValues | None]] = {}
        self.count = 0

    def find(self, name: str, text: str) -> PackedValues | None:
        """Return the values of one declaration, parsed or from the cache."""
        by_text = self.values.get(name)
        if by_text is None:
            by_text = self.values[name] = {}
        if text in by_text:
            return by_text[text]
        values = _parse(name, text)
        parsed = None if values is None else PackedValues(values)
        if self.count >= CACHED_DECLARATIONS:
            self.values, self.count = {}, 0  # frequent ones return soon
        else:
            by_text[text] = parsed
            self.count += 1
        return parsed


_DECLARATIONS = _DeclarationCache()


def parse_declaration(name: str, text: str) -> Values | None:
    """Return the values of one declaration; None if it is invalid. The dict is shared: do not change it.

    >>> parse_declaration("margin", "1px 2px") == parse_declaration("margin", "1px 2px 1px")
    True
    """
    parsed = _DECLARATIONS.find(name, text)
    return None if parsed is None else parsed.values


def _parse(name: str, text: str) -> Values | None:
    lower = text.lower()
    wide = _WIDE_KEYWORDS.get(lower)
    if wide is not None:
        return dict.fromkeys(KEYS[name], wide)
    if "var(" in lower:
        return dict.fromkeys(KEYS[name], PendingSubstitution(name, text))
    return None if name == "all" else PARSERS[name](lower)


def parse_block(text: str, is_quirky: bool = False) -> Block:
    """Parse a declaration block; invalid and unknown declarations are ignored."""
    normal: list[PackedValues] = []
    important: list[PackedValues] = []
    custom: Values = {}  # custom properties
    custom_important: Values = {}
    for name, value in pairs(text, KEYS):
        is_important = False
        if "!" in value:
            value, _, word = value.rpartition("!")
            if word.strip().lower() != "important":
                continue
            is_important, value = True, value.rstrip()
        if name.startswith("--"):
            (custom_important if is_important else custom)[name] = value
            if is_important:
                custom.pop(name, None)
            continue
        if not value:
            continue
        parsed = _DECLARATIONS.find(name, _with_px(name, value) if is_quirky else value)
        if parsed is None:
            continue
        if is_important:
            important.append(parsed)
        else:
            normal.append(parsed)
    if custom:
        normal.append(PackedValues(custom))
    if custom_important:
        important.append(PackedValues(custom_important))
    return Block(normal, important)


def _with_px(name: str, value: str) -> str:
    return _UNITLESS.sub(r"\1px", value) if name in _QUIRKY and "(" not in value else value


@lru_cache(CACHED_BLOCKS)
def parse_style_attribute(text: str, is_quirky: bool) -> Block:
    """Return the parsed block of a style attribute."""
    return parse_block(cleaned(text), is_quirky)
