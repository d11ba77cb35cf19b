"""Context features of neighbours: what stands right before and after a block, and the heading that it stands under."""

from dataclasses import dataclass

import numpy as np

from parcels.compiled import loaded
from parcels.views.arrays import safe
from parcels.views.look import Bools, Column, Floats, Ints, Look

group_loops = loaded("parcels.views.group_loops")  # None where it is not compiled: the same by NumPy, slower

MAX_HEADING_CHARS = 70
MAX_UNDER = 80  # blocks that one heading can govern in a wide element
LEVELS_OVER_LIST = 3
FAR = 30
REACH = 2  # neighbours on each side whose values are features


@dataclass(frozen=True, slots=True)
class Headings:
    """The headings of a page: real ones, and short blocks in larger or bolder type."""

    is_heading: Ints
    over: Ints  # of each block: the heading that it stands under; -1 without
    over_list: Ints  # of each block: the short block right before its list; -1 without
    of_branch: Ints  # of each block: the first block of its branch, where that is short; -1 without


def headings(look: Look) -> Headings:
    """For each block the last heading before it whose element, or the one around that, holds the block too."""
    nodes, of, size = look.page.nodes, look.groups, len(look)
    if group_loops is not None and size:
        found = np.empty((4, size), np.int64)
        group_loops.headings(
            look.chars, look.words, look.heading_level, look.link_share, look.font_size, look.font_weight,
            look.container, nodes.parent, of.first_block, of.end_block, of.list_, look.branch, look.anchors.of_node,
            MAX_HEADING_CHARS, MAX_UNDER, LEVELS_OVER_LIST, *found,
        )  # fmt: skip
        return Headings(*found)
    is_short = (look.chars <= MAX_HEADING_CHARS) & (look.words > 0)
    is_heading = look.heading_level > 0
    is_heading |= is_short & (look.link_share < 0.5) & ((look.font_size > 1.15) | (look.font_weight >= 2))
    parent, first, end = nodes.parent, of.first_block, of.end_block
    over = np.full(size, -1, np.int64)
    for block in np.flatnonzero(is_heading).tolist():
        at = int(look.container[block])
        for _ in range(2):  # the smallest element that goes on behind the heading, then the next one that goes further
            reach = int(end[at])
            while at > 0 and (end[at] <= block + 1 or end[at] <= reach):
                at = int(parent[at])
            if end[at] - first[at] <= MAX_UNDER or over[min(block + 1, len(over) - 1)] != block:
                over[block + 1 : end[at]] = block
    return Headings(is_heading.astype(np.int64), over, _over_lists(look, is_short), _of_branches(look, is_short))


def _over_lists(look: Look, is_short: Bools) -> Ints:
    parent, of = look.page.nodes.parent, look.groups
    found: dict[int, int] = {0: -1}
    for row in np.unique(of.list_).tolist():
        before, at = int(of.first_block[row]) - 1, row
        for _ in range(LEVELS_OVER_LIST):
            at = max(int(parent[at]), 0)
            if of.first_block[at] <= before:
                break
        is_there = row > 0 and before >= 0 and of.first_block[at] <= before and is_short[before]
        found[row] = before if is_there else -1
    return np.array([found[row] for row in of.list_.tolist()], np.int64)


def _of_branches(look: Look, is_short: Bools) -> Ints:
    first = np.minimum(look.groups.first_block[look.branch], len(look) - 1)
    return np.where(is_short[first] & (look.anchors.of_node[look.branch] < 0.5), first, -1).astype(np.int64)


def under_distance(look: Look) -> Floats:
    """Blocks back to the heading over the block, up to FAR; -1 without."""
    over = look.headings.over
    return np.asarray(np.where(over >= 0, np.minimum(np.arange(len(look)) - over, FAR), -1), np.float32)


def under_title(look: Look) -> Floats:
    """1 where the heading over the block is the page's headline."""
    return np.asarray((look.headings.over >= 0) & (look.headings.over == look.anchors.title), np.float32)


def under_is_late(look: Look) -> Floats:
    """1 where the heading over the block stands behind the last block of running text."""
    return np.asarray(look.headings.over > look.anchors.last, np.float32)


def is_heading(look: Look) -> Floats:
    """1 for headings and what looks like one."""
    return look.headings.is_heading.astype(np.float32)


def gap_before(look: Look) -> Floats:
    """Space between the block's box and that of the block before it in px, on a signed logarithmic scale."""
    return _gap(look.box[:, 1] - _moved(look.box[:, 3], 1))


def gap_after(look: Look) -> Floats:
    """Space between the block's box and that of the block behind it in px, on a signed logarithmic scale."""
    return _gap(_moved(look.box[:, 1], -1) - look.box[:, 3])


def _gap(px: Floats) -> Floats:
    return safe(np.sign(px) * np.log1p(np.abs(px)))


def _moved(values: Floats, by: int) -> Floats:
    """The values of the block `by` places before (negative: behind); NaN beyond the ends."""
    moved = np.full(len(values), np.nan, np.float32)
    if by > 0:
        moved[by:] = values[: len(values) - by]
    else:
        moved[: len(values) + by] = values[-by:]
    return moved


def _chars(look: Look) -> Floats:
    return np.log1p(look.chars)


def _link_share(look: Look) -> Floats:
    return look.link_share


def _images(look: Look) -> Floats:
    return look.total(look.leaf_is("img"))


def _tag(look: Look) -> Floats:
    return look.tag.astype(np.float32)


def _left(look: Look) -> Floats:
    return look.box[:, 0] / look.layout.width


VALUES: dict[str, Column] = {
    "chars": _chars, "link_share": _link_share, "images": _images, "heading": is_heading, "tag": _tag, "left": _left,
}  # fmt: skip


def of_neighbours(look: Look) -> Floats:
    """What neighbours say, a row a value of VALUES, with room for those beyond both ends of the page."""
    found = np.full((len(VALUES), len(look) + 2 * REACH), np.nan, np.float32)
    for row, value in zip(found, VALUES.values(), strict=True):
        row[REACH : REACH + len(look)] = value(look)
    return safe(found)


def _of_neighbour(name: str, by: int) -> Column:
    value = list(VALUES).index(name)

    def neighbour(look: Look) -> Floats:
        return look.of_neighbours[value, REACH - by : REACH - by + len(look)]

    neighbour.__name__ = f"{name}_{'before' if by > 0 else 'after'}_{abs(by)}"
    neighbour.__doc__ = f"`{name}` of the block {abs(by)} {'before' if by > 0 else 'behind'}."
    return neighbour


def same_parent_before(look: Look) -> Floats:
    """1 where the block before stands in the same parent."""
    return np.asarray(_moved(look.parent.astype(np.float32), 1) == look.parent, np.float32)


def same_parent_after(look: Look) -> Floats:
    """1 where the block behind stands in the same parent."""
    return np.asarray(_moved(look.parent.astype(np.float32), -1) == look.parent, np.float32)


PLACED: tuple[Column, ...] = (
    under_distance, under_title, under_is_late, is_heading, gap_before, gap_after, same_parent_before,
    same_parent_after,
)  # fmt: skip


NEIGHBOURS: tuple[Column, ...] = (
    *(_of_neighbour(name, by) for by in (2, 1, -1, -2) for name in ("chars", "link_share", "images", "heading")),
    *(_of_neighbour(name, by) for by in (1, -1) for name in ("tag", "left")),
)
