# cython: annotation_typing=True, wraparound=False, cdivision=True
"""Context features of neighbours: what stands right before and after a block, and the heading that it stands under."""

import cython

from parcels.features.feature import feature
from parcels.features.table import BlockTable, safe

if cython.compiled:
    from cython.cimports.libc.math import NAN
else:
    NAN = float("nan")

FAR = 30  # blocks


@feature(view="context", low=-1, high=30)
def under_distance(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Blocks back to the heading over the block, up to FAR; -1 without."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = min(i - blocks.over[i], FAR) if blocks.over[i] >= 0 else -1


@feature(view="context", low=0, high=1)
def under_title(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 where the heading over the block is the page's headline."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.over[i] >= 0 and blocks.over[i] == blocks.title


@feature(view="context", low=0, high=1)
def under_is_late(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 where the heading over the block stands behind the last block of running text."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.over[i] > blocks.last_running


@feature(view="context", low=0, high=1)
def is_heading(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 for headings and what looks like one."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.is_heading[i]


@feature(view="context", low=-90, high=90, scale="log")
def gap_before(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Space between the block's box and that of the block before it in px, on a signed logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.box[i, 1] - blocks.box[i - 1, 3] if i > 0 else NAN


@feature(view="context", low=-90, high=90, scale="log")
def gap_after(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Space between the block's box and that of the block behind it in px, on a signed logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.box[i + 1, 1] - blocks.box[i, 3] if i + 1 < blocks.count else NAN


@feature(view="context", low=0, high=1)
def same_parent_before(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 where the block before stands in the same parent."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if i > 0:
            column[i] = blocks.parent[i - 1] == blocks.parent[i]


@feature(view="context", low=0, high=1)
def same_parent_after(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 where the block behind stands in the same parent."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if i + 1 < blocks.count:
            column[i] = blocks.parent[i + 1] == blocks.parent[i]


@feature(view="context", low=1, high=30)
def run_of_tag(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Blocks in a row, this one included, whose elements have the same tag, up to FAR: paragraphs, entries of lists."""
    i: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    for i in range(1, blocks.count + 1):
        if i < blocks.count and blocks.nodes.tag[blocks.container[i]] == blocks.nodes.tag[blocks.container[first]]:
            continue
        for at in range(first, i):
            column[at] = min(i - first, FAR)
        first = i


# What the block some places before (negative: behind) says; -1 beyond the ends of the page


def chars(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """Characters of a neighbour, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.chars[i - by] if 0 <= i - by < blocks.count else NAN


def link_share(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """Share of a neighbour's characters inside links."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if 0 <= i - by < blocks.count:
            column[i] = blocks.link_share[i - by]


def images(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """Images of a neighbour."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if 0 <= i - by < blocks.count:
            column[i] = safe(blocks.images[i - by])


def heading(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """1 where a neighbour is a heading or looks like one."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if 0 <= i - by < blocks.count:
            column[i] = blocks.is_heading[i - by]


def tag(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """Tag of a neighbour's container, as a number."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if 0 <= i - by < blocks.count:
            column[i] = blocks.nodes.tag[blocks.container[i - by]]


def left(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """Left edge of a neighbour as a share of the screen."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if 0 <= i - by < blocks.count:
            column[i] = safe(blocks.box[i - by, 0] / blocks.screen_width)


_VALUES = (  # with their ranges and scales
    (chars, -1, 20, "log"),
    (link_share, -1, 1, None),
    (images, -1, 1e4, None),
    (heading, -1, 1, None),
)
_VALUES_OF_NEXT = ((tag, -1, 1024, None), (left, -1e4, 1e4, None))
for _values, _steps in ((_VALUES, (2, 1, -1, -2)), (_VALUES_OF_NEXT, (1, -1))):
    for _by in _steps:
        for _function, _low, _high, _scale in _values:
            feature(
                view="context", low=_low, high=_high, scale=_scale, parameter=_by,
                name=f"{_function.__name__}_{'before' if _by > 0 else 'after'}_{abs(_by)}",
                meaning=f"`{_function.__name__}` of the block {abs(_by)} {'before' if _by > 0 else 'behind'}.",
            )(_function)  # fmt: skip
