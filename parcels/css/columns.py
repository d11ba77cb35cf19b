"""The columns of a computed style: one float per column, inherited properties first, so that inheriting is one slice.

A length has two columns that follow each other, number and unit. The cascade works on these rows of floats only;
`parcels.css.arrays` turns them into the arrays of Styles.
"""

from array import array

from parcels.css.style import Align, Display, Unit, WhiteSpace
from parcels.css.values.colours import BLACK, TRANSPARENT

MEDIUM_BORDER = 3.0  # px, CSS Backgrounds and Borders 3, section 3.3: thin 1, medium 3, thick 5
DEFAULT_FONT_SIZE = 16.0  # px, `medium`
LINE_NORMAL, LINE_PX, LINE_FACTOR = 0.0, 1.0, 2.0  # how the column line-value is meant
FLOW_START, FLOW_END = -1.0, -2.0  # text-align start and end: which side it is depends on the direction

# name -> initial value; a pair is a length: number and unit.
_AUTO = (0.0, float(Unit.AUTO))
_ZERO = (0.0, float(Unit.PX))
_INHERITED: dict[str, float | tuple[float, float]] = {
    "visibility": 1.0,
    "font-size": DEFAULT_FONT_SIZE,
    "font-weight": 400.0,
    "font-style": 0.0,
    "font-family": 0.0,
    "monospace": 0.0,  # 1 where the family is the generic one and nothing else, which browsers set smaller
    "line-kind": LINE_NORMAL,
    "line-value": 0.0,
    "letter-spacing": 0.0,
    "text-indent": 0.0,
    "text-align": FLOW_START,
    "text-align-block": 0.0,  # 1 where <center> or align=center also moves blocks
    "white-space": float(WhiteSpace.NORMAL),
    "text-transform": 0.0,
    "color": BLACK,
    "list-style-type": 1.0,  # 0 is none
    "list-style-image": 0.0,
    "border-collapse": 0.0,
    "border-spacing": 0.0,
    "direction": 0.0,  # 1 is right to left
    "underline": 0.0,  # applies to the inline content of the element that sets it
    "opacity-above": 1.0,
    "custom": 0.0,  # the number of the element's set of custom properties
}
_OWN: dict[str, float | tuple[float, float]] = {
    "display": float(Display.INLINE),
    "position": 0.0,
    "float": 0.0,
    "clear": 0.0,
    "opacity": 1.0,
    "overflow-x": 0.0,
    "overflow-y": 0.0,
    "z-index": float("nan"),
    "box-sizing": 0.0,
    "width": _AUTO,
    "height": _AUTO,
    "min-width": _AUTO,
    "max-width": _AUTO,
    "min-height": _AUTO,
    "max-height": _AUTO,
    **dict.fromkeys(("top", "right", "bottom", "left"), _AUTO),
    **{f"margin-{side}": _ZERO for side in ("top", "right", "bottom", "left")},
    **{f"padding-{side}": _ZERO for side in ("top", "right", "bottom", "left")},
    **{f"border-{side}-width": (MEDIUM_BORDER, float(Unit.PX)) for side in ("top", "right", "bottom", "left")},
    **{f"border-{side}-style": 0.0 for side in ("top", "right", "bottom", "left")},
    "text-decoration": 0.0,
    "vertical-align": float(Align.BASELINE),
    "background-color": TRANSPARENT,
    "background-image": 0.0,
    "flex-direction": 0.0,
    "flex-wrap": 0.0,
    "flex-grow": 0.0,
    "flex-shrink": 1.0,
    "flex-basis": _AUTO,
    "justify-content": float(Align.START),
    "align-items": float(Align.STRETCH),
    "align-self": float(Align.AUTO),
    "order": 0.0,
    "column-gap": 0.0,
    "row-gap": 0.0,
    "column-count": 0.0,
    "clip": 0.0,
    "clip-path": 0.0,
    "table-layout": 0.0,
}

COLUMN: dict[str, int] = {}
INITIAL: list[float] = []
IS_LENGTH: set[str] = set()
for _name, _value in (*_INHERITED.items(), *_OWN.items()):
    COLUMN[_name] = len(INITIAL)
    if isinstance(_value, tuple):
        IS_LENGTH.add(_name)
        INITIAL.extend(_value)
    else:
        INITIAL.append(_value)
INHERITED_COUNT = len(_INHERITED)  # none of the inherited ones is a length with a unit
WIDTH = len(INITIAL)
INITIAL_ROW = array("d", INITIAL)

# Properties without numeric values are stored by name beside the row, and are not inherited.
OBJECTS = (
    "grid-template-columns",
    "grid-template-rows",
    "grid-template-areas",
    "grid-row-start",
    "grid-row-end",
    "grid-column-start",
    "grid-column-end",
)
SIDES = ("top", "right", "bottom", "left")


def columns_of(name: str) -> tuple[int, ...]:
    """Return the columns of a longhand.

    >>> len(columns_of("width")), len(columns_of("color"))
    (2, 1)
    """
    first = COLUMN[name]
    return (first, first + 1) if name in IS_LENGTH else (first,)
