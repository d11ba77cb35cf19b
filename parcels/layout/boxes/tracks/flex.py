# cython: infer_types=True
"""Flex layout: rows and columns, flexing, wrapping, alignment (CSS Flexible Box 1, section 9)."""

from math import inf, nan

from parcels.css.style import Align, Direction, Unit
from parcels.layout.boxes.flow import intrinsic, sizes
from parcels.layout.boxes.flow.box_tree import Screen
from parcels.layout.boxes.flow.floats import Floats, origin_at
from parcels.layout.boxes.flow.kinds import MOST_PX, REPLACED
from parcels.layout.boxes.flow.lines import Lines
from parcels.layout.boxes.tracks import alignment as aligning

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
_NO_TEXTS: list[int] = []  # shared by all items that are boxes: never added to


class Item:
    """A flex item: a box, or an anonymous item of texts."""

    __slots__ = (
        *("after", "base", "before", "cross", "grow", "high", "is_frozen", "low", "row", "shrink", "size", "texts"),
        "weight",
    )

    def __init__(self, row: int, texts: list[int]):
        self.row, self.texts = row, texts  # -1 for texts
        self.base = self.low = self.size = 0.0  # border box along the main axis
        self.high = inf
        self.cross = 0.0
        self.before = self.after = 0.0  # margins along the main axis
        self.grow, self.shrink = 0.0, 1.0
        self.is_frozen, self.weight = False, 0.0  # while a line flexes


def items_of(s: Screen, row: int) -> list[Item]:
    """Return the items in `order` order; absolutely positioned boxes are set aside."""
    items: list[Item] = []
    is_ordered, is_text = False, False
    for n in range(s.first_kid[row], s.first_kid[row + 1]):
        kid = s.kid[n]
        if kid < 0:
            if is_text:
                items[-1].texts.append(kid)
            else:
                items.append(Item(-1, [kid]))
                is_text = True
        elif s.is_absolute[kid]:
            s.absolutes.append((kid, row, s.left[row], s.top[row]))
        else:
            items.append(Item(kid, _NO_TEXTS))
            is_ordered = is_ordered or s.order[kid] != 0.0
            is_text = False
    if is_ordered:
        places = [(_order(s, item.row), n) for n, item in enumerate(items)]
        places.sort()
        items = [items[n] for _, n in places]
    return items


def _order(s: Screen, kid: int) -> float:
    return s.order[kid] if kid >= 0 else 0.0


def lay(s: Screen, row: int, inner: float, inside: float, depth: int) -> float:
    """Lay out a flex container's content in this width; its height."""
    items = items_of(s, row)
    if not items:
        return 0.0
    for item in items:
        if item.row >= 0 and s.is_odd[item.row]:
            s.settle(item.row, inner)
    direction = s.direction[row]
    if direction >= _COLUMN:
        return _column(s, row, items, inner, inside, depth, direction == _COLUMN_REVERSE)
    return _row(s, row, items, inner, inside, depth, direction == _ROW_REVERSE)


def _row(s: Screen, row: int, items: list[Item], inner: float, inside: float, depth: int, is_reversed: bool) -> float:
    gap, between = _gap(s.column_gap[row]), _gap(s.row_gap[row])
    for item in items:
        _measure(s, item, inner, inside)
    lines = _lines(items, inner, gap) if s.is_wrapping[row] else [items]
    count = len(lines)
    down = 0.0
    for line in lines:
        count -= 1
        gaps = gap * (len(line) - 1)
        _flex(line, inner - gaps)
        high = 0.0
        for item in line:
            _lay_item(s, row, item, item.size, inside, depth)
            above = s.margin_top[item.row] + s.margin_bottom[item.row] if item.row >= 0 else 0.0
            high = max(high, item.cross + above)
        if len(lines) == 1:
            if inside == inside:
                high = inside
            elif s.is_sized[row]:
                insets = s.top[row] + s.bottom[row]
                high = max(high, sizes.limited_height(s, row, high + insets, nan) - insets)
        used = 0.0
        for item in line:
            used += item.size + item.before + item.after
        start, step = _justified(s, row, line, inner - (used + gaps))
        x = start
        for item in line:
            x += item.before
            at = inner - x - item.size if is_reversed else x
            _put(s, row, item, at, down + _aligned(s, row, item, high), high)
            x += item.size + item.after + gap + step
        down += high + (between if count else 0.0)
    return down


def _measure(s: Screen, item: Item, inner: float, inside: float) -> None:
    """Compute an item's flex base size in a row, and its limits."""
    kid = item.row
    if kid < 0:
        for text in item.texts:
            leaf = ~text
            item.base += s.total[leaf] + (s.blank[leaf] if item.base else 0.0)
            item.low = max(item.low, s.widest[leaf])
        return
    item.before, item.after = s.margin_left[kid], s.margin_right[kid]
    item.grow, item.shrink = max(0.0, s.grow[kid]), max(0.0, s.shrink[kid])
    insets = s.left[kid] + s.right[kid]
    unit, number = s.basis_unit[kid], s.basis[kid]
    if s.kind[kid] == REPLACED:
        width, _ = sizes.replaced_size(s, kid, inner, inside)
        least = most = width
        if s.width_unit[kid] == _PERCENT:
            least = 0.0
    else:
        least, most = intrinsic.content_widths(s, kid)
        width = sizes.given_width(s, kid, inner)
    if unit in (_PX, _PERCENT):
        base = number if unit == _PX else number * inner / 100
        item.base = max(base, insets) if s.is_border_box[kid] else max(0.0, base) + insets
    else:
        item.base = most if width != width else width
    low = 0.0
    if s.min_width_unit[kid] == _AUTO and not s.is_hiding[kid]:
        if width != width:
            low = least
        else:
            if s.kind[kid] != REPLACED:
                least = intrinsic.least_content(s, kid)
            low = min(width, least)
    low = max(insets, sizes.limited_width(s, kid, low, inner))
    item.high = inf if s.max_width_unit[kid] == _AUTO else sizes.limited_width(s, kid, MOST_PX, inner)
    item.low = min(low, item.high)


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
    margins = whole = 0.0
    for item in items:
        item.size = min(max(item.base, item.low), item.high)
        margins += item.before + item.after
        whole += item.size
    is_growing = whole + margins < room
    loose = 0
    for item in items:
        if is_growing:
            item.is_frozen = not (item.grow > 0 and item.base <= item.size)
        else:
            item.is_frozen = not (item.shrink > 0 and item.base >= item.size)
        loose += not item.is_frozen
    for _ in range(_ROUNDS):
        if not loose:
            return
        taken = weight = 0.0
        for item in items:
            if item.is_frozen:
                taken += item.size
            else:
                taken += item.base
                item.weight = item.grow if is_growing else item.shrink * item.base
                weight += item.weight
        rest = room - margins - taken
        if weight <= 0:
            return
        if is_growing and weight < 1:
            rest *= weight
        excess, over = 0.0, 0
        for item in items:
            if not item.is_frozen:
                size = item.base + rest * item.weight / weight
                item.size = min(max(size, item.low), item.high)
                excess += item.size - size
                over += item.size != size
        if not over:
            return
        loose -= _freeze(items, rest, weight, excess > 0)


def _freeze(items: list[Item], rest: float, weight: float, is_over: bool) -> int:
    """Freeze the items that a limit holds on the side that counts, else all that a limit holds; how many."""
    count = 0
    for is_any in (False, True):
        for item in items:
            if item.is_frozen or item.size == item.base + rest * item.weight / weight:
                continue
            if is_any or item.size == (item.low if is_over else item.high):
                item.is_frozen = True
                count += 1
        if count:
            break
    return count


def _lay_item(s: Screen, row: int, item: Item, width: float, inside: float, depth: int) -> None:
    """Lay out an item at its width."""
    kid = item.row
    if kid < 0:
        lines = Lines()
        lines.start(s, row, origin_at(Floats(), 0.0, 0.0, depth), 0.0, max(width, 0.0) + 0.1)
        item.cross = lines.run_texts(item.texts)
    elif s.kind[kid] == REPLACED:
        natural, high = sizes.replaced_size(s, kid, width, inside)
        given = sizes.given_height(s, kid, inside)
        if natural > 0 and given != given and abs(natural - width) > 1:
            high *= width / natural
        s.w[kid], s.h[kid] = width, high
        item.cross = high
    else:
        item.cross = s.layer.lay(s, kid, width, inside, depth + 1, nan)


def _justified(s: Screen, row: int, line: list[Item], rest: float) -> tuple[float, float]:
    """Return the first item's offset and the extra space between items; auto margins absorb free space first."""
    if rest > 0:
        autos = 0
        for item in line:
            if item.row >= 0 and s.is_odd[item.row]:
                autos += s.has_auto_margin(item.row, 3) + s.has_auto_margin(item.row, 1)
        if autos:
            for item in line:
                if item.row >= 0 and s.has_auto_margin(item.row, 3):
                    item.before += rest / autos
                if item.row >= 0 and s.has_auto_margin(item.row, 1):
                    item.after += rest / autos
            return 0.0, 0.0
    return aligning.spaced(s.justify[row], rest, len(line))


def _aligned(s: Screen, row: int, item: Item, high: float) -> float:
    kid = item.row
    align = aligning.alignment(s, row, kid) if kid >= 0 else s.align_items[row]
    top, bottom = 0.0, 0.0
    if kid >= 0:
        top, bottom = s.margin_top[kid], s.margin_bottom[kid]
    rest = high - item.cross - top - bottom
    if kid >= 0 and rest > 0 and s.is_odd[kid]:
        is_top, is_bottom = s.has_auto_margin(kid, 0), s.has_auto_margin(kid, 2)
        if is_top or is_bottom:
            return top + (0.0 if not is_top else rest / 2 if is_bottom else rest)
    if align == _CENTRE:
        return top + rest / 2
    return top + rest if align == _END else top


def move_texts(s: Screen, texts: list[int], x: float, y: float) -> None:
    """Put texts that were set at the upper left corner where they belong."""
    for text in texts:
        leaf = ~text
        s.leaf_left[leaf], s.leaf_right[leaf] = s.leaf_left[leaf] + x, s.leaf_right[leaf] + x
        s.leaf_top[leaf], s.leaf_bottom[leaf] = s.leaf_top[leaf] + y, s.leaf_bottom[leaf] + y


def _put(s: Screen, row: int, item: Item, x: float, y: float, high: float) -> None:
    kid = item.row
    if kid < 0:
        move_texts(s, item.texts, x, y)
        return
    s.across[kid] = s.down[kid] = row
    s.x[kid], s.y[kid] = s.left[row] + x, s.top[row] + y
    align = aligning.alignment(s, row, kid)
    if (align in (_STRETCH, _ALIGN_AUTO)) and s.kind[kid] != REPLACED:
        aligning.stretch(s, kid, high - s.margin_top[kid] - s.margin_bottom[kid], 0)


def _column(
    s: Screen, row: int, items: list[Item], inner: float, inside: float, depth: int, is_reversed: bool
) -> float:
    gap = _gap(s.row_gap[row])
    gaps = gap * (len(items) - 1)
    used = 0.0
    for item in items:
        kid = item.row
        width = inner
        if kid >= 0:
            item.before, item.after = s.margin_top[kid], s.margin_bottom[kid]
            item.grow, item.shrink = max(0.0, s.grow[kid]), s.shrink[kid]
            width = _column_width(s, row, kid, inner)
        _lay_item(s, row, item, width, inside, depth)
        item.base = item.low = item.cross
        if kid >= 0 and s.basis_unit[kid] == _PX:
            item.base = max(item.base, s.basis[kid])
        used += item.base + item.before + item.after
    used += gaps
    least = sizes.limited_height(s, row, 0.0, nan) - s.top[row] - s.bottom[row] if s.is_sized[row] else 0.0
    room = max(used, least) if inside != inside else inside
    _flex(items, room - gaps)
    used = 0.0
    autos = 0
    for item in items:
        used += item.size + item.before + item.after
        autos += item.row >= 0 and s.has_auto_margin(item.row, 0)
    used += gaps
    start, step = aligning.spaced(s.justify[row], room - used, len(items))
    if autos and room > used:
        start = step = 0.0
        for item in items:
            if item.row >= 0 and s.has_auto_margin(item.row, 0):
                item.before += (room - used) / autos
    y = start
    for item in items[::-1] if is_reversed else items:
        y += item.before
        kid = item.row
        if kid >= 0:
            _put_in_column(s, row, item, inner, y)
        else:
            _put(s, row, item, 0.0, y, 0.0)
        y += item.size + item.after + gap + step
    return max(used, room if inside == inside else used)


def _put_in_column(s: Screen, row: int, item: Item, inner: float, y: float) -> None:
    kid = item.row
    rest = inner - s.w[kid] - s.margin_left[kid] - s.margin_right[kid]
    is_left, is_right = s.has_auto_margin(kid, 3), s.has_auto_margin(kid, 1)
    align = aligning.alignment(s, row, kid)
    x = s.margin_left[kid]
    if is_left or align == _END:
        x += rest / 2 if is_left and is_right else rest
    elif align == _CENTRE and not is_right:
        x += rest / 2
    if item.size > s.h[kid]:
        aligning.stretch(s, kid, item.size, 0)
    s.across[kid] = s.down[kid] = row
    s.x[kid], s.y[kid] = s.left[row] + x, s.top[row] + y


def _column_width(s: Screen, row: int, kid: int, inner: float) -> float:
    if s.kind[kid] == REPLACED:
        width, _ = sizes.replaced_size(s, kid, inner, nan)
        return width
    width = sizes.given_width(s, kid, inner)
    if width != width:
        width = max(0.0, inner - s.margin_left[kid] - s.margin_right[kid])
        align = aligning.alignment(s, row, kid)
        is_auto = s.has_auto_margin(kid, 1) or s.has_auto_margin(kid, 3)
        if is_auto or (align != _STRETCH and align != _ALIGN_AUTO):
            width = intrinsic.fitted_width(s, kid, width)
    return sizes.limited_width(s, kid, width, inner)


def _gap(gap: float) -> float:
    return min(max(gap, 0.0), MOST_PX) if gap == gap else 0.0
