"""Scores of page types: accuracy, macro averages over the types, and intervals over sites."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from parcels.pagetypes.examples import TypedPage

DRAWS = 1000


@dataclass(frozen=True)
class TypeScores:
    """Accuracy, and precision, recall and F1 averaged over the types."""

    accuracy: float
    precision: float
    recall: float
    f1: float
    by_type: dict[str, float]


def type_scores(gold: Sequence[str], predicted: Sequence[str]) -> TypeScores:
    """Return accuracy and macro averages over the types of the gold.

    >>> type_scores(["a", "a", "b"], ["a", "b", "b"]).f1.__round__(3)
    0.667
    """
    of_gold, of_predicted = np.array(gold), np.array(predicted)
    rows = []
    names = sorted(set(gold))
    for name in names:
        right = float(((of_gold == name) & (of_predicted == name)).sum())
        precision = right / max(1, int((of_predicted == name).sum()))
        recall = right / int((of_gold == name).sum())
        rows.append((precision, recall, 2 * precision * recall / max(precision + recall, 1e-12)))
    precision, recall, f1 = np.mean(rows, axis=0).tolist()
    by_type = {name: row[2] for name, row in zip(names, rows, strict=True)}
    return TypeScores(float((of_gold == of_predicted).mean()), precision, recall, f1, by_type)


def interval(
    pages: Sequence[TypedPage], one: Sequence[str], other: Sequence[str] | None, field: str, *, seed: int = 0
) -> tuple[float, float]:
    """Return the 95 % bootstrap interval over sites of a score, or of the difference of two methods."""
    gold = np.array([page.page_type for page in pages])
    sites, place = np.unique([page.site for page in pages], return_inverse=True)
    members = [np.flatnonzero(place == number) for number in range(len(sites))]
    rng, values = np.random.default_rng(seed), []
    first, second = np.array(one), None if other is None else np.array(other)
    for _ in range(DRAWS):
        drawn = np.concatenate([members[n] for n in rng.integers(0, len(sites), len(sites))])
        value = getattr(type_scores(gold[drawn].tolist(), first[drawn].tolist()), field)
        if second is not None:
            value -= getattr(type_scores(gold[drawn].tolist(), second[drawn].tolist()), field)
        values.append(value)
    low, high = np.quantile(values, (0.025, 0.975))
    return float(low), float(high)
