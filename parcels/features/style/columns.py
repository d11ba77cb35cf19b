# cython: annotation_typing=True, boundscheck=True, wraparound=False, cdivision=True
"""Fill the columns of a BlockTable that features of the style view share: sizes, boxes, tags, fonts, cells."""

import cython
import numpy as np

from parcels.css.style import Position
from parcels.features.leaf_sizes import KINDS
from parcels.features.table import BlockTable, LeafTable, NodeTable, means, safe
from parcels.html.tags import NUMBER
from parcels.maps import IntMap

if cython.compiled:
    from cython.cimports.libc.math import isnan
else:
    from math import isnan

_INSIDE = (
    "header footer nav main aside article section form table ul ol li figure figcaption blockquote a h1 h2 h3 h4 "
    "p td th dl label button details address time center font"
)
INSIDE = tuple(_INSIDE.split())
_place = {NUMBER[name]: place for place, name in enumerate(INSIDE)}
PLACE_INSIDE = np.array(
    [_place.get(tag, -1) for tag in range(len(NUMBER))], np.int64
)  # by tag number: its index in INSIDE, or -1
FIRST_HEADING, LAST_HEADING = INSIDE.index("h1"), INSIDE.index("h4")  # adjacent in INSIDE
H5, H6 = NUMBER["h5"], NUMBER["h6"]
TABLE, ROW, TD, TH = NUMBER["table"], NUMBER["tr"], NUMBER["td"], NUMBER["th"]
ABSOLUTE, STICKY = int(Position.ABSOLUTE), int(Position.STICKY)  # FIXED lies between them
IMAGE = KINDS.index("img")


def fill_style(blocks: BlockTable) -> None:
    """Fill all columns of this module, those of sizes and tags first."""
    fill_sizes(blocks)
    fill_boxes(blocks)
    fill_tags(blocks)
    fill_fonts(blocks)
    fill_cells(blocks)


def fill_sizes(blocks: BlockTable) -> None:
    """Count the characters, words, links and images of each block."""
    leaves: LeafTable = blocks.leaves
    nodes: NodeTable = blocks.nodes
    block: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    link: cython.int
    before: cython.int = -1
    linked: cython.double
    is_other: cython.bint
    for block in range(blocks.count):
        blocks.parent[block] = max(nodes.parent[blocks.container[block]], 0)
        linked = 0
        is_other = False
        for leaf in range(blocks.first_leaf[block], blocks.end_leaf[block]):
            leaves.block[leaf] = block
            blocks.chars[block] += leaves.chars[leaf]
            blocks.words[block] += leaves.words[leaf]
            blocks.images[block] += leaves.kind[leaf] == IMAGE
            linked += leaves.chars[leaf] * leaves.is_link[leaf]
            is_other = is_other or not leaves.is_figures[leaf]
            link = nodes.link[leaves.node[leaf]]
            if link >= 0 and link != before:
                blocks.links[block] += 1
            before = link
        blocks.is_numeric[block] = not is_other
        blocks.link_share[block] = linked / max(blocks.chars[block], 1)


def fill_boxes(blocks: BlockTable) -> None:
    """Compute the bounding box of each block's leaves."""
    leaves: LeafTable = blocks.leaves
    block: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    side: cython.Py_ssize_t
    low: cython.float
    high: cython.float
    for block in range(blocks.count):
        for leaf in range(blocks.first_leaf[block], blocks.end_leaf[block]):
            for side in range(2):
                low = leaves.box[leaf, side]
                high = low + leaves.box[leaf, 2 + side]
                if low < blocks.box[block, side] or isnan(blocks.box[block, side]):
                    blocks.box[block, side] = low
                if high > blocks.box[block, 2 + side] or isnan(blocks.box[block, 2 + side]):
                    blocks.box[block, 2 + side] = high


def fill_tags(blocks: BlockTable) -> None:
    """Find the tags around each block, its heading level and its layer."""
    nodes: NodeTable = blocks.nodes
    block: cython.Py_ssize_t
    at: cython.longlong
    place: cython.longlong
    tag: cython.int
    blocks.inside = np.zeros((len(INSIDE), blocks.count), np.uint8)
    for block in range(blocks.count):
        at = blocks.container[block]
        tag = nodes.tag[at]
        blocks.heading_level[block] = 6 if tag == H6 else 5 if tag == H5 else 0
        while at >= 0:
            place = PLACE_INSIDE[nodes.tag[at]]
            if place >= 0:
                blocks.inside[place, block] = 1
            if blocks.layer[block] == 0 and ABSOLUTE <= nodes.position[at] <= STICKY:
                blocks.layer[block] = at
            at = nodes.parent[at]
        for place in range(LAST_HEADING, FIRST_HEADING - 1, -1):
            if blocks.inside[place, block]:
                blocks.heading_level[block] = place - FIRST_HEADING + 1


def fill_fonts(blocks: BlockTable) -> None:
    """Compare font size and weight with the page's medians; find its commonest font family and text colour."""
    leaves: LeafTable = blocks.leaves
    nodes: NodeTable = blocks.nodes
    count: cython.Py_ssize_t = leaves.count
    sizes: cython.float[::1] = np.empty(count, np.float32)
    weights: cython.float[::1] = np.empty(count, np.float32)
    chars: cython.float[::1] = np.empty(count, np.float32)
    families: cython.longlong[::1] = np.empty(count, np.int64)
    colours: cython.longlong[::1] = np.empty(count, np.int64)
    leaf: cython.Py_ssize_t
    block: cython.Py_ssize_t
    row: cython.Py_ssize_t
    if not blocks.count:
        return
    for leaf in range(count):
        row = leaves.node[leaf]
        sizes[leaf] = nodes.font_size[row]
        weights[leaf] = nodes.font_weight[row]
        families[leaf] = nodes.font_family[row]
        colours[leaf] = nodes.colour[row]
        chars[leaf] = leaves.chars[leaf] if leaves.kind[leaf] == 0 else 0
    blocks.commonest_family = commonest(families, chars)
    blocks.commonest_colour = commonest(colours, chars)
    mean_size: cython.float[::1] = means(blocks, np.asarray(sizes))
    mean_weight: cython.float[::1] = means(blocks, np.asarray(weights))
    middle_size: cython.double = max(1.0, weighted_median(sizes, chars))
    middle_weight: cython.double = weighted_median(weights, chars)
    lead: cython.float
    for block in range(blocks.count):
        blocks.font_size[block] = safe(mean_size[block] / middle_size)
        lead = mean_weight[block] - middle_weight
        blocks.font_weight[block] = safe(lead / 100)


def weighted_median(values: cython.float[::1], weights: cython.float[::1]) -> float:
    """Return the weighted median of values; their mean if all weights are zero."""
    order: cython.longlong[::1] = np.argsort(values, kind="stable")
    at: cython.Py_ssize_t
    total: cython.double = 0
    before: cython.double = 0
    for at in range(len(weights)):
        total += weights[at]
    if total == 0:
        return float(np.mean(values))
    for at in range(len(order)):
        before += weights[order[at]]
        if before >= total / 2:
            break
    return values[order[at]]


def commonest(values: cython.longlong[::1], weights: cython.float[::1]) -> int:
    """Return the value with the largest weight; the smallest of several that have it."""
    numbers: IntMap = IntMap()
    totals: cython.double[::1] = np.zeros(len(values))
    at: cython.Py_ssize_t
    number: cython.Py_ssize_t
    best: cython.Py_ssize_t = 0
    for at in range(len(values)):
        totals[numbers.put(cython.cast(cython.ulonglong, values[at]), numbers.count)] += weights[at]
    for at in range(len(values)):
        number = numbers.find(cython.cast(cython.ulonglong, values[at]))
        if totals[number] > totals[numbers.find(cython.cast(cython.ulonglong, values[best]))] or (
            totals[number] == totals[numbers.find(cython.cast(cython.ulonglong, values[best]))]
            and values[at] < values[best]
        ):
            best = at
    return values[best]


def fill_cells(blocks: BlockTable) -> None:
    """Find the table cell of each block and its position in the table; all zeros on a page without cells."""
    nodes: NodeTable = blocks.nodes
    row: cython.Py_ssize_t
    block: cython.Py_ssize_t
    at: cython.longlong
    line: cython.longlong
    has_cells: cython.bint = False
    for row in range(nodes.count):
        has_cells = has_cells or nodes.tag[row] == TD or nodes.tag[row] == TH
    if not has_cells:
        return
    # Per node: the table of a row or the row of a cell (otherwise -1), its index there, and the number of its children.
    holder: cython.longlong[::1] = np.full(nodes.count, -1, np.int64)
    ordinal: cython.longlong[::1] = np.zeros(nodes.count, np.int64)
    held: cython.longlong[::1] = np.zeros(nodes.count, np.int64)
    tables: cython.longlong[::1] = np.zeros(nodes.count, np.int64)
    for row in range(nodes.count):
        at = nodes.parent[row]
        tables[row] = (nodes.tag[row] == TABLE) + (tables[at] if at >= 0 else 0)
        if at < 0 or not (nodes.tag[row] == ROW or nodes.tag[row] == TD or nodes.tag[row] == TH):
            continue
        if nodes.tag[row] == ROW:
            while at > 0 and nodes.tag[at] != TABLE:
                at = nodes.parent[at]
        holder[row] = at
        ordinal[row] = held[at]
        held[at] += 1
    for block in range(blocks.count):
        at = blocks.container[block]
        blocks.table_depth[block] = tables[at]
        while at > 0 and not (nodes.tag[at] == TD or nodes.tag[at] == TH):
            at = nodes.parent[at]
        blocks.cell[block] = at
        blocks.table[block] = -1
        if not (nodes.tag[at] == TD or nodes.tag[at] == TH):
            continue
        blocks.is_in_cell[block] = 1
        blocks.column[block] = ordinal[at]
        line = holder[at]
        if line < 0:
            continue
        blocks.row[block] = ordinal[line]
        blocks.column_count[block] = held[line]
        blocks.table[block] = holder[line]
        if holder[line] >= 0:
            blocks.row_count[block] = held[holder[line]]
