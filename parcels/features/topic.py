"""The topic view: how much of a block, its list entry or its list is about the topic of the running text.

It separates links to related articles from other links of the site, which have the same style and context. A block is
compared with the keywords of the running text: its most frequent stems. Tokens are weighted by inverse document
frequency; stop words and numbers do not count.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np

from parcels.features.feature import columns, feature, features_of
from parcels.features.page_features import Bools, Floats, Ints, PageFeatures
from parcels.text.analysis import Analysis
from parcels.text.wordlists import Flag

KEYWORDS = 40  # stems of the running text


@dataclass(frozen=True)
class Topic:
    """A page and the analysis of its words, with the weights of its tokens."""

    page: PageFeatures
    analysis: Analysis

    @cached_property
    def weight(self) -> Floats:
        """Inverse document frequency of each token; 0 for stop words, numbers and punctuation."""
        of = self.analysis
        is_counted = (of.flags & np.uint32(Flag.WORD | Flag.STOP | Flag.NUMBER)) == Flag.WORD
        return np.where(is_counted, of.idf, np.float32(0))

    def stems_of(self, is_block: Bools, *, is_once: bool = True) -> list[tuple[int, int]]:
        """Return the frequency and number of each stem in some blocks; without `is_once` only of repeated ones."""
        of = self.analysis
        wanted = np.flatnonzero((self.weight > 0) & is_block[of.text_of])
        counts = Counter(of.stem[wanted].tolist())
        return [(times, stem) for stem, times in counts.items() if is_once or times > 1]

    def share(self, words: list[int]) -> Floats:
        """Return the share of each block's token weight that falls on the given stems."""
        if not words:
            return np.zeros(len(self.page), np.float32)
        stems, blocks = self.analysis.stem, self.analysis.text_of
        is_among = np.zeros(int(stems.max()) + 1, np.bool_)
        is_among[words] = True
        weights = np.bincount(blocks, self.weight * is_among.take(stems), len(self.page))
        return np.asarray(weights / np.maximum(self.total, 1e-9), np.float32)

    @cached_property
    def total(self) -> Floats:
        """Total token weight of each block."""
        return np.bincount(self.analysis.text_of, self.weight, len(self.page)).astype(np.float32)

    @cached_property
    def in_text(self) -> Floats:
        """Weighted share of the keywords of the running text in each block."""
        repeated = self.stems_of(self.page.main_text.mass > 0, is_once=False)
        if len(repeated) > KEYWORDS:
            repeated.sort(key=itemgetter(0), reverse=True)  # stable: ties keep their order
        return self.share([stem for _, stem in repeated[:KEYWORDS]])

    @cached_property
    def in_title(self) -> Floats:
        """Weighted share of the headline's words in each block."""
        is_title = np.arange(len(self.page)) == self.page.main_text.title
        return self.share([stem for _, stem in self.stems_of(is_title)])

    def of_group(self, values: Floats, group: Ints) -> Floats:
        """Return the mean of a value over the blocks of each block's group, weighted by their token weight."""
        weight = np.bincount(group, self.total)
        mean = np.bincount(group, values * self.total) / np.maximum(weight, 1e-9)
        return mean.take(group).astype(np.float32)


@feature(view="topic", low=0, high=1)
def topic_in_text(topic: Topic) -> Floats:
    """Weighted share of the block's words that are keywords of the running text."""
    return topic.in_text


@feature(view="topic", low=0, high=1)
def topic_in_title(topic: Topic) -> Floats:
    """Weighted share of the block's words that occur in the headline."""
    return topic.in_title


@feature(view="topic", low=-1, high=1)
def list_in_text(topic: Topic) -> Floats:
    """Weighted share of keywords of the running text in the block's list; -1 outside lists."""
    return _of_list(topic, topic.in_text)


@feature(view="topic", low=-1, high=1)
def list_in_title(topic: Topic) -> Floats:
    """Weighted share of the headline's words in the block's list; -1 outside lists."""
    return _of_list(topic, topic.in_title)


def _of_list(topic: Topic, values: Floats) -> Floats:
    groups = topic.page.groups
    return np.where(groups.entry > 0, topic.of_group(values, groups.list_), -1).astype(np.float32)


@feature(view="topic", low=-1, high=1)
def entry_in_text(topic: Topic) -> Floats:
    """Weighted share of keywords of the running text in the block's list entry; -1 outside lists."""
    groups = topic.page.groups
    return np.where(groups.entry > 0, topic.of_group(topic.in_text, groups.entry), -1).astype(np.float32)


@feature(view="topic", low=0, high=1)
def branch_in_text(topic: Topic) -> Floats:
    """Weighted share of keywords of the running text in the block's branch."""
    return topic.of_group(topic.in_text, topic.page.branch)


@feature(view="topic", low=0, high=20)
def rareness(topic: Topic) -> Floats:
    """Mean inverse document frequency of the block's words, without stop words and numbers."""
    counts = np.bincount(topic.analysis.text_of, topic.weight > 0, len(topic.page))
    return (topic.total / np.maximum(counts, 1)).astype(np.float32)


FEATURES = features_of("topic", __name__)


def topic_view(page: PageFeatures, analysis: Analysis) -> Floats:
    """Return one row per block, one column per feature."""
    return columns(FEATURES, Topic(page, analysis), len(page))
