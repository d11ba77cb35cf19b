"""Explanations of a block's label: the vote of each view, and the words and features with the largest effect.

The effect of a feature is the change of the label's probability when the feature gets the median value of the page's
blocks. The features are those of the second stage, or of the views of a co-trained model. The effect of a word is its
weight times its value in a linear learner; in a co-trained model it is the change of the view's log-probability.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.errors import ConfigError
from parcels.labels.cotrained import VIEWS, CoTrained
from parcels.labels.features import BlockViews
from parcels.labels.model import BlockModel, LabelModel, averaged, bags_of, reading, second_rows
from parcels.learn.learner import Features
from parcels.learn.linear import Linear
from parcels.learn.words import Words

MOST = 12


@dataclass(frozen=True, slots=True)
class Reason:
    """The effect of one feature, or word, on the label."""

    name: str
    value: float
    effect: float  # a word: its part of the label's score; a feature: by how much the label would be less likely


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one block's label."""

    n: int
    text: str
    label: str
    confidence: float
    runners_up: list[tuple[str, float]]
    views: dict[str, tuple[str, float]]
    features: list[Reason]
    words: dict[str, list[Reason]]  # by the view that read them


def explain(model: LabelModel, page: BlockViews, n: int) -> Explanation:
    """Explain the label of the n-th block."""
    if not 0 <= n < len(page):
        raise ConfigError(f"Block {n} does not exist: the page has the blocks 0 to {len(page) - 1}.")
    prediction = model.predict(page)
    order = np.argsort(-prediction.proba[n])
    label, confidence = prediction.best()[n]
    others = [
        (str(prediction.labels[place]), round(float(prediction.proba[n, place]), 4)) for place in order[1:4].tolist()
    ]
    views = {view: votes[n] for view, votes in prediction.votes().items()}
    if isinstance(model, CoTrained):
        features, words = _view_features(model, page, n, label), _view_words(model, page, n, label)
    elif isinstance(model, BlockModel):
        features, words = _features(model, page, n, label), _words(model, page, n, int(order[0]))
    else:
        raise ConfigError(
            f"Models of the type {type(model).__name__} cannot be explained. Use a model of kind blocks or cotrained."
        )
    return Explanation(n, page.texts[n], label, confidence, others, views, features, words)


def _features(model: BlockModel, page: BlockViews, n: int, label: str) -> list[Reason]:
    page = page.with_features(model.places)
    read = second_rows(page, model.first(page), model.second_numbers)
    names = model.second_names
    column = int(np.searchsorted(model.labels, label))
    rows, usual = read.numbers, np.median(read.numbers, axis=0)
    differs = np.flatnonzero(rows[n] != usual)

    def chance(numbers: NDArray[Any]) -> float:
        return float(np.exp(averaged(model.second, replace(read, numbers=numbers))[n, column]))

    proba = [chance(rows)]
    for at in differs.tolist():
        tried = rows.copy()
        tried[n, at] = usual[at]
        proba.append(chance(tried))
    effects = (proba[0] - np.array(proba[1:])).round(4)
    best = np.argsort(-np.abs(effects), kind="stable")[:MOST].tolist()
    return [Reason(names[differs[at]], round(float(rows[n, differs[at]]), 4), float(effects[at])) for at in best]


def _words(model: BlockModel, page: BlockViews, n: int, place: int) -> dict[str, list[Reason]]:
    bags = bags_of([page], model.vocabularies)
    reasons = {}
    for name, part in model.parts.items():
        if not part.bags or not isinstance(part.learner, Linear):
            continue
        words = [word for bag in part.bags for word in model.vocabularies[bag]]
        row = reading(None, bags, part.bags).take(np.array([n]))
        column = int(np.searchsorted(part.learner.classes_, model.labels[place]))
        values, parts = part.learner.word_parts(row.words, column)
        best = np.argsort(-np.abs(parts), kind="stable")[:MOST].tolist()
        columns = row.words.columns.tolist()
        reasons[name] = [
            Reason(words[columns[at]], round(float(values[at]), 4), round(float(parts[at]), 4)) for at in best
        ]
    return reasons


def _view_features(model: CoTrained, page: BlockViews, n: int, label: str) -> list[Reason]:
    """Return the features with the largest effect, over all views of a co-trained model."""
    rows, at = model.rows(page), int(np.searchsorted(model.labels, label))
    chance = float(model.predict_rows({name: own.take(np.array([n])) for name, own in rows.items()}).proba[0, at])
    reasons = []
    for view, own in rows.items():
        names = [f"{part}.{of.partition('@')[0]}" for part in VIEWS[view].numbers for of in model.features[part]]
        usual = np.median(own.numbers, axis=0)
        differs = np.flatnonzero(own.numbers[n] != usual)
        if not len(differs):
            continue
        tried = {name: every.take(np.full(len(differs), n)) for name, every in rows.items()}
        numbers = tried[view].numbers.copy()
        numbers[np.arange(len(differs)), differs] = usual[differs]
        tried[view] = Features(numbers, tried[view].words)
        effects = (chance - model.predict_rows(tried).proba[:, at]).round(4).tolist()
        values = own.numbers[n, differs].round(4).tolist()
        reasons += [
            Reason(names[column], value, effect) for column, value, effect in zip(differs, values, effects, strict=True)
        ]
    return sorted(reasons, key=lambda reason: -abs(reason.effect))[:MOST]


def _view_words(model: CoTrained, page: BlockViews, n: int, label: str) -> dict[str, list[Reason]]:
    """Return the words with the largest effect, by view that reads words."""
    known = {term: count for term, count in page.terms[n].items() if term in model.vocabulary}
    counts = [known, *({term: c for term, c in known.items() if term != word} for word in known)]
    by_view = {}
    for view, own in model.rows(page).items():
        if VIEWS[view].has_words:
            learner = model.learners[view]
            numbers = own.take(np.full(len(counts), n)).numbers
            log_proba = learner.predict_log_proba(numbers, Words.from_counts(counts, model.vocabulary))
            column = log_proba[:, int(np.searchsorted(learner.classes_, label))]
            parts = (column[0] - column[1:]).round(4).tolist()
            reasons = [Reason(word, float(known[word]), part) for word, part in zip(known, parts, strict=True)]
            by_view[view] = sorted(reasons, key=lambda reason: -abs(reason.effect))[:MOST]
    return by_view
