"""Context features (section 4.2): the segments at a boundary compared with their siblings.

Context segment features have one value per segment, context relation features one per boundary.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from parcels.features.feature import feature, features_of
from parcels.segments.graph.measures import Floats, SegmentMeasures, floats
from parcels.segments.graph.relation import gap_px

ALIKE = 0.9  # cosine of tag counts from which two segments are similar
MOST_SIBLINGS = 200  # more siblings are compared in chunks of this size
MUCH = 8.0


@dataclass(frozen=True)
class Context:
    """Measurements of a graph, and the similarity of siblings."""

    measured: SegmentMeasures

    @cached_property
    def _rows(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return four numbers per segment about its siblings.

        Mean similarity, share of similar ones, and mean and deviation of the distances between similar ones, relative
        to their number.
        """
        graph, profile = self.measured.graph, self.measured.tag_profile
        numbers = np.zeros((4, graph.segments))
        numbers[2] = 1.0
        for segment in np.flatnonzero(graph.cuts).tolist():
            first, count = int(graph.child[segment]), int(graph.cuts[segment]) + 1
            for low in range(first, first + count, MOST_SIBLINGS):
                high = min(first + count, low + MOST_SIBLINGS)
                if high - low > 1:
                    numbers[:, low:high] = _among(profile[low:high])
        return numbers[0], numbers[1], numbers[2], numbers[3]

    @cached_property
    def mean_gap(self) -> Floats:
        """Return the mean gap of each boundary's siblings."""
        of_boundary = gap_px(self.measured)
        graph = self.measured.graph
        parent = graph.parent[graph.before]
        total = np.bincount(parent, of_boundary, graph.segments)
        return (total / np.maximum(graph.cuts, 1))[parent]


def _among(profile: Floats) -> Floats:
    """Return the four numbers for the siblings in one row."""
    count = len(profile)
    like = profile @ profile.T
    mean = (like.sum(axis=1) - 1) / (count - 1)
    is_alike = like >= ALIKE
    number = is_alike.sum(axis=1)
    places = np.arange(count)
    first, last = is_alike.argmax(axis=1), count - 1 - is_alike[:, ::-1].argmax(axis=1)
    interval = np.where(number > 1, (last - first) / np.maximum(number - 1, 1), count)
    # The deviation of the distances comes from the sum of their squares, by the previous similar sibling of each.
    before = np.maximum.accumulate(np.where(is_alike, places, -1), axis=1)
    steps = np.where(is_alike[:, 1:] & (before[:, :-1] >= 0), places[1:] - before[:, :-1], 0)
    squares = (steps**2).sum(axis=1) / np.maximum(number - 1, 1)
    deviation = np.where(number > 1, np.sqrt(np.maximum(squares - interval**2, 0)), 0.0)
    return np.stack([mean, (number - 1) / (count - 1), interval / count, np.minimum(deviation / count, 1)])


@feature(view="segment", low=0, high=1)
def sibling_similarity(c: Context) -> Floats:
    """Mean similarity of its tag counts to those of its siblings."""
    return np.clip(c._rows[0], 0, 1)


@feature(view="segment", low=0, high=1)
def occurrence(c: Context) -> Floats:
    """Share of its siblings that are similar."""
    return c._rows[1]


@feature(view="segment", low=0, high=1)
def interval_mean(c: Context) -> Floats:
    """Mean distance between similar siblings."""
    return np.clip(c._rows[2], 0, 1)


@feature(view="segment", low=0, high=1)
def interval_deviation(c: Context) -> Floats:
    """Deviation of these distances."""
    return c._rows[3]


@feature(view="segment", low=0, high=1)
def sibling_share(c: Context) -> Floats:
    """Share of the leaves of the segment around it."""
    m = c.measured
    return m.leaves / np.maximum(m.leaves[np.maximum(m.graph.parent, 0)], 1)


@feature(view="segment", low=0, high=1)
def inner_cuts(c: Context) -> Floats:
    """Number of boundaries directly inside, as a logarithm."""
    return np.minimum(np.log1p(c.measured.graph.cuts) / MUCH, 1)


OF_SEGMENTS = features_of("segment", __name__)


@feature(view="boundary", low=0, high=1)
def siblings(c: Context) -> Floats:
    """Number of sibling boundaries, as a logarithm."""
    graph = c.measured.graph
    return np.minimum(np.log1p(graph.cuts[graph.parent[graph.before]]) / MUCH, 1)


@feature(view="boundary", low=0, high=1)
def place(c: Context) -> Floats:
    """Position of the boundary in its row."""
    graph = c.measured.graph
    parent = graph.parent[graph.before]
    return (np.arange(len(graph)) - graph.boundary[parent] + 0.5) / np.maximum(graph.cuts[parent], 1)


@feature(view="boundary", low=0, high=1)
def is_first(c: Context) -> Floats:
    """1 for the first boundary of its row."""
    graph = c.measured.graph
    return floats(graph.boundary[graph.parent[graph.before]] == np.arange(len(graph)))


@feature(view="boundary", low=0, high=1)
def is_last(c: Context) -> Floats:
    """1 for the last boundary of its row."""
    graph = c.measured.graph
    parent = graph.parent[graph.before]
    return floats(graph.boundary[parent] + graph.cuts[parent] - 1 == np.arange(len(graph)))


@feature(view="boundary", low=0, high=1)
def layer(c: Context) -> Floats:
    """Number of segments around the boundary."""
    graph = c.measured.graph
    return np.minimum(graph.layer[graph.before] / 10, 1)


@feature(view="boundary", low=0, high=1)
def is_page(c: Context) -> Floats:
    """1 for a boundary without dependencies."""
    graph = c.measured.graph
    return floats(graph.layer[graph.before] == 1)


@feature(view="boundary", low=0, high=1)
def gap_among_siblings(c: Context) -> Floats:
    """Its gap relative to the mean gap of its row, one half where they are equal."""
    own = gap_px(c.measured)
    return (own + 1) / (own + c.mean_gap + 2)


@feature(view="boundary", low=0, high=1)
def occurrence_difference(c: Context) -> Floats:
    """Difference of the occurrences of the two."""
    graph, often = c.measured.graph, occurrence(c)
    return np.abs(often[graph.before] - often[graph.after])


@feature(view="boundary", low=0, high=1)
def pair_occurrence(c: Context) -> Floats:
    """Share of the neighbouring pairs of its row that are similar to this pair, on both sides."""
    graph, profile = c.measured.graph, c.measured.tag_profile
    shares = np.zeros(len(graph))
    for segment in np.flatnonzero(graph.cuts > 1).tolist():
        first = int(graph.boundary[segment])
        for low in range(first, first + int(graph.cuts[segment]), MOST_SIBLINGS):
            high = min(first + int(graph.cuts[segment]), low + MOST_SIBLINGS)
            if high - low > 1:
                one, other = profile[graph.before[low:high]], profile[graph.after[low:high]]
                is_alike = (one @ one.T >= ALIKE) & (other @ other.T >= ALIKE)
                shares[low:high] = (is_alike.sum(axis=1) - 1) / (high - low - 1)
    return shares


@feature(view="boundary", low=0, high=1)
def cuts_off_heading(c: Context) -> Floats:
    """1 where the segment before the boundary is a short heading and the one after it is its text."""
    m = c.measured
    is_heading = (m.tag("h1", "h2", "h3", "h4") > 0) & (m.words <= 15)
    return (is_heading[m.graph.before] & ~is_heading[m.graph.after]).astype(np.float64)


OF_BOUNDARIES = features_of("boundary", __name__)
