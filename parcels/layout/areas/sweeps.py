"""The passes over a page's leaves, parts and columns that cost time: plain loops, compiled where there is a compiler.

Inside, tables are flat, row after row, since a flat list and a flat array are indexed alike. Interpreted, the loops
read lists; compiled, the same lines read arrays (C types: `sweeps.pxd`), and give the same numbers to the bit.
What the numbers mean is said where the sweeps are called: `scene`, `names`, `features`, `columns`, `partition`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.layout.areas.sweep_arrays import Floats, Ints, access

_read, _reals, _numbers = access(__file__)
NAN = float("nan")


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
    made = _numbers(count), _numbers(count), _numbers(count), _numbers(count)
    holders, first_holder, row, part_parent = made
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
    ends = _numbers(parts), _numbers(parts), _numbers(parts)
    last, part_first, part_end = ends
    for part in range(parts):
        last[part] = part
        part_first[part] = first[row[part]]
        part_end[part] = end[row[part]]
    for part in range(parts - 1, 0, -1):
        up = part_parent[part]
        if up >= 0 and last[part] > last[up]:
            last[up] = last[part]
    of_leaf = inner = _numbers(leaves)
    for leaf in range(leaves):
        of_leaf[leaf] = part_of[node[leaf]]
    return (
        np.asarray(made[0][:held], np.int64),
        *[np.asarray(column[:parts], np.int64) for column in made[1:]],
        *[np.asarray(column, np.int64) for column in ends],
        np.asarray(inner, np.int64),
    )


def sweep_shares(
    leaves: NDArray[Any], hidden: Sequence[str | None], width: float, height: float
) -> tuple[float, Floats]:
    """The page's height, and a row a leaf: left and right as shares of the page's extent, top and bottom in px."""
    box = _read(leaves)
    count = len(hidden)
    found = made = _reals(4 * count, NAN)
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
    return max(lowest if lowest > -1e30 else height, 1.0), np.asarray(made).reshape(count, 4)


def sweep_text(
    kinds: Sequence[str], texts: Sequence[str], links: NDArray[Any], least: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Of each leaf: whether it is text, its letters, those in links, those of sentences outside links."""
    is_link = _read(links, np.int64)
    count = len(kinds)
    made = _reals(count), _reals(count), _reals(count), _reals(count)
    is_text, letters, linked, prose = made
    for leaf in range(count):
        if kinds[leaf] == "text":
            is_text[leaf] = 1.0
            size = len(texts[leaf])
            letters[leaf] = size
            if is_link[leaf]:
                linked[leaf] = size
            elif size >= least:
                prose[leaf] = size
    return np.asarray(made[0]), np.asarray(made[1]), np.asarray(made[2]), np.asarray(made[3])


def sweep_rectangles(boxes: Floats, above: Ints, of_leaf: Ints) -> Floats:
    """The rectangle around the seen leaves of each part; NaN where none is seen."""
    box, parent, inner = _read(boxes), _read(above, np.int64), _read(of_leaf, np.int64)
    parts = len(parent)
    found = made = _reals(4 * parts, NAN)
    for leaf in range(len(inner)):
        if box[4 * leaf] == box[4 * leaf]:
            _widen(found, 4 * inner[leaf], box[4 * leaf], box[4 * leaf + 1], box[4 * leaf + 2], box[4 * leaf + 3])
    for part in range(parts - 1, 0, -1):
        at = 4 * part
        if found[at] == found[at] and parent[part] >= 0:
            _widen(found, 4 * parent[part], found[at], found[at + 1], found[at + 2], found[at + 3])
    return np.asarray(made).reshape(parts, 4)


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
    found = made = _reals(len(parent))
    for leaf in range(len(inner)):
        found[inner[leaf]] += value[leaf]
    for part in range(len(parent) - 1, 0, -1):
        if parent[part] >= 0:
            found[parent[part]] += found[part]
    return np.asarray(made)


def sweep_outermost(
    rectangles: Floats, is_across: bool, most: float, last_part: Ints, first_leaf: Ints, end_leaf: Ints, leaves: int
) -> tuple[Ints, Ints]:
    """The parts no wider (or higher) than `most` that are in no other such, and for each leaf the number of its own."""
    box, last = _read(rectangles), _read(last_part, np.int64)
    first, end = _read(first_leaf, np.int64), _read(end_leaf, np.int64)
    parts = len(last)
    made = _numbers(parts), _numbers(leaves, -1)
    chosen, of_leaf = made
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
    return np.asarray(made[0][:count], np.int64), np.asarray(made[1], np.int64)


def sweep_own_flags(
    rows: list[int],
    tags: list[int],
    attributes: Sequence[Mapping[str, str]],
    of_tag: list[int],
    is_phrase: list[bool],
    of_name: Mapping[str, int],
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
                    flags = of_name[name]
                name = given.get("id")
                if name:
                    flags |= of_name[name]
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
    found = made = _numbers(parts)
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
    return np.asarray(made, np.int64)
