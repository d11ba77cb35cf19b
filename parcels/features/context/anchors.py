# cython: annotation_typing=True, wraparound=False, cdivision=True
"""Context features of position: where a block stands relative to the running text and the headline.

*Running text* is the text of long blocks with few links. The *main element* is the deepest one with most of it. The
*branch* of a block is the subtree with which it leaves the path from the root to the main element.
"""

import cython

from parcels.features.feature import feature
from parcels.features.table import BlockTable, NodeTable, part_of, safe

if cython.compiled:
    from cython.cimports.libc.math import NAN, log1p
else:
    from math import log1p

    NAN = float("nan")

FAR = 30  # blocks
MOST_LEVELS_OFF, MOST_LEVELS_ABOVE = 15, 20


@feature(view="context", low=0, high=1)
def inside_main(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the block is inside the main element, which holds most of the running text."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.main <= blocks.container[i] <= nodes.last[blocks.main]


@feature(view="context", low=0, high=15)
def levels_off_main(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of levels from the block's container up to the path from root to main element, at most 15."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = min(nodes.depth[blocks.container[i]] - nodes.depth[blocks.common[i]], MOST_LEVELS_OFF)


@feature(view="context", low=0, high=20)
def levels_above_main(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of levels from the main element up to where the block's branch leaves the path to it, at most 20."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = min(nodes.depth[blocks.main] - nodes.depth[blocks.common[i]], MOST_LEVELS_ABOVE)


@feature(view="context", low=0, high=20, scale="log")
def branch_chars(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of characters in the block's branch, on a logarithmic scale."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = nodes.chars[blocks.branch[i]]


@feature(view="context", low=0, high=1)
def branch_link_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the characters of the block's branch that are inside links."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = part_of(nodes.linked[blocks.branch[i]], nodes.chars[blocks.branch[i]])


@feature(view="context", low=0, high=20)
def branch_blocks(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of blocks in the block's branch, on a logarithmic scale."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = log1p(nodes.end_block[blocks.branch[i]] - nodes.first_block[blocks.branch[i]])


@feature(view="context", low=0, high=1)
def branch_mass(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the running text that is in the block's branch."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.nodes.running[blocks.branch[i]]


@feature(view="context", low=0, high=1)
def parent_mass(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the running text that is in the parent of the block's container."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.nodes.running[blocks.parent[i]]


@cython.cfunc
@cython.exceptval(check=False)
def _within_reach(distance: cython.longlong) -> cython.longlong:
    """Return a distance in blocks, clipped to FAR in either direction."""
    return max(-FAR, min(distance, FAR))


@feature(view="context", low=-30, high=30)
def after_first(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Distance from the first block of running text, in blocks: negative before it, at most 30 either way."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = _within_reach(i - blocks.first_running)


@feature(view="context", low=-30, high=30)
def after_last(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Distance from the last block of running text, in blocks: negative before it, at most 30 either way."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = _within_reach(i - blocks.last_running)


@feature(view="context", low=-30, high=60)
def after_title(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Distance from the headline, in blocks: negative before it, at most 30 either way; 60 without a headline."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = _within_reach(i - blocks.title) if blocks.title >= 0 else 2 * FAR


@feature(view="context", low=0, high=30)
def running_before(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Distance back to the nearest block of running text, in blocks, at most 30."""
    i: cython.Py_ssize_t
    seen: cython.Py_ssize_t = -FAR
    for i in range(blocks.count):
        if blocks.mass[i] > 0:
            seen = i
        column[i] = min(i - seen, FAR)


@feature(view="context", low=0, high=30)
def running_after(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Distance forward to the nearest block of running text, in blocks, at most 30."""
    i: cython.Py_ssize_t
    seen: cython.Py_ssize_t = blocks.count + FAR
    for i in range(blocks.count - 1, -1, -1):
        if blocks.mass[i] > 0:
            seen = i
        column[i] = min(seen - i, FAR)


@feature(view="context", low=0, high=1)
def running_share_before(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the running text that stands before the block."""
    i: cython.Py_ssize_t
    until: cython.float = 0  # in 32 bits, as models were trained
    for i in range(blocks.count):
        until += blocks.mass[i]
        column[i] = part_of(until - blocks.mass[i], blocks.total_mass)


@feature(view="context", low=-1e4, high=1e4)
def column_left(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Distance of the left edge from that of the running text, as a share of the screen width."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = safe((blocks.box[i, 0] - blocks.running_left) / blocks.screen_width)


@feature(view="context", low=-1e4, high=1e4)
def column_right(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Distance of the right edge from that of the running text, as a share of the screen width."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = safe((blocks.box[i, 2] - blocks.running_right) / blocks.screen_width)


@feature(view="context", low=-90, high=90, scale="log")
def below_title(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Distance below the headline in px, on a signed logarithmic scale; -1 without a headline or a box."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.box[i, 1] - blocks.box[blocks.title, 1] if blocks.title >= 0 else NAN


@feature(view="context", low=0, high=1)
def is_headline(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the block is the page's headline, as far as it can be guessed."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = i == blocks.title
