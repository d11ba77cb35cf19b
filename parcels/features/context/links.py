# cython: annotation_typing=True, wraparound=False, cdivision=True
"""Context features of links: the kinds and depths of the addresses that a block links to."""

import cython

from parcels.features.feature import feature
from parcels.features.link_targets import KINDS
from parcels.features.table import BlockTable, LeafTable, part_of


def links_of_kind(blocks: BlockTable, column: cython.float[::1], kind: cython.Py_ssize_t) -> None:
    """Share of the block's characters that are inside links of one of KINDS."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    chars: cython.double
    for i in range(blocks.count):
        chars = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            if leaves.target[leaf] >= 0:
                chars += leaves.target_kinds[kind, leaves.target[leaf]] * leaves.chars[leaf]
        column[i] = part_of(chars, blocks.chars[i])


for _kind, _name in enumerate(KINDS):
    feature(
        view="context", low=0, high=1, name=f"to_{_name}", parameter=_kind,
        meaning=f"Share of the block's characters that are inside links of kind `{_name}`.",
    )(links_of_kind)  # fmt: skip


@feature(view="context", low=0, high=1e4)
def to_depth(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Largest number of path segments in the address of a link of the block."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    for i in range(blocks.count):
        column[i] = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            if leaves.target[leaf] >= 0:
                column[i] = max(column[i], leaves.target_depth[leaves.target[leaf]])


@feature(view="context", low=0, high=1e6)
def words_a_link(blocks: BlockTable, column: cython.float[::1]) -> None:
    """Mean number of words per link of the block: high for headlines, low for menus."""
    leaves: LeafTable = blocks.leaves
    i: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    words: cython.double
    for i in range(blocks.count):
        words = 0
        for leaf in range(blocks.first_leaf[i], blocks.end_leaf[i]):
            if leaves.is_link[leaf]:
                words += leaves.words[leaf]
        column[i] = part_of(words, blocks.links[i])
