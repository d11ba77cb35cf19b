"""What speaks for a segment as the informative one: what the content model of `parcels extract` says of its words.

That model was learned from thousands of pages whose main text is known, the segmenter from tens of marked ones.
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
from parcels.segments.graph.measured import Floats, Measured

SURE = 0.99  # no word is content, or is none, with more certainty


def content_of_leaves(page: Page) -> Floats:
    """How likely each leaf is of the page's content, by the shipped content model."""
    parts = parts_of(page)
    found = np.zeros(len(page.leaves))
    for (first, end), chance in zip(
        parts.division.ranges(), content_model_at().score(parts, claims(page), page.url).proba.tolist(), strict=True
    ):
        found[first:end] = chance
    return found


@dataclass(frozen=True)
class ContentOfSegments:
    """The segments of a graph with what is content in them."""

    measured: Measured
    of_leaves: Floats

    @cached_property
    def odds(self) -> Floats:
        """The log-odds of each leaf, from 0 to 1 as a share of what is sure."""
        chance = np.clip(self.of_leaves, 1 - SURE, SURE)
        odds: Floats = 0.5 + np.log(chance / (1 - chance)) / (2 * np.log(SURE / (1 - SURE)))
        return odds

    def mean(self, of_leaves: NDArray[Any], weights: NDArray[Any]) -> Floats:
        """The weighted mean of a number of each leaf, for each segment; 0 where nothing has weight."""
        whole = self.measured.sum_of_leaves(weights)
        return self.measured.sum_of_leaves(of_leaves * weights) / np.maximum(whole, 1e-9)

    def share(self, of_leaves: Floats) -> Floats:
        """The share of the page's words, each counted by a number of its leaf, that each segment holds."""
        held = self.measured.sum_of_leaves(of_leaves * self.measured.leaf_words)
        return np.clip(held / max(float(held[0]), 1e-9), 0, 1)


@feature(view="segment-content", low=0, high=1)
def content_mean(c: ContentOfSegments) -> Floats:
    """Share of the words that are content."""
    return c.mean(c.of_leaves, c.measured.leaf_words)


@feature(view="segment-content", low=0, high=1)
def content_odds(c: ContentOfSegments) -> Floats:
    """Log-odds of being content, the mean of the words."""
    return c.mean(c.odds, c.measured.leaf_words)


@feature(view="segment-content", low=0, high=1)
def content_share(c: ContentOfSegments) -> Floats:
    """Share of the page's content."""
    return c.share(c.of_leaves)


@feature(view="segment-content", low=0, high=1)
def content_spread(c: ContentOfSegments) -> Floats:
    """How unlike the words are: the deviation of their log-odds, 1 where half are surely content and half are not."""
    mean = c.mean(c.odds, c.measured.leaf_words)
    return 2 * np.sqrt(np.maximum(c.mean(c.odds**2, c.measured.leaf_words) - mean**2, 0))


@feature(view="segment-content", low=0, high=1)
def content_of_texts(c: ContentOfSegments) -> Floats:
    """Log-odds of being content, the mean of the leaves with words: a menu of many short ones counts as many."""
    return c.mean(c.odds, c.measured.leaf_words > 0)


@feature(view="segment-content", low=0, high=1)
def other_share(c: ContentOfSegments) -> Floats:
    """Share of the page's words that are no content."""
    return c.share(1 - c.of_leaves)


FEATURES = features_of("segment-content", __name__)
NAMES = tuple(map(str, FEATURES))


def content_rows(measured: Measured) -> Floats:
    """The features of each segment of a graph, a row a segment."""
    subject = ContentOfSegments(measured, content_of_leaves(measured.graph.laid.page))
    return np.nan_to_num(columns(FEATURES, subject, measured.graph.segments)).astype(np.float64)
