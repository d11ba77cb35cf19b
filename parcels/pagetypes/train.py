"""Learning page types, and scoring them by folds of sites."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.learn.folds import fold_of_group, splits
from parcels.learn.linear_svm import KEPT_SHARE, LinearSvm, fitted
from parcels.pagetypes.examples import Typed
from parcels.pagetypes.model import PageTypeModel

Ints = NDArray[np.int64]
FOLDS = 4  # as in the paper
DRAWS = 1000
NAMES_SHARE = 0.5  # of the tokens of names and sizes: they are fewer, and each tells more
OWN = "parcels"
METHODS = (OWN, "positions", "names", "text", "segment")
Tell = Callable[[str], None]


def trained(pages: Sequence[Typed]) -> PageTypeModel:
    """The model of the product: both machines."""
    types = [page.page_type for page in pages]
    return PageTypeModel(
        fitted([page.positions for page in pages], types),
        fitted([page.names for page in pages], types, kept_share=NAMES_SHARE),
    )


def _machine(pages: Sequence[Typed], method: str) -> LinearSvm:
    share = NAMES_SHARE if method == "names" else KEPT_SHARE
    return fitted([getattr(page, method) for page in pages], [page.page_type for page in pages], kept_share=share)


def said(seen: Sequence[Typed], held_out: Sequence[Typed], method: str) -> list[str]:
    """The types of pages by a method that learned from other pages."""
    if method == OWN:
        model = trained(seen)
        proba = model.probabilities([page.positions for page in held_out], [page.names for page in held_out])
        types = model.by_position.types
    else:
        machine = _machine(seen, method)
        proba, types = machine.scores([getattr(page, method) for page in held_out]), machine.types
    return [types[place] for place in proba.argmax(axis=1).tolist()]


@dataclass(frozen=True)
class TypeScores:
    """Accuracy, and precision, recall and F1 averaged over the types."""

    accuracy: float
    precision: float
    recall: float
    f1: float
    by_type: dict[str, float]


def type_scores(gold: Sequence[str], found: Sequence[str]) -> TypeScores:
    """Macro averages over the types of the gold.

    >>> type_scores(["a", "a", "b"], ["a", "b", "b"]).f1.__round__(3)
    0.667
    """
    of_gold, of_found = np.array(gold), np.array(found)
    rows = []
    names = sorted(set(gold))
    for name in names:
        right = float(((of_gold == name) & (of_found == name)).sum())
        precision = right / max(1, int((of_found == name).sum()))
        recall = right / int((of_gold == name).sum())
        rows.append((precision, recall, 2 * precision * recall / max(precision + recall, 1e-12)))
    precision, recall, f1 = np.mean(rows, axis=0).tolist()
    by_type = {name: row[2] for name, row in zip(names, rows, strict=True)}
    return TypeScores(float((of_gold == of_found).mean()), precision, recall, f1, by_type)


def cross_validated(
    pages: Sequence[Typed], *, methods: Sequence[str] = METHODS, folds: int = FOLDS, tell: Tell = lambda line: None
) -> dict[str, list[str]]:
    """The type of each page by every method, from machines that have not seen its site."""
    fold = fold_of_group(np.array([page.site for page in pages]), folds=folds)
    found = {method: [""] * len(pages) for method in methods}
    for number, (seen, held_out) in enumerate(splits(fold), 1):
        for method in methods:
            answers = said([pages[n] for n in seen], [pages[n] for n in held_out], method)
            for place, answer in zip(held_out.tolist(), answers, strict=True):
                found[method][place] = answer
        tell(f"fold {number} of {folds} done")
    return found


def interval(
    pages: Sequence[Typed], one: Sequence[str], other: Sequence[str] | None, field: str, *, seed: int = 0
) -> tuple[float, float]:
    """95 % of a score, or of the difference of two methods, over sites drawn again with replacement."""
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
