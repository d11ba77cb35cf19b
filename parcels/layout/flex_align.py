"""How the items of a flex box or a grid stand in the room they leave free."""

from parcels.css.style import Align, Direction, Display, Unit
from parcels.layout.flow_screen import REPLACED, Screen
from parcels.layout.flow_sizes import limited_height

_STRETCHED_WITHIN = 8  # flex boxes within flex boxes that are stretched with their holder
_FLEXES = (Display.FLEX, Display.INLINE_FLEX)
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
    """The start and the extra step of items that leave a rest free.

    >>> spaced(Align.SPACE_BETWEEN, 60.0, 4), spaced(Align.CENTRE, 60.0, 4)
    ((0.0, 20.0), (30.0, 0.0))
    """
    if justify == _CENTRE:
        return rest / 2, 0.0
    if justify == _END:
        return rest, 0.0
    if rest <= 0 or justify not in (_SPACE_BETWEEN, _SPACE_AROUND, _SPACE_EVENLY):
        return 0.0, 0.0
    if justify == _SPACE_BETWEEN:
        return 0.0, rest / (count - 1) if count > 1 else 0.0
    if justify == _SPACE_AROUND:
        return rest / count / 2, rest / count
    return rest / (count + 1), rest / (count + 1)


def alignment(s: Screen, row: int, kid: int) -> int:
    """How an item stands across the main axis."""
    own = int(s.styles.align_self[kid])
    return own if own != _AUTO else int(s.styles.align_items[row])


def stretch(s: Screen, row: int, height: float, depth: int) -> None:
    """Make a box of automatic height higher; what a flex box centres or stretches goes with it."""
    if s.height_unit[row] != _UNIT_AUTO:
        return
    height = limited_height(s, row, height, None)
    more = height - s.h[row]
    if more <= 0.01:
        return
    s.h[row] = height
    if s.display[row] not in _FLEXES or depth > _STRETCHED_WITHIN:
        return
    styles = s.styles
    if styles.direction[row] >= _COLUMN:
        justify = styles.justify_content[row]
        if justify in (_CENTRE, _END):
            s.moved_y[row] += more / 2 if justify == _CENTRE else more
        return
    if styles.is_wrapping[row]:
        return
    for kid in s.kids[row]:
        if kid < 0 or s.is_absolute[kid]:
            continue
        align = alignment(s, row, kid)
        if align in (_CENTRE, _END):
            s.y[kid] += more / 2 if align == _CENTRE else more
        elif align in (_STRETCH, _AUTO) and s.kind[kid] != REPLACED:
            stretch(s, kid, s.h[kid] + more, depth + 1)
