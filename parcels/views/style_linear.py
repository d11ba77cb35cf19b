"""Stylistic features of linear structure: order, length, tags around a block, its neighbours in the tree."""

import numpy as np

from parcels.compiled import loaded
from parcels.tags import IS_BLOCK_LEVEL, NUMBER
from parcels.views.arrays import logs, logs_of_counts, times
from parcels.views.feature import family, row_of
from parcels.views.look import INSIDE, Bools, Column, Floats, Look, of_marks

loops = loaded("parcels.views.style_loops")  # None where it is not compiled: the same by NumPy, slower

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


def links_per_block(look: Look) -> Floats:
    """Look.links_per_block."""
    if loops is not None:
        found = np.empty(len(look), np.float32)
        loops.links_per_block(look.page.leaves.node, look.page.nodes.link, look.division.first, found)
        return found
    link = look.page.nodes.link[look.page.leaves.node]
    is_new = (link >= 0) & np.append(True, link[1:] != link[:-1])[: len(link)]
    return look.total(is_new)


def heading_level(look: Look) -> Floats:
    """1 to 6 inside h1 to h6, 0 elsewhere."""
    return look.heading_level


def level_of_heading(look: Look) -> Floats:
    """The same, looked up."""
    if loops is not None and len(look):
        return np.asarray(look.structure[_HEADING_LEVEL])
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


def is_inline_container(look: Look) -> Floats:
    """1 where the block's container is not a block-level element."""
    return (~IS_BLOCK_LEVEL[look.tag]).astype(np.float32)


STRUCTURE: tuple[Column, ...] = (
    position, text_before, chars, words, chars_share, leaves, depth, link_share, link_count, heading_level,
    sibling_blocks, container_blocks, sibling_elements, parent_chars, parent_link_share, is_inline_container,
)  # fmt: skip
LOG_CHARS, _HEADING_LEVEL = STRUCTURE.index(chars), STRUCTURE.index(heading_level)
_LOGS = [STRUCTURE.index(column) for column in (chars, words, leaves, link_count, parent_chars)]
_LOGS_OF_COUNTS = [STRUCTURE.index(column) for column in (sibling_blocks, sibling_elements)]
_FIRST_HEADING, _HEADINGS = INSIDE.index("h1"), 4  # h1 to h4 are among INSIDE, one behind the other


def of_structure(look: Look) -> Floats:
    """The rows of STRUCTURE, in few passes over blocks, nodes and leaves."""
    if loops is None or not len(look):
        return np.stack([column(look) for column in STRUCTURE])
    nodes, size = look.page.nodes, len(look)
    found, numbers = np.empty((len(STRUCTURE), size), np.float32), np.empty((len(_LOGS), size), np.float32)
    counts = np.empty((len(_LOGS_OF_COUNTS), size), np.int64)
    headings = look.inside[_FIRST_HEADING : _FIRST_HEADING + _HEADINGS].view(np.uint8)
    numbers[0], numbers[1], numbers[2], numbers[3] = look.chars, look.words, look.leaf_count, look.links_per_block
    loops.linear(
        look.chars, look.link_share, look.container, look.parent, nodes.parent, nodes.tag, nodes.depth,
        nodes.first_leaf, nodes.end_leaf, look.leaf_chars, look.page.leaves.is_link.view(np.uint8), headings,
        NUMBER["h5"], NUMBER["h6"], IS_BLOCK_LEVEL.view(np.uint8), max(1.0, float(look.chars.sum())), found, numbers[4],
        counts,
    )  # fmt: skip
    found[_LOGS], found[_LOGS_OF_COUNTS] = logs(numbers), logs_of_counts(counts)
    return found


def _structure(look: Look) -> Floats:
    return look.structure


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


# The prevalent layout system of the page (section 5.2)


@row_of(of_marks, 3)
def table_layout(look: Look) -> Floats:
    """Table tags against table and div tags near the root: 1 is a page laid out by tables, 0 by divs."""
    near = look.page.nodes.depth <= NEAR_ROOT
    tables = float(np.count_nonzero(near & (look.page.nodes.tag == NUMBER["table"])))
    divs = float(np.count_nonzero(near & (look.page.nodes.tag == NUMBER["div"])))
    return np.full(len(look), share_of_tables(tables, divs), np.float32)


def share_of_tables(tables: float, divs: float) -> float:
    """The share of tables among both, a little nearer to a half."""
    return (tables + 0.5) / (tables + divs + 1)


def block_count(look: Look) -> Floats:
    """Blocks of the page, on a logarithmic scale."""
    return np.full(len(look), np.log1p(len(look)), np.float32)


FEATURES: tuple[Column, ...] = (
    *family(_structure, STRUCTURE), *(_inside(name) for name in INSIDE), table_layout, block_count,
)  # fmt: skip
