"""The segmenters by name: a laid-out page in, its segments out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from parcels.errors import ConfigError
from parcels.layout.render import LaidOut
from parcels.segments.baselines import block_fusion, cclus, gcuts, vips
from parcels.segments.content import content_rows
from parcels.segments.features import boundary_features
from parcels.segments.graph.labelling import segments_of
from parcels.segments.graph.wps_graph import build_graph
from parcels.segments.model import WPS, SegmenterModel, Tuned

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
DEFAULT = "wps-margin"


@dataclass(frozen=True)
class LeafGroup:
    """A segment: its parent's number (None for the page), leaves, and probability to be informative, if known."""

    parent: int | None
    leaves: list[int]
    probability: float | None = None


BASELINES: dict[str, Callable[[LaidOut, Tuned], Ints]] = {
    "bf": lambda laid, tuned: block_fusion.clusters(laid.page, tuned.bf_threshold),
    "ccluster": lambda laid, tuned: cclus.clusters(laid, tuned.pair_weights, tuned.cclus_tradeoff),
    "gcuts": lambda laid, tuned: gcuts.clusters(laid, tuned.pair_weights, tuned.gcuts_tradeoff),
    "vips": lambda laid, tuned: vips.clusters(laid, tuned.vips_coherence),
}
SEGMENTERS = (*WPS, *BASELINES)


def segmented(laid: LaidOut, model: SegmenterModel, *, segmenter: str = DEFAULT, level: int = 1) -> list[LeafGroup]:
    """Return the segments of a page: the page itself first, each before its parts."""
    if segmenter not in SEGMENTERS:
        raise ConfigError(f"Unknown segmenter '{segmenter}'. Use one of: {', '.join(SEGMENTERS)}.")
    if level not in model.tuned:
        raise ConfigError(f"Unknown level {level}. Use 1 (a page's top-level blocks) or 2 (the blocks inside them).")
    if segmenter in BASELINES:
        return flat(BASELINES[segmenter](laid, model.tuned[level]))
    featured = boundary_features(build_graph(laid))
    labels, probabilities = model.cut(
        featured.graph,
        featured.rows,
        segmenter=segmenter,
        level=level,
        content=partial(content_rows, featured.measured),
    )
    return [
        LeafGroup(
            None if segment.parent < 0 else segment.parent,
            segment.leaves(),
            _probability(segment.sources, probabilities),
        )
        for segment in segments_of(featured.graph, labels)
    ]


def _probability(sources: Sequence[int], probabilities: Floats | None) -> float | None:
    """Return the probability of a segment; None for joined neighbours, which are not a segment of the graph."""
    return float(probabilities[sources[0]]) if probabilities is not None and len(sources) == 1 else None


def flat(clusters: Sequence[int] | Ints) -> list[LeafGroup]:
    """Return clusters of leaves as parts of the page, in the order of their first leaves.

    >>> [part.leaves for part in flat([7, 7, 3])]
    [[0, 1, 2], [0, 1], [2]]
    """
    places: dict[int, list[int]] = {}
    for leaf, cluster in enumerate(clusters):
        places.setdefault(int(cluster), []).append(leaf)
    whole = LeafGroup(None, list(range(len(clusters))))
    return [whole] if len(places) < 2 else [whole, *(LeafGroup(0, leaves) for leaves in places.values())]
