# cython: annotation_typing=True, wraparound=False, cdivision=True
"""Style features of boxes: the position of a block on the virtual screen, its layer and its area."""

import cython
import numpy as np

from parcels.css.style import Display, Float, Position
from parcels.features.feature import feature
from parcels.features.table import BlockTable, LeafTable, NodeTable, part_of, safe
from parcels.layout.boxes import AREAS

if cython.compiled:
    from cython.cimports.libc.math import isnan
else:
    from math import isnan

ABSOLUTE, FIXED, STICKY = int(Position.ABSOLUTE), int(Position.FIXED), int(Position.STICKY)
UNFLOATED = int(Float.NONE)
_FLEX = (Display.FLEX, Display.INLINE_FLEX, Display.GRID, Display.INLINE_GRID)
IS_FLEX = np.array([display in _FLEX for display in range(max(Display) + 1)], np.uint8)

# Boxes: positions as shares (Lee, Kan and Lai 2004, section 5.2.3); -1 without a box


@feature(view="style", low=-1e4, high=1e4)
def left(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Left edge of the block's box as a share of the screen width."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = safe(part_of(blocks.box[i, 0], blocks.screen_width))


@feature(view="style", low=-1e4, high=1e4)
def top(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Top edge of the block's box as a share of the page height."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = safe(part_of(blocks.box[i, 1], blocks.page_height))


@feature(view="style", low=-1e4, high=1e4)
def right(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Right edge of the block's box as a share of the screen width."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = safe(part_of(blocks.box[i, 2], blocks.screen_width))


@feature(view="style", low=-1e4, high=1e4)
def bottom(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Bottom edge of the block's box as a share of the page height."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = safe(part_of(blocks.box[i, 3], blocks.page_height))


@feature(view="style", low=-1, high=1e4)
def width_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Width of the block's box as a share of the screen width."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = safe((blocks.box[i, 2] - blocks.box[i, 0]) / blocks.screen_width)


@feature(view="style", low=-1, high=1e4)
def height_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Height of the block's box as a share of the page height."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = safe(part_of(blocks.box[i, 3] - blocks.box[i, 1], blocks.page_height))


@feature(view="style", low=-1, high=90, scale="log")
def height(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Height of the block's box in px, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = _from_zero(blocks.box[i, 3] - blocks.box[i, 1])


@feature(view="style", low=-1e4, high=1e4)
def centre_x(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Horizontal centre of the block's box, from 0 at the left edge of the screen to 1 at the right."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = safe((blocks.box[i, 0] + blocks.box[i, 2]) / (2 * blocks.screen_width))


@feature(view="style", low=-1, high=90, scale="log")
def top_px(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Distance of the block's box from the top of the page in px, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = _from_zero(blocks.box[i, 1])


@feature(view="style", low=-1, high=90, scale="log")
def bottom_px(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Distance of the block's box from the bottom of the page in px, on a logarithmic scale."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = _from_zero(blocks.page_height - blocks.box[i, 3])


@cython.cfunc
@cython.exceptval(check=False)
def _from_zero(px: cython.double) -> cython.double:
    """Return a distance, with 0 for negative ones; NaN stays NaN."""
    return 0 if px < 0 else px


@feature(view="style", low=0, high=1)
def is_boxless(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if no leaf of the block has a box on the screen."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 1 if isnan(blocks.box[i, 0]) else 0


@feature(view="style", low=0, high=1)
def hidden_share(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the block's characters that are hidden from readers."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    chars: cython.double
    for i in range(blocks.count):
        chars = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            if leaves.is_hidden[leaf]:
                chars += leaves.chars[leaf]
        column[i] = part_of(chars, blocks.chars[i])


# Layers


@feature(view="style", low=-90, high=90, scale="log")
def z_index(blocks: BlockTable, column: cython.float[::1]) -> None:
    """z-index of the nearest positioned element around the block, on a signed logarithmic scale; 0 without."""
    i: cython.Py_ssize_t
    z: cython.double
    for i in range(blocks.count):
        z = blocks.nodes.z_index[blocks.layer[i]]
        column[i] = 0 if isnan(z) else z


@feature(view="style", low=0, high=1)
def is_layered(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the block is inside an absolutely positioned or fixed box."""
    i: cython.Py_ssize_t
    position: cython.int
    for i in range(blocks.count):
        position = blocks.nodes.position[blocks.layer[i]]
        column[i] = position in (ABSOLUTE, FIXED)


@feature(view="style", low=0, high=1)
def is_fixed(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the block is inside a fixed or sticky box."""
    i: cython.Py_ssize_t
    position: cython.int
    for i in range(blocks.count):
        position = blocks.nodes.position[blocks.layer[i]]
        column[i] = position in (FIXED, STICKY)


@feature(view="style", low=0, high=1)
def is_floated(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the block is inside a floated box."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for i in range(blocks.count):
        at = blocks.container[i]
        while at > 0 and nodes.float_[at] == UNFLOATED:
            at = nodes.parent[at]
        column[i] = nodes.float_[at] != UNFLOATED


@feature(view="style", low=0, high=1)
def is_in_flex(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the container's parent is a flex box or a grid."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = IS_FLEX[blocks.nodes.display[blocks.parent[i]]]


@feature(view="style", low=0, high=1)
def css_coverage(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the page's style sheets that were available."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.css_coverage


# Areas


def area(blocks: BlockTable, column: cython.float[::1], number: cython.int) -> None:
    """Share of the block's characters in one of AREAS."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    chars: cython.double
    for i in range(blocks.count):
        chars = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            if leaves.area[leaf] == number:
                chars += leaves.chars[leaf]
        column[i] = part_of(chars, blocks.chars[i])


for _number, _name in enumerate(AREAS):
    feature(
        view="style", low=0, high=1, name=f"area_{_name}", parameter=_number,
        meaning=f"Share of the block's characters in the page's area `{_name}`.",
    )(area)  # fmt: skip
