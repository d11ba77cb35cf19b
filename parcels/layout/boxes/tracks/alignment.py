# cython: infer_types=True, wraparound=False
"""Alignment of flex and grid items in the free space."""

from math import nan

from parcels.css.style import Align, Direction, Display, Unit
from parcels.layout.boxes.flow import sizes
from parcels.layout.boxes.flow.box_tree import Screen
from parcels.layout.boxes.flow.kinds import REPLACED

_STRETCHED_WITHIN = 8  # flex boxes within flex boxes that are stretched with their holder
_FLEX, _INLINE_FLEX = int(Display.FLEX), int(Display.INLINE_FLEX)
_CENTRE = int(Align.CENTRE)
_END = int(Align.END)
_SPACE_BETWEEN = int(Align.SPACE_BETWEEN)
_SPACE_AROUND = int(Align.SPACE_AROUND)
_SPACE_EVENLY = int(Align.SPACE_EVENLY)
_AUTO = int(Align.AUTO)
_UNIT_AUTO = int(Unit.AUTO)
_COLUMN = int(Direction.COLUMN)
_STRETCH = int(Align.STRETCH)


def spaced(justify: int, rest: float, count: int) -> tuple[float, float]:
    """Return the offset of the first item and the extra space between items.

    >>> spaced(Align.SPACE_BETWEEN, 60.0, 4), spaced(Align.CENTRE, 60.0, 4)
    ((0.0, 20.0), (30.0, 0.0))
    """
    if justify == _CENTRE:
        return rest / 2, 0.0
    if justify == _END:
        return rest, 0.0
    if rest <= 0:
        return 0.0, 0.0
    if justify == _SPACE_BETWEEN:
        return 0.0, rest / (count - 1) if count > 1 else 0.0
    if justify == _SPACE_AROUND:
        return rest / count / 2, rest / count
    if justify == _SPACE_EVENLY:
        return rest / (count + 1), rest / (count + 1)
    return 0.0, 0.0


def alignment(s: Screen, row: int, kid: int) -> int:
    """Return an item's alignment on the cross axis."""
    own = int(s.align_self[kid])
    return own if own != _AUTO else int(s.align_items[row])


def stretch(s: Screen, row: int, height: float, depth: int) -> None:
    """Make a box of automatic height higher; what a flex box centres or stretches goes with it."""
    if s.height_unit[row] != _UNIT_AUTO:
        return
    height = sizes.limited_height(s, row, height, nan)
    more = height - s.h[row]
    if more <= 0.01:
        return
    s.h[row] = height
    if (s.display[row] != _FLEX and s.display[row] != _INLINE_FLEX) or depth > _STRETCHED_WITHIN:
        return
    if s.direction[row] >= _COLUMN:
        justify = s.justify[row]
        if justify == _CENTRE:
            s.moved_y[row] += more / 2
        elif justify == _END:
            s.moved_y[row] += more
        return
    if s.is_wrapping[row]:
        return
    for n in range(s.first_kid[row], s.first_kid[row + 1]):
        kid = s.kid[n]
        if kid < 0 or s.is_absolute[kid]:
            continue
        align = alignment(s, row, kid)
        if align == _CENTRE:
            s.y[kid] += more / 2
        elif align == _END:
            s.y[kid] += more
        elif (align in (_STRETCH, _AUTO)) and s.kind[kid] != REPLACED:
            stretch(s, kid, s.h[kid] + more, depth + 1)
