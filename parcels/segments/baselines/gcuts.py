"""GCUTS (Chakrabarti et al. 2008): labels of elements that minimise an energy, by graph cuts.

The labels are places of the page. The energy is the distance of each element to its label, the similarity of neighbours
with different labels, and a constant for each element that is not shown as a whole. By the rendering constraint,
everything inside a labelled element has its label. Each move is the best expansion of one label.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.html.page import Page
from parcels.layout.render import LaidOut
from parcels.segments.baselines.pair_features import Floats, Places, places_of, same_segment

Ints = NDArray[np.int32]
SWEEPS = 2
LABELS = 30  # places used as labels, spread over the page
SCALE = 10_000  # energies are integers
NEVER = 2**28
INVISIBLE = -1
UNSHOWN = 0.5  # cost of an element that is not shown as a whole
MOST_ELEMENTS = 3000  # of larger pages only the leaves are labelled


def clusters(laid: LaidOut, weights: Floats, tradeoff: float) -> Ints:
    """Return the segment of each leaf."""
    count = len(laid.page.leaves)
    if count < 2:
        return np.zeros(count, np.int32)
    return _Energy(laid, weights, tradeoff).least()


class _Energy:
    """Costs of labels and of neighbours, for the elements with at least two leaves and then the leaves."""

    def __init__(self, laid: LaidOut, weights: Floats, tradeoff: float):
        nodes, self.leaves = laid.page.nodes, len(laid.page.leaves)
        places = places_of(laid)
        rows, self.tree = _elements(laid.page)
        self.inner = len(rows)
        first, end = nodes.first_leaf[rows].astype(np.intp), nodes.end_leaf[rows].astype(np.intp)
        middle = np.concatenate([(first + end - 1) // 2, np.arange(self.leaves)])  # the leaf that represents each
        self.labels = np.unique(np.linspace(0, self.leaves - 1, LABELS).astype(np.intp))
        self.cost = tradeoff * self._unlike(places, middle, weights)
        self.unshown = tradeoff * UNSHOWN
        one = np.arange(self.leaves - 1)
        alike = same_segment(places, one, one + 1, weights)
        self.pairs = np.stack([one, one + 1], axis=1) + self.inner
        self.pair_cost = (1 - tradeoff) * alike

    def _unlike(self, places: Places, middle: "NDArray[np.intp]", weights: Floats) -> Floats:
        one = np.repeat(middle, len(self.labels))
        other = np.tile(self.labels, len(middle))
        unlike: Floats = (1 - same_segment(places, one, other, weights)).reshape(len(middle), len(self.labels))
        return unlike

    def least(self) -> Ints:
        """Return the labels of least energy: expand each label in turn until nothing changes."""
        state = np.full(self.inner + self.leaves, INVISIBLE, np.int32)
        state[self.inner :] = self.cost[self.inner :].argmin(axis=1)
        for _ in range(SWEEPS):
            before = state.copy()
            for label in range(len(self.labels)):
                state = self._expanded(state, label)
            if (state == before).all():
                break
        return state[self.inner :]

    def _expanded(self, state: Ints, label: int) -> Ints:
        """Return the best state after any elements have switched to one label, by a minimum cut."""
        from scipy.sparse import csr_array  # type: ignore[import-untyped]
        from scipy.sparse.csgraph import breadth_first_order, maximum_flow  # type: ignore[import-untyped]

        count = len(state)
        everyone = np.arange(count)
        stay = np.where(state == INVISIBLE, self.unshown, self.cost[everyone, np.maximum(state, 0)])
        change = self.cost[:, label].copy()
        one, other = self.pairs.T
        # Cost of a pair: 0 where both switch, its weight where one does, its present cost where neither does.
        now = np.where(state[one] != state[other], self.pair_cost, 0.0)
        goes_one = np.where(state[other] != label, self.pair_cost, 0.0)
        goes_other = np.where(state[one] != label, self.pair_cost, 0.0)
        np.add.at(change, one, goes_one - now)
        np.add.at(change, other, -goes_one)
        between = goes_one + goes_other - now
        gain = np.round(SCALE * (stay - change)).astype(np.int64)
        source, sink = count, count + 1
        above, below = self.tree.T
        held = state[above] != INVISIBLE  # the inside of a shown element switches only together with it
        tails = [np.full(count, source), everyone, other, above, below[held]]
        heads = [everyone, np.full(count, sink), one, below, above[held]]
        sizes = [
            np.maximum(gain, 0), np.maximum(-gain, 0), np.round(SCALE * between).astype(np.int64),
            np.full(len(above), NEVER), np.full(int(held.sum()), NEVER),
        ]  # fmt: skip
        tail, head, size = np.concatenate(tails), np.concatenate(heads), np.concatenate(sizes)
        kept = size > 0
        network = csr_array(
            (np.minimum(size[kept], NEVER).astype(np.int32), (tail[kept], head[kept])), shape=(count + 2, count + 2)
        )
        rest = network - maximum_flow(network, source, sink).flow
        rest.data = np.maximum(rest.data, 0)
        rest.eliminate_zeros()
        reached = breadth_first_order(rest, source, return_predecessors=False)
        changed = state.copy()
        changed[reached[reached < count]] = label
        return changed


def _elements(page: Page) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the elements with at least two leaves and fewer than their parent, and their (parent, child) pairs.

    Children are other such elements or leaves; leaves are numbered after the elements.
    """
    nodes = page.nodes
    above = np.maximum(nodes.parent, 0)
    is_new = (nodes.first_leaf != nodes.first_leaf[above]) | (nodes.end_leaf != nodes.end_leaf[above])
    rows = np.flatnonzero((nodes.end_leaf - nodes.first_leaf > 1) & is_new)
    if len(rows) > MOST_ELEMENTS:
        return rows[:0], np.zeros((0, 2), np.intp)
    place = {row: number for number, row in enumerate(rows.tolist())}
    nearest: list[int] = []  # the nearest such element at or above each row
    pairs = []
    for row, over in enumerate(nodes.parent.tolist()):
        around = nearest[over] if over >= 0 else INVISIBLE
        if row in place and around >= 0:
            pairs.append((around, place[row]))
        nearest.append(place.get(row, around))
    owners = enumerate(page.leaves.node.tolist(), len(rows))
    pairs += [(nearest[owner], leaf) for leaf, owner in owners if nearest[owner] >= 0]
    return rows, np.array(pairs, np.intp).reshape(-1, 2)
