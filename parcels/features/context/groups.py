# cython: annotation_typing=True, wraparound=False, cdivision=True
"""Context features of groups: the list and the list entry of a block, and the elements above its container."""

import cython

from parcels.features.feature import feature
from parcels.features.table import BlockTable, NodeTable, part_of

if cython.compiled:
    from cython.cimports.libc.math import log1p
else:
    from math import log1p

LEVELS = (2, 3, 5)  # levels above the container at which an ancestor is described
MOST_BEFORE = 10  # blocks


@feature(view="context", low=0, high=20, scale="log")
def entries(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of entries in the block's list, on a logarithmic scale; 0 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if blocks.entry[i] > 0:
            column[i] = nodes.repeats[blocks.entry[i]]


@feature(view="context", low=0, high=20, scale="log")
def entry_chars(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of characters in the block's list entry, on a logarithmic scale; 0 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if blocks.entry[i] > 0:
            column[i] = nodes.chars[blocks.entry[i]]


@feature(view="context", low=0, high=1e6)
def entry_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the characters of its list entry that the block has; 0 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if blocks.entry[i] > 0:
            column[i] = part_of(blocks.chars[i], nodes.chars[blocks.entry[i]])


@feature(view="context", low=0, high=1)
def entry_link_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the characters of the block's list entry that are inside links; 0 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if blocks.entry[i] > 0:
            column[i] = part_of(nodes.linked[blocks.entry[i]], nodes.chars[blocks.entry[i]])


@feature(view="context", low=0, high=20, scale="log")
def entry_images(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of images in the block's list entry, on a logarithmic scale; 0 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if blocks.entry[i] > 0:
            column[i] = nodes.images[blocks.entry[i]]


@feature(view="context", low=0, high=20)
def entry_blocks(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of blocks in the block's list entry, on a logarithmic scale; 0 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if blocks.entry[i] > 0:
            column[i] = log1p(nodes.end_block[blocks.entry[i]] - nodes.first_block[blocks.entry[i]])


@feature(view="context", low=-1, high=10)
def place_in_entry(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of blocks of the same list entry before this one, at most 10; -1 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if blocks.entry[i] > 0:
            column[i] = min(i - nodes.first_block[blocks.entry[i]], MOST_BEFORE)


@feature(view="context", low=0, high=20, scale="log")
def list_chars(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of characters in the block's list, on a logarithmic scale; 0 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if blocks.entry[i] > 0:
            column[i] = nodes.chars[blocks.list_[i]]


@feature(view="context", low=0, high=1)
def list_link_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the characters of the block's list that are inside links; 0 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if blocks.entry[i] > 0:
            column[i] = part_of(nodes.linked[blocks.list_[i]], nodes.chars[blocks.list_[i]])


@feature(view="context", low=0, high=1e6)
def list_images(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Mean number of images per entry of the block's list; 0 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if blocks.entry[i] > 0:
            column[i] = part_of(nodes.images[blocks.list_[i]], nodes.repeats[blocks.entry[i]])


@feature(view="context", low=0, high=1)
def list_page_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the page's characters that are in the block's list; 0 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if blocks.entry[i] > 0:
            column[i] = part_of(nodes.chars[blocks.list_[i]], nodes.chars[0])


@feature(view="context", low=-1, high=1e4)
def levels_to_entry(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of levels from the block's container up to its list entry; -1 outside lists."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if blocks.entry[i] > 0:
            column[i] = nodes.depth[blocks.container[i]] - nodes.depth[blocks.entry[i]]


# The content of the element some levels above the container, or of the root


@cython.cfunc
@cython.exceptval(check=False)
def _above(blocks: BlockTable, block: cython.Py_ssize_t, level: cython.int) -> cython.Py_ssize_t:
    """Return the row of the element some levels above a block's container."""
    at: cython.Py_ssize_t = blocks.container[block]
    while level > 0 and at > 0:
        at = blocks.nodes.parent[at]
        level -= 1
    return at


def chars_above(blocks: BlockTable, column: cython.float[::1], level: cython.int) -> None:
    """Number of characters in the element some levels above the container, on a logarithmic scale."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for i in range(blocks.count):
        at = _above(blocks, i, level)
        column[i] = nodes.chars[at]


def link_share_above(blocks: BlockTable, column: cython.float[::1], level: cython.int) -> None:
    """Share of the characters in the element some levels above the container that are inside links."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for i in range(blocks.count):
        at = _above(blocks, i, level)
        column[i] = part_of(nodes.linked[at], nodes.chars[at])


def blocks_above(blocks: BlockTable, column: cython.float[::1], level: cython.int) -> None:
    """Number of blocks in the element some levels above the container, on a logarithmic scale."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for i in range(blocks.count):
        at = _above(blocks, i, level)
        column[i] = log1p(nodes.end_block[at] - nodes.first_block[at])


def has_h1_above(blocks: BlockTable, column: cython.float[::1], level: cython.int) -> None:
    """1 if the element some levels above the container contains an h1."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for i in range(blocks.count):
        at = _above(blocks, i, level)
        column[i] = nodes.h1_before[nodes.last[at] + 1] > nodes.h1_before[at]


_VALUES = ((chars_above, 20, "log"), (link_share_above, 1, None), (blocks_above, 20, None), (has_h1_above, 1, None))
for _level in LEVELS:
    for _function, _high, _scale in _VALUES:
        feature(
            view="context", low=0, high=_high, scale=_scale, name=f"{_function.__name__}_{_level}", parameter=_level,
            meaning=(_function.__doc__ or "").replace("some levels", f"{_level} levels"),
        )(_function)  # fmt: skip
