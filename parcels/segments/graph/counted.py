"""The best labellings of a WPS-graph by how many of some boundaries they have wrong: one pass finds all of them.

Proposition 1 of the paper goes through all subsets of the informative boundaries. Only how many of them are wrong
matters to the loss, so that the pass of `inference.by_chains` can carry the best sum for every number instead: it stays
exact, however many they are.
"""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.wps_graph import WpsGraph

Floats = NDArray[np.float64]
Trail = tuple["Trail | int | None", "Trail | int | None"]  # pairs in pairs: the boundaries that cut
Best = dict[int, tuple[float, Trail | int | None]]  # by the number of wrong ones: the best sum, and what cuts for it
_EMPTY: Best = {0: (0.0, None)}


def best_by_wrong(
    graph: WpsGraph, gains: Floats, gold: Labels, watched: Collection[int], *, most: int
) -> dict[int, Labels]:
    """For each number of watched boundaries wrong, the labelling that gains most; `most` stands for that many or more.

    Numbers that no labelling has are left out.
    """
    chain = _Chains(graph, gains, gold, watched, most)
    return {wrong: _labels(trail, len(graph)) for wrong, (_, trail) in sorted(chain.best().items())}


class _Chains:
    """The graph as lists, and the pass from the smallest segments upwards."""

    def __init__(self, graph: WpsGraph, gains: Floats, gold: Labels, watched: Collection[int], most: int):
        self.graph, self.most = graph, most
        self.gain: list[float] = gains.tolist()
        is_watched = np.zeros(len(graph), np.bool_)
        is_watched[list(watched)] = True
        self.wrong_cut: list[int] = (is_watched & ~gold).astype(int).tolist()
        self.wrong_whole: list[int] = (is_watched & gold).astype(int).tolist()
        self.inside: list[Best] = [_EMPTY] * graph.segments  # the best inside a segment that may be cut
        self.whole: list[int] = [0] * graph.segments  # how many inside are wrong where nothing in it is cut

    def best(self) -> Best:
        """The best of the page by the number of wrong ones."""
        child, boundary, cuts = (array.tolist() for array in (self.graph.child, self.graph.boundary, self.graph.cuts))
        for segment in np.flatnonzero(self.graph.cuts)[::-1].tolist():
            parts = range(child[segment], child[segment] + cuts[segment] + 1)
            own = range(boundary[segment], boundary[segment] + cuts[segment])
            self.inside[segment] = self._row(parts, own)
            self.whole[segment] = sum(self.wrong_whole[one] for one in own) + sum(self.whole[part] for part in parts)
        return self.inside[0]

    def _row(self, parts: range, own: range) -> Best:
        """The best of one segment's row of parts: `cut` and `joined` end with a boundary that cuts, or does not."""
        cut: Best = _EMPTY
        joined: Best = {}
        for part, one in zip(parts[:-1], own, strict=True):
            closed = self._closed(cut, joined, part)
            cut, joined = (
                {
                    self._more(wrong, self.wrong_cut[one]): (total + self.gain[one], (trail, one))
                    for wrong, (total, trail) in _rising(closed)
                },
                self._left_whole(cut, joined, self.whole[part] + self.wrong_whole[one]),
            )
        return self._closed(cut, joined, parts[-1])

    def _closed(self, cut: Best, joined: Best, part: int) -> Best:
        """The best up to the end of a part behind which is a cut: the part is opened where a cut is before it too."""
        found: Best = {}
        for wrong, (total, trail) in cut.items():
            for more, (inner, inner_trail) in self.inside[part].items():
                whole = (trail, inner_trail) if inner_trail is not None else trail
                _keep(found, self._more(wrong, more), total + inner, whole)
        for wrong, (total, trail) in joined.items():
            _keep(found, self._more(wrong, self.whole[part]), total, trail)
        return found

    def _left_whole(self, cut: Best, joined: Best, more: int) -> Best:
        found: Best = {}
        for best in (cut, joined):
            for wrong, (total, trail) in best.items():
                _keep(found, self._more(wrong, more), total, trail)
        return found

    def _more(self, wrong: int, more: int) -> int:
        return min(wrong + more, self.most)


def _rising(best: Best) -> list[tuple[int, tuple[float, Trail | int | None]]]:
    """By sum, the largest last: where two numbers become one, it stays."""
    return sorted(best.items(), key=lambda item: item[1][0])


def _keep(found: Best, wrong: int, total: float, trail: Trail | int | None) -> None:
    if wrong not in found or total > found[wrong][0]:
        found[wrong] = (total, trail)


def _labels(trail: Trail | int | None, count: int) -> Labels:
    labels = np.zeros(count, np.bool_)
    stack = [trail]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple):
            stack += top
        elif top is not None:
            labels[top] = True
    return labels
