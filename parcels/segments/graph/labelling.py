"""Labellings of a WPS-graph: which boundaries cut, and the segments that come of it."""

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.segments.graph.wps_graph import Unit, WpsGraph

Labels = NDArray[np.bool_]
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of a labelled page; final where no other has it as parent."""

    parent: int  # number of the segment around it, -1 for the page
    units: list[Unit]
    sources: tuple[int, ...]  # the segments of the graph that it is made of: several where they are joined
    cuts: tuple[int, ...]  # the boundaries of the graph that cut it, in order

    def leaves(self) -> list[int]:
        """Ordinals of its leaves."""
        return [leaf for unit in self.units for leaf in range(unit.first, unit.end)]


def is_feasible(graph: WpsGraph, labels: Labels) -> bool:
    """True where every boundary that cuts has those that it depends on."""
    return all(labels[above] or not labels[below] for above, below in graph.dependencies())


def segments_of(graph: WpsGraph, labels: Labels) -> list[Segment]:
    """The tree of segments: the page first, each before its parts.

    Neighbours whose boundary does not cut are one segment, which cannot be cut further.
    """
    found: list[Segment] = []
    queue: deque[tuple[tuple[int, ...], int]] = deque([((0,), -1)])
    while queue:
        sources, parent = queue.popleft()
        units = sorted(unit for source in sources for unit in graph.units[source])
        cuts = _cutting(graph, labels, sources[0]) if len(sources) == 1 else ()
        number = len(found)
        found.append(Segment(parent, units, sources, cuts))
        if cuts:
            first = int(graph.child[sources[0]])
            starts = [first, *graph.after[list(cuts)].tolist()]
            ends = [*starts[1:], first + int(graph.cuts[sources[0]]) + 1]
            queue += [(tuple(range(start, end)), number) for start, end in zip(starts, ends, strict=True)]
    return found


def final_of_leaves(segments: list[Segment], leaves: int) -> Ints:
    """The number of the final segment of each leaf: the last one that holds it, as parts come after their whole."""
    found = np.zeros(leaves, np.int32)
    for number, segment in enumerate(segments):
        for unit in segment.units:
            found[unit.first : unit.end] = number
    return found


def _cutting(graph: WpsGraph, labels: Labels, source: int) -> tuple[int, ...]:
    first = int(graph.boundary[source])
    return tuple((first + np.flatnonzero(labels[first : first + int(graph.cuts[source])])).tolist())
