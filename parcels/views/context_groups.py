"""Context features of groups: the list, the repeated entry and the surroundings that a block is part of.

An entry is the nearest element around a block that has at least two siblings with its tag and class; the list is the
entry's parent.
"""

from dataclasses import dataclass

import numpy as np

from parcels.tags import NUMBER
from parcels.views.ancestors import nearest
from parcels.views.leaf_sizes import KINDS
from parcels.views.look import Column, Floats, Ints, Look, loops

MIN_SIBLINGS = 3
_IMAGE = KINDS.index("img")
LEVELS = (2, 3, 5)  # ancestors of the container whose content is measured


@dataclass(frozen=True, slots=True)
class Groups:
    """What features of groups share, over nodes and blocks."""

    chars: Floats  # of each node's subtree
    linked: Floats  # of these, inside links
    images: Floats
    repeats: Floats  # siblings with the same tag and class, itself included
    entry: Ints  # of each block: the row of its entry; 0 where it has none
    list_: Ints  # of each block: the row of its list; 0 where it has none
    block_of_leaf: Ints
    first_block: Ints  # of each node: the block of its first leaf
    end_block: Ints  # of each node: one behind the block of its last leaf


def groups(look: Look) -> Groups:
    """The groups of a page."""
    nodes, leaves, size = look.page.nodes, look.page.leaves, len(look)
    repeats = _repeats(look)
    if loops is not None:
        held, of_blocks = np.empty((3, len(nodes)), np.float32), np.empty((2, len(nodes)), np.int64)
        (entry, list_), of_leaf = np.empty((2, size), np.int64), np.empty(len(leaves), np.int64)
        loops.groups(
            look.leaf_chars, leaves.is_link.view(np.uint8), look.leaf_kind, _IMAGE, look.division.first,
            nodes.first_leaf, nodes.end_leaf, look.container, nodes.parent, repeats, MIN_SIBLINGS, held, of_blocks,
            of_leaf, entry, list_,
        )  # fmt: skip
        return Groups(held[0], held[1], held[2], repeats, entry, list_, of_leaf, of_blocks[0], of_blocks[1])
    is_entry = (repeats >= MIN_SIBLINGS) & (nodes.end_leaf > nodes.first_leaf)
    is_entry[: min(2, len(is_entry))] = False
    entry = nearest(look, is_entry)
    entry[~is_entry[entry]] = 0
    block_of_leaf = look.division.block_of_leaf()
    (chars, linked, images), (first, end) = _below(look, block_of_leaf)
    list_ = np.where(entry > 0, np.maximum(nodes.parent[entry], 0), 0).astype(np.int64)
    return Groups(chars, linked, images, repeats, entry, list_, block_of_leaf, first, end)


def _below(look: Look, block_of_leaf: Ints) -> tuple[Floats, Ints]:
    """A row each: characters, linked ones, images of each node's subtree; its first block, and that behind its last."""
    nodes, is_image = look.page.nodes, look.leaf_is("img")
    values = np.stack([look.leaf_chars, look.leaf_chars * look.page.leaves.is_link, is_image])
    before = np.zeros((3, len(is_image) + 1))
    np.cumsum(values, axis=1, dtype=np.float64, out=before[:, 1:])
    padded = np.append(block_of_leaf, len(look))
    last = np.where(nodes.end_leaf > 0, padded[np.maximum(nodes.end_leaf - 1, 0)] + 1, 0)
    return (
        np.asarray(before[:, nodes.end_leaf] - before[:, nodes.first_leaf], np.float32),
        np.stack([padded[nodes.first_leaf], last]),
    )


def _repeats(look: Look) -> Floats:
    """For each node how many children of its parent have its tag and class and hold a leaf."""
    nodes, numbers = look.page.nodes, dict[str, int]()
    number, attributes = numbers.setdefault, nodes.attributes
    found = np.zeros(len(nodes), np.float32)
    if loops is not None:
        loops.repeats(attributes, nodes.parent, nodes.tag, nodes.first_leaf, nodes.end_leaf, found)
        return found
    rows = np.flatnonzero(nodes.end_leaf > nodes.first_leaf)
    classes = [number(attributes[row].get("class", ""), len(numbers)) for row in rows.tolist()]
    key = (nodes.parent[rows].astype(np.int64) * 1024 + nodes.tag[rows]) * (len(numbers) + 1) + np.array(
        classes, np.int64
    )
    _, index, counts = np.unique(key, return_inverse=True, return_counts=True)
    found[rows] = counts[index]
    return found


def _share(part: Floats, whole: Floats) -> Floats:
    return np.asarray(part / np.maximum(whole, 1), np.float32)


def entries(look: Look) -> Floats:
    """Entries of the block's list, on a logarithmic scale; 0 outside lists."""
    of = look.groups
    return np.asarray(np.where(of.entry > 0, np.log1p(of.repeats[of.entry]), 0), np.float32)


def entry_chars(look: Look) -> Floats:
    """Characters of the block's entry, on a logarithmic scale."""
    return np.asarray(np.where(look.groups.entry > 0, np.log1p(look.groups.chars[look.groups.entry]), 0), np.float32)


def entry_share(look: Look) -> Floats:
    """Share of the entry's characters that the block holds."""
    return np.where(look.groups.entry > 0, _share(look.chars, look.groups.chars[look.groups.entry]), 0)


def entry_link_share(look: Look) -> Floats:
    """Share of the entry's characters inside links."""
    of = look.groups
    return np.where(of.entry > 0, _share(of.linked[of.entry], of.chars[of.entry]), 0)


def entry_images(look: Look) -> Floats:
    """Images of the entry, on a logarithmic scale."""
    return np.where(look.groups.entry > 0, np.log1p(look.groups.images[look.groups.entry]), 0)


def entry_blocks(look: Look) -> Floats:
    """Blocks of the entry, on a logarithmic scale."""
    of = look.groups
    return np.asarray(
        np.where(of.entry > 0, np.log1p(of.end_block[of.entry] - of.first_block[of.entry]), 0), np.float32
    )


def place_in_entry(look: Look) -> Floats:
    """How many blocks of the entry stand before this one, up to 10."""
    of = look.groups
    return np.where(of.entry > 0, np.minimum(np.arange(len(look)) - of.first_block[of.entry], 10), -1).astype(
        np.float32
    )


def list_chars(look: Look) -> Floats:
    """Characters of the list, on a logarithmic scale."""
    return np.where(look.groups.entry > 0, np.log1p(look.groups.chars[look.groups.list_]), 0)


def list_link_share(look: Look) -> Floats:
    """Share of the list's characters inside links."""
    of = look.groups
    return np.where(of.entry > 0, _share(of.linked[of.list_], of.chars[of.list_]), 0)


def list_images(look: Look) -> Floats:
    """Images an entry of the list."""
    of = look.groups
    return np.asarray(np.where(of.entry > 0, of.images[of.list_] / np.maximum(of.repeats[of.entry], 1), 0), np.float32)


def list_page_share(look: Look) -> Floats:
    """Share of the page's characters in the list."""
    of = look.groups
    return np.asarray(np.where(of.entry > 0, of.chars[of.list_] / max(1.0, float(of.chars[0])), 0), np.float32)


def levels_to_entry(look: Look) -> Floats:
    """Elements between the block's container and its entry."""
    depth = look.page.nodes.depth
    return np.asarray(np.where(look.groups.entry > 0, depth[look.container] - depth[look.groups.entry], -1), np.float32)


def above(look: Look) -> list[Ints]:
    """The ancestor 0, 1, 2… levels above each block's container, up to the last of LEVELS; the root where it ends."""
    found = [look.container]
    for _ in range(LEVELS[-1]):
        found.append(np.maximum(look.page.nodes.parent[found[-1]], 0).astype(np.int64))
    return found


def _around(level: int) -> tuple[Column, ...]:
    def chars(look: Look) -> Floats:
        return np.log1p(look.groups.chars[look.above[level]])

    def link_share(look: Look) -> Floats:
        at = look.above[level]
        return _share(look.groups.linked[at], look.groups.chars[at])

    def blocks(look: Look) -> Floats:
        at = look.above[level]
        return np.asarray(np.log1p(look.groups.end_block[at] - look.groups.first_block[at]), np.float32)

    def has_h1(look: Look) -> Floats:
        h1 = np.flatnonzero(look.page.nodes.tag == NUMBER["h1"])
        at = look.above[level]
        return np.asarray(h1.searchsorted(look.page.nodes.last[at], "right") > h1.searchsorted(at), np.float32)

    made: tuple[Column, ...] = (chars, link_share, blocks, has_h1)
    for function, what in zip(
        made, ("Characters", "Share of characters in links", "Blocks", "1 with an h1"), strict=True
    ):
        function.__doc__ = f"{what} in the element {level} levels above the container."
        function.__name__ = f"{function.__name__}_above_{level}"
    return made


GROUPED: tuple[Column, ...] = (
    entries, entry_chars, entry_share, entry_link_share, entry_images, entry_blocks, place_in_entry, list_chars,
    list_link_share, list_images, list_page_share, levels_to_entry,
    *(column for level in LEVELS for column in _around(level)),
)  # fmt: skip
