# cython: infer_types=True, wraparound=False
"""Alignment of flex and grid items in the free space."""

from math import nan

from parcels.css.style import Align, Direction, Display, Unit
from parcels.layout.boxes.flow import sizes
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.kinds import REPLACED

_STRETCHED_WITHIN = 8  # nesting of flex containers that are stretched with their container
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


def alignment(t: BoxTree, row: int, child: int) -> int:
    """Return an item's alignment on the cross axis."""
    own = int(t.align_self[child])
    return own if own != _AUTO else int(t.align_items[row])


def stretch(t: BoxTree, row: int, height: float, depth: int) -> None:
    """Make a box of automatic height higher; what a flex box centres or stretches goes with it."""
    if t.height_unit[row] != _UNIT_AUTO:
        return
    height = sizes.constrained_height(t, row, height, nan)
    more = height - t.h[row]
    if more <= 0.01:
        return
    t.h[row] = height
    if (t.display[row] != _FLEX and t.display[row] != _INLINE_FLEX) or depth > _STRETCHED_WITHIN:
        return
    if t.direction[row] >= _COLUMN:
        justify = t.justify[row]
        if justify == _CENTRE:
            t.shift_y[row] += more / 2
        elif justify == _END:
            t.shift_y[row] += more
        return
    if t.is_wrapping[row]:
        return
    for n in range(t.first_child[row], t.first_child[row + 1]):
        child = t.child[n]
        if child < 0 or t.is_absolute[child]:
            continue
        align = alignment(t, row, child)
        if align == _CENTRE:
            t.y[child] += more / 2
        elif align == _END:
            t.y[child] += more
        elif (align in (_STRETCH, _AUTO)) and t.kind[child] != REPLACED:
            stretch(t, child, t.h[child] + more, depth + 1)
