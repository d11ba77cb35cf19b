"""Flex containers: rows and columns, growing and shrinking, wrapping, alignment (CSS Flexible Box 1, section 9)."""

from dataclasses import dataclass
from math import inf

from parcels.css.style import Align, Direction, Unit
from parcels.layout.flex_align import alignment, spaced, stretch
from parcels.layout.flow_floats import Floats
from parcels.layout.flow_intrinsic import content_widths, least_content
from parcels.layout.flow_lines import Lines
from parcels.layout.flow_screen import MOST_PX, REPLACED, Screen
from parcels.layout.flow_sizes import given_height, given_width, limited_height, limited_width, replaced_size

_ROUNDS = 12  # of freezing items at their limits; each round freezes at least one, few pages need three
_COLUMN = int(Direction.COLUMN)
_COLUMN_REVERSE = int(Direction.COLUMN_REVERSE)
_ROW_REVERSE = int(Direction.ROW_REVERSE)
_PERCENT = int(Unit.PERCENT)
_PX = int(Unit.PX)
_AUTO = int(Unit.AUTO)
_CENTRE = int(Align.CENTRE)
_END = int(Align.END)
_STRETCH = int(Align.STRETCH)
_ALIGN_AUTO = int(Align.AUTO)


@dataclass(slots=True)
class Item:
    """A flex item: a box, or the texts of a run."""

    row: int  # -1 for texts
    texts: list[int]
    base: float = 0.0  # border box along the main axis
    low: float = 0.0
    high: float = inf
    size: float = 0.0
    cross: float = 0.0
    before: float = 0.0  # margins along the main axis
    after: float = 0.0
    grow: float = 0.0
    shrink: float = 1.0


def items_of(s: Screen, row: int) -> list[Item]:
    """The items in the order they are shown; absolute boxes are set aside."""
    items: list[Item] = []
    for kid in s.kids[row]:
        if kid < 0:
            if items and items[-1].row < 0:
                items[-1].texts.append(kid)
            else:
                items.append(Item(-1, [kid]))
        elif s.is_absolute[kid]:
            s.absolutes.append((kid, row, s.left[row], s.top[row]))
        else:
            items.append(Item(kid, []))
    order = s.styles.order
    if any(item.row >= 0 and order[item.row] for item in items):
        items.sort(key=lambda item: float(order[item.row]) if item.row >= 0 else 0.0)
    return items


def lay(s: Screen, row: int, inner: float, inside: float | None, depth: int) -> float:
    """Lay out a flex container's content in this width; its height."""
    items = items_of(s, row)
    if not items:
        return 0.0
    for item in items:
        if item.row >= 0 and s.is_odd[item.row]:
            s.settle(item.row, inner)
    direction = int(s.styles.direction[row])
    if direction >= _COLUMN:
        return _column(s, row, items, inner, inside, depth, is_reversed=direction == _COLUMN_REVERSE)
    return _row(s, row, items, inner, inside, depth, is_reversed=direction == _ROW_REVERSE)


def _row(
    s: Screen, row: int, items: list[Item], inner: float, inside: float | None, depth: int, *, is_reversed: bool
) -> float:
    gap, between = _gap(s.styles.column_gap[row]), _gap(s.styles.row_gap[row])
    for item in items:
        _measure(s, item, inner, inside)
    lines = _lines(items, inner, gap) if s.styles.is_wrapping[row] else [items]
    down = 0.0
    for n, line in enumerate(lines):
        _flex(line, inner - gap * (len(line) - 1))
        high = 0.0
        for item in line:
            _lay_item(s, row, item, item.size, inside, depth)
            above = s.margin_top[item.row] + s.margin_bottom[item.row] if item.row >= 0 else 0.0
            high = max(high, item.cross + above)
        if inside is not None and len(lines) == 1:
            high = inside
        elif inside is None and len(lines) == 1 and s.is_sized[row]:
            insets = s.top[row] + s.bottom[row]
            high = max(high, limited_height(s, row, high + insets, None) - insets)
        used = sum([item.size + item.before + item.after for item in line], 0.0) + gap * (len(line) - 1)
        start, step = _justified(s, row, line, inner - used)
        x = start
        for item in line:
            x += item.before
            at = inner - x - item.size if is_reversed else x
            _put(s, row, item, at, down + _aligned(s, row, item, high), high)
            x += item.size + item.after + gap + step
        down += high + (between if n + 1 < len(lines) else 0.0)
    return down


def _measure(s: Screen, item: Item, inner: float, inside: float | None) -> None:
    """An item's size along a row before it grows or shrinks, and its limits."""
    kid = item.row
    if kid < 0:
        for text in item.texts:
            item.base += s.total[~text] + (s.blank[~text] if item.base else 0.0)
            item.low = max(item.low, s.widest[~text])
        return
    styles = s.styles
    item.before, item.after = s.margin_left[kid], s.margin_right[kid]
    item.grow, item.shrink = max(0.0, float(styles.flex_grow[kid])), max(0.0, float(styles.flex_shrink[kid]))
    insets = s.left[kid] + s.right[kid]
    unit, number = int(styles.flex_basis.unit[kid]), float(styles.flex_basis.number[kid])
    if s.kind[kid] == REPLACED:
        width: float | None = replaced_size(s, kid, inner, inside)[0]
        least = most = width or 0.0
        if s.width_unit[kid] == _PERCENT:
            least = 0.0
    else:
        least, most = content_widths(s, kid)
        width = given_width(s, kid, inner)
    if unit in (_PX, _PERCENT):
        base = number if unit == _PX else number * inner / 100
        item.base = max(base, insets) if s.is_border_box[kid] else max(0.0, base) + insets
    else:
        item.base = most if width is None else width
    item.low = 0.0
    if s.limit_units[0][kid] == _AUTO and not styles.overflow_hidden[kid]:
        item.low = least if width is None else min(width, _least(s, kid, least))
    item.low = max(insets, limited_width(s, kid, item.low, inner))
    item.high = limited_width(s, kid, MOST_PX, inner)
    if s.limit_units[2][kid] == _AUTO:
        item.high = inf
    item.low = min(item.low, item.high)


def _least(s: Screen, kid: int, least: float) -> float:
    return least_content(s, kid) if s.kind[kid] != REPLACED else least


def _lines(items: list[Item], inner: float, gap: float) -> list[list[Item]]:
    lines: list[list[Item]] = []
    used = inf
    for item in items:
        size = min(max(item.base, item.low), item.high) + item.before + item.after
        if not lines or (used + gap + size > inner + 0.05):
            lines.append([item])
            used = size
        else:
            lines[-1].append(item)
            used += gap + size
    return lines


def _flex(items: list[Item], room: float) -> None:
    """Let the items of a line grow or shrink into the room."""
    for item in items:
        item.size = min(max(item.base, item.low), item.high)
    margins = sum([item.before + item.after for item in items], 0.0)
    is_growing = sum([item.size for item in items], 0.0) + margins < room
    loose = [
        item
        for item in items
        if (item.grow > 0 and item.base <= item.size if is_growing else item.shrink > 0 and item.base >= item.size)
    ]
    frozen = {id(item) for item in items} - {id(item) for item in loose}
    for _ in range(_ROUNDS):
        if not loose:
            return
        rest = room - margins - sum([item.size if id(item) in frozen else item.base for item in items], 0.0)
        weights = [item.grow if is_growing else item.shrink * item.base for item in loose]
        weight = sum(weights, 0.0)
        if weight <= 0:
            return
        if is_growing and weight < 1:
            rest *= weight
        over = []
        for item, part in zip(loose, weights, strict=True):
            size = item.base + rest * part / weight
            item.size = min(max(size, item.low), item.high)
            if item.size != size:
                over.append(item)
        if not over:
            return
        excess = sum(
            [item.size - (item.base + rest * part / weight) for item, part in zip(loose, weights, strict=True)], 0.0
        )
        wrong = [item for item in over if (item.size == item.low if excess > 0 else item.size == item.high)] or over
        frozen.update(id(item) for item in wrong)
        loose = [item for item in loose if id(item) not in frozen]


def _lay_item(s: Screen, row: int, item: Item, width: float, inside: float | None, depth: int) -> None:
    """An item's height at its width."""
    kid = item.row
    if kid < 0:
        item.cross = Lines(s, row, Floats(), 0.0, 0.0, 0.0, max(width, 0.0) + 0.1, depth).run(item.texts)
    elif s.kind[kid] == REPLACED:
        natural, high = replaced_size(s, kid, width, inside)
        if natural > 0 and given_height(s, kid, inside) is None and abs(natural - width) > 1:
            high *= width / natural
        s.w[kid], s.h[kid] = width, high
        item.cross = high
    else:
        item.cross = s.lay(s, kid, width, inside, depth + 1)


def _justified(s: Screen, row: int, line: list[Item], rest: float) -> tuple[float, float]:
    """Where the first item starts and how much comes between items; auto margins take the rest first."""
    if rest > 0:
        autos = [(item, side) for item in line if item.row >= 0 for side in (3, 1) if s.has_auto_margin(item.row, side)]
        for item, side in autos:
            if side == 3:
                item.before += rest / len(autos)
            else:
                item.after += rest / len(autos)
        if autos:
            return 0.0, 0.0
    return spaced(int(s.styles.justify_content[row]), rest, len(line))


def _aligned(s: Screen, row: int, item: Item, high: float) -> float:
    kid = item.row
    align = alignment(s, row, kid) if kid >= 0 else int(s.styles.align_items[row])
    top, bottom = (s.margin_top[kid], s.margin_bottom[kid]) if kid >= 0 else (0.0, 0.0)
    rest = high - item.cross - top - bottom
    if kid >= 0 and rest > 0 and s.is_odd[kid]:
        is_top, is_bottom = s.has_auto_margin(kid, 0), s.has_auto_margin(kid, 2)
        if is_top or is_bottom:
            return top + (0.0 if not is_top else rest / 2 if is_bottom else rest)
    if align == _CENTRE:
        return top + rest / 2
    return top + rest if align == _END else top


def _put(s: Screen, row: int, item: Item, x: float, y: float, high: float) -> None:
    kid = item.row
    if kid < 0:
        for text in item.texts:
            box = s.leaf_box[~text]
            if box is not None:
                box[0], box[1], box[2], box[3] = box[0] + x, box[1] + y, box[2] + x, box[3] + y
        return
    s.across[kid] = s.down[kid] = row
    s.x[kid], s.y[kid] = s.left[row] + x, s.top[row] + y
    if alignment(s, row, kid) in (_STRETCH, _ALIGN_AUTO) and s.kind[kid] != REPLACED:
        stretch(s, kid, high - s.margin_top[kid] - s.margin_bottom[kid], 0)


def _column(
    s: Screen, row: int, items: list[Item], inner: float, inside: float | None, depth: int, *, is_reversed: bool
) -> float:
    gap = _gap(s.styles.row_gap[row])
    for item in items:
        kid = item.row
        width = inner
        if kid >= 0:
            item.before, item.after = s.margin_top[kid], s.margin_bottom[kid]
            item.grow, item.shrink = max(0.0, float(s.styles.flex_grow[kid])), float(s.styles.flex_shrink[kid])
            width = _column_width(s, row, kid, inner)
        _lay_item(s, row, item, width, inside, depth)
        item.base = item.low = item.cross
        if kid >= 0 and s.styles.flex_basis.unit[kid] == _PX:
            item.base = max(item.base, float(s.styles.flex_basis.number[kid]))
    used = sum([item.base + item.before + item.after for item in items], 0.0) + gap * (len(items) - 1)
    least = limited_height(s, row, 0.0, None) - s.top[row] - s.bottom[row] if s.is_sized[row] else 0.0
    room = max(used, least) if inside is None else inside
    _flex(items, room - gap * (len(items) - 1))
    used = sum([item.size + item.before + item.after for item in items], 0.0) + gap * (len(items) - 1)
    autos = [item for item in items if item.row >= 0 and s.has_auto_margin(item.row, 0)]
    start, step = spaced(int(s.styles.justify_content[row]), room - used, len(items))
    if autos and room > used:
        start = step = 0.0
        for item in autos:
            item.before += (room - used) / len(autos)
    y = start
    for item in items[::-1] if is_reversed else items:
        y += item.before
        kid = item.row
        x = 0.0
        if kid >= 0:
            rest = inner - s.w[kid] - s.margin_left[kid] - s.margin_right[kid]
            is_left, is_right = s.has_auto_margin(kid, 3), s.has_auto_margin(kid, 1)
            align = alignment(s, row, kid)
            x = s.margin_left[kid]
            if is_left or align == _END:
                x += rest / 2 if is_left and is_right else rest
            elif align == _CENTRE and not is_right:
                x += rest / 2
            if item.size > s.h[kid]:
                stretch(s, kid, item.size, 0)
            s.across[kid] = s.down[kid] = row
            s.x[kid], s.y[kid] = s.left[row] + x, s.top[row] + y
        else:
            _put(s, row, item, x, y, 0.0)
        y += item.size + item.after + gap + step
    return max(used, room if inside is not None else used)


def _column_width(s: Screen, row: int, kid: int, inner: float) -> float:
    if s.kind[kid] == REPLACED:
        return replaced_size(s, kid, inner, None)[0]
    width = given_width(s, kid, inner)
    if width is None:
        free = max(0.0, inner - s.margin_left[kid] - s.margin_right[kid])
        is_auto = s.has_auto_margin(kid, 1) or s.has_auto_margin(kid, 3)
        is_filled = alignment(s, row, kid) in (_STRETCH, _ALIGN_AUTO) and not is_auto
        if is_filled:
            width = free
        else:
            low, high = content_widths(s, kid)
            width = min(max(low, free), high)
    return limited_width(s, kid, width, inner)


def _gap(gap: float) -> float:
    return min(max(float(gap), 0.0), MOST_PX) if gap == gap else 0.0
