# cython: annotation_typing=True, boundscheck=True, wraparound=False, cdivision=True
"""Fill the columns of a BlockTable that features of the context view share: lists, running text, headings.

A list entry is the nearest element around a block that has at least two siblings with its tag and class; the list is
the entry's parent. The running text is guessed from long blocks with few links, the headline from h1 and the page's
stated title. Headings are heading elements, and short blocks in larger or bolder type. These heuristics use no labels;
the learners decide how much they count.
"""

from typing import Any

import cython
import numpy as np

from parcels.features.leaf_sizes import KINDS
from parcels.features.style.columns import INSIDE, weighted_median
from parcels.features.table import BlockTable, LeafTable, NodeTable
from parcels.html.tags import NUMBER
from parcels.maps import IntMap

if cython.compiled:
    from cython.cimports.libc.math import isnan
else:
    from math import isnan

IMAGE, H1 = KINDS.index("img"), NUMBER["h1"]
PLACE_H1, PLACE_H2, PLACE_NAV = INSIDE.index("h1"), INSIDE.index("h2"), INSIDE.index("nav")
MIN_SIBLINGS = 3
MIN_CHARS = 80  # of a paragraph
MAX_LINK_SHARE = 0.35
SHARE = 0.6  # elements with this share of the running text are on the path to the main element
FAR = 30  # blocks
MAX_HEADING_CHARS = 70
MAX_UNDER = 80  # blocks that one heading can govern in a wide element
LEVELS_OVER_LIST = 3


def fill_context(blocks: BlockTable, attributes: list[Any], title_overlap: cython.float[::1]) -> None:
    """Fill all columns of this module. Those of style/columns.py must be filled before.

    `attributes` has the attributes of each node, `title_overlap` each block's overlap with the page's stated title.
    """
    if not blocks.count:
        return
    fill_subtrees(blocks)
    fill_repeats(blocks.nodes, attributes)
    fill_groups(blocks)
    fill_running(blocks)
    fill_branches(blocks)
    fill_title(blocks, title_overlap)
    fill_headings(blocks)
    fill_headings_of_groups(blocks)


def fill_subtrees(blocks: BlockTable) -> None:
    """Sum characters, links, images and blocks over the subtree of each node."""
    leaves: LeafTable = blocks.leaves
    nodes: NodeTable = blocks.nodes
    images: cython.int[::1] = np.zeros(leaves.count + 1, np.intc)
    row: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    first: cython.Py_ssize_t
    end: cython.Py_ssize_t
    for leaf in range(leaves.count):
        images[leaf + 1] = images[leaf] + (leaves.kind[leaf] == IMAGE)
    for row in range(nodes.count):
        first = nodes.first_leaf[row]
        end = nodes.end_leaf[row]
        nodes.chars[row] = leaves.chars_before[end] - leaves.chars_before[first]
        nodes.linked[row] = leaves.linked_before[end] - leaves.linked_before[first]
        nodes.images[row] = images[end] - images[first]
        nodes.first_block[row] = leaves.block[first] if first < leaves.count else blocks.count
        nodes.end_block[row] = leaves.block[end - 1] + 1 if end > 0 else 0
        nodes.h1_before[row + 1] = nodes.h1_before[row] + (nodes.tag[row] == H1)


def fill_repeats(nodes: NodeTable, attributes: list[Any]) -> None:
    """Count for each node with leaves its siblings with the same tag and class that have leaves, and itself."""
    classes: dict[str, int] = {}
    numbers: IntMap = IntMap(nodes.count)
    number: cython.int[::1] = np.full(nodes.count, -1, np.intc)
    times: cython.int[::1] = np.zeros(nodes.count, np.intc)
    key: cython.ulonglong
    of_class: cython.ulonglong
    row: cython.Py_ssize_t
    own: dict[str, str]
    for row in range(nodes.count):
        if nodes.end_leaf[row] <= nodes.first_leaf[row]:
            continue
        own = attributes[row]
        of_class = classes.setdefault(own.get("class", ""), len(classes))
        key = cython.cast(cython.ulonglong, nodes.parent[row] + 1) * 1024 + cython.cast(
            cython.ulonglong, nodes.tag[row]
        )
        number[row] = numbers.put(key * 16777216 + of_class, numbers.count)
        times[number[row]] += 1
    for row in range(nodes.count):
        if number[row] >= 0:
            nodes.repeats[row] = times[number[row]]


def fill_groups(blocks: BlockTable) -> None:
    """Find the list entry and the list of each block."""
    nodes: NodeTable = blocks.nodes
    block: cython.Py_ssize_t
    at: cython.longlong
    for block in range(blocks.count):
        at = blocks.container[block]
        while at > 0 and not (
            at > 1 and nodes.repeats[at] >= MIN_SIBLINGS and nodes.end_leaf[at] > nodes.first_leaf[at]
        ):
            at = nodes.parent[at]
        blocks.entry[block] = at
        blocks.list_[block] = max(nodes.parent[at], 0) if at > 0 else 0


def fill_running(blocks: BlockTable) -> None:
    """Find the running text, the main element that holds most of it, and its first and last block there."""
    leaves: LeafTable = blocks.leaves
    nodes: NodeTable = blocks.nodes
    before: cython.double[::1] = np.zeros(leaves.count + 1)
    block: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    row: cython.Py_ssize_t
    main: cython.Py_ssize_t = 0
    unlinked: cython.float
    own: cython.float
    whole: cython.double
    for block in range(blocks.count):
        if blocks.chars[block] >= MIN_CHARS and blocks.link_share[block] <= MAX_LINK_SHARE:
            unlinked = 1 - blocks.link_share[block]
            blocks.mass[block] = blocks.chars[block] * unlinked
    blocks.total_mass = np.asarray(blocks.mass).sum()
    for leaf in range(leaves.count):
        block = leaves.block[leaf]
        own = blocks.mass[block] * leaves.chars[leaf]
        own = own / max(blocks.chars[block], 1)
        before[leaf + 1] = before[leaf] + own
    whole = max(before[nodes.end_leaf[0]] - before[nodes.first_leaf[0]], 1e-9)
    for row in range(nodes.count):
        nodes.running[row] = (before[nodes.end_leaf[row]] - before[nodes.first_leaf[row]]) / whole
        if nodes.running[row] >= SHARE:
            main = row
    blocks.main = main
    if nodes.end_leaf[main] > nodes.first_leaf[main]:
        for block in range(leaves.block[nodes.first_leaf[main]], leaves.block[nodes.end_leaf[main] - 1] + 1):
            if blocks.mass[block] > 0:
                blocks.first_running = min(blocks.first_running, block)
                blocks.last_running = block
    blocks.running_left = _median_edge(blocks, 0)
    blocks.running_right = _median_edge(blocks, 2)


@cython.cfunc
def _median_edge(blocks: BlockTable, side: cython.Py_ssize_t) -> object:
    """Return the weighted median of one edge of the running text's boxes; NaN without a box."""
    edges: cython.float[::1] = np.zeros(blocks.count, np.float32)
    weights: cython.float[::1] = np.zeros(blocks.count, np.float32)
    block: cython.Py_ssize_t
    has_box: cython.bint = False
    for block in range(blocks.count):
        if blocks.mass[block] > 0 and not isnan(blocks.box[block, side]):
            edges[block] = blocks.box[block, side]
            weights[block] = blocks.mass[block]
            has_box = True
    return weighted_median(edges, weights) if has_box else np.nan


def fill_branches(blocks: BlockTable) -> None:
    """Find the branch of each block and the node where it leaves the path to the main element."""
    nodes: NodeTable = blocks.nodes
    block: cython.Py_ssize_t
    at: cython.longlong
    for block in range(blocks.count):
        at = blocks.container[block]
        while at > 0 and nodes.running[at] < SHARE:
            at = nodes.parent[at]
        blocks.common[block] = at
        at = blocks.container[block]
        while at > 0 and at != blocks.common[block] and nodes.parent[at] != blocks.common[block]:
            at = nodes.parent[at]
        blocks.branch[block] = at


def fill_title(blocks: BlockTable, title_overlap: cython.float[::1]) -> None:
    """Find the block that agrees best with the page's title; an h1 and the last before the text are preferred."""
    block: cython.Py_ssize_t
    title: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = blocks.first_running
    score: cython.double
    best: cython.double = 0
    for block in range(blocks.count):
        score = 2 * title_overlap[block] + blocks.inside[PLACE_H1, block]
        score = score + 0.3 * blocks.inside[PLACE_H2, block] - 0.5 * blocks.inside[PLACE_NAV, block]
        score = score - 0.02 * min(abs(first - block), FAR) - 0.3 * (block > first)
        if block == 0 or score > best:
            title = block
            best = score
    blocks.title = title if best > 0.5 else -1


def fill_headings(blocks: BlockTable) -> None:
    """Find for each block the last heading before it whose element, or the next larger one, holds the block too."""
    nodes: NodeTable = blocks.nodes
    block: cython.Py_ssize_t
    under: cython.Py_ssize_t
    at: cython.longlong
    reach: cython.longlong
    last: cython.Py_ssize_t = blocks.count - 1
    for block in range(blocks.count):
        blocks.over[block] = -1
        blocks.is_heading[block] = blocks.heading_level[block] > 0 or (
            _is_short(blocks, block)
            and blocks.link_share[block] < 0.5
            and (blocks.font_size[block] > cython.cast(cython.float, 1.15) or blocks.font_weight[block] >= 2)
        )
    for block in range(blocks.count):
        if not blocks.is_heading[block]:
            continue
        at = blocks.container[block]
        for _ in range(2):  # the smallest element that extends past the heading, then the next larger one
            reach = nodes.end_block[at]
            while at > 0 and (nodes.end_block[at] <= block + 1 or nodes.end_block[at] <= reach):
                at = nodes.parent[at]
            if (
                nodes.end_block[at] - nodes.first_block[at] <= MAX_UNDER
                or blocks.over[block + 1 if block < last else last] != block
            ):
                for under in range(block + 1, nodes.end_block[at]):
                    blocks.over[under] = block


def fill_headings_of_groups(blocks: BlockTable) -> None:
    """Find the short block right before each block's list, and the short first block of its branch."""
    nodes: NodeTable = blocks.nodes
    block: cython.Py_ssize_t
    at: cython.longlong
    before: cython.longlong
    for block in range(blocks.count):
        blocks.over_list[block] = blocks.of_branch[block] = -1
        at = blocks.list_[block]
        before = nodes.first_block[at] - 1
        if at > 0 and before >= 0:
            for _ in range(LEVELS_OVER_LIST):
                at = max(nodes.parent[at], 0)
                if nodes.first_block[at] <= before:
                    break
            if nodes.first_block[at] <= before and _is_short(blocks, before):
                blocks.over_list[block] = before
        at = nodes.first_block[blocks.branch[block]]
        if at >= blocks.count:
            at = blocks.count - 1
        if _is_short(blocks, at) and nodes.running[blocks.branch[block]] < 0.5:
            blocks.of_branch[block] = at


@cython.cfunc
@cython.exceptval(check=False)
def _is_short(blocks: BlockTable, block: cython.Py_ssize_t) -> cython.bint:
    """Return whether a block has words and is no longer than a heading."""
    return blocks.chars[block] <= MAX_HEADING_CHARS and blocks.words[block] > 0
