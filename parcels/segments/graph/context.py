"""Context features (section 4.2): how the segments at a boundary stand among their siblings.

Context segment features are numbers of a segment, context relation features numbers of a boundary.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from parcels.features.feature import feature, features_of
from parcels.segments.graph.measured import Floats, Measured, floats
from parcels.segments.graph.relation import gap_px

ALIKE = 0.9  # cosine of tag counts from which two segments are of one kind
MOST_SIBLINGS = 200  # a longer row is compared in stretches of this many
MUCH = 8.0


@dataclass(frozen=True)
class Context:
    """What is measured of a graph, and how alike siblings are."""

    measured: Measured

    @cached_property
    def _rows(self) -> tuple[Floats, Floats, Floats, Floats]:
        """For each segment: mean likeness to its siblings, share of them that are like it, mean and deviation of
        the distances between those that are like it, by their number."""
        graph, profile = self.measured.graph, self.measured.tag_profile
        found = np.zeros((4, graph.segments))
        found[2] = 1.0
        for segment in np.flatnonzero(graph.cuts).tolist():
            first, count = int(graph.child[segment]), int(graph.cuts[segment]) + 1
            for low in range(first, first + count, MOST_SIBLINGS):
                high = min(first + count, low + MOST_SIBLINGS)
                if high - low > 1:
                    found[:, low:high] = _among(profile[low:high])
        return found[0], found[1], found[2], found[3]

    @cached_property
    def mean_gap(self) -> Floats:
        """For each boundary the mean gap of those beside it in its segment."""
        of_boundary = gap_px(self.measured)
        graph = self.measured.graph
        parent = graph.parent[graph.before]
        total = np.bincount(parent, of_boundary, graph.segments)
        return (total / np.maximum(graph.cuts, 1))[parent]


def _among(profile: Floats) -> Floats:
    """The four numbers for the siblings of one row."""
    count = len(profile)
    like = profile @ profile.T
    mean = (like.sum(axis=1) - 1) / (count - 1)
    is_alike = like >= ALIKE
    number = is_alike.sum(axis=1)
    places = np.arange(count)
    first, last = is_alike.argmax(axis=1), count - 1 - is_alike[:, ::-1].argmax(axis=1)
    interval = np.where(number > 1, (last - first) / np.maximum(number - 1, 1), count)
    # Deviation of the distances: from the sum of their squares, found by the place before each that is alike.
    before = np.maximum.accumulate(np.where(is_alike, places, -1), axis=1)
    steps = np.where(is_alike[:, 1:] & (before[:, :-1] >= 0), places[1:] - before[:, :-1], 0)
    squares = (steps**2).sum(axis=1) / np.maximum(number - 1, 1)
    deviation = np.where(number > 1, np.sqrt(np.maximum(squares - interval**2, 0)), 0.0)
    return np.stack([mean, (number - 1) / (count - 1), interval / count, np.minimum(deviation / count, 1)])


@feature(view="segment", low=0, high=1)
def sibling_similarity(c: Context) -> Floats:
    """Mean likeness of its tag counts to its siblings'."""
    return np.clip(c._rows[0], 0, 1)


@feature(view="segment", low=0, high=1)
def occurrence(c: Context) -> Floats:
    """Share of its siblings that are like it."""
    return c._rows[1]


@feature(view="segment", low=0, high=1)
def interval_mean(c: Context) -> Floats:
    """Mean distance between those that are like it."""
    return np.clip(c._rows[2], 0, 1)


@feature(view="segment", low=0, high=1)
def interval_deviation(c: Context) -> Floats:
    """How irregular these distances are."""
    return c._rows[3]


@feature(view="segment", low=0, high=1)
def sibling_share(c: Context) -> Floats:
    """Share of the leaves of the segment around it."""
    m = c.measured
    return m.leaves / np.maximum(m.leaves[np.maximum(m.graph.parent, 0)], 1)


@feature(view="segment", low=0, high=1)
def inner_cuts(c: Context) -> Floats:
    """How many boundaries it has directly inside, as a logarithm."""
    return np.minimum(np.log1p(c.measured.graph.cuts) / MUCH, 1)


OF_SEGMENTS = features_of("segment", __name__)


@feature(view="boundary", low=0, high=1)
def siblings(c: Context) -> Floats:
    """How many boundaries are beside it, as a logarithm."""
    graph = c.measured.graph
    return np.minimum(np.log1p(graph.cuts[graph.parent[graph.before]]) / MUCH, 1)


@feature(view="boundary", low=0, high=1)
def place(c: Context) -> Floats:
    """How far along its row the boundary stands."""
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
    """How many segments lie around the boundary."""
    graph = c.measured.graph
    return np.minimum(graph.layer[graph.before] / 10, 1)


@feature(view="boundary", low=0, high=1)
def is_page(c: Context) -> Floats:
    """1 for a boundary that depends on none."""
    graph = c.measured.graph
    return floats(graph.layer[graph.before] == 1)


@feature(view="boundary", low=0, high=1)
def gap_among_siblings(c: Context) -> Floats:
    """Its gap by the mean gap of its row, one half where they are equal."""
    own = gap_px(c.measured)
    return (own + 1) / (own + c.mean_gap + 2)


@feature(view="boundary", low=0, high=1)
def occurrence_difference(c: Context) -> Floats:
    """How far the occurrences of the two are apart."""
    graph, often = c.measured.graph, occurrence(c)
    return np.abs(often[graph.before] - often[graph.after])


@feature(view="boundary", low=0, high=1)
def pair_occurrence(c: Context) -> Floats:
    """Share of the neighbouring pairs of its row that are like this pair, on both sides."""
    graph, profile = c.measured.graph, c.measured.tag_profile
    found = np.zeros(len(graph))
    for segment in np.flatnonzero(graph.cuts > 1).tolist():
        first = int(graph.boundary[segment])
        for low in range(first, first + int(graph.cuts[segment]), MOST_SIBLINGS):
            high = min(first + int(graph.cuts[segment]), low + MOST_SIBLINGS)
            if high - low > 1:
                one, other = profile[graph.before[low:high]], profile[graph.after[low:high]]
                is_alike = (one @ one.T >= ALIKE) & (other @ other.T >= ALIKE)
                found[low:high] = (is_alike.sum(axis=1) - 1) / (high - low - 1)
    return found


@feature(view="boundary", low=0, high=1)
def cuts_off_heading(c: Context) -> Floats:
    """1 where a short heading stands before the boundary, and what it heads behind it."""
    m = c.measured
    is_heading = (m.tag("h1", "h2", "h3", "h4") > 0) & (m.words <= 15)
    return (is_heading[m.graph.before] & ~is_heading[m.graph.after]).astype(np.float64)


OF_BOUNDARIES = features_of("boundary", __name__)
