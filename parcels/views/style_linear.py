"""Stylistic features of linear structure: order, length, tags around a block, its neighbours in the tree."""

import numpy as np

from parcels.tags import IS_BLOCK_LEVEL, NUMBER
from parcels.views.arrays import times
from parcels.views.feature import row_of
from parcels.views.look import INSIDE, Bools, Column, Floats, Look

NEAR_ROOT = 6  # depth up to which table and div tags tell the page's layout system


def position(look: Look) -> Floats:
    """Ordinal of the block as a share of the page's blocks."""
    return (np.arange(len(look)) / max(1, len(look))).astype(np.float32)


def text_before(look: Look) -> Floats:
    """Share of the page's characters that stand before the block."""
    return (np.cumsum(look.chars) - look.chars) / max(1.0, float(look.chars.sum()))


def chars(look: Look) -> Floats:
    """Characters, on a logarithmic scale."""
    return np.log1p(look.chars)


def words(look: Look) -> Floats:
    """Words, on a logarithmic scale."""
    return np.log1p(look.words)


def chars_share(look: Look) -> Floats:
    """Share of the page's characters."""
    return look.chars / max(1.0, float(look.chars.sum()))


def leaves(look: Look) -> Floats:
    """Leaves, on a logarithmic scale."""
    return np.log1p(look.leaf_count)


def depth(look: Look) -> Floats:
    """Depth of the container in the tree."""
    return look.page.nodes.depth[look.container].astype(np.float32)


def link_share(look: Look) -> Floats:
    """Share of the characters inside links."""
    return look.link_share


def link_count(look: Look) -> Floats:
    """Links, on a logarithmic scale."""
    return np.log1p(look.links_per_block)


def heading_level(look: Look) -> Floats:
    """1 to 6 inside h1 to h6, 0 elsewhere."""
    return look.heading_level


def level_of_heading(look: Look) -> Floats:
    """The same, looked up."""
    level = np.zeros(len(look), np.float32)
    for number in range(6, 0, -1):
        name = f"h{number}"
        inside = look.is_inside(name) if name in INSIDE else look.tag == NUMBER[name]
        level[inside] = number
    return level


def sibling_blocks(look: Look) -> Floats:
    """Blocks whose containers have the same parent, on a logarithmic scale."""
    return np.log1p(times(look.parent)).astype(np.float32)


def container_blocks(look: Look) -> Floats:
    """Blocks in the same container: above 1 where other elements split its text."""
    return times(look.container).astype(np.float32)


def sibling_elements(look: Look) -> Floats:
    """Elements beside the container with its tag, on a logarithmic scale: list entries have many."""
    nodes, container = look.page.nodes, look.container
    key = np.sort(nodes.parent.astype(np.int64) * 1024 + nodes.tag)
    own = nodes.parent[container].astype(np.int64) * 1024 + nodes.tag[container]
    count = key.searchsorted(own, "right") - key.searchsorted(own, "left")
    return np.asarray(np.log1p(count), np.float32)


def parent_chars(look: Look) -> Floats:
    """Characters in the container's parent, on a logarithmic scale."""
    return np.log1p(look.parent_chars)


def parent_link_share(look: Look) -> Floats:
    """Share of the characters of the container's parent that are inside links."""
    linked = look.in_parent(look.leaf_chars * look.page.leaves.is_link)
    return (linked / np.maximum(look.parent_chars, 1)).astype(np.float32)


# Tags of the container and around it


def _all_inside(look: Look) -> Bools:
    return look.inside


def _inside(name: str) -> Column:
    @row_of(_all_inside, INSIDE.index(name))
    def inside(look: Look) -> Floats:
        return look.is_inside(name).astype(np.float32)

    inside.__name__ = f"inside_{name}"
    inside.__doc__ = f"1 inside a `{name}` element."
    return inside


def is_inline_container(look: Look) -> Floats:
    """1 where the block's container is not a block-level element."""
    return (~IS_BLOCK_LEVEL[look.tag]).astype(np.float32)


# The prevalent layout system of the page (section 5.2)


def table_layout(look: Look) -> Floats:
    """Table tags against table and div tags near the root: 1 is a page laid out by tables, 0 by divs."""
    near = look.page.nodes.depth <= NEAR_ROOT
    tables = float(np.count_nonzero(near & (look.page.nodes.tag == NUMBER["table"])))
    divs = float(np.count_nonzero(near & (look.page.nodes.tag == NUMBER["div"])))
    return np.full(len(look), (tables + 0.5) / (tables + divs + 1), np.float32)


def block_count(look: Look) -> Floats:
    """Blocks of the page, on a logarithmic scale."""
    return np.full(len(look), np.log1p(len(look)), np.float32)


FEATURES: tuple[Column, ...] = (
    position, text_before, chars, words, chars_share, leaves, depth, link_share, link_count, heading_level,
    sibling_blocks, container_blocks, sibling_elements, parent_chars, parent_link_share, is_inline_container,
    *(_inside(name) for name in INSIDE), table_layout, block_count,
)  # fmt: skip
