"""Specified values to computed ones: inheritance, font sizes, variables, and what one property does to another."""

from array import array
from collections.abc import Mapping

from parcels.css.colours import CURRENT
from parcels.css.columns import COLUMN, INHERITED_COUNT, INITIAL_ROW, OBJECTS, OWN_INITIAL
from parcels.css.conditions import Screen
from parcels.css.declarations import Pending, Wide, declared
from parcels.css.defaults import HEAD_CENTRE, ROW_MIDDLE, TABLE_START
from parcels.css.longhands import Family, Key, Values
from parcels.css.style import Align, Display
from parcels.css.values import Late
from parcels.css.variables import substituted

MAX_FAMILIES = 32_000  # of one page: the index is 16 bits
MAX_FONT_PX = 10_000.0  # Chromium's largest
MONOSPACE = 13 / 16  # Chromium's default size of the generic monospace family, over that of others

_FONT_SIZE, _COLOUR, _BACKGROUND = COLUMN["font-size"], COLUMN["color"], COLUMN["background-color"]
_DISPLAY, _FLOAT, _POSITION = COLUMN["display"], COLUMN["float"], COLUMN["position"]
_OPACITY, _OPACITY_ABOVE = COLUMN["opacity"], COLUMN["opacity-above"]
_UNDERLINE, _DECORATION = COLUMN["underline"], COLUMN["text-decoration"]
_FAMILY, _WEIGHT, _MONOSPACE = COLUMN["font-family"], COLUMN["font-weight"], COLUMN["monospace"]
_TEXT_ALIGN, _TEXT_BLOCK, _VERTICAL = COLUMN["text-align"], COLUMN["text-align-block"], COLUMN["vertical-align"]

_ROW_GROUP, _CENTRE = float(Display.ROW_GROUP), float(Align.CENTRE)
_INHERIT, _INITIAL, _UNSET, _REVERT = Wide.INHERIT, Wide.INITIAL, Wide.UNSET, Wide.REVERT  # members are slow to reach
_BOXES_ITEMS = frozenset(float(kind) for kind in (Display.FLEX, Display.INLINE_FLEX, Display.GRID, Display.INLINE_GRID))
# What a floated, positioned or flex item becomes: CSS Display 3, section 2.7.
_BLOCKIFIED: dict[float, float] = {
    float(Display.INLINE): float(Display.BLOCK),
    float(Display.INLINE_BLOCK): float(Display.BLOCK),
    float(Display.INLINE_FLEX): float(Display.FLEX),
    float(Display.INLINE_GRID): float(Display.GRID),
    float(Display.INLINE_TABLE): float(Display.TABLE),
    **{
        float(kind): float(Display.BLOCK)
        for kind in (Display.ROW_GROUP, Display.ROW, Display.CELL, Display.CAPTION, Display.COLUMN)
    },
}
_ATOMS = frozenset(
    float(kind) for kind in (Display.INLINE_BLOCK, Display.INLINE_FLEX, Display.INLINE_GRID, Display.INLINE_TABLE)
)
_ABSOLUTE = (2.0, 3.0)


class Computer:
    """The distinct computed styles of one page."""

    def __init__(self, screen: Screen):
        self.width, self.height = screen.width, screen.height
        self.rows: list[array[float]] = []
        self.custom: list[Mapping[str, str]] = []
        self.objects: dict[int, dict[str, object]] = {}
        self.families: dict[str, float] = {"": 0.0}
        self.rem = INITIAL_ROW[_FONT_SIZE]
        self._expanded: dict[tuple[int, str, str], Values] = {}  # by custom properties, property and value

    def add(self, above: int, specified: Values, by_default: Values) -> int:
        """Compute a style below another one (-1 for the root) and return its number."""
        above_row = self.rows[above] if above >= 0 else INITIAL_ROW
        made = above_row[:INHERITED_COUNT] + OWN_INITIAL
        row, parent = made, above_row  # the same, where compiled code reads and writes them as C numbers
        number = len(self.rows)
        custom: Mapping[str, str] = self.custom[above] if above >= 0 else {}
        late: dict[Key, object] = {}
        own: dict[str, str] = {}
        for key, value in specified.items():
            if type(value) is float:
                row[key] = value  # type: ignore[index]
            elif isinstance(key, str) and key[:2] == "--":
                own[key] = str(value)
            else:
                late[key] = value
        if own:
            custom = _custom(custom, own)
        if late:
            self._substitute(late, custom, by_default)
            self._resolve(row, parent, late, number, above < 0)
        if above < 0:
            self.rem = row[_FONT_SIZE]
        _settle(row, parent, specified, above < 0)
        self.rows.append(made)
        self.custom.append(custom)
        return number

    def _substitute(self, late: dict[Key, object], custom: Mapping[str, str], by_default: Values) -> None:
        """Replace values with var() by what they stand for, and what reverts to the defaults by those."""
        for key, value in late.items():
            if value.__class__ is Pending:
                name, text = value.name, value.text
                known = self._expanded.get((id(custom), name, text))
                if known is None:
                    found = substituted(text, custom)
                    known = (found is not None and declared(name, " ".join(found.split()))) or {}
                    self._expanded[id(custom), name, text] = known  # `custom` lives as long as this
                value = late[key] = known.get(key, _UNSET)
            if value is _REVERT:
                late[key] = by_default.get(key, _UNSET)

    def _resolve(
        self, row: "array[float]", parent: "array[float]", late: dict[Key, object], number: int, is_root: bool
    ) -> None:
        """What waits for the parent's style or the font size."""
        if _FONT_SIZE in late:
            self._set_font_size(row, parent, late.pop(_FONT_SIZE), is_root)
        size = row[_FONT_SIZE]
        rem = size if is_root else self.rem
        for key, value in late.items():
            if not isinstance(key, int):
                if key in OBJECTS and not isinstance(value, Wide):
                    self.objects.setdefault(number, {})[key] = value
            elif value.__class__ is Late:
                row[key] = value.px(size, rem, self.width, self.height)
            elif isinstance(value, float):
                row[key] = value
            elif value is _INHERIT:
                row[key] = parent[key]
            elif value is _INITIAL:
                row[key] = INITIAL_ROW[key]
            elif isinstance(value, Family):
                row[_FAMILY] = self._family(value.name)
            elif key == _WEIGHT and value in ("bolder", "lighter"):
                row[_WEIGHT] = _relative_weight(parent[_WEIGHT], value == "bolder")
            elif value == ROW_MIDDLE:
                is_grouped = parent[_DISPLAY] == _ROW_GROUP
                row[_VERTICAL] = parent[_VERTICAL] if is_grouped else _CENTRE
            elif value == TABLE_START:
                if row[_TEXT_BLOCK]:
                    row[_TEXT_ALIGN], row[_TEXT_BLOCK] = INITIAL_ROW[_TEXT_ALIGN], 0.0
            elif value == HEAD_CENTRE and row[_TEXT_ALIGN] == INITIAL_ROW[_TEXT_ALIGN]:
                row[_TEXT_ALIGN] = _CENTRE

    def _set_font_size(self, row: "array[float]", parent: "array[float]", value: object, is_root: bool) -> None:
        above = parent[_FONT_SIZE]
        if isinstance(value, Late):
            rem = INITIAL_ROW[_FONT_SIZE] if is_root else self.rem
            row[_FONT_SIZE] = value.px(above, rem, self.width, self.height)
        elif isinstance(value, float):
            row[_FONT_SIZE] = value
        elif value is _INITIAL:
            row[_FONT_SIZE] = INITIAL_ROW[_FONT_SIZE]
        else:
            row[_FONT_SIZE] = above

    def _family(self, name: str) -> float:
        known = self.families.get(name)
        if known is None:
            known = float(len(self.families)) if len(self.families) < MAX_FAMILIES else 0.0
            self.families[name] = known
        return known


def _settle(row: "array[float]", parent: "array[float]", specified: Values, is_root: bool) -> None:
    """What one property does to another."""
    if row[_MONOSPACE] != parent[_MONOSPACE] and not isinstance(specified.get(_FONT_SIZE), float):
        row[_FONT_SIZE] *= MONOSPACE if row[_MONOSPACE] else 1 / MONOSPACE
    row[_FONT_SIZE] = min(max(row[_FONT_SIZE], 0.0), MAX_FONT_PX)
    if row[_COLOUR] == CURRENT:
        row[_COLOUR] = parent[_COLOUR]
    if row[_BACKGROUND] == CURRENT:
        row[_BACKGROUND] = row[_COLOUR]
    opacity = row[_OPACITY]
    if opacity != 1.0:
        row[_OPACITY_ABOVE] *= min(max(opacity, 0.0), 1.0)
    display = row[_DISPLAY]
    if row[_POSITION] in _ABSOLUTE:
        row[_FLOAT] = 0.0
        row[_DISPLAY] = _BLOCKIFIED.get(display, display)
    elif row[_FLOAT] or is_root or parent[_DISPLAY] in _BOXES_ITEMS:
        row[_DISPLAY] = _BLOCKIFIED.get(display, display)
    if row[_UNDERLINE] and (row[_FLOAT] or row[_POSITION] in _ABSOLUTE or display in _ATOMS):
        row[_UNDERLINE] = 0.0
    if row[_DECORATION]:
        row[_UNDERLINE] = 1.0


def _custom(above: Mapping[str, str], own: Mapping[str, str]) -> Mapping[str, str]:
    """The custom properties of an element: its own over the inherited ones, with their own var() replaced."""
    made = {**above, **own}
    for name, text in own.items():
        if text in ("inherit", "unset", "initial"):
            if text != "initial" and name in above:
                made[name] = above[name]
            else:
                del made[name]
    for name, text in own.items():
        if "var(" in text and name in made:
            found = substituted(text, made)
            if found is None:
                del made[name]
            else:
                made[name] = found
    return made


def _relative_weight(above: float, is_bolder: bool) -> float:
    """CSS Fonts 4, section 2.2.1."""
    if is_bolder:
        return 400.0 if above < 350 else 700.0 if above < 550 else max(above, 900.0)
    return min(above, 100.0) if above < 550 else 400.0 if above < 750 else 700.0
