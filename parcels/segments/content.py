"""Features of a segment for being the informative one: predictions of the content model for its words.

The content model (`parcels extract`) was trained on thousands of pages with a known main text, the segmenter on tens of
marked pages.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.parts import parts_of
from parcels.articles.model import content_model_at
from parcels.features.feature import columns, feature, features_of
from parcels.html.page import Page
from parcels.html.structured import claims
from parcels.segments.graph.measures import Floats, SegmentMeasures

SURE = 0.99  # probabilities are clipped to 1 - SURE and SURE


def content_of_leaves(page: Page) -> Floats:
    """Return the probability that each leaf is content, by the shipped content model."""
    parts = parts_of(page)
    of_leaves = np.zeros(len(page.leaves))
    for (first, end), chance in zip(
        parts.division.ranges(), content_model_at().score(parts, claims(page), page.url).proba.tolist(), strict=True
    ):
        of_leaves[first:end] = chance
    return of_leaves


@dataclass(frozen=True)
class ContentOfSegments:
    """The segments of a graph and the probability that each leaf is content."""

    measured: SegmentMeasures
    of_leaves: Floats

    @cached_property
    def odds(self) -> Floats:
        """Return the log-odds of each leaf, scaled to 0 to 1."""
        chance = np.clip(self.of_leaves, 1 - SURE, SURE)
        odds: Floats = 0.5 + np.log(chance / (1 - chance)) / (2 * np.log(SURE / (1 - SURE)))
        return odds

    def mean(self, of_leaves: NDArray[Any], weights: NDArray[Any]) -> Floats:
        """Return for each segment the weighted mean of a value of its leaves; 0 without weight."""
        whole = self.measured.sum_of_leaves(weights)
        return self.measured.sum_of_leaves(of_leaves * weights) / np.maximum(whole, 1e-9)

    def share(self, of_leaves: Floats) -> Floats:
        """Return for each segment its share of the page's words, weighted by a value of their leaves."""
        held = self.measured.sum_of_leaves(of_leaves * self.measured.leaf_words)
        return np.clip(held / max(float(held[0]), 1e-9), 0, 1)


@feature(view="segment-content", low=0, high=1)
def content_mean(c: ContentOfSegments) -> Floats:
    """Share of the words that are content."""
    return c.mean(c.of_leaves, c.measured.leaf_words)


@feature(view="segment-content", low=0, high=1)
def content_odds(c: ContentOfSegments) -> Floats:
    """Mean log-odds of the words to be content."""
    return c.mean(c.odds, c.measured.leaf_words)


@feature(view="segment-content", low=0, high=1)
def content_share(c: ContentOfSegments) -> Floats:
    """Share of the page's content."""
    return c.share(c.of_leaves)


@feature(view="segment-content", low=0, high=1)
def content_spread(c: ContentOfSegments) -> Floats:
    """Deviation of the words' log-odds; 1 where half are surely content and half surely not."""
    mean = c.mean(c.odds, c.measured.leaf_words)
    return 2 * np.sqrt(np.maximum(c.mean(c.odds**2, c.measured.leaf_words) - mean**2, 0))


@feature(view="segment-content", low=0, high=1)
def content_of_texts(c: ContentOfSegments) -> Floats:
    """Mean log-odds of the leaves with words to be content."""
    return c.mean(c.odds, c.measured.leaf_words > 0)


@feature(view="segment-content", low=0, high=1)
def other_share(c: ContentOfSegments) -> Floats:
    """Share of the page's words that are not content."""
    return c.share(1 - c.of_leaves)


FEATURES = features_of("segment-content", __name__)
NAMES = tuple(map(str, FEATURES))


def content_rows(measured: SegmentMeasures) -> Floats:
    """Return the features of the segments of a graph, one row per segment."""
    subject = ContentOfSegments(measured, content_of_leaves(measured.graph.laid.page))
    return np.nan_to_num(columns(FEATURES, subject, measured.graph.segments)).astype(np.float64)
