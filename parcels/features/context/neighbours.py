# cython: annotation_typing=True, wraparound=False, cdivision=True
"""Context features of neighbours: the blocks right before and after a block, and the heading above it."""

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
    """Distance back to the heading above the block, in blocks, at most 30; -1 without a heading."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = min(i - blocks.over[i], FAR) if blocks.over[i] >= 0 else -1


@feature(view="context", low=0, high=1)
def under_title(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the heading above the block is the page's headline."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.over[i] >= 0 and blocks.over[i] == blocks.title


@feature(view="context", low=0, high=1)
def under_is_late(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the heading above the block comes after the last block of running text."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.over[i] > blocks.last_running


@feature(view="context", low=0, high=1)
def is_heading(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the block is a heading, or a short block in larger or bolder type."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.is_heading[i]


@feature(view="context", low=-90, high=90, scale="log")
def gap_before(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Vertical gap in px between the previous block's box and this one, on a signed logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.box[i, 1] - blocks.box[i - 1, 3] if i > 0 else NAN


@feature(view="context", low=-90, high=90, scale="log")
def gap_after(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Vertical gap in px between this block's box and the next one, on a signed logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.box[i + 1, 1] - blocks.box[i, 3] if i + 1 < blocks.count else NAN


@feature(view="context", low=0, high=1)
def same_parent_before(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the container of the previous block has the same parent."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if i > 0:
            column[i] = blocks.parent[i - 1] == blocks.parent[i]


@feature(view="context", low=0, high=1)
def same_parent_after(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the container of the next block has the same parent."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        if i + 1 < blocks.count:
            column[i] = blocks.parent[i + 1] == blocks.parent[i]


@feature(view="context", low=1, high=30)
def run_of_tag(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Number of consecutive blocks, this one included, whose containers have the same tag, at most 30."""
    i: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    for i in range(1, blocks.count + 1):
        if i < blocks.count and blocks.nodes.tag[blocks.container[i]] == blocks.nodes.tag[blocks.container[first]]:
            continue
        for at in range(first, i):
            column[at] = min(i - first, FAR)
        first = i


# Values of the block `by` places before this one (negative: after); -1 beyond the ends of the page


def chars(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """Number of characters in a neighbour, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.chars[i - by] if 0 <= i - by < blocks.count else NAN


def link_share(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """Share of the characters of a neighbour that are inside links."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if 0 <= i - by < blocks.count:
            column[i] = blocks.link_share[i - by]


def images(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """Number of images in a neighbour."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if 0 <= i - by < blocks.count:
            column[i] = safe(blocks.images[i - by])


def heading(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """1 if there is a heading in a neighbour."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if 0 <= i - by < blocks.count:
            column[i] = blocks.is_heading[i - by]


def tag(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """Tag of the container of a neighbour, as a number."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if 0 <= i - by < blocks.count:
            column[i] = blocks.nodes.tag[blocks.container[i - by]]


def left(blocks: BlockTable, column: cython.float[::1], by: cython.Py_ssize_t) -> None:
    """Left edge of a neighbour as a share of the screen width."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = -1
        if 0 <= i - by < blocks.count:
            column[i] = safe(blocks.box[i - by, 0] / blocks.screen_width)


def _which(by: int) -> str:
    """Return the name of a neighbour in the reference of features."""
    if abs(by) == 1:
        return "the block before" if by > 0 else "the block after"
    return f"the block {abs(by)} places {'before' if by > 0 else 'after'}"


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
                meaning=(_function.__doc__ or "").replace("a neighbour", _which(_by)),
            )(_function)  # fmt: skip
