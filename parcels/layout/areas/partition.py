# cython: infer_types=True, wraparound=False
"""The partition of a page into areas that explains the leaves' scores best.

A whole part goes to an area when its leaves' advantage over the centre, taken together, is larger than the price of one
more part. Leaves outside all parts are the centre. An area is seldom in pieces: pieces besides its largest must gain
more than the price, or a leaf that only resembles a header joins the header from afar.
"""

from typing import Any

import numpy as np

from parcels.layout.areas.map import CENTRE, HEADER, AreaMap
from parcels.layout.areas.part_table import PartTable

Pieces = list[tuple[int, int]]
AREA_COUNT = CENTRE + 1
BAR_SHARE, BAR_PX, BAR_LINKS, BAR_LEAVES = 0.4, 60.0, 0.8, 3  # limits of a bar of links
BAR_GAP_PX = 30.0  # between the header and a bar of links that belongs to it


def partition(page_parts: PartTable, gains: Any, price: float, min_gain: float = 0.0) -> tuple[Pieces, Pieces]:
    """Return the parts (part, area) and single leaves (leaf, area) that gain most over an all-centre page.

    `gains` has one row per leaf and one column per area, the centre last: the leaf's gain over the centre.
    `min_gain` is the least that a piece of an area must gain besides the area's largest.
    """
    return cut(page_parts, _flat(page_parts, gains), price, min_gain)


def areas_by_gains(page_parts: PartTable, gains: Any, price: float, min_gain: float) -> AreaMap:
    """Return the area map for each leaf's gain in each area."""
    return area_map(page_parts, _flat(page_parts, gains), price, min_gain)


def _flat(page_parts: PartTable, gains: Any) -> Any:
    if gains.shape != (page_parts.leaf_count, AREA_COUNT):
        raise ValueError(f"gains of {gains.shape} for a page of {page_parts.leaf_count} leaves")
    return np.ascontiguousarray(gains, np.float64).reshape(-1)


def cut(page_parts: PartTable, gain: Any, price: float, min_gain: float) -> tuple[Pieces, Pieces]:
    """Compute `partition` on flat gains."""
    store, parts, leaves = page_parts.store, page_parts.part_count, page_parts.leaf_count
    parent, first, end = page_parts.parent, page_parts.first, page_parts.end
    running = store.filled_doubles(AREA_COUNT * (leaves + 1), 0.0)
    alone, alone_area = store.filled_doubles(leaves, 0.0), store.filled_ints(leaves, CENTRE)
    whole, whole_area = store.filled_doubles(parts, 0.0), store.filled_ints(parts, CENTRE)
    pieces, takes_whole = store.filled_doubles(parts, 0.0), store.filled_ints(parts, 0)
    for leaf in range(leaves):
        for area in range(CENTRE):
            value = gain[AREA_COUNT * leaf + area]
            running[AREA_COUNT * (leaf + 1) + area] = running[AREA_COUNT * leaf + area] + value
            if value - price > alone[leaf]:
                alone[leaf], alone_area[leaf] = value - price, area
        pieces[page_parts.of_leaf[leaf]] += alone[leaf]
    for part in range(parts - 1, -1, -1):  # children come before their parents
        for area in range(CENTRE):
            value = running[AREA_COUNT * end[part] + area] - running[AREA_COUNT * first[part] + area] - price
            if value > whole[part]:
                whole[part], whole_area[part] = value, area
        best = pieces[part]
        if whole[part] > 0.0 and whole[part] >= best:
            takes_whole[part] = 1
            best = whole[part]
        if part:
            pieces[parent[part]] += best
    regions, singles = [], []
    most = store.filled_doubles(AREA_COUNT, 0.0)  # gain of the largest piece of each area
    part = 0
    while part < parts:
        if takes_whole[part]:
            regions.append((part, whole_area[part]))
            most[whole_area[part]] = max(most[whole_area[part]], whole[part])
            for leaf in range(first[part], end[part]):
                alone_area[leaf] = CENTRE
            part = page_parts.last[part]
        part += 1
    for leaf in range(leaves):
        if alone_area[leaf] != CENTRE:
            singles.append((leaf, alone_area[leaf]))
            most[alone_area[leaf]] = max(most[alone_area[leaf]], alone[leaf])
    return (
        [(part, area) for part, area in regions if whole[part] >= min(most[area], min_gain - price)],
        [(leaf, area) for leaf, area in singles if alone[leaf] >= min(most[area], min_gain - price)],
    )


def area_map(page_parts: PartTable, gain: Any, price: float, min_gain: float) -> AreaMap:
    """Return the area map of a partition, with adjoining link bars in the header, and with a centre."""
    regions, singles = cut(page_parts, gain, price, min_gain)
    nodes, leaves = np.empty(page_parts.count, np.int8), np.empty(page_parts.leaf_count, np.int8)
    of_node, of_leaf = nodes, leaves
    for row in range(page_parts.count):
        of_node[row] = CENTRE
    for leaf in range(page_parts.leaf_count):
        of_leaf[leaf] = CENTRE
    for part, area in regions:
        _assign(page_parts, part, area, of_node, of_leaf)
    for leaf, area in singles:
        of_leaf[leaf] = area
    _add_bars(page_parts, of_node, of_leaf)
    _keep_centre(page_parts, of_node, of_leaf)
    return AreaMap(nodes, leaves, "evidence")


def _assign(page_parts: PartTable, part: int, area: int, of_node: Any, of_leaf: Any) -> None:
    """Give a part to an area with all that is in it."""
    for row in range(page_parts.row[part], page_parts.node_last[page_parts.row[part]] + 1):
        of_node[row] = area
    for leaf in range(page_parts.first[part], page_parts.end[part]):
        of_leaf[leaf] = area


def _add_bars(page_parts: PartTable, of_node: Any, of_leaf: Any) -> None:
    """Add bars of links that touch the header from below to it."""
    lowest = -1.0
    has_header = False
    for leaf in range(page_parts.leaf_count):
        bottom = page_parts.box[4 * leaf + 3]
        if of_leaf[leaf] == HEADER and bottom == bottom:  # NaN for invisible leaves
            lowest = max(lowest, bottom) if has_header else bottom
            has_header = True
    if not has_header:
        return
    for _, part in sorted(_bars(page_parts, of_node, lowest)):
        top, bottom = page_parts.rectangle[4 * part + 1], page_parts.rectangle[4 * part + 3]
        if top <= lowest + BAR_GAP_PX and _is_centre(page_parts, part, of_leaf):
            _assign(page_parts, part, HEADER, of_node, of_leaf)
            lowest = max(lowest, bottom)


def _bars(page_parts: PartTable, of_node: Any, lowest: float) -> list[tuple[float, int]]:
    """Return top and number of the centre's parts that are bars of links and end below `lowest`."""
    box, bars = page_parts.rectangle, []
    for part in range(page_parts.part_count):
        at = 4 * part
        if (
            of_node[page_parts.row[part]] == CENTRE
            and page_parts.end[part] - page_parts.first[part] >= BAR_LEAVES
            and page_parts.density[part] >= BAR_LINKS
            and box[at + 2] - box[at] >= BAR_SHARE
            and box[at + 3] - box[at + 1] <= BAR_PX
            and box[at + 3] > lowest
        ):
            bars.append((box[at + 1], part))
    return bars


def _is_centre(page_parts: PartTable, part: int, of_leaf: Any) -> bool:
    others = 0
    for leaf in range(page_parts.first[part], page_parts.end[part]):
        others += of_leaf[leaf] != CENTRE
    return others == 0


def _keep_centre(page_parts: PartTable, of_node: Any, of_leaf: Any) -> None:
    """Take back the area with the most text if no leaf is left in the centre: every page has one."""
    letters = [0.0] * AREA_COUNT
    for leaf in range(page_parts.leaf_count):
        if of_leaf[leaf] == CENTRE:
            return
        letters[of_leaf[leaf]] += page_parts.letters[leaf] + 1
    most = letters.index(max(letters))
    for row in range(page_parts.count):
        if of_node[row] == most:
            of_node[row] = CENTRE
    for leaf in range(page_parts.leaf_count):
        if of_leaf[leaf] == most:
            of_leaf[leaf] = CENTRE
