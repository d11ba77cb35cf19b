"""The elements of a page as flat arrays, and its visible leaves, both in document order.

A leaf is a text node, an image or other medium, or a form control of the body that neither the `hidden` attribute nor
an inline `display:none` / `visibility:hidden` hides, itself or by an ancestor; style sheets are applied later.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from parcels.html.leaf_walk import LeafWalk
from parcels.html.tags import VOID_BUT_NESTED, lookup
from parcels.html.tree import Attributes, Elements, read_tree
from parcels.scan import fold

__all__ = ["Attributes", "Bools", "Ints", "Leaves", "Nodes", "fold", "walk"]

Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

_IS_VOID = lookup(" ".join(VOID_BUT_NESTED))


@dataclass(frozen=True, slots=True)
class Nodes:
    """The page's elements in document order; row 0 is the root."""

    elements: Sequence[etree._Element]  # created on first access
    tags: list[str]  # as the page has them
    attributes: list[Attributes]  # empty inside opaque elements such as `svg`, `noscript`, `select`; shared
    tag: NDArray[np.int16]  # number in parcels.html.tags
    parent: Ints  # -1 for the root
    depth: Ints
    last: Ints  # the last row of the element's subtree (its own row where it has no children)
    first_leaf: Ints  # the leaves of the subtree: from this one
    end_leaf: Ints  # up to the one before this
    is_visible: Bools
    link: Ints  # the row of the nearest `a`, itself or an ancestor; -1 outside links
    styled: Ints  # the visible rows with a style attribute
    texts: list[str | None]  # lxml's `text` of each; None for opaque elements (`script`, `svg`) and inside them
    tails: list[str | None]  # lxml's `tail` of each; None inside opaque elements
    is_after_blank: Bools  # white space precedes the element directly
    metadata: list[tuple[int, etree._Element]]  # rows and elements of metadata: see parcels.html.tree

    def __len__(self) -> int:
        return len(self.tags)

    def iter_metadata(self) -> Iterator[tuple[str, Attributes, etree._Element]]:
        """Yield tag, attributes and element of each metadata element, also inside opaque elements (`noscript`)."""
        for row, element in self.metadata:
            attributes: Any = self.attributes[row]
            # Inside opaque elements the tree has no attributes; only outside of them it has text.
            if not attributes and element.keys():
                attributes = element.attrib
            yield self.tags[row], attributes, element


@dataclass(frozen=True, slots=True)
class Leaves:
    """The page's visible leaves in document order."""

    kind: list[str]  # text, img, video, audio, iframe, embed, input, textarea, select
    text: list[str]  # white space folded
    node: Ints  # the row of the text's element, or of the medium or control itself
    opened: Ints  # elements opened before the leaf's end: those opened between two leaves have the rows in between
    is_spaced: Bools  # white space or a line break separates the leaf from the previous one
    is_link: Bools

    def __len__(self) -> int:
        return len(self.kind)


def walk(root: etree._Element, *, shows_hidden: bool = False) -> tuple[Nodes, Leaves]:
    """Return the nodes and the visible leaves of a page.

    `shows_hidden` keeps leaves that attributes or inline styles hide.

    >>> _, leaves = walk(etree.HTML("<p>One <b>two</b><img alt=three> <i hidden>four</i>"))
    >>> list(zip(leaves.kind, leaves.text))
    [('text', 'One'), ('text', 'two'), ('img', 'three')]
    """
    tree = read_tree(root)
    collector = LeafWalk(tree, shows_hidden)
    collector.run()
    count, link = len(collector.kinds), _ints(collector.link)
    owners, opened, spaced = _ints(collector.owners), _ints(collector.opened), _bools(collector.spaced)
    owners, opened, spaced = owners[:count].copy(), opened[:count].copy(), spaced[:count].copy()
    nodes = Nodes(
        Elements(root, tree.tags),
        tree.tags,
        tree.attributes,
        _numbers(tree.number, "h"),
        _ints(tree.parent),
        _ints(tree.depth),
        _ints(tree.last),
        _ints(collector.first_leaf),
        _ints(collector.end_leaf),
        _bools(collector.is_visible),
        link,
        _ints(collector.styled),
        tree.texts,
        tree.tails,
        _bools(tree.after_blank),
        tree.metadata,
    )
    leaves = Leaves(collector.kinds, collector.texts, owners, opened, spaced, link[owners] >= 0)
    return _without_nesting(nodes, leaves)


def _numbers(values: Any, type_: str) -> NDArray[Any]:
    """Return an array; a list goes through `array`, which is twice as fast."""
    return np.array(array(type_, values)) if isinstance(values, list) else np.asarray(values)


def _ints(values: Any) -> Ints:
    return _numbers(values, "i")


def _bools(values: Any) -> Bools:
    return _numbers(values, "b").view(np.bool_)


def _without_nesting(nodes: Nodes, leaves: Leaves) -> tuple[Nodes, Leaves]:
    """Lift content that the parser nested in a void element (`source`, `wbr`) to the void element's parent."""
    is_void = _IS_VOID[nodes.tag]
    nesting = np.flatnonzero(is_void)
    if not len(nesting) or (
        (nodes.last[nesting] == nesting).all()
        and not any(leaves.kind[leaf] == "text" for leaf in np.flatnonzero(is_void[leaves.node]).tolist())
    ):
        return nodes, leaves
    parent = nodes.parent.copy()
    while (is_below := is_void[parent] & (parent > 0)).any():
        parent[is_below] = parent[parent[is_below]]
    steps = np.zeros(len(nodes) + 1, np.int32)  # +1 at the start of a wrongly nested part, -1 after its end
    np.add.at(steps, nesting + 1, 1)
    np.add.at(steps, nodes.last[nesting] + 1, -1)
    last, end_leaf = nodes.last.copy(), nodes.end_leaf.copy()
    last[nesting] = nesting
    is_own = np.array([kind != "text" for kind in leaves.kind], np.bool_)
    node = np.where(is_void[leaves.node] & ~is_own, parent[leaves.node], leaves.node)
    end_leaf[nesting] = nodes.first_leaf[nesting] + np.isin(nesting, node[is_own])  # an `embed` is a leaf itself
    depth = nodes.depth - np.cumsum(steps[:-1], dtype=np.int32)
    lifted = replace(nodes, parent=parent, depth=depth, last=last, end_leaf=end_leaf)
    return lifted, replace(leaves, node=node)
