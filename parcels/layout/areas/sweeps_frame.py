"""The passes over leaves, strips and whole partitions of a page: where header, footer and centre are.

Plain loops, compiled where there is a compiler, as in `sweeps`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.layout.areas.sweep_arrays import Floats, Ints, access

_read, _reals, _numbers = access(__file__)
NEVER = -1e9  # as an exponent: 0
BAR_SHARE, BAR_PX, BAR_LINKS, BAR_LEAVES = 0.4, 60.0, 0.8, 3  # what is a bar of links


def sweep_edges(long_text: Floats, boxes: Floats, height: float) -> tuple[float, float]:
    """Where the page's sentences begin and end: without the first and last twentieth of them."""
    prose, box = _read(long_text), _read(boxes)
    tops, bottoms = [], []
    total = 0.0
    for leaf in range(len(prose)):
        if prose[leaf] > 0 and box[4 * leaf + 1] == box[4 * leaf + 1]:
            tops.append((box[4 * leaf + 1], prose[leaf]))
            bottoms.append((box[4 * leaf + 3], prose[leaf]))
            total += prose[leaf]
    if not tops:
        return 0.35 * height, 0.8 * height
    tops.sort()
    bottoms.sort()
    return _reached(tops, 0.05 * total), _reached(bottoms, 0.95 * total)


def _reached(places: list[tuple[float, float]], share: float) -> float:
    """The place by which so many letters have been passed."""
    so_far = 0.0
    for place, letters in places:
        so_far += letters
        if so_far >= share:
            return place
    return places[-1][0]


def sweep_named(flags_of: Ints, above: Ints, mask: int) -> Ints:
    """For each part the outermost part around it, or itself, that is called so; -1 where none is."""
    flags, parent = _read(flags_of, np.int64), _read(above, np.int64)
    found = made = _numbers(len(flags), -1)
    for part in range(len(flags)):
        if parent[part] >= 0:
            found[part] = found[parent[part]]
        if found[part] < 0 and flags[part] & mask:
            found[part] = part
    return np.asarray(made, np.int64)


def sweep_leaves(
    boxes: Floats,
    rectangles: Floats,
    above: Ints,
    of_leaf: Ints,
    long_text: Floats,
    rights: Sequence[int],
    footer_of: Ints,
    height: float,
) -> Floats:
    """Place and order of each leaf, 18 numbers; 1 to 4 and 7 to 11 as exponents yet."""
    box, around, parent = _read(boxes), _read(rectangles), _read(above, np.int64)
    inner, prose, footer = _read(of_leaf, np.int64), _read(long_text), _read(footer_of, np.int64)
    count = len(inner)
    found = made = _reals(18 * count)
    total = 0.0
    for leaf in range(count):
        total += prose[leaf]
    has_long, total = total > 0, max(total, 1.0)
    late = count
    for leaf in range(count // 2 + count % 2, count):
        if rights[leaf]:
            late = leaf
            break
    so_far = 0.0
    for leaf in range(count):
        at = 18 * leaf
        top, bottom = box[4 * leaf + 1], box[4 * leaf + 3]
        found[at] = 1.0
        found[at + 6] = 0.0
        if top != top:
            part = inner[leaf]
            while part > 0 and around[4 * part + 1] != around[4 * part + 1]:
                part = parent[part]
            top, bottom = around[4 * part + 1], around[4 * part + 3]
            if top != top:
                top = bottom = 0.5
            found[at + 6] = 1.0
        up = height - bottom
        found[at + 1] = max(top, 0.0) / -80.0
        found[at + 2] = max(top, 0.0) / -300.0
        found[at + 3] = max(up, 0.0) / -80.0
        found[at + 4] = max(up, 0.0) / -300.0
        found[at + 5] = min(max(top / height, 0.0), 1.0)
        back = count - 1.0 - leaf
        found[at + 7] = leaf / -8.0
        found[at + 8] = leaf / -30.0
        found[at + 9] = back / -8.0
        found[at + 10] = back / -30.0
        found[at + 11] = NEVER
        if footer[inner[leaf]] >= 0:
            lowest = around[4 * footer[inner[leaf]] + 3]
            if lowest == lowest:
                found[at + 11] = max(height - lowest, 0.0) / -300.0
        found[at + 12] = leaf / (count * 1.0)
        before = so_far / total
        so_far += prose[leaf]
        after = (total - so_far) / total if has_long else 0.0
        found[at + 13] = 1.0 if before <= 0.01 else 0.0
        found[at + 14] = 1.0 if after <= 0.01 else 0.0
        found[at + 15] = before
        found[at + 16] = 1.0 if rights[leaf] else 0.0
        found[at + 17] = 1.0 if leaf >= late else 0.0
    return np.asarray(made).reshape(count, 18)


def sweep_strips(
    strips: Ints,
    rectangles: Floats,
    links: Floats,
    leaf_share: Floats,
    leaf_count: int,
    legal: Floats,
    linked: Floats,
    edges: tuple[float, float],
    height: float,
) -> Floats:
    """14 numbers a strip; 2 to 8 as exponents yet."""
    chosen, around, density, share = _read(strips, np.int64), _read(rectangles), _read(links), _read(leaf_share)
    named, links_in = _read(legal), _read(linked)
    above, below = edges
    found = made = _reals(14 * len(chosen))
    for number in range(len(chosen)):
        part, at = chosen[number], 14 * number
        top, bottom = around[4 * part + 1], around[4 * part + 3]
        up = max(height - bottom, 0.0)
        found[at] = 1.0
        found[at + 1] = min(max(around[4 * part + 2] - around[4 * part], 0.0), 1.0)
        found[at + 2] = max(top, 0.0) / -80.0
        found[at + 3] = max(top, 0.0) / -300.0
        found[at + 4] = max(bottom, 0.0) / -250.0
        found[at + 5] = up / -80.0
        found[at + 6] = up / -300.0
        found[at + 7] = max(height - top, 0.0) / -250.0
        is_mute = links_in[part] <= 0 and named[part] <= 0
        found[at + 8] = (share[part] * leaf_count - 1.0) / -2.0 if is_mute else NEVER
        found[at + 9] = density[part]
        found[at + 10] = min(share[part], 0.5) * 2
        found[at + 11] = 1.0 if bottom <= above + 5 else 0.0
        found[at + 12] = 1.0 if top >= below - 5 else 0.0
        found[at + 13] = 1.0 if named[part] > 0 else 0.0
    return np.asarray(made).reshape(len(chosen), 14)


def sweep_rows(
    places: Floats,
    strips: Floats,
    strip_of: Ints,
    flags_of: Ints,
    of_leaf: Ints,
    links: NDArray[Any],
    long_text: Floats,
    text: Floats,
    kinds: Sequence[str],
    flag_count: int,
    pairs: tuple[Ints, Ints],
) -> Floats:
    """The evidence of each leaf: place and order, its strip, flags, itself, and products of two of those."""
    place, strip, number = _read(places), _read(strips), _read(strip_of, np.int64)
    flags, inner, is_link = _read(flags_of, np.int64), _read(of_leaf, np.int64), _read(links, np.int64)
    prose, is_text = _read(long_text), _read(text)
    firsts, seconds = _read(pairs[0], np.int64), _read(pairs[1], np.int64)
    count, products = len(inner), len(firsts)
    columns = 18 + 14 + flag_count + 4 + products
    found = made = _reals(columns * count)
    for leaf in range(count):
        row = columns * leaf
        for at in range(18):
            found[row + at] = place[18 * leaf + at]
        if number[leaf] >= 0:
            for at in range(14):
                found[row + 18 + at] = strip[14 * number[leaf] + at]
        of_part = flags[inner[leaf]]
        for at in range(flag_count):
            found[row + 32 + at] = (of_part >> at) & 1
        at = row + 32 + flag_count
        found[at] = is_link[leaf]
        found[at + 1] = 1.0 if prose[leaf] > 0 else 0.0
        found[at + 2] = is_text[leaf]
        found[at + 3] = 1.0 if kinds[leaf] == "img" else 0.0
        for pair in range(products):
            found[at + 4 + pair] = found[row + firsts[pair]] * found[row + seconds[pair]]
    return np.asarray(made, np.float64).reshape(count, columns)


def sweep_gains(scores: Floats, side: Floats, right_side: NDArray[Any], of_leaf: Ints, most: float) -> Floats:
    """What each leaf says for header, footer, left, right and centre, within bounds; a column speaks for its leaves."""
    frame, column, is_right = _read(scores), _read(side), _read(right_side, np.int64)
    number = _read(of_leaf, np.int64)
    found = made = _reals(5 * len(number), -most)
    for leaf in range(len(number)):
        at, one = 5 * leaf, number[leaf]
        found[at] = min(max(frame[2 * leaf], -most), most)
        found[at + 1] = min(max(frame[2 * leaf + 1], -most), most)
        found[at + 4] = 0.0
        if one >= 0:
            found[at + 3 if is_right[one] else at + 2] = min(max(column[one], -most), most)
    return np.asarray(made).reshape(len(number), 5)


def sweep_partition(
    gains: Floats,
    above: Ints,
    last_part: Ints,
    first_leaf: Ints,
    end_leaf: Ints,
    of_leaf: Ints,
    price: float,
    further: float,
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The parts (part, area) and single leaves (leaf, area) that gain most over a page that is all centre."""
    gain, parent, last = _read(gains), _read(above, np.int64), _read(last_part, np.int64)
    first, end, inner = _read(first_leaf, np.int64), _read(end_leaf, np.int64), _read(of_leaf, np.int64)
    parts, leaves = len(parent), len(inner)
    running = _reals(5 * (leaves + 1))
    alone, alone_area = _reals(leaves), _numbers(leaves, 4)
    whole, whole_area = _reals(parts), _numbers(parts, 4)
    pieces, takes_whole = _reals(parts), _numbers(parts)
    for leaf in range(leaves):
        for area in range(4):
            value = gain[5 * leaf + area]
            running[5 * leaf + 5 + area] = running[5 * leaf + area] + value
            if value - price > alone[leaf]:
                alone[leaf], alone_area[leaf] = value - price, area
        pieces[inner[leaf]] += alone[leaf]
    for part in range(parts - 1, -1, -1):  # children come before their parents
        for area in range(4):
            value = running[5 * end[part] + area] - running[5 * first[part] + area] - price
            if value > whole[part]:
                whole[part], whole_area[part] = value, area
        best = pieces[part]
        if whole[part] > 0.0 and whole[part] >= best:
            takes_whole[part] = 1
            best = whole[part]
        if part:
            pieces[parent[part]] += best
    regions, singles = [], []
    most = _reals(5)  # what the largest piece of each area gains
    part, leaf = 0, 0
    while part < parts:
        if takes_whole[part]:
            regions.append((part, whole_area[part]))
            most[whole_area[part]] = max(most[whole_area[part]], whole[part])
            for leaf in range(first[part], end[part]):
                alone_area[leaf] = 4
            part = last[part]
        part += 1
    for leaf in range(leaves):
        if alone_area[leaf] != 4:
            singles.append((leaf, alone_area[leaf]))
            most[alone_area[leaf]] = max(most[alone_area[leaf]], alone[leaf])
    return (
        [(part, area) for part, area in regions if whole[part] >= min(most[area], further - price)],
        [(leaf, area) for leaf, area in singles if alone[leaf] >= min(most[area], further - price)],
    )


def sweep_bars(
    rectangles: Floats, links: Floats, first_leaf: Ints, end_leaf: Ints, part_area: NDArray[Any], lowest: float
) -> list[int]:
    """The parts of the centre that are bars of links below `lowest`, from above."""
    box, density = _read(rectangles), _read(links)
    first, end, area = _read(first_leaf, np.int64), _read(end_leaf, np.int64), _read(part_area, np.int64)
    found = []
    for part in range(len(first)):
        at = 4 * part
        if (
            area[part] == 4
            and end[part] - first[part] >= BAR_LEAVES
            and density[part] >= BAR_LINKS
            and box[at + 2] - box[at] >= BAR_SHARE
            and box[at + 3] - box[at + 1] <= BAR_PX
            and box[at + 3] > lowest
        ):
            found.append((box[at + 1], part))
    return [part for _, part in sorted(found)]
