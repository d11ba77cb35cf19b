# cython: infer_types=True
"""Flex layout: rows and columns, flexing, wrapping, alignment (CSS Flexible Box 1, section 9)."""

from math import inf, nan

from parcels.css.style import Align, Direction, Unit
from parcels.layout.boxes.flow import intrinsic, sizes
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.floats import Floats, origin_at
from parcels.layout.boxes.flow.kinds import MAX_PX, REPLACED
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


class FlexItem:
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


def items_of(t: BoxTree, row: int) -> list[FlexItem]:
    """Return the items in `order` order; absolutely positioned boxes are set aside."""
    items: list[FlexItem] = []
    is_ordered, is_text = False, False
    for n in range(t.first_child[row], t.first_child[row + 1]):
        child = t.child[n]
        if child < 0:
            if is_text:
                items[-1].texts.append(child)
            else:
                items.append(FlexItem(-1, [child]))
                is_text = True
        elif t.is_absolute[child]:
            t.absolute_boxes.append((child, row, t.left[row], t.top[row]))
        else:
            items.append(FlexItem(child, _NO_TEXTS))
            is_ordered = is_ordered or t.order[child] != 0.0
            is_text = False
    if is_ordered:
        places = [(_order(t, item.row), n) for n, item in enumerate(items)]
        places.sort()
        items = [items[n] for _, n in places]
    return items


def _order(t: BoxTree, child: int) -> float:
    return t.order[child] if child >= 0 else 0.0


def lay(t: BoxTree, row: int, inner: float, inside: float, depth: int) -> float:
    """Lay out a flex container's content in this width; its height."""
    items = items_of(t, row)
    if not items:
        return 0.0
    for item in items:
        if item.row >= 0 and t.has_relative_edges[item.row]:
            t.resolve_edges(item.row, inner)
    direction = t.direction[row]
    if direction >= _COLUMN:
        return _column(t, row, items, inner, inside, depth, direction == _COLUMN_REVERSE)
    return _row(t, row, items, inner, inside, depth, direction == _ROW_REVERSE)


def _row(
    t: BoxTree, row: int, items: list[FlexItem], inner: float, inside: float, depth: int, is_reversed: bool
) -> float:
    gap, between = _gap(t.column_gap[row]), _gap(t.row_gap[row])
    for item in items:
        _measure(t, item, inner, inside)
    lines = _lines(items, inner, gap) if t.is_wrapping[row] else [items]
    count = len(lines)
    down = 0.0
    for line in lines:
        count -= 1
        gaps = gap * (len(line) - 1)
        _flex(line, inner - gaps)
        high = 0.0
        for item in line:
            _lay_item(t, row, item, item.size, inside, depth)
            above = t.margin_top[item.row] + t.margin_bottom[item.row] if item.row >= 0 else 0.0
            high = max(high, item.cross + above)
        if len(lines) == 1:
            if inside == inside:
                high = inside
            elif t.is_sized[row]:
                insets = t.top[row] + t.bottom[row]
                high = max(high, sizes.constrained_height(t, row, high + insets, nan) - insets)
        used = 0.0
        for item in line:
            used += item.size + item.before + item.after
        start, step = _justified(t, row, line, inner - (used + gaps))
        x = start
        for item in line:
            x += item.before
            at = inner - x - item.size if is_reversed else x
            _put(t, row, item, at, down + _aligned(t, row, item, high), high)
            x += item.size + item.after + gap + step
        down += high + (between if count else 0.0)
    return down


def _measure(t: BoxTree, item: FlexItem, inner: float, inside: float) -> None:
    """Compute an item's flex base size in a row, and its limits."""
    child = item.row
    if child < 0:
        for text in item.texts:
            leaf = ~text
            item.base += t.total[leaf] + (t.blank[leaf] if item.base else 0.0)
            item.low = max(item.low, t.widest[leaf])
        return
    item.before, item.after = t.margin_left[child], t.margin_right[child]
    item.grow, item.shrink = max(0.0, t.grow[child]), max(0.0, t.shrink[child])
    insets = t.left[child] + t.right[child]
    unit, number = t.basis_unit[child], t.basis[child]
    if t.kind[child] == REPLACED:
        width, _ = sizes.replaced_size(t, child, inner, inside)
        least = most = width
        if t.width_unit[child] == _PERCENT:
            least = 0.0
    else:
        least, most = intrinsic.content_widths(t, child)
        width = sizes.specified_width(t, child, inner)
    if unit in (_PX, _PERCENT):
        base = number if unit == _PX else number * inner / 100
        item.base = max(base, insets) if t.is_border_box[child] else max(0.0, base) + insets
    else:
        item.base = most if width != width else width
    low = 0.0
    if t.min_width_unit[child] == _AUTO and not t.hides_overflow[child]:
        if width != width:
            low = least
        else:
            if t.kind[child] != REPLACED:
                least = intrinsic.automatic_minimum_width(t, child)
            low = min(width, least)
    low = max(insets, sizes.constrained_width(t, child, low, inner))
    item.high = inf if t.max_width_unit[child] == _AUTO else sizes.constrained_width(t, child, MAX_PX, inner)
    item.low = min(low, item.high)


def _lines(items: list[FlexItem], inner: float, gap: float) -> list[list[FlexItem]]:
    lines: list[list[FlexItem]] = []
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


def _flex(items: list[FlexItem], room: float) -> None:
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


def _freeze(items: list[FlexItem], rest: float, weight: float, is_over: bool) -> int:
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


def _lay_item(t: BoxTree, row: int, item: FlexItem, width: float, inside: float, depth: int) -> None:
    """Lay out an item at its width."""
    child = item.row
    if child < 0:
        lines = Lines()
        lines.start(t, row, origin_at(Floats(), 0.0, 0.0, depth), 0.0, max(width, 0.0) + 0.1)
        item.cross = lines.run_texts(item.texts)
    elif t.kind[child] == REPLACED:
        natural, high = sizes.replaced_size(t, child, width, inside)
        specified = sizes.specified_height(t, child, inside)
        if natural > 0 and specified != specified and abs(natural - width) > 1:
            high *= width / natural
        t.w[child], t.h[child] = width, high
        item.cross = high
    else:
        item.cross = t.layouter.lay(t, child, width, inside, depth + 1, nan)


def _justified(t: BoxTree, row: int, line: list[FlexItem], rest: float) -> tuple[float, float]:
    """Return the first item's offset and the extra space between items; auto margins absorb free space first."""
    if rest > 0:
        autos = 0
        for item in line:
            if item.row >= 0 and t.has_relative_edges[item.row]:
                autos += t.has_auto_margin(item.row, 3) + t.has_auto_margin(item.row, 1)
        if autos:
            for item in line:
                if item.row >= 0 and t.has_auto_margin(item.row, 3):
                    item.before += rest / autos
                if item.row >= 0 and t.has_auto_margin(item.row, 1):
                    item.after += rest / autos
            return 0.0, 0.0
    return aligning.spaced(t.justify[row], rest, len(line))


def _aligned(t: BoxTree, row: int, item: FlexItem, high: float) -> float:
    child = item.row
    align = aligning.alignment(t, row, child) if child >= 0 else t.align_items[row]
    top, bottom = 0.0, 0.0
    if child >= 0:
        top, bottom = t.margin_top[child], t.margin_bottom[child]
    rest = high - item.cross - top - bottom
    if child >= 0 and rest > 0 and t.has_relative_edges[child]:
        is_top, is_bottom = t.has_auto_margin(child, 0), t.has_auto_margin(child, 2)
        if is_top or is_bottom:
            return top + (0.0 if not is_top else rest / 2 if is_bottom else rest)
    if align == _CENTRE:
        return top + rest / 2
    return top + rest if align == _END else top


def move_texts(t: BoxTree, texts: list[int], x: float, y: float) -> None:
    """Put texts that were set at the upper left corner where they belong."""
    for text in texts:
        leaf = ~text
        t.leaf_left[leaf], t.leaf_right[leaf] = t.leaf_left[leaf] + x, t.leaf_right[leaf] + x
        t.leaf_top[leaf], t.leaf_bottom[leaf] = t.leaf_top[leaf] + y, t.leaf_bottom[leaf] + y


def _put(t: BoxTree, row: int, item: FlexItem, x: float, y: float, high: float) -> None:
    child = item.row
    if child < 0:
        move_texts(t, item.texts, x, y)
        return
    t.x_container[child] = t.y_container[child] = row
    t.x[child], t.y[child] = t.left[row] + x, t.top[row] + y
    align = aligning.alignment(t, row, child)
    if (align in (_STRETCH, _ALIGN_AUTO)) and t.kind[child] != REPLACED:
        aligning.stretch(t, child, high - t.margin_top[child] - t.margin_bottom[child], 0)


def _column(
    t: BoxTree, row: int, items: list[FlexItem], inner: float, inside: float, depth: int, is_reversed: bool
) -> float:
    gap = _gap(t.row_gap[row])
    gaps = gap * (len(items) - 1)
    used = 0.0
    for item in items:
        child = item.row
        width = inner
        if child >= 0:
            item.before, item.after = t.margin_top[child], t.margin_bottom[child]
            item.grow, item.shrink = max(0.0, t.grow[child]), t.shrink[child]
            width = _column_width(t, row, child, inner)
        _lay_item(t, row, item, width, inside, depth)
        item.base = item.low = item.cross
        if child >= 0 and t.basis_unit[child] == _PX:
            item.base = max(item.base, t.basis[child])
        used += item.base + item.before + item.after
    used += gaps
    least = sizes.constrained_height(t, row, 0.0, nan) - t.top[row] - t.bottom[row] if t.is_sized[row] else 0.0
    room = max(used, least) if inside != inside else inside
    _flex(items, room - gaps)
    used = 0.0
    autos = 0
    for item in items:
        used += item.size + item.before + item.after
        autos += item.row >= 0 and t.has_auto_margin(item.row, 0)
    used += gaps
    start, step = aligning.spaced(t.justify[row], room - used, len(items))
    if autos and room > used:
        start = step = 0.0
        for item in items:
            if item.row >= 0 and t.has_auto_margin(item.row, 0):
                item.before += (room - used) / autos
    y = start
    for item in items[::-1] if is_reversed else items:
        y += item.before
        child = item.row
        if child >= 0:
            _put_in_column(t, row, item, inner, y)
        else:
            _put(t, row, item, 0.0, y, 0.0)
        y += item.size + item.after + gap + step
    return max(used, room if inside == inside else used)


def _put_in_column(t: BoxTree, row: int, item: FlexItem, inner: float, y: float) -> None:
    child = item.row
    rest = inner - t.w[child] - t.margin_left[child] - t.margin_right[child]
    is_left, is_right = t.has_auto_margin(child, 3), t.has_auto_margin(child, 1)
    align = aligning.alignment(t, row, child)
    x = t.margin_left[child]
    if is_left or align == _END:
        x += rest / 2 if is_left and is_right else rest
    elif align == _CENTRE and not is_right:
        x += rest / 2
    if item.size > t.h[child]:
        aligning.stretch(t, child, item.size, 0)
    t.x_container[child] = t.y_container[child] = row
    t.x[child], t.y[child] = t.left[row] + x, t.top[row] + y


def _column_width(t: BoxTree, row: int, child: int, inner: float) -> float:
    if t.kind[child] == REPLACED:
        width, _ = sizes.replaced_size(t, child, inner, nan)
        return width
    width = sizes.specified_width(t, child, inner)
    if width != width:
        width = max(0.0, inner - t.margin_left[child] - t.margin_right[child])
        align = aligning.alignment(t, row, child)
        is_auto = t.has_auto_margin(child, 1) or t.has_auto_margin(child, 3)
        if is_auto or (align != _STRETCH and align != _ALIGN_AUTO):
            width = intrinsic.shrink_to_fit_width(t, child, width)
    return sizes.constrained_width(t, child, width, inner)


def _gap(gap: float) -> float:
    return min(max(gap, 0.0), MAX_PX) if gap == gap else 0.0
