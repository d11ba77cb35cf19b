# cython: annotation_typing=True, boundscheck=True, wraparound=False, cdivision=True
"""The typed tables of a page's leaves, nodes and blocks: the input of the features of the style and context views.

table.pxd declares the type of each column. The constructors fill the columns that follow from the page alone;
style/columns.py and context/columns.py fill the others. PageFeatures.table is complete.
"""

import cython
import numpy as np
from numpy.typing import NDArray

from parcels.css.style import Styles
from parcels.divide import Division
from parcels.features.leaf_sizes import leaf_sizes
from parcels.features.link_targets import LinkTargets
from parcels.html.page import Page
from parcels.layout.areas import AreaMap
from parcels.layout.boxes import Layout

if cython.compiled:
    from cython.cimports.libc.math import isnan
else:
    from math import isnan

CAP = 1e4  # no feature is larger


class LeafTable:
    """One row per leaf."""

    def __init__(self, page: Page, layout: Layout, areas: AreaMap, targets: LinkTargets):
        leaves, sizes = page.leaves, leaf_sizes(page.leaves)
        self.count = len(leaves)
        self.node = leaves.node  # the row of the element that holds the leaf
        self.chars, self.words = sizes.chars, sizes.words
        self.kind = sizes.kind  # an index of leaf_sizes.KINDS
        self.is_figures = sizes.is_figures
        self.is_link = leaves.is_link.view(np.uint8)
        self.is_hidden = np.array([reason is not None for reason in layout.hidden_reason], np.uint8)
        self.box = layout.leaves  # x, y, width, height in px; NaN without a box
        self.area = areas.leaves  # an index of AREAS
        self.target = targets.of_leaf  # the link's column in target_kinds; -1 outside links
        self.target_kinds, self.target_depth = targets.kinds, targets.depth
        self.block = np.zeros(self.count, np.int64)
        self.chars_before = np.zeros(self.count + 1)  # sum over all leaves before; the last entry is the page's total
        self.linked_before = np.zeros(self.count + 1)
        self.words_before = np.zeros(self.count + 1)
        leaf: cython.Py_ssize_t
        for leaf in range(self.count):
            self.chars_before[leaf + 1] = self.chars_before[leaf] + self.chars[leaf]
            self.linked_before[leaf + 1] = self.linked_before[leaf] + self.is_link[leaf] * self.chars[leaf]
            self.words_before[leaf + 1] = self.words_before[leaf] + self.words[leaf]


class NodeTable:
    """One row per element, in document order; row 0 is the root."""

    def __init__(self, page: Page, styles: Styles):
        nodes, size = page.nodes, len(page.nodes)
        self.count = size
        self.tag, self.parent, self.depth, self.last = nodes.tag, nodes.parent, nodes.depth, nodes.last
        self.first_leaf, self.end_leaf, self.link = nodes.first_leaf, nodes.end_leaf, nodes.link
        self.font_size, self.font_weight, self.font_family = styles.font_size, styles.font_weight, styles.font_family
        self.line_height, self.z_index = styles.line_height, styles.z_index
        self.colour, self.background = styles.colour, styles.background
        self.is_italic = styles.is_italic.view(np.uint8)
        self.is_underlined = styles.is_underlined.view(np.uint8)
        self.is_upper_case = styles.is_upper_case.view(np.uint8)
        self.text_align, self.position, self.display = styles.text_align, styles.position, styles.display
        self.float_ = styles.float_
        # Sums over each node's subtree, filled by context/columns.py:
        self.chars, self.linked = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.images = np.zeros(size, np.float32)
        self.repeats = np.zeros(size, np.float32)  # siblings with the same tag and class, itself included
        self.running = np.zeros(size, np.float32)  # share of the running text
        self.first_block = np.zeros(size, np.int64)
        self.end_block = np.zeros(size, np.int64)  # one past the block of the last leaf
        self.h1_before = np.zeros(size + 1, np.intc)  # h1 elements before each row


class BlockTable:
    """One row per block, and the tables of the page's leaves and nodes."""

    def __init__(self, leaves: LeafTable, nodes: NodeTable, division: Division, styles: Styles, layout: Layout):
        size: cython.Py_ssize_t = len(division)
        self.count = size
        self.leaves, self.nodes = leaves, nodes
        self.screen_width, self.page_height = layout.width, layout.height
        self.css_coverage = styles.css_coverage
        self.first_leaf = division.first.astype(np.int64)
        self.end_leaf = np.append(division.first[1:], leaves.count).astype(np.int64)[:size]
        self.container = division.container.astype(np.int64)
        self.parent = np.zeros(size, np.int64)  # the row of the container's parent; the root's is the root
        self.chars, self.words = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.link_share = np.zeros(size, np.float32)
        self.links, self.images = np.zeros(size, np.float32), np.zeros(size, np.float32)
        # Filled by style/columns.py:
        self.box = np.full((size, 4), np.nan, np.float32)  # left, top, right, bottom in px
        self.inside = np.zeros((0, size), np.uint8)  # one row per tag of INSIDE
        self.heading_level = np.zeros(size, np.float32)
        self.layer = np.zeros(size, np.int64)  # the nearest absolute, fixed or sticky element, or 0
        self.font_size = np.zeros(size, np.float32)  # ratio to the page's median
        self.font_weight = np.zeros(size, np.float32)  # minus the page's median, in hundreds
        self.commonest_family = self.commonest_colour = 0
        self.is_numeric = np.zeros(size, np.uint8)
        self.is_in_cell = np.zeros(size, np.uint8)
        self.cell, self.table = np.zeros(size, np.int64), np.zeros(size, np.int64)  # rows of nodes
        self.table_depth = np.zeros(size, np.int64)
        self.row, self.column = np.zeros(size, np.int64), np.zeros(size, np.int64)
        self.row_count, self.column_count = np.zeros(size, np.int64), np.zeros(size, np.int64)
        # Filled by context/columns.py:
        self.entry, self.list_ = np.zeros(size, np.int64), np.zeros(size, np.int64)  # rows of nodes, 0 outside lists
        self.mass = np.zeros(size, np.float32)  # characters of running text
        self.total_mass = 0
        self.main = 0  # row of the main element: it holds most of the running text
        self.common = np.zeros(size, np.int64)  # the lowest ancestor on the path from the root to `main`
        self.branch = np.zeros(size, np.int64)  # the child of `common` that holds the block
        self.first_running = self.last_running = size  # blocks of running text inside `main`
        self.title = -1  # the block that is most likely the headline, or -1
        self.running_left = self.running_right = np.nan  # median edges of the running text's boxes
        self.is_heading = np.zeros(size, np.uint8)
        self.over = np.zeros(size, np.int64)  # the heading that governs the block, or -1
        self.over_list = np.zeros(size, np.int64)  # the short block right before its list, or -1
        self.of_branch = np.zeros(size, np.int64)  # the first block of its branch if that is short, or -1


def safe(value: float) -> float:
    """Return a number clipped to [-CAP, CAP]; NaN becomes -1."""
    if isnan(value):
        return -1
    return max(-CAP, min(CAP, value))


def means(blocks: BlockTable, values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the mean of a leaf value over each block's characters, in 32 bits as models were trained."""
    sums: NDArray[np.float32] = np.add.reduceat(values * np.asarray(blocks.leaves.chars), np.asarray(blocks.first_leaf))
    return sums / np.maximum(np.asarray(blocks.chars), 1)


def part_of(part: float, whole: float) -> float:
    """Return part / whole, where a whole below 1 counts as 1."""
    return part / (whole if whole > 1 else 1)
