"""Labellings of a WPS-graph: the boundaries that cut, and the resulting segments."""

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.segments.graph.wps_graph import Unit, WpsGraph

Labels = NDArray[np.bool_]
Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class GraphSegment:
    """A segment of a labelled page; final if it is no other segment's parent."""

    parent: int  # number of the segment around it, -1 for the page
    units: list[Unit]
    sources: tuple[int, ...]  # the segments of the graph that it consists of; several where they are joined
    cuts: tuple[int, ...]  # the boundaries of the graph that cut it, in order

    def leaves(self) -> list[int]:
        """Return the ordinals of its leaves."""
        return [leaf for unit in self.units for leaf in range(unit.first, unit.end)]


def is_feasible(graph: WpsGraph, labels: Labels) -> bool:
    """Return whether all dependencies of every cutting boundary cut."""
    return all(labels[above] or not labels[below] for above, below in graph.dependencies())


def segments_of(graph: WpsGraph, labels: Labels) -> list[GraphSegment]:
    """Return the tree of segments: the page first, each before its parts.

    Neighbours whose boundary does not cut are one segment, which cannot be cut further.
    """
    segments: list[GraphSegment] = []
    queue: deque[tuple[tuple[int, ...], int]] = deque([((0,), -1)])
    while queue:
        sources, parent = queue.popleft()
        units = sorted(unit for source in sources for unit in graph.units[source])
        cuts = _cutting(graph, labels, sources[0]) if len(sources) == 1 else ()
        number = len(segments)
        segments.append(GraphSegment(parent, units, sources, cuts))
        if cuts:
            first = int(graph.child[sources[0]])
            starts = [first, *graph.after[list(cuts)].tolist()]
            ends = [*starts[1:], first + int(graph.cuts[sources[0]]) + 1]
            queue += [(tuple(range(start, end)), number) for start, end in zip(starts, ends, strict=True)]
    return segments


def final_of_leaves(segments: list[GraphSegment], leaves: int) -> Ints:
    """Return the number of the final segment of each leaf: the last one with it, since parts follow their parent."""
    finals = np.zeros(leaves, np.int32)
    for number, segment in enumerate(segments):
        for unit in segment.units:
            finals[unit.first : unit.end] = number
    return finals


def _cutting(graph: WpsGraph, labels: Labels, source: int) -> tuple[int, ...]:
    first = int(graph.boundary[source])
    return tuple((first + np.flatnonzero(labels[first : first + int(graph.cuts[source])])).tolist())
