"""The passes over a page's leaves, parts and columns that cost time: plain loops, compiled where there is a compiler.

Inside, tables are flat, row after row, since a flat list and a flat array are indexed alike. Interpreted, the loops
read lists; compiled, the same lines read arrays (C types: `sweeps.pxd`), and give the same numbers to the bit.
What the numbers mean is said where the sweeps are called: `scene`, `names`, `features`, `columns`, `partition`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_IS_COMPILED = not __file__.endswith(".py")
NAN = float("nan")
EDGE_SHARE = 0.10  # of the page's width: lines are ragged, so a column's leaves end short of the page's edge
TALL_PX = 300.0
EQUAL_GAP = 1.0  # of its width: columns of a grid stand close; the same width across a wide text is another side
SHORT_LINK, LONG_LINK = 30, 40  # letters: an entry of a menu is not longer, a headline is
BAR_SHARE, BAR_PX, BAR_LINKS, BAR_LEAVES = 0.4, 60.0, 0.8, 3  # what is a bar of links


def _read(values: NDArray[Any], kind: type = np.float64) -> Any:
    """An array as the loops read it: flat, of one kind."""
    flat: NDArray[Any] = np.ascontiguousarray(values, kind).ravel()
    return flat if _IS_COMPILED else flat.tolist()


def _reals(count: int, value: float = 0.0) -> Any:
    """A table to be filled."""
    return np.full(count, value) if _IS_COMPILED else [value] * count


def _numbers(count: int, value: int = 0) -> Any:
    return np.full(count, value, np.int64) if _IS_COMPILED else [value] * count


def sweep_parts(
    first_leaf: NDArray[Any], end_leaf: NDArray[Any], above: NDArray[Any], leaf_node: NDArray[Any]
) -> tuple[Ints, ...]:
    """The columns of `Parts`."""
    first, end, parent, node = (
        _read(first_leaf, np.int64),
        _read(end_leaf, np.int64),
        _read(above, np.int64),
        _read(leaf_node, np.int64),
    )
    count, leaves = len(first), len(node)
    part_of = _numbers(count, -1)  # of each row
    holders, first_holder, row, part_parent = _numbers(count), _numbers(count), _numbers(count), _numbers(count)
    held = parts = 0
    for at in range(count):
        if end[at] <= first[at]:
            continue
        up = parent[at]
        outer = part_of[up] if up >= 0 else -1
        if outer < 0 or first[at] != first[up] or end[at] != end[up]:
            first_holder[parts] = held
            row[parts] = at
            part_parent[parts] = outer
            parts += 1
        part_of[at] = parts - 1  # an element around the same leaves follows its parent at once
        holders[held] = at
        held += 1
    last, part_first, part_end = _numbers(parts), _numbers(parts), _numbers(parts)
    for part in range(parts):
        last[part] = part
        part_first[part] = first[row[part]]
        part_end[part] = end[row[part]]
    for part in range(parts - 1, 0, -1):
        up = part_parent[part]
        if up >= 0 and last[part] > last[up]:
            last[up] = last[part]
    of_leaf = _numbers(leaves)
    for leaf in range(leaves):
        of_leaf[leaf] = part_of[node[leaf]]
    return (
        np.asarray(holders[:held], np.int64),
        np.asarray(first_holder[:parts], np.int64),
        np.asarray(row[:parts], np.int64),
        np.asarray(part_parent[:parts], np.int64),
        np.asarray(last, np.int64),
        np.asarray(part_first, np.int64),
        np.asarray(part_end, np.int64),
        np.asarray(of_leaf, np.int64),
    )


def sweep_shares(
    leaves: NDArray[Any], hidden: Sequence[str | None], width: float, height: float
) -> tuple[float, Floats]:
    """The page's height, and a row a leaf: left and right as shares of the page's extent, top and bottom in px."""
    box = _read(leaves)
    count = len(hidden)
    found = _reals(4 * count, NAN)
    start, stop, lowest = 1e30, -1e30, -1e30
    for leaf in range(count):
        at = 4 * leaf
        right, bottom = box[at] + box[at + 2], box[at + 1] + box[at + 3]
        # Comparisons with NaN are false, so that what has no box is not seen.
        if hidden[leaf] is None and box[at + 2] > 0 and box[at + 3] > 0 and 0 < right < 1e30 and 0 < bottom < 1e30:
            found[at] = box[at]
            lowest = max(lowest, bottom)
            if right <= 1.1 * width:
                start = min(start, box[at])
                stop = max(stop, right)
    start = max(start, 0.0) if stop > -1e30 else 0.0
    extent = max((stop if stop > -1e30 else width) - start, 1.0)
    for leaf in range(count):
        at = 4 * leaf
        if found[at] == found[at]:
            found[at] = min(max((box[at] - start) / extent, -0.2), 1.2)
            found[at + 1] = box[at + 1]
            found[at + 2] = min(max((box[at] + box[at + 2] - start) / extent, -0.2), 1.2)
            found[at + 3] = box[at + 1] + box[at + 3]
    return max(lowest if lowest > -1e30 else height, 1.0), np.asarray(found).reshape(count, 4)


def sweep_text(
    kinds: Sequence[str], texts: Sequence[str], links: NDArray[Any], least: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Of each leaf: whether it is text, its letters, those in links, those of sentences outside links."""
    is_link = _read(links, np.int64)
    count = len(kinds)
    is_text, letters, linked, prose = _reals(count), _reals(count), _reals(count), _reals(count)
    for leaf in range(count):
        if kinds[leaf] == "text":
            is_text[leaf] = 1.0
            size = len(texts[leaf])
            letters[leaf] = size
            if is_link[leaf]:
                linked[leaf] = size
            elif size >= least:
                prose[leaf] = size
    return np.asarray(is_text), np.asarray(letters), np.asarray(linked), np.asarray(prose)


def sweep_rectangles(boxes: Floats, above: Ints, of_leaf: Ints) -> Floats:
    """The rectangle around the seen leaves of each part; NaN where none is seen."""
    box, parent, inner = _read(boxes), _read(above, np.int64), _read(of_leaf, np.int64)
    parts = len(parent)
    found = _reals(4 * parts, NAN)
    for leaf in range(len(inner)):
        if box[4 * leaf] == box[4 * leaf]:
            _widen(found, 4 * inner[leaf], box[4 * leaf], box[4 * leaf + 1], box[4 * leaf + 2], box[4 * leaf + 3])
    for part in range(parts - 1, 0, -1):
        at = 4 * part
        if found[at] == found[at] and parent[part] >= 0:
            _widen(found, 4 * parent[part], found[at], found[at + 1], found[at + 2], found[at + 3])
    return np.asarray(found).reshape(parts, 4)


def _widen(found: Any, at: int, left: float, top: float, right: float, bottom: float) -> None:
    if found[at] != found[at]:
        found[at], found[at + 1], found[at + 2], found[at + 3] = left, top, right, bottom
        return
    found[at] = min(found[at], left)
    found[at + 1] = min(found[at + 1], top)
    found[at + 2] = max(found[at + 2], right)
    found[at + 3] = max(found[at + 3], bottom)


def sweep_sums(values: NDArray[Any], above: Ints, of_leaf: Ints) -> Floats:
    """The sum of whole numbers of leaves over each part."""
    value, parent, inner = _read(values), _read(above, np.int64), _read(of_leaf, np.int64)
    found = _reals(len(parent))
    for leaf in range(len(inner)):
        found[inner[leaf]] += value[leaf]
    for part in range(len(parent) - 1, 0, -1):
        if parent[part] >= 0:
            found[parent[part]] += found[part]
    return np.asarray(found)


def sweep_outermost(
    rectangles: Floats, is_across: bool, most: float, last_part: Ints, first_leaf: Ints, end_leaf: Ints, leaves: int
) -> tuple[Ints, Ints]:
    """The parts no wider (or higher) than `most` that are in no other such, and for each leaf the number of its own."""
    box, last = _read(rectangles), _read(last_part, np.int64)
    first, end = _read(first_leaf, np.int64), _read(end_leaf, np.int64)
    parts = len(last)
    chosen, of_leaf = _numbers(parts), _numbers(leaves, -1)
    low, high = (0, 2) if is_across else (1, 3)
    count, part = 0, 0
    while part < parts:
        if box[4 * part + high] - box[4 * part + low] <= most:
            for leaf in range(first[part], end[part]):
                of_leaf[leaf] = count
            chosen[count] = part
            count += 1
            part = last[part]
        part += 1
    return np.asarray(chosen[:count], np.int64), np.asarray(of_leaf, np.int64)


def sweep_own_flags(
    rows: list[int],
    tags: list[int],
    attributes: Sequence[Mapping[str, str]],
    of_tag: list[int],
    is_phrase: list[bool],
    of_name: Callable[[str], int],
    of_role: dict[str, int],
    ad: int,
    banner: int,
) -> list[int]:
    """What each element says itself; what is called an ad is no banner of the page, and a phrase names no area."""
    found = []
    for at in range(len(rows)):
        flags, tag = 0, tags[at]
        if not is_phrase[tag]:
            given = attributes[rows[at]]
            if given:
                name = given.get("class")
                if name:
                    flags = of_name(name)
                name = given.get("id")
                if name:
                    flags |= of_name(name)
                name = given.get("role")
                if name:
                    flags |= of_role.get(name.strip().lower(), 0)
                if flags & ad:
                    flags &= ~banner
        found.append(flags | of_tag[tag])
    return found


def sweep_inherited(
    own_flags: Ints, first_holder: Ints, above: Ints, leaf_share: Floats, most: float, masks: tuple[int, ...]
) -> Ints:
    """For each part the flags of itself and of the parts around it."""
    own, first, parent = _read(own_flags, np.int64), _read(first_holder, np.int64), _read(above, np.int64)
    share = _read(leaf_share)
    of_wrapper, in_article, of_header, inner_header, of_footer, inner_footer, of_part, of_content = masks
    parts, holders = len(first), len(own)
    found = _numbers(parts)
    for part in range(parts):
        flags = 0
        for holder in range(first[part], first[part + 1] if part + 1 < parts else holders):
            flags |= own[holder]
        if share[part] > most:
            flags &= of_wrapper
        given = found[parent[part]] if parent[part] >= 0 else 0
        if given & in_article:
            if flags & of_header:
                flags = (flags & ~of_header) | inner_header
            if flags & of_footer:
                flags = (flags & ~of_footer) | inner_footer
        if flags & of_part:
            given &= ~of_content
        found[part] = given | flags
    return np.asarray(found, np.int64)


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


def sweep_leaves(
    boxes: Floats,
    rectangles: Floats,
    above: Ints,
    of_leaf: Ints,
    long_text: Floats,
    rights: Sequence[int],
    height: float,
) -> Floats:
    """Place and order of each leaf, 17 numbers; 1 to 4 and 7 to 10 as exponents yet."""
    box, around, parent = _read(boxes), _read(rectangles), _read(above, np.int64)
    inner, prose = _read(of_leaf, np.int64), _read(long_text)
    count = len(inner)
    found = _reals(17 * count)
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
        at = 17 * leaf
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
        found[at + 11] = leaf / (count * 1.0)
        before = so_far / total
        so_far += prose[leaf]
        after = (total - so_far) / total if has_long else 0.0
        found[at + 12] = 1.0 if before <= 0.01 else 0.0
        found[at + 13] = 1.0 if after <= 0.01 else 0.0
        found[at + 14] = before
        found[at + 15] = 1.0 if rights[leaf] else 0.0
        found[at + 16] = 1.0 if leaf >= late else 0.0
    return np.asarray(found).reshape(count, 17)


def sweep_strips(
    strips: Ints,
    rectangles: Floats,
    links: Floats,
    leaf_share: Floats,
    legal: Floats,
    edges: tuple[float, float],
    height: float,
) -> Floats:
    """13 numbers a strip; 2 to 7 as exponents yet."""
    chosen, around, density, share = _read(strips, np.int64), _read(rectangles), _read(links), _read(leaf_share)
    named = _read(legal)
    above, below = edges
    found = _reals(13 * len(chosen))
    for number in range(len(chosen)):
        part, at = chosen[number], 13 * number
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
        found[at + 8] = density[part]
        found[at + 9] = min(share[part], 0.5) * 2
        found[at + 10] = 1.0 if bottom <= above + 5 else 0.0
        found[at + 11] = 1.0 if top >= below - 5 else 0.0
        found[at + 12] = 1.0 if named[part] > 0 else 0.0
    return np.asarray(found).reshape(len(chosen), 13)


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
    columns = 17 + 13 + flag_count + 4 + products
    found = _reals(columns * count)
    for leaf in range(count):
        row = columns * leaf
        for at in range(17):
            found[row + at] = place[17 * leaf + at]
        if number[leaf] >= 0:
            for at in range(13):
                found[row + 17 + at] = strip[13 * number[leaf] + at]
        of_part = flags[inner[leaf]]
        for at in range(flag_count):
            found[row + 30 + at] = (of_part >> at) & 1
        at = row + 30 + flag_count
        found[at] = is_link[leaf]
        found[at + 1] = 1.0 if prose[leaf] > 0 else 0.0
        found[at + 2] = is_text[leaf]
        found[at + 3] = 1.0 if kinds[leaf] == "img" else 0.0
        for pair in range(products):
            found[at + 4 + pair] = found[row + firsts[pair]] * found[row + seconds[pair]]
    return np.asarray(found, np.float64).reshape(count, columns)


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


def sweep_gains(scores: Floats, side: Floats, right_side: NDArray[Any], of_leaf: Ints, most: float) -> Floats:
    """What each leaf says for header, footer, left, right and centre, within bounds; a column speaks for its leaves."""
    frame, column, is_right = _read(scores), _read(side), _read(right_side, np.int64)
    number = _read(of_leaf, np.int64)
    found = _reals(5 * len(number), -most)
    for leaf in range(len(number)):
        at, one = 5 * leaf, number[leaf]
        found[at] = min(max(frame[2 * leaf], -most), most)
        found[at + 1] = min(max(frame[2 * leaf + 1], -most), most)
        found[at + 4] = 0.0
        if one >= 0:
            found[at + 3 if is_right[one] else at + 2] = min(max(column[one], -most), most)
    return np.asarray(found).reshape(len(number), 5)


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
