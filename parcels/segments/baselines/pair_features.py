"""Features of pairs of leaves for the graph-theoretic baselines (Chakrabarti et al. 2008, section 5).

They compare the looks of two leaves (place, shape, colours, fonts), their lengths, whether they are links, and their
positions in the tree: steps between them, size and depth of their nearest common ancestor, distance in page order. Each
value is from 0 to 1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.layout.render import LaidOut
from parcels.segments.graph.measures import floats
from parcels.segments.graph.wps_graph import leaf_edges

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

NAMES = (
    "distance", "across", "down", "left-apart", "width-ratio", "height-ratio", "same-background", "same-colour",
    "same-size", "same-family", "same-link", "words-ratio", "steps-to-common", "common-share", "common-depth",
    "order-apart",
)  # fmt: skip


@dataclass(frozen=True)
class Places:
    """The leaves of a page with the values that pairs are compared by."""

    edges: Floats
    background: NDArray[np.uint32]
    colour: NDArray[np.uint32]
    size: Floats
    family: NDArray[np.int16]
    is_link: NDArray[np.bool_]
    paths: NDArray[np.int32]  # rows from the root to each leaf's element, padded with -1
    depth: Ints
    held: Floats  # share of the page's leaves inside each element
    words: Floats  # words of each leaf, plus 1
    page_height: float

    def __len__(self) -> int:
        return len(self.edges)


def places_of(laid: LaidOut) -> Places:
    """Compute the values of a page's leaves."""
    page, styles = laid.page, laid.styles
    node = page.leaves.node
    edges = leaf_edges(laid)
    is_seen = np.isfinite(edges[:, 0])
    last_seen = np.maximum.accumulate(np.where(is_seen, np.arange(len(edges)), -1))
    edges = np.where(last_seen[:, None] >= 0, edges[np.maximum(last_seen, 0)], edges[is_seen.argmax()])
    depth = page.nodes.depth[node].astype(np.intp)
    paths = np.full((len(node), int(depth.max(initial=0)) + 1), -1, np.int32)
    parent = page.nodes.parent
    rows, at = node.astype(np.intp), depth.copy()
    while (at >= 0).any():
        alive = at >= 0
        paths[np.flatnonzero(alive), at[alive]] = rows[alive]
        rows, at = np.where(alive, np.maximum(parent[rows], 0), rows), at - 1
    held = (page.nodes.end_leaf - page.nodes.first_leaf) / max(len(node), 1)
    words = np.array([1.0 + len(text.split()) for text in page.leaves.text])
    return Places(
        edges, _background(laid)[node], styles.colour[node], styles.font_size[node].astype(np.float64),
        styles.font_family[node], page.leaves.is_link, paths, depth, held, words,
        max(laid.layout.height, 1.0),
    )  # fmt: skip


def _background(laid: LaidOut) -> NDArray[np.uint32]:
    own, parent = laid.styles.background.tolist(), laid.page.nodes.parent.tolist()
    for row in range(1, len(own)):
        if not own[row] & 0xFF:
            own[row] = own[parent[row]]
    return np.array(own, np.uint32)


def pair_rows(places: Places, one: Ints, other: Ints) -> Floats:
    """Return the features of pairs, one row per pair."""
    a, b = places.edges[one], places.edges[other]
    across = np.maximum(0, np.maximum(a[:, 0], b[:, 0]) - np.minimum(a[:, 2], b[:, 2]))
    down = np.maximum(0, np.maximum(a[:, 1], b[:, 1]) - np.minimum(a[:, 3], b[:, 3]))
    same = places.paths[one] == places.paths[other]
    common = np.maximum((same & (places.paths[one] >= 0)).sum(axis=1) - 1, 0)
    steps = places.depth[one] + places.depth[other] - 2 * common
    size_a, size_b = a[:, 2:] - a[:, :2] + 1, b[:, 2:] - b[:, :2] + 1
    ratio = np.minimum(size_a, size_b) / np.maximum(size_a, size_b)
    columns = (
        np.minimum(np.log1p(np.hypot(across, down)) / 8, 1),
        np.minimum(across / 1000, 1),
        np.minimum(down / places.page_height, 1),
        np.minimum(np.abs(a[:, 0] - b[:, 0]) / 1000, 1),
        ratio[:, 0],
        ratio[:, 1],
        places.background[one] == places.background[other],
        places.colour[one] == places.colour[other],
        np.abs(places.size[one] - places.size[other]) < 0.5,
        places.family[one] == places.family[other],
        places.is_link[one] == places.is_link[other],
        np.minimum(places.words[one], places.words[other]) / np.maximum(places.words[one], places.words[other]),
        np.minimum(steps / 20, 1),
        places.held[places.paths[one, common]],
        np.minimum(common / 20, 1),
        np.abs(one - other) / max(len(places), 1),
    )
    return np.stack([np.asarray(column, np.float64) for column in columns], axis=1)


def same_segment(places: Places, one: Ints, other: Ints, weights: Floats) -> Floats:
    """Return the probability that the leaves of each pair are in one segment, by the learned weights."""
    scores = pair_rows(places, one, other) @ weights[:-1] + weights[-1]
    return floats(1 / (1 + np.exp(-np.clip(scores, -30, 30))))
