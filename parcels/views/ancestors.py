"""What stands around blocks in the tree."""

import numpy as np

from parcels.views.look import Bools, Ints, Look, loops


def nearest(look: Look, wanted: Bools) -> Ints:
    """The nearest ancestor of each block's container (or itself) that is wanted; the root where none is."""
    nodes, container = look.page.nodes, look.container
    if loops is not None:
        found = np.empty(len(container), np.int64)
        loops.nearest(container, nodes.parent, wanted.view(np.uint8), found)
        return found
    before = np.where(wanted, np.arange(len(nodes)), 0)
    np.maximum.accumulate(before, out=before)  # the last wanted row up to each: an ancestor, or one's descendant
    at: Ints = before.take(container)
    beside = np.flatnonzero(nodes.last.take(at) < container)
    while len(beside):
        at[beside] = before.take(nodes.parent.take(at[beside]))
        beside = beside[nodes.last.take(at[beside]) < container[beside]]
    return at
