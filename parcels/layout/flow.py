"""Block flow: boxes one below the other, margins that collapse, floats beside them; other kinds of box by name."""

from math import inf

from parcels.css.style import Align, Display, Unit, WhiteSpace
from parcels.layout import flex, grid, table
from parcels.layout.flow_atoms import lay_float
from parcels.layout.flow_deep import DEEPEST, stack
from parcels.layout.flow_floats import Floats
from parcels.layout.flow_intrinsic import content_widths, fitted_width
from parcels.layout.flow_lines import Lines
from parcels.layout.flow_margins import collapsed, is_self_clearing
from parcels.layout.flow_screen import BOX, MOST_PX, REPLACED, Screen
from parcels.layout.flow_sizes import given_height, given_width, limited_height, limited_width, replaced_size, width_of
from parcels.layout.flow_text import lay_text

_AUTO, _PERCENT = int(Unit.AUTO), int(Unit.PERCENT)
_NONE, _INLINE, _BLOCK = int(Display.NONE), int(Display.INLINE), int(Display.BLOCK)
_NOWRAP = int(WhiteSpace.NOWRAP)
_NO_FLOATS = Floats()  # never added to
_TABLE, _CELL = int(Display.TABLE), int(Display.CELL)
_FLEXES = (int(Display.FLEX), int(Display.INLINE_FLEX))
_GRIDS = (int(Display.GRID), int(Display.INLINE_GRID))
_TABLES = (int(Display.TABLE), int(Display.INLINE_TABLE))


def lay_root(
    s: Screen, row: int, width: float, holder_height: float | None, depth: int, height: float | None = None
) -> float:
    """Lay out a box in which floats are its own affair, at a border box's width; its height."""
    floats = _NO_FLOATS if s.is_root[row] else Floats()  # a root makes its own
    return lay_box(s, row, width, holder_height, floats, 0.0, 0.0, depth, height)


def lay_box(
    s: Screen,
    row: int,
    width: float,
    holder_height: float | None,
    floats: Floats,
    x: float,
    y: float,
    depth: int,
    height: float | None = None,
) -> float:
    """Lay out what is in a box of this border box's width; x, y: where it stands among the floats. Its height."""
    width = min(width, MOST_PX)
    s.w[row] = width
    left, top = s.left[row], s.top[row]
    insets = top + s.bottom[row]
    inner = max(0.0, width - left - s.right[row])
    is_sized = s.is_sized[row]
    if height is None and is_sized:
        height = given_height(s, row, holder_height)
        if height is not None:
            height = limited_height(s, row, height, holder_height)
    inside = None if height is None else max(0.0, height - insets)
    display = s.display[row]
    s.below[row] = s.margin_bottom[row]
    if depth > DEEPEST:
        content = stack(s, row, inner)
    elif display in _FLEXES:
        content = flex.lay(s, row, inner, inside, depth)
    elif display in _GRIDS:
        content = grid.lay(s, row, inner, inside, depth)
    elif display in _TABLES or row in s.cell_holders:
        content = table.lay(s, row, inner, inside, depth)
    elif s.column_count is not None and s.column_count[row] > 1:
        content = _columns(s, row, inner, depth)
    elif s.is_root[row]:
        content = _flow(s, row, inner, inside, Floats(), 0.0, 0.0, depth, is_open=height is None)
    else:
        content = _flow(s, row, inner, inside, floats, x + left, y + top, depth, is_open=height is None)
    s.natural[row] = content + insets
    if height is None:
        height = content + insets
        if is_sized:
            height = limited_height(s, row, height, holder_height)
    if display in _TABLES:
        height = max(height, content + insets)
    s.h[row] = min(height, MOST_PX)
    return s.h[row]


def _flow(
    s: Screen,
    row: int,
    width: float,
    inside: float | None,
    floats: Floats,
    x: float,
    y: float,
    depth: int,
    *,
    is_open: bool,
) -> float:
    """Block flow in a content box of this width at x, y among the floats; the content's height."""
    kids = s.kids[row]
    if not kids:
        return 0.0
    if len(kids) == 1 and floats.is_empty:
        leaf, inset = _only_text(s, row, kids[0])
        if leaf >= 0:
            return lay_text(s, row, leaf, width, inset)
    down = 0.0  # below the last box
    margin = 0.0  # below it, not yet passed
    is_root = s.is_root[row]
    is_top = not is_root and s.top[row] == 0.0  # a first child's margin has been given to this box already
    run: list[int] = []
    is_plain, all_kids = s.is_plain, s.kids
    is_shallow = depth < DEEPEST
    for kid in kids:
        is_simple = is_shallow and kid >= 0 and is_plain[kid]
        if not is_simple:
            if kid < 0 or s.is_inline[kid]:
                run.append(kid)
                continue
            if s.is_absolute[kid]:
                if run and not s.is_block_by_tag[kid]:
                    run.append(kid)
                else:
                    s.absolutes.append((kid, row, s.left[row], s.top[row] + down + max(margin, 0.0)))
                continue
            if s.float_[kid]:
                if run:
                    run.append(kid)
                else:
                    lay_float(s, row, kid, floats, x, y, down + margin, width, depth)
                continue
            if s.is_odd[kid]:
                s.settle(kid, width)
        if run:
            end = _lay_run(s, row, run, floats, x, y, down + margin, width, depth)
            if end is not None:
                down, margin, is_top = end, 0.0, False
            run = []
        above = s.tops[kid]
        if is_top:
            gap, is_top = 0.0, False
        elif margin >= 0.0 and above >= 0.0:
            gap = above if above > margin else margin
        else:
            gap = collapsed(margin, above)
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
            if all_kids[kid]:
                height += _flow(s, kid, room, None, floats, x + at + left, y + place + top, depth + 1, is_open=True)
            s.h[kid] = height
        else:
            place, height = _lay_kid(s, row, kid, width, inside, floats, x, y, place, depth)
        if height == 0.0 and s.below[kid] == s.margin_bottom[kid] and not clear and s.kind[kid] == BOX:
            margin = collapsed(gap, s.margin_bottom[kid])  # an empty box: its margins meet
            continue
        down, margin = place + height, s.below[kid]
        base = s.baseline[kid]
        if base == base:
            s.baseline[row] = s.top[row] + place + base
    if run:
        end = _lay_run(s, row, run, floats, x, y, down + margin, width, depth)
        if end is not None:
            down, margin = end, 0.0
    if is_root or (not floats.is_empty and is_open and is_self_clearing(s, row)):
        down += margin
        if not floats.is_empty:
            down = max(down, floats.cleared(3) - y)
    elif s.bottom[row] == 0.0 and is_open:
        if margin:
            s.below[row] = collapsed(s.margin_bottom[row], margin)
    else:
        down += margin
    return down if down > 0.0 else 0.0


def _lay_run(
    s: Screen, row: int, run: list[int], floats: Floats, x: float, y: float, down: float, width: float, depth: int
) -> float | None:
    """Inline content between blocks, from `down` on; where it ends, None where it takes no room."""
    if len(run) == 1 and floats.is_empty and not s.white_space[row]:
        leaf, inset = _only_text(s, row, run[0])
        if leaf >= 0:
            return down + lay_text(s, row, leaf, width, inset, down)
    lines = Lines(s, row, floats, x, y, down, width, depth)
    end = lines.run(run)
    if end <= down and not lines.made:
        return None
    s.baseline[row] = lines.baseline
    return end


def _only_text(s: Screen, row: int, kid: int) -> tuple[int, float]:
    """The text that is all there is, itself or within inline elements, and the inset of those; else -1."""
    inset = 0.0
    while kid >= 0:
        inner = s.kids[kid]
        if len(inner) != 1 or s.display[kid] != _INLINE or s.kind[kid] != BOX or s.is_odd[kid]:
            return -1, 0.0
        inset += s.margin_left[kid] + s.left[kid]
        if s.right[kid] + s.margin_right[kid] and s.text_align[row]:
            return -1, 0.0
        kid = inner[0]
        if kid >= 0 and s.white_space[row]:
            return -1, 0.0
    if s.white_space[s.leaf_node[~kid]] > _NOWRAP or (s.indent is not None and s.indent[row]):
        return -1, 0.0
    return ~kid, inset


def _lay_kid(
    s: Screen,
    row: int,
    kid: int,
    width: float,
    inside: float | None,
    floats: Floats,
    x: float,
    y: float,
    place: float,
    depth: int,
) -> tuple[float, float]:
    """Lay out a block among its siblings at `place`; where it stands (floats may push it down) and its height."""
    left = 0.0
    free = width
    is_replaced = s.kind[kid] == REPLACED
    is_table = s.display[kid] == _TABLE
    if not floats.is_empty and (s.is_root[kid] or is_replaced):
        left, free, place = _beside(s, kid, width, floats, x, y, place)
    if is_replaced:
        wide, height = replaced_size(s, kid, width, inside)
        s.w[kid], s.h[kid], s.below[kid] = wide, height, s.margin_bottom[kid]
    elif is_table or s.display[kid] == _CELL:
        low = content_widths(s, kid)[0]
        given = given_width(s, kid, width)
        margins = s.margin_left[kid] + s.margin_right[kid]
        wide = max(low, limited_width(s, kid, fitted_width(s, kid, free - margins) if given is None else given, width))
    else:
        if s.width_unit[kid] > _PERCENT:
            content_widths(s, kid)
        wide = width_of(s, kid, free, width)
    margin_left = s.margin_left[kid]
    if wide < free:
        margin_left += _pushed(s, row, kid, free - wide - margin_left - s.margin_right[kid])
    s.across[kid] = s.down[kid] = row
    s.x[kid], s.y[kid] = s.left[row] + left + margin_left, s.top[row] + place
    if not is_replaced:
        height = lay_box(s, kid, wide, inside, floats, x + left + margin_left, y + place, depth + 1)
    return place, height


def _pushed(s: Screen, row: int, kid: int, rest: float) -> float:
    """How far auto margins, or the old align attributes, push a box that is narrower than its holder."""
    if rest <= 0:
        return 0.0
    if s.is_odd[kid]:
        is_left, is_right = s.has_auto_margin(kid, 3), s.has_auto_margin(kid, 1)
        if is_left or is_right:
            return (rest / 2 if is_right else rest) if is_left else 0.0
    if s.aligned is not None and s.aligned[row]:
        return rest / 2 if s.aligned[row] == Align.CENTRE else rest
    return 0.0


def _beside(
    s: Screen, kid: int, width: float, floats: Floats, x: float, y: float, place: float
) -> tuple[float, float, float]:
    """The room that floats leave for a box they may not overlap: its left end, its width, and its place."""
    if s.kind[kid] == REPLACED:
        need = replaced_size(s, kid, width, None)[0]
    else:
        given = given_width(s, kid, width)
        if given is None:
            need = content_widths(s, kid)[0]
        else:
            need = limited_width(s, kid, given, width)
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
    """Text in columns: set in one, then cut into equal parts between the children."""
    count = min(int(s.column_count[row]), 50) if s.column_count else 1
    gap = float(s.styles.column_gap[row]) or s.font_size[row]
    narrow = max(1.0, (width - gap * (count - 1)) / count)
    high = _flow(s, row, narrow, None, Floats(), 0.0, 0.0, depth, is_open=False)
    part = high / count
    if part <= 0:
        return 0.0
    lowest = 0.0
    column, start = 0, 0.0
    for kid in s.kids[row]:
        box = s.leaf_box[~kid] if kid < 0 else None
        if kid >= 0 and not s.w[kid] >= 0:
            continue
        if kid < 0 and box is None:
            continue
        y = (box[1] if box is not None else s.y[kid]) - s.top[row]
        bottom = (box[3] if box is not None else s.y[kid] + s.h[kid]) - s.top[row]
        if y - start >= part - 1 and column < count - 1:
            column, start = column + 1, y
        across = column * (narrow + gap)
        if box is not None:
            box[0], box[2], box[1], box[3] = box[0] + across, box[2] + across, box[1] - start, box[3] - start
        else:
            s.x[kid], s.y[kid] = s.x[kid] + across, s.y[kid] - start
        lowest = max(lowest, bottom - start)
    return lowest
