"""Relation features of the tree: the nearest common ancestor of the two segments at a boundary (section 4.1).

The parts of a page have a common ancestor near the root. Items of a list have one deep in the tree, with few leaves.
"""

import numpy as np

from parcels.features.feature import feature, features_of
from parcels.segments.graph.measures import Floats, Ints, SegmentMeasures

MUCH_STEPS = 20.0  # depth or distance in the tree that gives the highest value


def nearest_around(m: SegmentMeasures) -> Ints:
    """Return for each boundary the row of the nearest common ancestor of both segments' roots."""
    nodes, graph = m.graph.laid.page.nodes, m.graph
    row, other = m.root[graph.before], m.root[graph.after]
    while True:
        is_outside = (other < row) | (other > nodes.last[row])
        if not is_outside.any():
            return row
        row = np.where(is_outside, np.maximum(nodes.parent[row], 0), row)


@feature(view="boundary", low=0, high=1)
def around_depth(m: SegmentMeasures) -> Floats:
    """Depth of the common ancestor."""
    return np.minimum(m.graph.laid.page.nodes.depth[nearest_around(m)] / MUCH_STEPS, 1)


@feature(view="boundary", low=0, high=1)
def around_share(m: SegmentMeasures) -> Floats:
    """Share of the page's leaves inside the common ancestor."""
    nodes, row = m.graph.laid.page.nodes, nearest_around(m)
    return (nodes.end_leaf[row] - nodes.first_leaf[row]) / max(len(m.graph.laid.page.leaves), 1)


@feature(view="boundary", low=0, high=1)
def steps_apart(m: SegmentMeasures) -> Floats:
    """Steps in the tree from one root to the other."""
    depth, graph = m.graph.laid.page.nodes.depth.astype(np.float64), m.graph
    steps = depth[m.root[graph.before]] + depth[m.root[graph.after]] - 2 * depth[nearest_around(m)]
    return np.minimum(steps / MUCH_STEPS, 1)


FEATURES = features_of("boundary", __name__)
