# cython: annotation_typing=True, wraparound=False, cdivision=True
"""Style features of fonts and colours, relative to the rest of the page, and of images and controls."""

import cython
import numpy as np

from parcels.css.style import Align
from parcels.features.feature import feature
from parcels.features.leaf_sizes import KINDS
from parcels.features.table import BlockTable, LeafTable, NodeTable, means, part_of, safe

CENTRE = int(Align.CENTRE)

# Fonts, relative to the page's median (Lee, Kan and Lai 2004, section 5.2.4)


@feature(view="style", low=-1, high=1e4)
def font_size(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Mean font size of the block divided by the page's median."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.font_size[i]


@feature(view="style", low=0, high=1)
def largest_font(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if the block contains the page's largest font."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    largest: cython.float = 0
    for i in range(blocks.count):
        column[i] = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            if leaves.kind[leaf] == 0:
                column[i] = max(column[i], blocks.nodes.font_size[leaves.node[leaf]])
        largest = max(largest, column[i])
    for i in range(blocks.count):
        column[i] = column[i] >= largest - 0.5


@feature(view="style", low=-1e4, high=1e4)
def font_weight(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Mean font weight of the block minus the page's median, in hundreds."""
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = blocks.font_weight[i]


@feature(view="style", low=0, high=1)
def is_italic(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the block's characters in italics."""
    _share_of_nodes(blocks, blocks.nodes.is_italic, column)


@feature(view="style", low=0, high=1)
def is_underlined(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the block's characters that are underlined."""
    _share_of_nodes(blocks, blocks.nodes.is_underlined, column)


@feature(view="style", low=0, high=1)
def is_upper_case(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the block's characters that CSS turns into capitals."""
    _share_of_nodes(blocks, blocks.nodes.is_upper_case, column)


@cython.cfunc
@cython.exceptval(check=False)
def _share_of_nodes(
    blocks: BlockTable,
    is_wanted: cython.const[cython.uchar][::1],  # type: ignore[valid-type]
    column: cython.float[::1],
) -> cython.void:
    """Fill the share of each block's characters that are in wanted elements."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    chars: cython.double
    for i in range(blocks.count):
        chars = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            if is_wanted[leaves.node[leaf]]:
                chars += leaves.chars[leaf]
        column[i] = part_of(chars, blocks.chars[i])


@feature(view="style", low=0, high=1)
def other_family(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the block's characters in another font family than the page's commonest."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    chars: cython.double
    for i in range(blocks.count):
        chars = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            if blocks.nodes.font_family[leaves.node[leaf]] != blocks.commonest_family:
                chars += leaves.chars[leaf]
        column[i] = part_of(chars, blocks.chars[i])


@feature(view="style", low=0, high=1)
def other_colour(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the block's characters in another colour than the page's commonest."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    chars: cython.double
    for i in range(blocks.count):
        chars = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            if cython.cast(cython.longlong, blocks.nodes.colour[leaves.node[leaf]]) != blocks.commonest_colour:
                chars += leaves.chars[leaf]
        column[i] = part_of(chars, blocks.chars[i])


@feature(view="style", low=0, high=1)
def colour_lightness(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Mean lightness of the block's text colour, from 0 (black) to 1 (white)."""
    light: cython.float[::1] = np.empty(blocks.leaves.count, np.float32)
    leaf: cython.Py_ssize_t
    colour: cython.uint
    for leaf in range(blocks.leaves.count):
        colour = blocks.nodes.colour[blocks.leaves.node[leaf]]  # 0xRRGGBBAA
        light[leaf] = (0.299 * (colour >> 24) + 0.587 * ((colour >> 16) & 255) + 0.114 * ((colour >> 8) & 255)) / 255
    mean: cython.float[::1] = means(blocks, np.asarray(light))
    i: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = mean[i]


@feature(view="style", low=0, high=1)
def has_background(blocks: BlockTable, column: cython.float[::1]) -> None:
    """1 if an element around the block, below the body, has a background colour."""
    nodes: NodeTable = blocks.nodes
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    for i in range(blocks.count):
        at = blocks.container[i]
        while at > 0 and not (nodes.background[at] & 255 and nodes.depth[at] > 1):
            at = nodes.parent[at]
        column[i] = at > 0


@feature(view="style", low=0, high=1)
def is_centred(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Share of the block's characters that are centred."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    chars: cython.double
    for i in range(blocks.count):
        chars = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            if blocks.nodes.text_align[leaves.node[leaf]] == CENTRE:
                chars += leaves.chars[leaf]
        column[i] = part_of(chars, blocks.chars[i])


@feature(view="style", low=-1, high=1e4)
def line_height(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Mean ratio of line height to font size."""
    nodes: NodeTable = blocks.nodes
    height: cython.float[::1] = np.empty(blocks.leaves.count, np.float32)
    leaf: cython.Py_ssize_t
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for leaf in range(blocks.leaves.count):
        row = blocks.leaves.node[leaf]
        height[leaf] = part_of(nodes.line_height[row], nodes.font_size[row])
    mean: cython.float[::1] = means(blocks, np.asarray(height))
    for i in range(blocks.count):
        column[i] = safe(mean[i])


# Images and other media (section 5.2.5)

SORTS = (("img",), ("video", "audio", "iframe", "embed"), ("input", "textarea", "select"))
IMAGES, MEDIA, CONTROLS = range(3)  # in SORTS
SORT_OF_KIND = np.array(
    [next((sort for sort, kinds in enumerate(SORTS) if kind in kinds), -1) for kind in KINDS], np.int8
)


def leaves_of_sort(blocks: BlockTable, column: cython.float[::1], sort: cython.int) -> None:
    """Number of the block's leaves of one of SORTS, on a logarithmic scale."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    count: cython.int
    for i in range(blocks.count):
        count = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            count += SORT_OF_KIND[leaves.kind[leaf]] == sort
        column[i] = count


def largest_medium(blocks: BlockTable, column: cython.float[::1], side: cython.int) -> None:
    """Width (2) or height (3) of the largest image or other medium in px, on a logarithmic scale; 0 without."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    sort: cython.int
    largest: cython.float
    for i in range(blocks.count):
        largest = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            sort = SORT_OF_KIND[leaves.kind[leaf]]
            if sort in (IMAGES, MEDIA) and leaves.box[leaf, side] > largest:  # false for NaN
                largest = leaves.box[leaf, side]
        column[i] = largest


for _name, _sort, _meaning in (
    ("image_count", IMAGES, "Number of images in the block, on a logarithmic scale."),
    ("media_count", MEDIA, "Number of videos and other embedded media in the block, on a logarithmic scale."),
    ("control_count", CONTROLS, "Number of form controls in the block, on a logarithmic scale."),
):
    feature(view="style", low=0, high=20, scale="log", name=_name, parameter=_sort, meaning=_meaning)(leaves_of_sort)
for _name, _side, _meaning in (
    (
        "image_width",
        2,
        "Width of the block's widest image or other medium in px, on a logarithmic scale; 0 without one.",
    ),
    (
        "image_height",
        3,
        "Height of the block's highest image or other medium in px, on a logarithmic scale; 0 without one.",
    ),
):
    feature(view="style", low=0, high=90, scale="log", name=_name, parameter=_side, meaning=_meaning)(largest_medium)
