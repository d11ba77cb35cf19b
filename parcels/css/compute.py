"""Computed values: inheritance, font sizes, variables, and adjustments between properties."""

from array import array
from collections.abc import Mapping

from parcels.css.columns import COLUMN, INHERITED_COUNT, INITIAL_ROW, OBJECTS, WIDTH
from parcels.css.defaults import HEAD_CENTRE, ROW_MIDDLE, TABLE_START
from parcels.css.sheets.declarations import PendingSubstitution, WideKeyword, parse_declaration
from parcels.css.sheets.packed import PackedValues
from parcels.css.style import Align, Display, Position
from parcels.css.values.colours import CURRENT
from parcels.css.values.conditions import Screen
from parcels.css.values.lengths import MAX_PX, RelativeLength, Terms, bounded
from parcels.css.values.longhands import Family, Key, Values
from parcels.css.values.variables import substitute_variables

MAX_FAMILIES = 32_000  # of one page: the index is 16 bits
MAX_FONT_PX = 10_000.0  # Chromium's largest
FIRST_ROOM = 128  # styles that the first allocation holds
MONOSPACE = 13 / 16  # Chromium's default size of the generic monospace family, over that of others

_FONT_SIZE, _COLOUR, _BACKGROUND = COLUMN["font-size"], COLUMN["color"], COLUMN["background-color"]
_DISPLAY, _FLOAT, _POSITION = COLUMN["display"], COLUMN["float"], COLUMN["position"]
_OPACITY, _OPACITY_ABOVE = COLUMN["opacity"], COLUMN["opacity-above"]
_UNDERLINE, _DECORATION = COLUMN["underline"], COLUMN["text-decoration"]
_FAMILY, _WEIGHT, _MONOSPACE = COLUMN["font-family"], COLUMN["font-weight"], COLUMN["monospace"]
_TEXT_ALIGN, _TEXT_BLOCK, _VERTICAL = COLUMN["text-align"], COLUMN["text-align-block"], COLUMN["vertical-align"]
_CUSTOM = COLUMN["custom"]

_ROW_GROUP, _CENTRE = float(Display.ROW_GROUP), float(Align.CENTRE)
_INHERIT, _INITIAL, _UNSET, _REVERT = (
    WideKeyword.INHERIT,
    WideKeyword.INITIAL,
    WideKeyword.UNSET,
    WideKeyword.REVERT,
)  # members are slow to reach
_FIRST_OF_ITEMS, _LAST_OF_ITEMS = float(Display.FLEX), float(Display.INLINE_GRID)  # flex and grid containers
# Blockification of floats, absolutely positioned boxes and flex items: CSS Display 3, section 2.7.
_BLOCKIFIED = array("d", [float(kind) for kind in Display])
for _kind in (
    Display.INLINE,
    Display.INLINE_BLOCK,
    Display.ROW_GROUP,
    Display.ROW,
    Display.CELL,
    Display.CAPTION,
    Display.COLUMN,
):
    _BLOCKIFIED[_kind] = float(Display.BLOCK)
_BLOCKIFIED[Display.INLINE_FLEX] = float(Display.FLEX)
_BLOCKIFIED[Display.INLINE_GRID] = float(Display.GRID)
_BLOCKIFIED[Display.INLINE_TABLE] = float(Display.TABLE)
_ATOMS = (Display.INLINE_BLOCK, Display.INLINE_FLEX, Display.INLINE_GRID, Display.INLINE_TABLE)
_IS_ATOM = bytes(kind in _ATOMS for kind in Display)
_ABSOLUTE, _FIXED = float(Position.ABSOLUTE), float(Position.FIXED)


class StyleComputer:
    """The distinct computed styles of one page, one row of numbers each.

    The row before the first style holds the initial values, which the root inherits.
    """

    def __init__(self, screen: Screen):
        self.width, self.height = screen.width, screen.height
        self.count = 0
        self._room = INITIAL_ROW * FIRST_ROOM
        self.cells = self._room
        self.customs: list[Mapping[str, str]] = [{}]  # sets of custom properties, by the number in the column `custom`
        self.objects: dict[int, dict[str, object]] = {}
        self.families: dict[str, float] = {"": 0.0}
        self.rem = INITIAL_ROW[_FONT_SIZE]
        # By the inherited set and the own properties.
        self._custom_sets: dict[tuple[int, tuple[tuple[str, str], ...]], int] = {}
        self._is_deferred = bytearray(WIDTH)  # 1 for columns whose value is not a number yet, while a style is computed
        self._expanded: dict[tuple[int, str, str], Values] = {}  # by set of custom properties, property and value

    def at(self, style: int) -> int:
        """Return the index of a style's first cell; style -1 is the initial values."""
        return (style + 1) * WIDTH

    def add(self, parent_style: int, layers: list[PackedValues], ua_values: PackedValues) -> int:
        """Compute a style below another one (-1 for the root) and return its number.

        The last layer that sets a column wins; `revert` falls back to `ua_values`.
        """
        number = self.count
        row, parent = self.at(number), self.at(parent_style)
        if row + WIDTH > len(self.cells):
            self._grow()
        cells = self.cells
        for column in range(INHERITED_COUNT):
            cells[row + column] = cells[parent + column]
        for column in range(INHERITED_COUNT, WIDTH):
            cells[row + column] = cells[column]
        deferred: dict[Key, object] = {}
        own: dict[str, str] | None = None
        has_absolute_size = False  # the last word on the font size is a number
        is_deferred = self._is_deferred
        for packed in layers:
            for place in range(packed.count):
                column = packed.columns[place]
                cells[row + column] = packed.numbers[place]
                if column == _FONT_SIZE:
                    has_absolute_size = True
                if is_deferred[column]:
                    is_deferred[column] = 0
                    del deferred[column]
            for key, value in packed.deferred:
                deferred[key] = value
                if isinstance(key, int):
                    column = key
                    cells[row + column] = cells[(parent if column < INHERITED_COUNT else 0) + column]
                    is_deferred[column] = 1
                    if column == _FONT_SIZE:
                        has_absolute_size = False
            if packed.own is not None:
                own = packed.own if own is None else {**own, **packed.own}
        if own is not None:
            cells[row + _CUSTOM] = self._custom_set_number(int(cells[row + _CUSTOM]), own)
        if deferred:
            for key in deferred:
                if isinstance(key, int):
                    is_deferred[key] = 0
            self._substitute(deferred, int(cells[row + _CUSTOM]), ua_values)
            self._resolve(row, parent, deferred, number)
        if parent_style < 0:
            self.rem = cells[row + _FONT_SIZE]
        self._adjust(row, parent, has_absolute_size)
        self.count = number + 1
        return number

    def _grow(self) -> None:
        """Make room for as many styles again."""
        self._room = self._room * 2
        self.cells = self._room

    def _custom_set_number(self, inherited: int, own: dict[str, str]) -> int:
        """Return the number of the set of custom properties that an element's own ones and the inherited set make.

        Elements with equal sets share one, so that they pass on the same values: sheets that set the same properties
        on every element would give each level of the page inherited values of its own otherwise.
        """
        key = (inherited, tuple(own.items()))
        known = self._custom_sets.get(key)
        if known is None:
            properties = _custom(self.customs[inherited], own)
            if properties == self.customs[inherited]:
                known = inherited
            else:
                known = len(self.customs)
                self.customs.append(properties)
            self._custom_sets[key] = known
        return known

    def _substitute(self, deferred: dict[Key, object], custom: int, ua_values: PackedValues) -> None:
        """Replace values with var() by what they stand for, and what reverts to the defaults by those."""
        for key, value in deferred.items():
            if type(value) is PendingSubstitution:
                name, text = value.name, value.text
                parsed = self._expanded.get((custom, name, text))
                if parsed is None:
                    substitute = substitute_variables(text, self.customs[custom])
                    parsed = (substitute is not None and parse_declaration(name, " ".join(substitute.split()))) or {}
                    self._expanded[custom, name, text] = parsed
                value = deferred[key] = parsed.get(key, _UNSET)
            if value is _REVERT:
                deferred[key] = ua_values.values.get(key, _UNSET)

    def _resolve(self, row: int, parent: int, deferred: dict[Key, object], number: int) -> None:
        """Set the deferred values, which need the parent's style or the font size."""
        cells = self.cells
        if _FONT_SIZE in deferred:
            self._set_font_size(row, parent, deferred.pop(_FONT_SIZE))
        size = cells[row + _FONT_SIZE]
        rem = self.rem if parent else size
        for key, value in deferred.items():
            if not isinstance(key, int):
                if key in OBJECTS and not isinstance(value, WideKeyword):
                    self.objects.setdefault(number, {})[key] = value
                continue
            column = key
            if type(value) is RelativeLength:
                cells[row + column] = self._px(value.terms, size, rem)
            elif isinstance(value, float):
                cells[row + column] = value
            elif value is _INHERIT:
                cells[row + column] = cells[parent + column]
            elif value is _INITIAL:
                cells[row + column] = cells[column]
            elif isinstance(value, Family):
                cells[row + _FAMILY] = self._family(value.name)
            elif column == _WEIGHT and value in ("bolder", "lighter"):
                cells[row + _WEIGHT] = _relative_weight(cells[parent + _WEIGHT], value == "bolder")
            elif value == ROW_MIDDLE:
                is_grouped = cells[parent + _DISPLAY] == _ROW_GROUP
                cells[row + _VERTICAL] = cells[parent + _VERTICAL] if is_grouped else _CENTRE
            elif value == TABLE_START:
                if cells[row + _TEXT_BLOCK]:
                    cells[row + _TEXT_ALIGN], cells[row + _TEXT_BLOCK] = cells[_TEXT_ALIGN], 0.0
            elif value == HEAD_CENTRE and cells[row + _TEXT_ALIGN] == cells[_TEXT_ALIGN]:
                cells[row + _TEXT_ALIGN] = _CENTRE

    def _px(self, terms: Terms, em: float, rem: float) -> float:
        """Return a relative length in px: the compiled counterpart of `RelativeLength.px`."""
        px, per_em, per_rem, per_vw, per_vh, _ = terms
        total = px + per_em * em + per_rem * rem
        if per_vw or per_vh:
            total += (per_vw * self.width + per_vh * self.height) / 100
        return total if -MAX_PX <= total <= MAX_PX else bounded(total)

    def _set_font_size(self, row: int, parent: int, value: object) -> None:
        cells = self.cells
        above = cells[parent + _FONT_SIZE]
        if isinstance(value, RelativeLength):
            rem = self.rem if parent else above
            cells[row + _FONT_SIZE] = self._px(value.terms, above, rem)
        elif isinstance(value, float):
            cells[row + _FONT_SIZE] = value
        elif value is _INITIAL:
            cells[row + _FONT_SIZE] = cells[_FONT_SIZE]
        else:
            cells[row + _FONT_SIZE] = above

    def _family(self, name: str) -> float:
        known = self.families.get(name)
        if known is None:
            known = float(len(self.families)) if len(self.families) < MAX_FAMILIES else 0.0
            self.families[name] = known
        return known

    def _adjust(self, row: int, parent: int, has_absolute_size: bool) -> None:
        """Adjust computed values that depend on other properties."""
        cells = self.cells
        size = cells[row + _FONT_SIZE]
        if cells[row + _MONOSPACE] != cells[parent + _MONOSPACE] and not has_absolute_size:
            size *= MONOSPACE if cells[row + _MONOSPACE] else 1 / MONOSPACE
        cells[row + _FONT_SIZE] = min(max(size, 0.0), MAX_FONT_PX)
        if cells[row + _COLOUR] == CURRENT:
            cells[row + _COLOUR] = cells[parent + _COLOUR]
        if cells[row + _BACKGROUND] == CURRENT:
            cells[row + _BACKGROUND] = cells[row + _COLOUR]
        opacity = cells[row + _OPACITY]
        if opacity != 1.0:
            cells[row + _OPACITY_ABOVE] *= min(max(opacity, 0.0), 1.0)
        display, position, around = int(cells[row + _DISPLAY]), cells[row + _POSITION], cells[parent + _DISPLAY]
        is_absolute = position in (_ABSOLUTE, _FIXED)
        if is_absolute:
            cells[row + _FLOAT] = 0.0
        if is_absolute or cells[row + _FLOAT] or not parent or _FIRST_OF_ITEMS <= around <= _LAST_OF_ITEMS:
            cells[row + _DISPLAY] = _BLOCKIFIED[display]
        if cells[row + _UNDERLINE] and (cells[row + _FLOAT] or is_absolute or _IS_ATOM[display]):
            cells[row + _UNDERLINE] = 0.0
        if cells[row + _DECORATION]:
            cells[row + _UNDERLINE] = 1.0


def _custom(inherited: Mapping[str, str], own: Mapping[str, str]) -> Mapping[str, str]:
    """Return an element's custom properties: its own over the inherited ones, with var() substituted."""
    properties = {**inherited, **own}
    for name, text in own.items():
        if text in ("inherit", "unset", "initial"):
            if text != "initial" and name in inherited:
                properties[name] = inherited[name]
            else:
                del properties[name]
    for name, text in own.items():
        if "var(" in text and name in properties:
            substitute = substitute_variables(text, properties)
            if substitute is None:
                del properties[name]
            else:
                properties[name] = substitute
    return properties


def _relative_weight(above: float, is_bolder: bool) -> float:
    """Return the weight for `bolder` or `lighter`: CSS Fonts 4, section 2.2.1."""
    if is_bolder:
        return 400.0 if above < 350 else 700.0 if above < 550 else max(above, 900.0)
    return min(above, 100.0) if above < 550 else 400.0 if above < 750 else 700.0
