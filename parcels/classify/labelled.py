"""Labels for the blocks of a page: whatever the divider, the model labels fine blocks and the others follow."""

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from parcels.classify.bylines import byline_leaves
from parcels.classify.gold import IMAGE_CHARS, INSIDE_TEXT
from parcels.classify.measured import Measured, measure
from parcels.classify.model import BlockModel, Prediction
from parcels.divide import Division, fine
from parcels.labels import label_set
from parcels.layout.render import LaidOut
from parcels.nlp.spans import find_spans
from parcels.page import Page
from parcels.results import Span, Vote, rows_of

MAX_SPAN_CHARS = 400  # a longer block is text; only the first ones of the article begin with a place and a source
FIRST_TEXTS = 2
LINK = "contentlink"
MAIN = INSIDE_TEXT[LINK]
WITH_SPANS = frozenset(["reporter", "timestamp", "source", "country", "suppcontent"])


class BlockLabel(NamedTuple):
    """What a model says of one block."""

    label: str
    confidence: float
    views: dict[str, Vote]
    importance: int
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Labelled:
    """What a model says of a page: one entry a block, and each leaf's own label where it differs."""

    blocks: list[BlockLabel]
    leaf_labels: list[str | None]
    texts: list[str] | None = None  # of the blocks, where they are at hand


def label_blocks(division: Division, laid: LaidOut, model: BlockModel, *, is_fine: bool = False) -> Labelled:
    """Label the blocks of a page that was laid out.

    Blocks of another divider than `fine` get the label, and the importance, with most characters among the fine
    blocks' leaves that they hold. `is_fine`: the division is that of `fine`, which need not be made again.
    """
    page = laid.page
    finely = division if is_fine else fine.divide(page)
    measured = measure(finely, laid)
    said = model.predict(measured)
    is_fine = is_fine or (len(finely) == len(division) and bool((finely.first == division.first).all()))
    blocks = _fine(said, measured) if is_fine else _by_majority(said, finely, division, page)
    labels = leaf_labels(said, measured)
    outer = np.repeat(np.arange(len(division)), np.diff(np.append(division.first, division.leaf_count))).tolist()
    own = [block.label for block in blocks]
    different = [label if label != own[block] else None for label, block in zip(labels, outer, strict=True)]
    return Labelled(blocks, different, list(measured.texts) if is_fine else None)


def _fine(said: Prediction, measured: Measured) -> list[BlockLabel]:
    importance = {label.name: label.importance for label in label_set().labels}
    votes = said.votes()
    best = said.best()
    by_block = list(zip(*(rows_of(Vote, view) for view in votes.values()), strict=True)) or [()] * len(best)
    found: list[tuple[str, float, dict[str, Vote], int, tuple[Span, ...]]] = []
    texts = 0
    for n, ((label, confidence), views) in enumerate(zip(best, by_block, strict=True)):
        is_opening = label == MAIN and (texts := texts + 1) <= FIRST_TEXTS
        has_spans = is_opening or (label in WITH_SPANS and len(measured.texts[n]) <= MAX_SPAN_CHARS)
        spans = tuple(find_spans(measured.analysis, n)) if has_spans else ()
        found.append((label, confidence, dict(zip(votes, views, strict=True)), importance[label], spans))
    return rows_of(BlockLabel, found)


def _by_majority(said: Prediction, finely: Division, division: Division, page: Page) -> list[BlockLabel]:
    names, best, votes = label_set(), said.best(), said.votes()
    of_leaf = np.repeat(np.arange(len(finely)), np.diff(np.append(finely.first, finely.leaf_count))).tolist()
    found = []
    for first, end in division.ranges():
        weight: Counter[int] = Counter()
        for leaf in range(first, end):
            text = page.leaves.text[leaf]
            weight[of_leaf[leaf]] += max(1, len(text)) if page.leaves.kind[leaf] == "text" else IMAGE_CHARS
        label, confidence = _weighed({block: best[block] for block in weight}, weight)
        views = {
            view: Vote(*_weighed({block: vote[block] for block in weight}, weight)) for view, vote in votes.items()
        }
        levels: Counter[int] = Counter()
        for block, chars in weight.items():
            levels[names[best[block][0]].importance] += chars
        found.append(BlockLabel(label, confidence, views, levels.most_common(1)[0][0]))
    return found


def _weighed(said: dict[int, tuple[str, float]], weight: Counter[int]) -> tuple[str, float]:
    """The label with most characters, and how sure its blocks are, in the mean over all characters."""
    chars: Counter[str] = Counter()
    sure: dict[str, float] = {}
    for block, (label, confidence) in said.items():
        chars[label] += weight[block]
        sure[label] = sure.get(label, 0.0) + confidence * weight[block]
    label = chars.most_common(1)[0][0]
    return label, round(sure[label] / max(1, sum(chars.values())), 4)


def leaf_labels(said: Prediction, measured: Measured) -> list[str]:
    """The label of every leaf of a finely divided page."""
    own, of_leaf = [label for label, _ in said.best()], measured.look.groups.block_of_leaf.tolist()
    is_link = measured.look.page.leaves.is_link.tolist()
    labels = [LINK if own[block] == MAIN and is_link[leaf] else own[block] for leaf, block in enumerate(of_leaf)]
    for leaf, label in byline_leaves(own, measured).items():
        labels[leaf] = label
    return labels
