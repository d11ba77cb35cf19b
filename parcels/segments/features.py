"""Features of boundaries (section 4.3): of the segments before, after and around, and of their relation."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.features.feature import columns
from parcels.segments.graph import ancestors, context, local, relation
from parcels.segments.graph.context import Context
from parcels.segments.graph.measures import SegmentMeasures
from parcels.segments.graph.wps_graph import WpsGraph

Rows = NDArray[np.float32]

_OF_SEGMENT = [*map(str, (*local.FEATURES, *context.OF_SEGMENTS))]
_OF_BOUNDARY = [*map(str, (*relation.FEATURES, *ancestors.FEATURES, *context.OF_BOUNDARIES))]
PLACES = ("before", "after", "around")
NAMES = (*(f"{place}:{name}" for place in PLACES for name in _OF_SEGMENT), *_OF_BOUNDARY)


@dataclass(frozen=True)
class Featured:
    """A graph with its features."""

    graph: WpsGraph
    measured: SegmentMeasures
    rows: Rows


def boundary_features(graph: WpsGraph) -> Featured:
    """Compute the features of a graph, one row per boundary."""
    measured = SegmentMeasures(graph)
    if not len(graph):
        return Featured(graph, measured, np.zeros((0, len(NAMES)), np.float32))
    around = Context(measured)
    of_segment = np.concatenate(
        [
            columns(local.FEATURES, measured, graph.segments),
            columns(context.OF_SEGMENTS, around, graph.segments),
        ],
        axis=1,
    )
    rows = np.concatenate(
        [
            of_segment[graph.before],
            of_segment[graph.after],
            of_segment[graph.parent[graph.before]],
            columns(relation.FEATURES, measured, len(graph)),
            columns(ancestors.FEATURES, measured, len(graph)),
            columns(context.OF_BOUNDARIES, around, len(graph)),
        ],
        axis=1,
    )
    return Featured(graph, measured, np.nan_to_num(rows))
