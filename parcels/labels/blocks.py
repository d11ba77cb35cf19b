"""Label the blocks of a page: the model labels fine blocks, and blocks of other dividers follow their leaves."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

from parcels.divide import Division
from parcels.features.page_features import Floats
from parcels.html.page import Page
from parcels.labels import label_set
from parcels.labels.bylines import byline_leaves
from parcels.labels.features import BlockViews
from parcels.labels.gold import IMAGE_CHARS, INSIDE_TEXT
from parcels.labels.model import LabelModel, Prediction
from parcels.results import Span, Vote, rows_of
from parcels.text.spans import find_spans

MAX_SPAN_CHARS = 400  # a longer block is text; only the first ones of the article begin with a place and a source
FIRST_TEXTS = 2
LINK = "contentlink"
MAIN = INSIDE_TEXT[LINK]
WITH_SPANS = frozenset(["reporter", "timestamp", "source", "country", "suppcontent"])

Scored = tuple[str, float]  # a label and a confidence


class BlockLabel(NamedTuple):
    """A model's prediction for one block."""

    label: str
    confidence: float
    views: Mapping[str, Vote]
    importance: int
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Labelled:
    """A model's predictions for a page, one entry per block, and each leaf's own label if it differs."""

    best: list[Scored]
    prediction: Prediction | dict[str, list[Scored]]  # of each view
    importance: list[int]
    spans: list[tuple[Span, ...]]
    leaf_labels: list[str | None]
    texts: list[str] | None = None  # of the blocks, where they are at hand
    edges: Floats | None = None  # PageFeatures.box, likewise

    @cached_property
    def votes(self) -> dict[str, list[Scored]]:
        """Return the vote of each view for each block."""
        return self.prediction if isinstance(self.prediction, dict) else self.prediction.votes()

    def blocks(self) -> list[BlockLabel]:
        """Return what the model says of each block."""
        return rows_of(
            BlockLabel,
            [
                (label, confidence, Votes(self, n), importance, spans)
                for n, ((label, confidence), importance, spans) in enumerate(
                    zip(self.best, self.importance, self.spans, strict=True)
                )
            ],
        )


class Votes(Mapping[str, Vote]):
    """The label and confidence of each view for one block.

    Votes are made when they are read: a page has thousands of them, and few callers look at them.
    """

    __slots__ = ("_n", "_page")

    def __init__(self, page: Labelled, n: int):
        self._page, self._n = page, n

    def __getitem__(self, view: str) -> Vote:
        return Vote(*self._page.votes[view][self._n])

    def __iter__(self) -> Iterator[str]:
        return iter(self._page.votes)

    def __len__(self) -> int:
        return len(self._page.votes)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[type[dict[str, Vote]], tuple[dict[str, Vote]]]:
        return dict, (dict(self),)  # a copy, or another process, needs nothing of the page


def label_blocks(division: Division, measured: BlockViews, model: LabelModel) -> Labelled:
    """Label the blocks of a page, given the features of its fine blocks.

    Blocks of another divider than `fine` get the label, and the importance, with most characters among the fine
    blocks' leaves that they hold.
    """
    page, finely = measured.look.page, measured.look.division
    prediction = model.predict(measured)
    is_fine = finely is division or (len(finely) == len(division) and bool((finely.first == division.first).all()))
    best = prediction.best()
    own = [label for label, _ in best]
    labels = _of_leaves(own, measured)
    if not is_fine:
        return _by_majority(best, prediction.votes(), labels, finely, division, page)
    importance = _importance()
    levels = [importance[label] for label in own]
    different = _different(labels, own, measured.look.groups.block_of_leaf.tolist())
    texts, edges = list(measured.texts), measured.look.box
    return Labelled(best, prediction, levels, _spans(best, measured), different, texts, edges)


@cache
def _importance() -> dict[str, int]:
    return {label.name: label.importance for label in label_set().labels}


def _spans(best: list[Scored], measured: BlockViews) -> list[tuple[Span, ...]]:
    """Return the spans of the blocks whose label may have spans."""
    found: list[tuple[Span, ...]] = [()] * len(best)
    texts = 0
    for n, (label, _) in enumerate(best):
        is_opening = label == MAIN and (texts := texts + 1) <= FIRST_TEXTS
        if is_opening or (label in WITH_SPANS and len(measured.texts[n]) <= MAX_SPAN_CHARS):
            found[n] = tuple(find_spans(measured.analysis, n))
    return found


def _different(labels: list[str], own: list[str], block_of_leaf: list[int]) -> list[str | None]:
    """Return the label of each leaf that differs from its block's, else None."""
    return [label if label != own[block] else None for label, block in zip(labels, block_of_leaf, strict=True)]


def _by_majority(
    best: list[Scored],
    votes: dict[str, list[Scored]],
    labels: list[str],
    finely: Division,
    division: Division,
    page: Page,
) -> Labelled:
    importance, of_leaf = _importance(), finely.block_of_leaf().tolist()
    found: list[Scored] = []
    levels_found: list[int] = []
    views: dict[str, list[Scored]] = {view: [] for view in votes}
    for first, end in division.ranges():
        weight: Counter[int] = Counter()
        for leaf in range(first, end):
            text = page.leaves.text[leaf]
            weight[of_leaf[leaf]] += max(1, len(text)) if page.leaves.kind[leaf] == "text" else IMAGE_CHARS
        found.append(_weighed({block: best[block] for block in weight}, weight))
        for view, vote in votes.items():
            views[view].append(_weighed({block: vote[block] for block in weight}, weight))
        levels: Counter[int] = Counter()
        for block, chars in weight.items():
            levels[importance[best[block][0]]] += chars
        levels_found.append(levels.most_common(1)[0][0])
    different = _different(labels, [label for label, _ in found], division.block_of_leaf().tolist())
    return Labelled(found, views, levels_found, [()] * len(found), different)


def _weighed(votes: dict[int, Scored], weight: Counter[int]) -> Scored:
    """Return the label with most characters, and the mean confidence of its blocks over all characters."""
    chars: Counter[str] = Counter()
    sure: dict[str, float] = {}
    for block, (label, confidence) in votes.items():
        chars[label] += weight[block]
        sure[label] = sure.get(label, 0.0) + confidence * weight[block]
    label = chars.most_common(1)[0][0]
    return label, round(sure[label] / max(1, sum(chars.values())), 4)


def leaf_labels(prediction: Prediction, measured: BlockViews) -> list[str]:
    """Return the label of every leaf of a finely divided page."""
    return _of_leaves([label for label, _ in prediction.best()], measured)


def _of_leaves(own: list[str], measured: BlockViews) -> list[str]:
    """Return the label of every leaf, given the labels of the fine blocks."""
    of_leaf, is_link = measured.look.groups.block_of_leaf.tolist(), measured.look.page.leaves.is_link.tolist()
    labels = [own[block] for block in of_leaf]
    for leaf, label in enumerate(labels):
        if is_link[leaf] and label == MAIN:
            labels[leaf] = LINK
    for leaf, label in byline_leaves(own, measured).items():
        labels[leaf] = label
    return labels
