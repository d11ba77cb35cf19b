# cython: infer_types=True, wraparound=False
"""Block formatting: boxes below each other, margins, floats; and dispatch to other formatting contexts."""

from math import inf, nan

from parcels.css.style import Align, Display, Unit, WhiteSpace
from parcels.layout.boxes.flow import atomic, deep, intrinsic, sizes
from parcels.layout.boxes.flow import margins as edges
from parcels.layout.boxes.flow.box_tree import Lay, Screen
from parcels.layout.boxes.flow.floats import Floats, Origin, origin_at
from parcels.layout.boxes.flow.kinds import BOX, DEEPEST, MOST_PX, REPLACED
from parcels.layout.boxes.flow.lines import Lines
from parcels.layout.boxes.text import single as texts
from parcels.layout.boxes.tracks import flex, grid, table

_PERCENT, _INLINE, _CENTRE = int(Unit.PERCENT), int(Display.INLINE), int(Align.CENTRE)
_NOWRAP = int(WhiteSpace.NOWRAP)
_FLEX, _INLINE_FLEX = int(Display.FLEX), int(Display.INLINE_FLEX)
_GRID, _INLINE_GRID = int(Display.GRID), int(Display.INLINE_GRID)
_TABLE, _INLINE_TABLE, _CELL = int(Display.TABLE), int(Display.INLINE_TABLE), int(Display.CELL)


class Flow(Lay):
    """Lays out any box by its display type."""

    __slots__ = ("no_floats",)

    def __init__(self) -> None:
        self.no_floats = Floats()  # never added to

    def lay(self, s: Screen, row: int, width: float, holder_height: float, depth: int, height: float) -> float:
        """Lay out a box in which floats are its own affair, at a border box's width; its height.

        Heights that are not known are NaN: that of the box which percentages refer to, and the box's own.
        """
        floats = self.no_floats if s.is_root[row] else Floats()  # a root makes its own
        return lay_box(s, row, width, holder_height, height, origin_at(floats, 0.0, 0.0, depth))


def lay_box(s: Screen, row: int, width: float, holder_height: float, height: float, origin: Origin) -> float:
    """Lay out what is in a box of this border box's width, which stands at this origin; return its height."""
    depth = origin.depth
    width = min(width, MOST_PX)
    s.w[row] = width
    left, top = s.left[row], s.top[row]
    insets = top + s.bottom[row]
    inner = max(0.0, width - left - s.right[row])
    is_sized = s.is_sized[row]
    if height != height and is_sized:
        height = sizes.given_height(s, row, holder_height)
        if height == height:
            height = sizes.limited_height(s, row, height, holder_height)
    is_open = height != height
    inside = nan if is_open else max(0.0, height - insets)
    display = s.display[row]
    is_table = display in (_TABLE, _INLINE_TABLE)
    s.below[row] = s.margin_bottom[row]
    if depth > DEEPEST:
        content = deep.stack(s, row, inner)
    elif display in (_FLEX, _INLINE_FLEX):
        content = flex.lay(s, row, inner, inside, depth)
    elif display in (_GRID, _INLINE_GRID):
        content = grid.lay(s, row, inner, inside, depth)
    elif is_table or s.is_cell_holder[row]:
        content = table.lay(s, row, inner, inside, depth)
    elif s.column_count[row] > 1:
        content = _columns(s, row, inner, depth)
    elif s.is_root[row]:
        content = _flow(s, row, inner, inside, origin_at(Floats(), 0.0, 0.0, depth), is_open)
    else:
        within = origin_at(origin.floats, origin.x + left, origin.y + top, depth)
        content = _flow(s, row, inner, inside, within, is_open)
    s.natural[row] = content + insets
    if is_open:
        height = content + insets
        if is_sized:
            height = sizes.limited_height(s, row, height, holder_height)
    if is_table:
        height = max(height, content + insets)
    s.h[row] = min(height, MOST_PX)
    return s.h[row]


def _flow(s: Screen, row: int, width: float, inside: float, origin: Origin, is_open: bool) -> float:
    """Lay out block flow in a content box of this width at this origin; return the content's height."""
    first, end = s.first_kid[row], s.first_kid[row + 1]
    if first == end:
        return 0.0
    floats, x, y = origin.floats, origin.x, origin.y
    if end - first == 1 and floats.is_empty:
        leaf, inset = _only_text(s, row, s.kid[first])
        if leaf >= 0:
            return texts.lay_text(s, row, leaf, width, inset, 0.0)
    down = 0.0  # below the last box
    margin = 0.0  # below it, not yet passed
    is_root = s.is_root[row]
    is_top = not is_root and s.top[row] == 0.0  # a first child's margin has been given to this box already
    run, run_count = first, 0  # inline content from here on, of that many pieces
    is_shallow = origin.depth < DEEPEST
    for n in range(first, end):
        kid = s.kid[n]
        is_simple = is_shallow and kid >= 0 and s.is_plain[kid] != 0
        if not is_simple:
            if kid < 0 or s.is_inline[kid]:
                if not run_count:
                    run = n
                run_count += 1
                continue
            if s.is_absolute[kid]:
                if run_count and not s.is_block_by_tag[kid]:
                    run_count += 1
                else:
                    s.absolutes.append((kid, row, s.left[row], s.top[row] + down + max(margin, 0.0)))
                continue
            if s.float_[kid]:
                if run_count:
                    run_count += 1
                else:
                    atomic.lay_float(s, row, kid, origin, down + margin, width)
                continue
            if s.is_odd[kid]:
                s.settle(kid, width)
        if run_count:
            below = _lay_run(s, row, run, n, run_count, origin, down + margin, width)
            if below == below:
                down, margin, is_top = below, 0.0, False
            run_count = 0
        above = s.tops[kid]
        if is_top:
            gap, is_top = 0.0, False
        elif margin >= 0.0 and above >= 0.0:
            gap = above if above > margin else margin
        else:
            gap = edges.collapsed(margin, above)
        place = down + gap
        clear = s.clear[kid]
        if clear and not floats.is_empty:
            place = max(place, floats.cleared(clear) - y)
        if is_simple:  # the way of `_lay_kid` and `lay_box` without their questions
            left, top = s.left[kid], s.top[kid]
            at = s.margin_left[kid]
            wide = width - at - s.margin_right[kid]
            room = wide - left - s.right[kid]
            if room < 0.0:
                room, wide = 0.0, max(wide, left + s.right[kid])
            s.across[kid] = s.down[kid] = row
            s.x[kid], s.y[kid], s.w[kid] = s.left[row] + at, s.top[row] + place, wide
            s.below[kid] = s.margin_bottom[kid]
            height = top + s.bottom[kid]
            if s.first_kid[kid] < s.first_kid[kid + 1]:
                # Moved there and back: an object for each block would cost more than all else here.
                origin.x, origin.y, origin.depth = x + at + left, y + place + top, origin.depth + 1
                height += _flow(s, kid, room, nan, origin, True)
                origin.x, origin.y, origin.depth = x, y, origin.depth - 1
            s.h[kid] = height
        else:
            place, height = _lay_kid(s, row, kid, width, inside, origin, place)
        if height == 0.0 and s.below[kid] == s.margin_bottom[kid] and not clear and s.kind[kid] == BOX:
            margin = edges.collapsed(gap, s.margin_bottom[kid])  # an empty box: its margins meet
            continue
        down, margin = place + height, s.below[kid]
        base = s.baseline[kid]
        if base == base:
            s.baseline[row] = s.top[row] + place + base
    if run_count:
        below = _lay_run(s, row, run, end, run_count, origin, down + margin, width)
        if below == below:
            down, margin = below, 0.0
    if is_root or (not floats.is_empty and is_open and edges.is_self_clearing(s, row)):
        down += margin
        if not floats.is_empty:
            down = max(down, floats.cleared(3) - y)
    elif s.bottom[row] == 0.0 and is_open:
        if margin:
            s.below[row] = edges.collapsed(s.margin_bottom[row], margin)
    else:
        down += margin
    return down if down > 0.0 else 0.0


def _lay_run(s: Screen, row: int, first: int, end: int, count: int, origin: Origin, down: float, width: float) -> float:
    """Lay out inline content between blocks, from `down` on; return where it ends, NaN where it takes no room."""
    if count == 1 and origin.floats.is_empty and not s.white_space[row]:
        leaf, inset = _only_text(s, row, s.kid[first])
        if leaf >= 0:
            return down + texts.lay_text(s, row, leaf, width, inset, down)
    lines = Lines()
    lines.start(s, row, origin, down, width)
    below = lines.run(first, end)
    if below <= down and not lines.made:
        return nan
    s.baseline[row] = lines.baseline
    return below


def _only_text(s: Screen, row: int, kid: int) -> tuple[int, float]:
    """Return the text that is the only content, maybe in inline elements, and their inset; -1 if there is more."""
    inset = 0.0
    while kid >= 0:
        first = s.first_kid[kid]
        if s.first_kid[kid + 1] - first != 1 or s.display[kid] != _INLINE or s.kind[kid] != BOX or s.is_odd[kid]:
            return -1, 0.0
        inset += s.margin_left[kid] + s.left[kid]
        if s.right[kid] + s.margin_right[kid] and s.text_align[row]:
            return -1, 0.0
        kid = s.kid[first]
        if kid >= 0 and s.white_space[row]:
            return -1, 0.0
    if s.white_space[s.leaf_node[~kid]] > _NOWRAP or (s.has_indent and s.indent[row]):
        return -1, 0.0
    return ~kid, inset


def _lay_kid(
    s: Screen, row: int, kid: int, width: float, inside: float, origin: Origin, place: float
) -> tuple[float, float]:
    """Lay out a block among its siblings at `place`; return where it stands (floats may push it down), its height."""
    left = 0.0
    free = width
    is_replaced = s.kind[kid] == REPLACED
    is_table = s.display[kid] == _TABLE
    if not origin.floats.is_empty and (s.is_root[kid] or is_replaced):
        left, free, place = _beside(s, kid, width, origin, place)
    height = 0.0
    if is_replaced:
        wide, height = sizes.replaced_size(s, kid, width, inside)
        s.w[kid], s.h[kid], s.below[kid] = wide, height, s.margin_bottom[kid]
    elif is_table or s.display[kid] == _CELL:
        low, _ = intrinsic.content_widths(s, kid)
        wide = sizes.given_width(s, kid, width)
        if wide != wide:
            wide = intrinsic.fitted_width(s, kid, free - (s.margin_left[kid] + s.margin_right[kid]))
        wide = max(low, sizes.limited_width(s, kid, wide, width))
    else:
        if s.width_unit[kid] > _PERCENT:
            intrinsic.content_widths(s, kid)
        wide = sizes.width_of(s, kid, free, width)
    margin_left = s.margin_left[kid]
    if wide < free:
        margin_left += _pushed(s, row, kid, free - wide - margin_left - s.margin_right[kid])
    s.across[kid] = s.down[kid] = row
    s.x[kid], s.y[kid] = s.left[row] + left + margin_left, s.top[row] + place
    if not is_replaced:
        within = origin_at(origin.floats, origin.x + left + margin_left, origin.y + place, origin.depth + 1)
        height = lay_box(s, kid, wide, inside, nan, within)
    return place, height


def _pushed(s: Screen, row: int, kid: int, rest: float) -> float:
    """Return the offset by auto margins, or legacy align attributes, of a box narrower than its container."""
    if rest <= 0:
        return 0.0
    if s.is_odd[kid]:
        is_left, is_right = s.has_auto_margin(kid, 3), s.has_auto_margin(kid, 1)
        if is_left or is_right:
            return (rest / 2 if is_right else rest) if is_left else 0.0
    if s.aligned[row]:
        return rest / 2 if s.aligned[row] == _CENTRE else rest
    return 0.0


def _beside(s: Screen, kid: int, width: float, origin: Origin, place: float) -> tuple[float, float, float]:
    """Return the room that floats leave for a box they may not overlap: its left end, its width, and its place."""
    floats, x, y = origin.floats, origin.x, origin.y
    if s.kind[kid] == REPLACED:
        need, _ = sizes.replaced_size(s, kid, width, nan)
    else:
        need = sizes.given_width(s, kid, width)
        if need != need:
            need, _ = intrinsic.content_widths(s, kid)
        else:
            need = sizes.limited_width(s, kid, need, width)
    need += max(0.0, s.margin_left[kid]) + max(0.0, s.margin_right[kid])
    while True:
        low, high = floats.room(y + place, 1.0)
        left, right = max(0.0, low - x), min(width, high - x)
        if right - left >= need - 0.5 or (left == 0.0 and right == width):
            return left, max(0.0, right - left), place
        below = floats.next_step(y + place)
        if below == inf:
            return 0.0, width, place
        place = below - y


def _columns(s: Screen, row: int, width: float, depth: int) -> float:
    """Lay out multi-column text: as one column, then cut into equal parts between the children."""
    count = min(s.column_count[row], 50)
    gap = float(s.styles.column_gap[row]) or s.font_size[row]
    narrow = max(1.0, (width - gap * (count - 1)) / count)
    high = _flow(s, row, narrow, nan, origin_at(Floats(), 0.0, 0.0, depth), False)
    part = high / count
    if part <= 0:
        return 0.0
    lowest = 0.0
    column, start = 0, 0.0
    for n in range(s.first_kid[row], s.first_kid[row + 1]):
        kid = s.kid[n]
        leaf = ~kid
        if kid >= 0:
            if not s.w[kid] >= 0:
                continue
            y, bottom = s.y[kid] - s.top[row], s.y[kid] + s.h[kid] - s.top[row]
        else:
            if s.leaf_left[leaf] != s.leaf_left[leaf]:
                continue
            y, bottom = s.leaf_top[leaf] - s.top[row], s.leaf_bottom[leaf] - s.top[row]
        if y - start >= part - 1 and column < count - 1:
            column, start = column + 1, y
        across = column * (narrow + gap)
        if kid >= 0:
            s.x[kid], s.y[kid] = s.x[kid] + across, s.y[kid] - start
        else:
            s.leaf_left[leaf], s.leaf_right[leaf] = s.leaf_left[leaf] + across, s.leaf_right[leaf] + across
            s.leaf_top[leaf], s.leaf_bottom[leaf] = s.leaf_top[leaf] - start, s.leaf_bottom[leaf] - start
        lowest = max(lowest, bottom - start)
    return lowest
