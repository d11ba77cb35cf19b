# cython: annotation_typing=True, wraparound=False, cdivision=True
"""Style features of linear structure: order, length, enclosing tags and siblings in the tree."""

import cython
import numpy as np

from parcels.features.feature import feature
from parcels.features.style.columns import INSIDE
from parcels.features.table import BlockTable, LeafTable, NodeTable, part_of
from parcels.html.tags import IS_BLOCK_LEVEL, NUMBER
from parcels.maps import IntMap

if cython.compiled:
    from cython.cimports.libc.math import log1p
else:
    from math import log1p

NEAR_ROOT = 6  # depth up to which table and div tags show the page's layout system
TABLE, DIV = NUMBER["table"], NUMBER["div"]
BLOCK_LEVEL = IS_BLOCK_LEVEL.view(np.uint8)  # by tag number


@feature(view="style", low=0, high=1)
def position(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of blocks before this one, as a share of the page's blocks."""
    i: cython.Py_ssize_t
    count: cython.double = blocks.count
    for i in range(blocks.count):
        column[i] = i / count


@feature(view="style", low=0, high=1)
def text_before(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the page's characters that stand before the block."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = part_of(leaves.chars_before[blocks.first_leaf[i]], leaves.chars_before[leaves.count])


@feature(view="style", low=0, high=20, scale="log")
def chars(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of characters in the block, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.chars[i]


@feature(view="style", low=0, high=20, scale="log")
def words(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of words in the block, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.words[i]


@feature(view="style", low=0, high=1)
def chars_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the page's characters that are in the block."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = part_of(blocks.chars[i], blocks.leaves.chars_before[blocks.leaves.count])


@feature(view="style", low=0, high=20, scale="log")
def leaves(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of leaves in the block, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.end_leaf[i] - blocks.first_leaf[i]


@feature(view="style", low=0, high=1e4)
def depth(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Depth of the block's container in the tree."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.nodes.depth[blocks.container[i]]


@feature(view="style", low=0, high=1)
def link_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the block's characters that are inside links."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.link_share[i]


@feature(view="style", low=0, high=20, scale="log")
def link_count(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of links in the block, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.links[i]


@feature(view="style", low=0, high=6)
def heading_level(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Level of the heading element around the block, 1 to 6; 0 outside headings."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.heading_level[i]


@feature(view="style", low=0, high=20)
def sibling_blocks(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of blocks whose containers have the same parent, on a logarithmic scale."""
    times: cython.int[::1] = np.zeros(blocks.nodes.count, np.intc)
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        times[blocks.parent[i]] += 1
    for i in range(blocks.count):
        column[i] = log1p(times[blocks.parent[i]])


@feature(view="style", low=1, high=1e6)
def container_blocks(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of blocks in the same container: more than 1 where other elements split its text."""
    times: cython.int[::1] = np.zeros(blocks.nodes.count, np.intc)
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        times[blocks.container[i]] += 1
    for i in range(blocks.count):
        column[i] = times[blocks.container[i]]


@feature(view="style", low=0, high=20)
def sibling_elements(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of siblings of the container with its tag, on a logarithmic scale: high for list entries."""
    nodes: NodeTable = blocks.nodes
    times: cython.int[::1] = np.zeros(blocks.count, np.intc)
    numbers: IntMap = IntMap()  # of the parents and tags of containers
    key: cython.ulonglong
    number: cython.int
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        key = _parent_and_tag(nodes, blocks.container[i])
        numbers.put(key, numbers.count)
    for i in range(nodes.count):
        number = numbers.find(_parent_and_tag(nodes, i))
        if number >= 0:
            times[number] += 1
    for i in range(blocks.count):
        column[i] = log1p(times[numbers.find(_parent_and_tag(nodes, blocks.container[i]))])


@cython.cfunc
@cython.exceptval(check=False)
def _parent_and_tag(nodes: NodeTable, row: cython.Py_ssize_t) -> cython.ulonglong:
    """Return a number that identifies the parent and the tag of an element."""
    return cython.cast(cython.ulonglong, nodes.parent[row] + 1) * 1024 + cython.cast(cython.ulonglong, nodes.tag[row])


@feature(view="style", low=0, high=20, scale="log")
def parent_chars(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of characters in the parent of the block's container, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = _below(blocks, blocks.leaves.chars_before, blocks.parent[i])


@feature(view="style", low=0, high=1)
def parent_link_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the characters of the container's parent that are inside links."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = part_of(
            _below(blocks, blocks.leaves.linked_before, blocks.parent[i]),
            _below(blocks, blocks.leaves.chars_before, blocks.parent[i]),
        )


@cython.cfunc
@cython.exceptval(check=False)
def _below(blocks: BlockTable, before: cython.double[::1], row: cython.Py_ssize_t) -> cython.double:
    """Return the sum of a leaf value over an element's subtree."""
    return before[blocks.nodes.end_leaf[row]] - before[blocks.nodes.first_leaf[row]]


@feature(view="style", low=0, high=1)
def is_inline_container(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the block's container is not a block-level element."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = not BLOCK_LEVEL[blocks.nodes.tag[blocks.container[i]]]


def inside(blocks: BlockTable, column: cython.float[::1], place: cython.Py_ssize_t) -> None:
    """1 if the block is inside an element with the tag at this index of INSIDE."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.inside[place, i]


for _place, _tag in enumerate(INSIDE):
    feature(
        view="style",
        low=0,
        high=1,
        name=f"inside_{_tag}",
        parameter=_place,
        meaning=f"1 if the block is inside a `{_tag}` element.",
    )(inside)


@feature(view="style", low=0, high=1)
def table_layout(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of tables among table and div elements near the root: 1 for table layouts, 0 for div layouts."""
    nodes: NodeTable = blocks.nodes
    tables: cython.double = 0.5  # smoothing towards 0.5
    both: cython.double = 1
    i: cython.Py_ssize_t
    for i in range(nodes.count):
        if nodes.depth[i] <= NEAR_ROOT and (nodes.tag[i] == TABLE or nodes.tag[i] == DIV):
            tables += nodes.tag[i] == TABLE
            both += 1
    for i in range(blocks.count):
        column[i] = tables / both


@feature(view="style", low=0, high=20)
def block_count(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of blocks on the page, on a logarithmic scale."""
    i: cython.Py_ssize_t
    value: cython.double = log1p(blocks.count)
    for i in range(blocks.count):
        column[i] = value
