"""The best labelling of a WPS-graph for each number of wrong boundaries among some watched ones, in one pass.

Proposition 1 of the paper enumerates all subsets of the informative boundaries. The loss depends only on how many of
them are wrong, so the pass of `inference.by_chains` keeps the best sum for every number instead. This is exact for any
number of boundaries.
"""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.wps_graph import WpsGraph

Floats = NDArray[np.float64]
Trail = tuple["Trail | int | None", "Trail | int | None"]  # pairs in pairs: the boundaries that cut
Best = dict[int, tuple[float, Trail | int | None]]  # number of wrong ones -> (best sum, its cuts)
_EMPTY: Best = {0: (0.0, None)}


def best_by_wrong(
    graph: WpsGraph, gains: Floats, gold: Labels, watched: Collection[int], *, most: int
) -> dict[int, Labels]:
    """Return the best labelling for each number of wrong boundaries; `most` stands for that many or more.

    Numbers without a labelling are left out.
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
        self.whole: list[int] = [0] * graph.segments  # number of wrong boundaries inside an uncut segment

    def best(self) -> Best:
        """Return the best of the page by number of wrong boundaries."""
        child, boundary, cuts = (array.tolist() for array in (self.graph.child, self.graph.boundary, self.graph.cuts))
        for segment in np.flatnonzero(self.graph.cuts)[::-1].tolist():
            parts = range(child[segment], child[segment] + cuts[segment] + 1)
            own = range(boundary[segment], boundary[segment] + cuts[segment])
            self.inside[segment] = self._row(parts, own)
            self.whole[segment] = sum(self.wrong_whole[one] for one in own) + sum(self.whole[part] for part in parts)
        return self.inside[0]

    def _row(self, parts: range, own: range) -> Best:
        """Return the best of one row of parts; `cut` and `joined` are those whose last boundary cuts, or does not."""
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
        """Return the best up to a part followed by a cut; the part is opened where a cut precedes it too."""
        best: Best = {}
        for wrong, (total, trail) in cut.items():
            for more, (inner, inner_trail) in self.inside[part].items():
                whole = (trail, inner_trail) if inner_trail is not None else trail
                _keep(best, self._more(wrong, more), total + inner, whole)
        for wrong, (total, trail) in joined.items():
            _keep(best, self._more(wrong, self.whole[part]), total, trail)
        return best

    def _left_whole(self, cut: Best, joined: Best, more: int) -> Best:
        best: Best = {}
        for of_side in (cut, joined):
            for wrong, (total, trail) in of_side.items():
                _keep(best, self._more(wrong, more), total, trail)
        return best

    def _more(self, wrong: int, more: int) -> int:
        return min(wrong + more, self.most)


def _rising(best: Best) -> list[tuple[int, tuple[float, Trail | int | None]]]:
    """Return the entries by rising sum, so that the largest sum wins where two numbers coincide."""
    return sorted(best.items(), key=lambda item: item[1][0])


def _keep(best: Best, wrong: int, total: float, trail: Trail | int | None) -> None:
    if wrong not in best or total > best[wrong][0]:
        best[wrong] = (total, trail)


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
