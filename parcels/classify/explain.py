"""Why a block has its label: each view's vote, the words that spoke for it, and the features that mattered.

A feature of the second stage matters as much as the label's probability changes when the feature is given the value
that it has on the page's median block. Words are read off the linear learners: weight times value, exactly.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.classify.measured import Measured
from parcels.classify.model import BlockModel, averaged, bags_of, reading, second_names, second_rows
from parcels.errors import ConfigError
from parcels.learn.linear import Linear

MOST = 12


@dataclass(frozen=True, slots=True)
class Reason:
    """One feature, or word, and how it bears on the label."""

    name: str
    value: float
    effect: float  # a word: its part of the label's score; a feature: by how much the label would be less likely


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one block has its label."""

    n: int
    text: str
    label: str
    confidence: float
    runners_up: list[tuple[str, float]]
    views: dict[str, tuple[str, float]]
    features: list[Reason]
    words: dict[str, list[Reason]]  # by the view that read them


def explain(model: BlockModel, page: Measured, n: int) -> Explanation:
    """Explain the label of the n-th block."""
    if not 0 <= n < len(page):
        raise ConfigError(f"there is no block {n}: the page has {len(page)} blocks, from 0 to {len(page) - 1}")
    said = model.predict(page)
    order = np.argsort(-said.proba[n])
    label, confidence = said.best()[n]
    others = [(str(said.labels[place]), round(float(said.proba[n, place]), 4)) for place in order[1:4].tolist()]
    views = {view: votes[n] for view, votes in said.votes().items()}
    place = int(order[0])
    return Explanation(
        n,
        page.texts[n],
        label,
        confidence,
        others,
        views,
        _features(model, page, n, label),
        _words(model, page, n, place),
    )


def _features(model: BlockModel, page: Measured, n: int, label: str) -> list[Reason]:
    read = second_rows(page, model.first(page), model.second_numbers)
    names = second_names(model.parts, model.labels.tolist(), model.second_numbers)
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


def _words(model: BlockModel, page: Measured, n: int, place: int) -> dict[str, list[Reason]]:
    bags = bags_of([page], model.vocabularies)
    found = {}
    for name, part in model.parts.items():
        if not part.bags or not isinstance(part.learner, Linear):
            continue
        words = [word for bag in part.bags for word in model.vocabularies[bag]]
        row = reading(None, bags, part.bags).take(np.array([n]))
        column = int(np.searchsorted(part.learner.classes_, model.labels[place]))
        values, parts = part.learner.word_parts(row.words, column)
        best = np.argsort(-np.abs(parts), kind="stable")[:MOST].tolist()
        columns = row.words.columns.tolist()
        found[name] = [
            Reason(words[columns[at]], round(float(values[at]), 4), round(float(parts[at]), 4)) for at in best
        ]
    return found
