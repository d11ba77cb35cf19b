"""The passes over what may be a column at the side of a page.

Plain loops, compiled where there is a compiler, as in `sweeps`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.layout.areas.sweep_arrays import Floats, Ints, access

_read, _reals, _numbers = access(__file__)
EDGE_SHARE = 0.10  # of the page's width: lines are ragged, so a column's leaves end short of the page's edge
TALL_PX = 300.0
EQUAL_GAP = 1.0  # of its width: columns of a grid stand close; the same width across a wide text is another side
SHORT_LINK, LONG_LINK = 30, 40  # letters: an entry of a menu is not longer, a headline is


def sweep_stacks(boxes: Floats, narrow_boxes: Floats, right_side: NDArray[Any], height: float) -> Floats:
    """Of each candidate for a side column: whether it is one of equals, the rectangle of its stack, its height."""
    box, narrow, is_right = _read(boxes), _read(narrow_boxes), _read(right_side, np.int64)
    count, others = len(is_right), len(narrow) // 4
    found = _reals(6 * count)
    for one in range(count):
        left, top, right, bottom = box[4 * one], box[4 * one + 1], box[4 * one + 2], box[4 * one + 3]
        width = max(right - left, 0.01)
        for other in range(others):
            at = 4 * other
            wide = narrow[at + 2] - narrow[at]
            gap = max(narrow[at] - right, left - narrow[at + 2])
            is_level = -20 <= narrow[at + 1] - top <= 20
            is_apart = narrow[at] >= right - 0.02 or narrow[at + 2] <= left + 0.02
            if is_level and is_apart and 0.8 * width <= wide <= 1.25 * width and gap <= EQUAL_GAP * width:
                found[6 * one] = 1.0
                break
        filled, stack_left, stack_top, stack_right, stack_bottom = 0.0, left, top, right, bottom
        for other in range(count):
            at = 4 * other
            shared = min(right, box[at + 2]) - max(left, box[at])
            narrower = max(min(right - left, box[at + 2] - box[at]), 0.01)
            if is_right[one] == is_right[other] and shared / narrower >= 0.5:
                filled += box[at + 3] - box[at + 1]
                stack_left, stack_top = min(stack_left, box[at]), min(stack_top, box[at + 1])
                stack_right, stack_bottom = max(stack_right, box[at + 2]), max(stack_bottom, box[at + 3])
        filled = min(filled, stack_bottom - stack_top)  # gaps between pieces do not count
        at = 6 * one
        found[at + 1], found[at + 2], found[at + 3], found[at + 4] = stack_left, stack_top, stack_right, stack_bottom
        found[at + 5] = min(max(filled / height, 0.0), 1.0)
    return np.asarray(found).reshape(count, 6)


def sweep_beside(
    around_boxes: Floats, own_boxes: Floats, right_side: NDArray[Any], boxes: Floats, weights: Floats, long_text: Floats
) -> Floats:
    """What stands beside each rectangle towards the middle, 7 numbers.

    How wide; which share of it is wider; its shares of the page's text and of its level; whether it is broad; whether
    there is none; and the share of the level that stands outside.
    """
    around, own, is_right = _read(around_boxes), _read(own_boxes), _read(right_side, np.int64)
    box, weight, prose = _read(boxes), _read(weights), _read(long_text)
    count, leaves = len(is_right), len(weight)
    found = _reals(7 * count)
    total = 0.0
    for leaf in range(leaves):
        if box[4 * leaf] == box[4 * leaf]:
            total += prose[leaf]
    for one in range(count):
        left, top, right, bottom = around[4 * one], around[4 * one + 1], around[4 * one + 2], around[4 * one + 3]
        width = max(own[4 * one + 2] - own[4 * one], 0.05)
        inner = text = level = widest = wider = outer = 0.0
        for leaf in range(leaves):
            at = 4 * leaf
            if not (box[at + 1] < bottom and box[at + 3] > top):
                continue
            level += weight[leaf]
            is_before, is_behind = box[at + 2] <= left + 0.02, box[at] >= right - 0.02
            if is_before if is_right[one] else is_behind:
                wide = box[at + 2] - box[at]
                inner += weight[leaf]
                text += prose[leaf]
                widest = max(widest, wide)
                if wide > 1.3 * width:
                    wider += weight[leaf]
            if is_behind if is_right[one] else is_before:
                outer += weight[leaf]
        level, at = max(level, 1.0), 7 * one
        found[at] = min(widest / width, 3.0) / 3
        found[at + 1] = wider / max(inner, 1.0)
        found[at + 2] = text / max(total, 1.0)
        found[at + 3] = inner / level
        found[at + 4] = 1.0 if widest >= 0.3 else 0.0
        found[at + 5] = 1.0 if inner <= 0 else 0.0
        found[at + 6] = outer / level
    return np.asarray(found).reshape(count, 7)


def sweep_written(
    first_leaf: Ints, end_leaf: Ints, letters: Floats, long_text: Floats, is_item: NDArray[Any], is_text_link: Floats
) -> Floats:
    """What is written in each candidate, 6 numbers: sentences, size, items, short and long links, letters a leaf."""
    first, end, size, prose = _read(first_leaf, np.int64), _read(end_leaf, np.int64), _read(letters), _read(long_text)
    item, link = _read(is_item, np.int64), _read(is_text_link)
    found = _reals(6 * len(first))
    for one in range(len(first)):
        written = sentences = items = short = headlines = 0.0
        for leaf in range(first[one], end[one]):
            written += size[leaf]
            sentences += prose[leaf]
            items += item[leaf]
            if link[leaf] > 0:
                if size[leaf] <= SHORT_LINK:
                    short += 1.0
                elif size[leaf] > LONG_LINK:
                    headlines += 1.0
        at, count = 6 * one, (end[one] - first[one]) * 1.0
        found[at] = sentences / max(written, 1.0)
        found[at + 1] = min(count / 30, 1.0)
        found[at + 2] = items / count
        found[at + 3] = short / count
        found[at + 4] = headlines / count
        found[at + 5] = min(written / count / 100, 1.0)
    return np.asarray(found).reshape(len(first), 6)


def sweep_candidates(
    boxes: Floats, first_leaf: Ints, end_leaf: Ints, largest: Ints, least: int, least_px: float, outer: float
) -> tuple[Ints, NDArray[np.bool_], NDArray[np.bool_], Ints]:
    """The narrow parts that count; which of them may be a side; on which side; and the number of each narrow part."""
    box, first, end = _read(boxes), _read(first_leaf, np.int64), _read(end_leaf, np.int64)
    looked_at = _read(largest, np.int64)
    kept: list[int] = []
    is_candidate: list[bool] = []
    is_right: list[bool] = []
    number = _numbers(len(first), -1)
    for one in range(len(looked_at)):
        part = looked_at[one]
        if end[part] - first[part] < least and box[4 * part + 3] - box[4 * part + 1] < least_px:
            continue
        middle = (box[4 * part] + box[4 * part + 2]) / 2
        is_outer = middle <= outer or middle >= 1 - outer
        kept.append(part)
        is_candidate.append(is_outer)
        if is_outer:
            number[part] = len(is_right)
            is_right.append(middle > 0.5)
    return (
        np.array(kept, np.int64),
        np.array(is_candidate, np.bool_),
        np.array(is_right, np.bool_),
        np.asarray(number, np.int64),
    )


def sweep_nears(boxes: Floats, right_side: NDArray[Any], first_leaf: Ints, end_leaf: Ints, height: float) -> Floats:
    """How near each candidate is to the edge at its side, to no height, to the top, the bottom, and to nothing at all.

    As exponents yet.
    """
    box, is_right = _read(boxes), _read(right_side, np.int64)
    first, end = _read(first_leaf, np.int64), _read(end_leaf, np.int64)
    found = _reals(5 * len(first))
    for one in range(len(first)):
        at, to = 4 * one, 5 * one
        from_edge = 1 - box[at + 2] if is_right[one] else box[at]
        low = max(box[at + 3] - box[at + 1], 0.0) / -TALL_PX
        found[to] = max(from_edge, 0.0) / -EDGE_SHARE
        found[to + 1] = low
        found[to + 2] = max(box[at + 3], 0.0) / -250.0
        found[to + 3] = max(height - box[at + 1], 0.0) / -250.0
        found[to + 4] = (end[one] - first[one] - 1.0) / -3.0 + low  # one high advertisement is a column
    return np.asarray(found).reshape(len(first), 5)


def sweep_columns(
    boxes: Floats,
    right_side: NDArray[Any],
    nears: Floats,
    stacks: Floats,
    beside: Floats,
    beside_stack: Floats,
    links: Floats,
    written: Floats,
    flags_of: Ints,
    plain_bits: tuple[int, ...],
    side_bits: tuple[int, int, int],
    sizes: tuple[float, float, float],
) -> Floats:
    """The evidence of each candidate: its shape, its stack, what is beside both, what is written in it, its names."""
    box, is_right, near, stack = _read(boxes), _read(right_side, np.int64), _read(nears), _read(stacks)
    level, stack_level, density, text = _read(beside), _read(beside_stack), _read(links), _read(written)
    flags = _read(flags_of, np.int64)
    height, column_share, left_share = sizes
    left_name, right_name, side_name = side_bits
    plain = len(plain_bits)
    columns = 29 + plain + 3
    found = _reals(columns * len(flags))
    for one in range(len(flags)):
        at = columns * one
        wide, high = box[4 * one + 2] - box[4 * one], box[4 * one + 3] - box[4 * one + 1]
        found[at] = 1.0
        found[at + 1] = stack[6 * one]
        found[at + 2] = min(max((column_share - wide) / column_share, 0.0), 1.0)
        found[at + 3] = near[5 * one]
        found[at + 4] = 1 - near[5 * one + 1]
        found[at + 5] = 1.0 if high / height > wide else 0.0
        if not is_right[one]:
            found[at + 6] = min(max((wide - left_share) / (column_share - left_share), 0.0), 1.0)
        found[at + 7] = near[5 * one + 2]
        found[at + 8] = near[5 * one + 3]
        found[at + 9] = stack[6 * one + 5]
        for number in range(7):
            found[at + 10 + number] = level[7 * one + number]
        for number in range(4):
            found[at + 17 + number] = stack_level[7 * one + number]
        found[at + 21] = density[one]
        found[at + 22] = text[6 * one]
        found[at + 23] = near[5 * one + 4]
        for number in range(1, 6):
            found[at + 23 + number] = text[6 * one + number]
        for number in range(plain):
            found[at + 29 + number] = 1.0 if flags[one] & plain_bits[number] else 0.0
        own, other = (right_name, left_name) if is_right[one] else (left_name, right_name)
        found[at + 29 + plain] = 1.0 if flags[one] & own else 0.0
        found[at + 30 + plain] = 1.0 if flags[one] & other else 0.0
        found[at + 31 + plain] = 1.0 if flags[one] & side_name else 0.0
    return np.asarray(found).reshape(len(flags), columns)
