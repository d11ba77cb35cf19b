"""In-segment positions (section 8.1, Algorithm 3): top, bottom, left, right and middle of a segment.

The two cuts with the largest gains divide a segment: before the first, between the two, and after the second. A segment
without cuts is all middle.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.segments.graph.labelling import GraphSegment, Labels, segments_of
from parcels.segments.graph.wps_graph import VERTICAL, WpsGraph

Floats = NDArray[np.float64]
POSITIONS = ("t", "b", "l", "r", "m")
PAGE, LARGEST = "p", "s"  # the two major segments: the page, and its largest part


@dataclass(frozen=True)
class Placed:
    """The leaves at each position of a segment."""

    leaves: dict[str, list[int]]


def positions(graph: WpsGraph, segment: GraphSegment, parts: list[GraphSegment], gains: Floats) -> Placed:
    """Run Algorithm 3 for a segment and its parts, in order."""
    leaves: dict[str, list[int]] = {position: [] for position in POSITIONS}
    cuts = segment.cuts
    if not cuts:
        leaves["m"] = segment.leaves()
        return Placed(leaves)
    before, after = ("l", "r") if graph.kind[cuts[0]] == VERTICAL else ("t", "b")
    best = sorted(sorted(range(len(cuts)), key=lambda cut: -float(gains[cuts[cut]]))[:2])
    for number, part in enumerate(parts):
        if number <= best[0]:
            leaves[before] += part.leaves()
        elif len(best) == 1 or number > best[1]:
            leaves[after] += part.leaves()
        else:
            leaves["m"] += part.leaves()
    return Placed(leaves)


def major_positions(graph: WpsGraph, labels: Labels, gains: Floats) -> dict[str, list[int]]:
    """Return the leaves at the ten positions of the two major segments, by names such as `pt` and `sm`."""
    segments = segments_of(graph, labels)
    parts: dict[int, list[int]] = {}
    for number, segment in enumerate(segments):
        parts.setdefault(segment.parent, []).append(number)
    majors = {PAGE: 0}
    if parts.get(0):
        majors[LARGEST] = max(parts[0], key=lambda number: _size(graph, segments[number]))
    return {
        major + position: leaves
        for major, number in majors.items()
        for position, leaves in positions(
            graph, segments[number], [segments[part] for part in parts.get(number, [])], gains
        ).leaves.items()
    }


def _size(graph: WpsGraph, segment: GraphSegment) -> tuple[float, int]:
    """Return a segment's area, then its number of leaves."""
    boxes = graph.boxes[list(segment.sources)]
    sides = np.nan_to_num(np.nanmax(boxes[:, 2:], axis=0) - np.nanmin(boxes[:, :2], axis=0)) if len(boxes) else [0.0]
    return float(np.prod(sides)), sum(unit.end - unit.first for unit in segment.units)
