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
RUN_EDGE, RUN_GAP_PX = 0.08, 60.0  # of the page's width, and px: how far apart the pieces of one column stand
LEVEL_SHARE = 0.3  # of the lower one's height: what shares less of it with a column is not beside it
SHORT_LINK, LONG_LINK = 30, 40  # letters: an entry of a menu is not longer, a headline is


def sweep_runs(boxes: Floats, right_side: NDArray[Any], height: float) -> Floats:
    """Of each candidate for a side column: the share of the page's height of the run of candidates that it is in."""
    box, is_right = _read(boxes), _read(right_side, np.int64)
    count = len(is_right)
    run, tops, bottoms = _numbers(count), _reals(count, 1e30), _reals(count, -1e30)
    for one in range(count):
        run[one] = one
        for other in range(one):
            if run[other] == run[one] or is_right[other] != is_right[one] or not _is_in_line(box, 4 * one, 4 * other):
                continue
            joined, kept = run[other], run[one]
            for member in range(one):
                if run[member] == joined:
                    run[member] = kept
    found = made = _reals(count)
    for one in range(count):
        tops[run[one]] = min(tops[run[one]], box[4 * one + 1])
        bottoms[run[one]] = max(bottoms[run[one]], box[4 * one + 3])
    for one in range(count):
        found[one] = min(max((bottoms[run[one]] - tops[run[one]]) / height, 0.0), 1.0)
    return np.asarray(made)


def _is_in_line(box: Any, one: int, other: int) -> bool:
    """True for two that stand over one another, close, with the left or the right edge in line."""
    is_left_alike = -RUN_EDGE <= box[one] - box[other] <= RUN_EDGE
    is_right_alike = -RUN_EDGE <= box[one + 2] - box[other + 2] <= RUN_EDGE
    if not (is_left_alike or is_right_alike):
        return False
    shared = min(box[one + 2], box[other + 2]) - max(box[one], box[other])
    if shared < 0.5 * min(box[one + 2] - box[one], box[other + 2] - box[other]):
        return False
    gap = max(box[one + 1], box[other + 1]) - min(box[one + 3], box[other + 3])
    return bool(gap <= RUN_GAP_PX)


def sweep_siblings(
    candidates: Ints, right_side: NDArray[Any], rectangles: Floats, above: Ints, last_part: Ints
) -> Floats:
    """What the page's tree puts beside each candidate towards the middle, 2 numbers.

    How wide the widest such part is, and whether one is as wide as the candidate: a column of a grid. Looked at are
    the other parts of the nearest part around the candidate that has any beside it.
    """
    part, is_right, box = _read(candidates, np.int64), _read(right_side, np.int64), _read(rectangles)
    parent, last = _read(above, np.int64), _read(last_part, np.int64)
    found = made = _reals(2 * len(part))
    for one in range(len(part)):
        own = 4 * part[one]
        left, top, right, bottom = box[own], box[own + 1], box[own + 2], box[own + 3]
        width, widest, inside = max(right - left, 0.05), 0.0, part[one]
        while widest <= 0 and parent[inside] >= 0:
            around = parent[inside]
            sibling = around + 1
            while sibling <= last[around]:
                at = 4 * sibling
                shared = min(bottom, box[at + 3]) - max(top, box[at + 1])
                # Comparisons with NaN are false, so that what is not seen is not beside.
                is_level = shared > 0 and shared >= LEVEL_SHARE * min(bottom - top, box[at + 3] - box[at + 1])
                if is_level and (box[at + 2] <= left + 0.02 if is_right[one] else box[at] >= right - 0.02):
                    wide = box[at + 2] - box[at]
                    widest = max(widest, wide)
                    if 0.8 * width <= wide <= 1.25 * width:
                        found[2 * one + 1] = 1.0
                sibling = last[sibling] + 1
            inside = around
        found[2 * one] = min(widest / width, 3.0) / 3
    return np.asarray(made).reshape(len(part), 2)


def sweep_beside(
    own_boxes: Floats, right_side: NDArray[Any], boxes: Floats, weights: Floats, long_text: Floats
) -> Floats:
    """What stands beside each candidate towards the middle, 7 numbers.

    How wide; which share of it is wider; its shares of the page's text and of its level; whether it is broad; whether
    there is none; and the share of the level that stands outside.
    """
    own, is_right = _read(own_boxes), _read(right_side, np.int64)
    box, weight, prose = _read(boxes), _read(weights), _read(long_text)
    count, leaves = len(is_right), len(weight)
    found = made = _reals(7 * count)
    total = 0.0
    for leaf in range(leaves):
        if box[4 * leaf] == box[4 * leaf]:
            total += prose[leaf]
    for one in range(count):
        left, top, right, bottom = own[4 * one], own[4 * one + 1], own[4 * one + 2], own[4 * one + 3]
        width = max(right - left, 0.05)
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
    return np.asarray(made).reshape(count, 7)


def sweep_written(
    first_leaf: Ints, end_leaf: Ints, letters: Floats, long_text: Floats, is_item: NDArray[Any], is_text_link: Floats
) -> Floats:
    """What is written in each candidate, 6 numbers: sentences, size, items, short and long links, letters a leaf."""
    first, end, size, prose = _read(first_leaf, np.int64), _read(end_leaf, np.int64), _read(letters), _read(long_text)
    item, link = _read(is_item, np.int64), _read(is_text_link)
    found = made = _reals(6 * len(first))
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
    return np.asarray(made).reshape(len(first), 6)


def sweep_candidates(
    boxes: Floats, first_leaf: Ints, end_leaf: Ints, largest: Ints, least: int, least_px: float, outer: float
) -> tuple[Ints, NDArray[np.bool_], Ints]:
    """The narrow parts that may be a side; on which side; and the number of each narrow part among them."""
    box, first, end = _read(boxes), _read(first_leaf, np.int64), _read(end_leaf, np.int64)
    looked_at = _read(largest, np.int64)
    chosen: list[int] = []
    is_right: list[bool] = []
    number = made = _numbers(len(first), -1)
    for one in range(len(looked_at)):
        part = looked_at[one]
        if end[part] - first[part] < least and box[4 * part + 3] - box[4 * part + 1] < least_px:
            continue
        middle = (box[4 * part] + box[4 * part + 2]) / 2
        if middle <= outer or middle >= 1 - outer:
            number[part] = len(chosen)
            chosen.append(part)
            is_right.append(middle > 0.5)
    return np.array(chosen, np.int64), np.array(is_right, np.bool_), np.asarray(made, np.int64)


def sweep_nears(boxes: Floats, right_side: NDArray[Any], first_leaf: Ints, end_leaf: Ints, height: float) -> Floats:
    """How near each candidate is to the edge at its side, to no height, to the top, the bottom, and to nothing at all.

    As exponents yet.
    """
    box, is_right = _read(boxes), _read(right_side, np.int64)
    first, end = _read(first_leaf, np.int64), _read(end_leaf, np.int64)
    found = made = _reals(5 * len(first))
    for one in range(len(first)):
        at, to = 4 * one, 5 * one
        from_edge = 1 - box[at + 2] if is_right[one] else box[at]
        low = max(box[at + 3] - box[at + 1], 0.0) / -TALL_PX
        found[to] = max(from_edge, 0.0) / -EDGE_SHARE
        found[to + 1] = low
        found[to + 2] = max(box[at + 3], 0.0) / -250.0
        found[to + 3] = max(height - box[at + 1], 0.0) / -250.0
        found[to + 4] = (end[one] - first[one] - 1.0) / -3.0 + low  # one high advertisement is a column
    return np.asarray(made).reshape(len(first), 5)


def sweep_columns(
    boxes: Floats,
    right_side: NDArray[Any],
    nears: Floats,
    runs: Floats,
    siblings: Floats,
    beside: Floats,
    links: Floats,
    written: Floats,
    flags_of: Ints,
    plain_bits: tuple[int, ...],
    side_bits: tuple[int, int, int],
    sizes: tuple[float, float, float],
) -> Floats:
    """The evidence of each candidate: its shape, its run, what is beside it, what is written in it, its names."""
    box, is_right, near, run = _read(boxes), _read(right_side, np.int64), _read(nears), _read(runs)
    sibling, level, density, text = _read(siblings), _read(beside), _read(links), _read(written)
    flags = _read(flags_of, np.int64)
    height, column_share, left_share = sizes
    left_name, right_name, side_name = side_bits
    plain = len(plain_bits)
    columns = 26 + plain + 3
    found = made = _reals(columns * len(flags))
    for one in range(len(flags)):
        at = columns * one
        wide, high = box[4 * one + 2] - box[4 * one], box[4 * one + 3] - box[4 * one + 1]
        found[at] = 1.0
        found[at + 1] = min(max((column_share - wide) / column_share, 0.0), 1.0)
        found[at + 2] = near[5 * one]
        found[at + 3] = 1 - near[5 * one + 1]
        found[at + 4] = 1.0 if high / height > wide else 0.0
        if not is_right[one]:
            found[at + 5] = min(max((wide - left_share) / (column_share - left_share), 0.0), 1.0)
        found[at + 6] = near[5 * one + 2]
        found[at + 7] = near[5 * one + 3]
        found[at + 8] = run[one]
        found[at + 9] = sibling[2 * one]
        found[at + 10] = sibling[2 * one + 1]
        for number in range(7):
            found[at + 11 + number] = level[7 * one + number]
        found[at + 18] = density[one]
        found[at + 19] = text[6 * one]
        found[at + 20] = near[5 * one + 4]
        for number in range(1, 6):
            found[at + 20 + number] = text[6 * one + number]
        for number in range(plain):
            found[at + 26 + number] = 1.0 if flags[one] & plain_bits[number] else 0.0
        own, other = (right_name, left_name) if is_right[one] else (left_name, right_name)
        found[at + 26 + plain] = 1.0 if flags[one] & own else 0.0
        found[at + 27 + plain] = 1.0 if flags[one] & other else 0.0
        found[at + 28 + plain] = 1.0 if flags[one] & side_name else 0.0
    return np.asarray(made).reshape(len(flags), columns)
