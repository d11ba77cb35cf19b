"""The topic view: how much of a block, or of the list it stands in, is about what the page's running text is about.

Tells links to articles on the same topic from links to the rest of the site, which look alike.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np

from parcels.features.feature import columns, feature, features_of
from parcels.features.look import Bools, Floats, Ints, Look
from parcels.text.analysis import Analysis
from parcels.text.wordlists import Flag

KEYWORDS = 40  # of the running text


@dataclass(frozen=True)
class Topic:
    """Which tokens of a page count, and which of them are words of its topic."""

    look: Look
    analysis: Analysis

    @cached_property
    def weight(self) -> Floats:
        """How rare each token is; 0 for what is no word of a topic."""
        of = self.analysis
        is_counted = (of.flags & np.uint32(Flag.WORD | Flag.STOP | Flag.NUMBER)) == Flag.WORD
        return np.where(is_counted, of.idf, np.float32(0))

    def stems_of(self, is_block: Bools, *, is_once: bool = True) -> list[tuple[int, int]]:
        """How often each stem that counts occurs in some blocks, and its number; `is_once`: also what occurs once."""
        of = self.analysis
        wanted = np.flatnonzero((self.weight > 0) & is_block[of.text_of])
        counts = Counter(of.stem[wanted].tolist())
        return [(times, stem) for stem, times in counts.items() if is_once or times > 1]

    def share(self, words: list[int]) -> Floats:
        """Of each block, the share of its tokens' weight that the words with these stems have."""
        if not words:
            return np.zeros(len(self.look), np.float32)
        stems, blocks = self.analysis.stem, self.analysis.text_of
        is_among = np.zeros(int(stems.max()) + 1, np.bool_)
        is_among[words] = True
        found = np.bincount(blocks, self.weight * is_among.take(stems), len(self.look))
        return np.asarray(found / np.maximum(self.total, 1e-9), np.float32)

    @cached_property
    def total(self) -> Floats:
        """The weight of each block's tokens."""
        return np.bincount(self.analysis.text_of, self.weight, len(self.look)).astype(np.float32)

    @cached_property
    def in_text(self) -> Floats:
        """Share of the block that is made of the running text's keywords; of running text itself, of the others'."""
        repeated = self.stems_of(self.look.anchors.mass > 0, is_once=False)
        if len(repeated) > KEYWORDS:
            repeated.sort(key=itemgetter(0), reverse=True)  # those that are as frequent stay in their order
        return self.share([stem for _, stem in repeated[:KEYWORDS]])

    @cached_property
    def in_title(self) -> Floats:
        """Share of the block that is made of the headline's words."""
        is_title = np.arange(len(self.look)) == self.look.anchors.title
        return self.share([stem for _, stem in self.stems_of(is_title)])

    def of_group(self, values: Floats, group: Ints) -> Floats:
        """The mean of a value over the blocks of each block's group, weighted by their tokens."""
        weight = np.bincount(group, self.total)
        mean = np.bincount(group, values * self.total) / np.maximum(weight, 1e-9)
        return mean.take(group).astype(np.float32)


@feature(view="topic", low=0, high=1)
def topic_in_text(topic: Topic) -> Floats:
    """Share of the block that is made of the running text's keywords."""
    return topic.in_text


@feature(view="topic", low=0, high=1)
def topic_in_title(topic: Topic) -> Floats:
    """Share of the block that is made of the headline's words."""
    return topic.in_title


@feature(view="topic", low=-1, high=1)
def list_in_text(topic: Topic) -> Floats:
    """Share of the block's list that is made of the running text's keywords; -1 outside lists."""
    return _of_list(topic, topic.in_text)


@feature(view="topic", low=-1, high=1)
def list_in_title(topic: Topic) -> Floats:
    """Share of the block's list that is made of the headline's words; -1 outside lists."""
    return _of_list(topic, topic.in_title)


def _of_list(topic: Topic, values: Floats) -> Floats:
    groups = topic.look.groups
    return np.where(groups.entry > 0, topic.of_group(values, groups.list_), -1).astype(np.float32)


@feature(view="topic", low=-1, high=1)
def entry_in_text(topic: Topic) -> Floats:
    """Share of the block's entry that is made of the running text's keywords; -1 outside lists."""
    groups = topic.look.groups
    return np.where(groups.entry > 0, topic.of_group(topic.in_text, groups.entry), -1).astype(np.float32)


@feature(view="topic", low=0, high=1)
def branch_in_text(topic: Topic) -> Floats:
    """Share of the branch beside the running text, that the block is in, that is made of its keywords."""
    return topic.of_group(topic.in_text, topic.look.branch)


@feature(view="topic", low=0, high=20)
def rareness(topic: Topic) -> Floats:
    """Mean weight of the block's words that count."""
    counts = np.bincount(topic.analysis.text_of, topic.weight > 0, len(topic.look))
    return (topic.total / np.maximum(counts, 1)).astype(np.float32)


FEATURES = features_of("topic", __name__)


def topic_view(look: Look, analysis: Analysis) -> Floats:
    """Return one row per block, one column per feature."""
    return columns(FEATURES, Topic(look, analysis), len(look))
