# cython: infer_types=True, wraparound=False
"""Block formatting: boxes below each other, margins, floats; and dispatch to other formatting contexts."""

from math import inf, nan

from parcels.css.style import Align, Display, Unit, WhiteSpace
from parcels.layout.boxes.flow import atomic, deep, intrinsic, sizes
from parcels.layout.boxes.flow import margins as edges
from parcels.layout.boxes.flow.box_tree import BoxTree, Layouter
from parcels.layout.boxes.flow.floats import Floats, Origin, origin_at
from parcels.layout.boxes.flow.kinds import BOX, MAX_DEPTH, MAX_PX, REPLACED
from parcels.layout.boxes.flow.lines import Lines
from parcels.layout.boxes.text import single as texts
from parcels.layout.boxes.tracks import flex, grid, table

_PERCENT, _INLINE, _CENTRE = int(Unit.PERCENT), int(Display.INLINE), int(Align.CENTRE)
_NOWRAP = int(WhiteSpace.NOWRAP)
_FLEX, _INLINE_FLEX = int(Display.FLEX), int(Display.INLINE_FLEX)
_GRID, _INLINE_GRID = int(Display.GRID), int(Display.INLINE_GRID)
_TABLE, _INLINE_TABLE, _CELL = int(Display.TABLE), int(Display.INLINE_TABLE), int(Display.CELL)


class BlockLayouter(Layouter):
    """Lays out any box by its display type."""

    __slots__ = ("no_floats",)

    def __init__(self) -> None:
        self.no_floats = Floats()  # never added to

    def lay(self, t: BoxTree, row: int, width: float, container_height: float, depth: int, height: float) -> float:
        """Lay out a box in which floats are its own affair, at a border box's width; its height.

        Heights that are not known are NaN: that of the box which percentages refer to, and the box's own.
        """
        floats = self.no_floats if t.is_bfc_root[row] else Floats()  # a root makes its own
        return lay_box(t, row, width, container_height, height, origin_at(floats, 0.0, 0.0, depth))


def lay_box(t: BoxTree, row: int, width: float, container_height: float, height: float, origin: Origin) -> float:
    """Lay out what is in a box of this border box's width, which stands at this origin; return its height."""
    depth = origin.depth
    width = min(width, MAX_PX)
    t.w[row] = width
    left, top = t.left[row], t.top[row]
    insets = top + t.bottom[row]
    inner = max(0.0, width - left - t.right[row])
    is_sized = t.is_sized[row]
    if height != height and is_sized:
        height = sizes.specified_height(t, row, container_height)
        if height == height:
            height = sizes.constrained_height(t, row, height, container_height)
    is_open = height != height
    inside = nan if is_open else max(0.0, height - insets)
    display = t.display[row]
    is_table = display in (_TABLE, _INLINE_TABLE)
    t.end_margin[row] = t.margin_bottom[row]
    if depth > MAX_DEPTH:
        content = deep.stack(t, row, inner)
    elif display in (_FLEX, _INLINE_FLEX):
        content = flex.lay(t, row, inner, inside, depth)
    elif display in (_GRID, _INLINE_GRID):
        content = grid.lay(t, row, inner, inside, depth)
    elif is_table or t.is_anonymous_table[row]:
        content = table.lay(t, row, inner, inside, depth)
    elif t.column_count[row] > 1:
        content = _columns(t, row, inner, depth)
    elif t.is_bfc_root[row]:
        content = _flow(t, row, inner, inside, origin_at(Floats(), 0.0, 0.0, depth), is_open)
    else:
        within = origin_at(origin.floats, origin.x + left, origin.y + top, depth)
        content = _flow(t, row, inner, inside, within, is_open)
    t.content_based_height[row] = content + insets
    if is_open:
        height = content + insets
        if is_sized:
            height = sizes.constrained_height(t, row, height, container_height)
    if is_table:
        height = max(height, content + insets)
    t.h[row] = min(height, MAX_PX)
    return t.h[row]


def _flow(t: BoxTree, row: int, width: float, inside: float, origin: Origin, is_open: bool) -> float:
    """Lay out block flow in a content box of this width at this origin; return the content's height."""
    first, end = t.first_child[row], t.first_child[row + 1]
    if first == end:
        return 0.0
    floats, x, y = origin.floats, origin.x, origin.y
    if end - first == 1 and floats.is_empty:
        leaf, inset = _only_text(t, row, t.child[first])
        if leaf >= 0:
            return texts.lay_text(t, row, leaf, width, inset, 0.0)
    down = 0.0  # below the last box
    margin = 0.0  # below it, not yet passed
    is_bfc_root = t.is_bfc_root[row]
    is_top = not is_bfc_root and t.top[row] == 0.0  # a first child's margin has been given to this box already
    run, run_count = first, 0  # inline content from here on, of that many pieces
    is_shallow = origin.depth < MAX_DEPTH
    for n in range(first, end):
        child = t.child[n]
        is_simple = is_shallow and child >= 0 and t.is_plain_block[child] != 0
        if not is_simple:
            if child < 0 or t.is_inline[child]:
                if not run_count:
                    run = n
                run_count += 1
                continue
            if t.is_absolute[child]:
                if run_count and not t.is_block_by_tag[child]:
                    run_count += 1
                else:
                    t.absolute_boxes.append((child, row, t.left[row], t.top[row] + down + max(margin, 0.0)))
                continue
            if t.float_[child]:
                if run_count:
                    run_count += 1
                else:
                    atomic.lay_float(t, row, child, origin, down + margin, width)
                continue
            if t.has_relative_edges[child]:
                t.resolve_edges(child, width)
        if run_count:
            below = _lay_inline(t, row, run, n, run_count, origin, down + margin, width)
            if below == below:
                down, margin, is_top = below, 0.0, False
            run_count = 0
        above = t.top_margins[child]
        if is_top:
            gap, is_top = 0.0, False
        elif margin >= 0.0 and above >= 0.0:
            gap = above if above > margin else margin
        else:
            gap = edges.collapsed(margin, above)
        place = down + gap
        clear = t.clear[child]
        if clear and not floats.is_empty:
            place = max(place, floats.cleared(clear) - y)
        if is_simple:  # the way of `_lay_kid` and `lay_box` without their questions
            left, top = t.left[child], t.top[child]
            at = t.margin_left[child]
            wide = width - at - t.margin_right[child]
            room = wide - left - t.right[child]
            if room < 0.0:
                room, wide = 0.0, max(wide, left + t.right[child])
            t.x_container[child] = t.y_container[child] = row
            t.x[child], t.y[child], t.w[child] = t.left[row] + at, t.top[row] + place, wide
            t.end_margin[child] = t.margin_bottom[child]
            height = top + t.bottom[child]
            if t.first_child[child] < t.first_child[child + 1]:
                # Moved there and back: an object for each block would cost more than all else here.
                origin.x, origin.y, origin.depth = x + at + left, y + place + top, origin.depth + 1
                height += _flow(t, child, room, nan, origin, True)
                origin.x, origin.y, origin.depth = x, y, origin.depth - 1
            t.h[child] = height
        else:
            place, height = _lay_child(t, row, child, width, inside, origin, place)
        if height == 0.0 and t.end_margin[child] == t.margin_bottom[child] and not clear and t.kind[child] == BOX:
            margin = edges.collapsed(gap, t.margin_bottom[child])  # an empty box: its margins meet
            continue
        down, margin = place + height, t.end_margin[child]
        base = t.baseline[child]
        if base == base:
            t.baseline[row] = t.top[row] + place + base
    if run_count:
        below = _lay_inline(t, row, run, end, run_count, origin, down + margin, width)
        if below == below:
            down, margin = below, 0.0
    if is_bfc_root or (not floats.is_empty and is_open and edges.contains_floats(t, row)):
        down += margin
        if not floats.is_empty:
            down = max(down, floats.cleared(3) - y)
    elif t.bottom[row] == 0.0 and is_open:
        if margin:
            t.end_margin[row] = edges.collapsed(t.margin_bottom[row], margin)
    else:
        down += margin
    return down if down > 0.0 else 0.0


def _lay_inline(
    t: BoxTree, row: int, first: int, end: int, count: int, origin: Origin, down: float, width: float
) -> float:
    """Lay out inline content between blocks, from `down` on; return its lower end, NaN if it is empty."""
    if count == 1 and origin.floats.is_empty and not t.white_space[row]:
        leaf, inset = _only_text(t, row, t.child[first])
        if leaf >= 0:
            return down + texts.lay_text(t, row, leaf, width, inset, down)
    lines = Lines()
    lines.start(t, row, origin, down, width)
    below = lines.run(first, end)
    if below <= down and not lines.made:
        return nan
    t.baseline[row] = lines.baseline
    return below


def _only_text(t: BoxTree, row: int, child: int) -> tuple[int, float]:
    """Return the text that is the only content, maybe in inline elements, and their inset; -1 if there is more."""
    inset = 0.0
    while child >= 0:
        first = t.first_child[child]
        if (
            t.first_child[child + 1] - first != 1
            or t.display[child] != _INLINE
            or t.kind[child] != BOX
            or t.has_relative_edges[child]
        ):
            return -1, 0.0
        inset += t.margin_left[child] + t.left[child]
        if t.right[child] + t.margin_right[child] and t.text_align[row]:
            return -1, 0.0
        child = t.child[first]
        if child >= 0 and t.white_space[row]:
            return -1, 0.0
    if t.white_space[t.leaf_node[~child]] > _NOWRAP or (t.has_indent and t.indent[row]):
        return -1, 0.0
    return ~child, inset


def _lay_child(
    t: BoxTree, row: int, child: int, width: float, inside: float, origin: Origin, place: float
) -> tuple[float, float]:
    """Lay out a block among its siblings at `place`; return where it stands (floats may push it down), its height."""
    left = 0.0
    free = width
    is_replaced = t.kind[child] == REPLACED
    is_table = t.display[child] == _TABLE
    if not origin.floats.is_empty and (t.is_bfc_root[child] or is_replaced):
        left, free, place = _room_beside_floats(t, child, width, origin, place)
    height = 0.0
    if is_replaced:
        wide, height = sizes.replaced_size(t, child, width, inside)
        t.w[child], t.h[child], t.end_margin[child] = wide, height, t.margin_bottom[child]
    elif is_table or t.display[child] == _CELL:
        low, _ = intrinsic.content_widths(t, child)
        wide = sizes.specified_width(t, child, width)
        if wide != wide:
            wide = intrinsic.shrink_to_fit_width(t, child, free - (t.margin_left[child] + t.margin_right[child]))
        wide = max(low, sizes.constrained_width(t, child, wide, width))
    else:
        if t.width_unit[child] > _PERCENT:
            intrinsic.content_widths(t, child)
        wide = sizes.used_block_width(t, child, free, width)
    margin_left = t.margin_left[child]
    if wide < free:
        margin_left += _alignment_offset(t, row, child, free - wide - margin_left - t.margin_right[child])
    t.x_container[child] = t.y_container[child] = row
    t.x[child], t.y[child] = t.left[row] + left + margin_left, t.top[row] + place
    if not is_replaced:
        within = origin_at(origin.floats, origin.x + left + margin_left, origin.y + place, origin.depth + 1)
        height = lay_box(t, child, wide, inside, nan, within)
    return place, height


def _alignment_offset(t: BoxTree, row: int, child: int, rest: float) -> float:
    """Return the offset by auto margins, or legacy align attributes, of a box narrower than its container."""
    if rest <= 0:
        return 0.0
    if t.has_relative_edges[child]:
        is_left, is_right = t.has_auto_margin(child, 3), t.has_auto_margin(child, 1)
        if is_left or is_right:
            return (rest / 2 if is_right else rest) if is_left else 0.0
    if t.block_alignment[row]:
        return rest / 2 if t.block_alignment[row] == _CENTRE else rest
    return 0.0


def _room_beside_floats(
    t: BoxTree, child: int, width: float, origin: Origin, place: float
) -> tuple[float, float, float]:
    """Return the room that floats leave for a box they may not overlap: its left end, its width, and its place."""
    floats, x, y = origin.floats, origin.x, origin.y
    if t.kind[child] == REPLACED:
        need, _ = sizes.replaced_size(t, child, width, nan)
    else:
        need = sizes.specified_width(t, child, width)
        if need != need:
            need, _ = intrinsic.content_widths(t, child)
        else:
            need = sizes.constrained_width(t, child, need, width)
    need += max(0.0, t.margin_left[child]) + max(0.0, t.margin_right[child])
    while True:
        low, high = floats.room(y + place, 1.0)
        left, right = max(0.0, low - x), min(width, high - x)
        if right - left >= need - 0.5 or (left == 0.0 and right == width):
            return left, max(0.0, right - left), place
        below = floats.next_step(y + place)
        if below == inf:
            return 0.0, width, place
        place = below - y


def _columns(t: BoxTree, row: int, width: float, depth: int) -> float:
    """Lay out multi-column text: as one column, then cut into equal parts between the children."""
    count = min(t.column_count[row], 50)
    gap = float(t.styles.column_gap[row]) or t.font_size[row]
    narrow = max(1.0, (width - gap * (count - 1)) / count)
    high = _flow(t, row, narrow, nan, origin_at(Floats(), 0.0, 0.0, depth), False)
    part = high / count
    if part <= 0:
        return 0.0
    lowest = 0.0
    column, start = 0, 0.0
    for n in range(t.first_child[row], t.first_child[row + 1]):
        child = t.child[n]
        leaf = ~child
        if child >= 0:
            if not t.w[child] >= 0:
                continue
            y, bottom = t.y[child] - t.top[row], t.y[child] + t.h[child] - t.top[row]
        else:
            if t.leaf_left[leaf] != t.leaf_left[leaf]:
                continue
            y, bottom = t.leaf_top[leaf] - t.top[row], t.leaf_bottom[leaf] - t.top[row]
        if y - start >= part - 1 and column < count - 1:
            column, start = column + 1, y
        across = column * (narrow + gap)
        if child >= 0:
            t.x[child], t.y[child] = t.x[child] + across, t.y[child] - start
        else:
            t.leaf_left[leaf], t.leaf_right[leaf] = t.leaf_left[leaf] + across, t.leaf_right[leaf] + across
            t.leaf_top[leaf], t.leaf_bottom[leaf] = t.leaf_top[leaf] - start, t.leaf_bottom[leaf] - start
        lowest = max(lowest, bottom - start)
    return lowest
