"""One label per leaf from up to three annotators, and the agreement between annotators.

Lai 2004, section 4.4: one annotator's label is taken; two must agree; of three the majority is taken; what is left is
dropped. Agreement is that of Cohen (pairs) and of Fleiss (all), over blocks that at least two people labelled.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from parcels.annotate.label_index import LabelIndex, LeafLabel, LeafLabels, block_label

MAX_ANNOTATORS = 3  # Lai 2004, section 4.2


def vote(labels: Sequence[str]) -> str | None:
    """Return the label that more annotators chose than any other; None for a tie.

    >>> vote(["ads"]), vote(["ads", "title"]), vote(["ads", "title", "ads"]), vote(["a", "b", "c"])
    ('ads', None, 'ads', None)
    """
    counted = Counter(labels).most_common(2)
    if not counted or (len(counted) == 2 and counted[0][1] == counted[1][1]):
        return None
    return counted[0][0]


@dataclass(frozen=True, slots=True)
class Voted:
    """The voted labels of one page."""

    leaves: LeafLabels  # with the chosen label
    dropped: int  # leaves without a majority
    annotators: int


def vote_page(by_annotator: Mapping[str, LeafLabels]) -> Voted:
    """Return one label per leaf of a page; labels count only where annotators saw the same text."""
    chosen: LeafLabels = {}
    dropped = 0
    for n in sorted({n for leaves in by_annotator.values() for n in leaves}):
        labels = [leaves[n] for leaves in by_annotator.values() if n in leaves]
        newest = max(labels, key=lambda one: (one.at is not None, one.at))
        same = [one for one in labels if one.text == newest.text]
        label = vote([one.label for one in same])
        if label is None:
            dropped += 1
        else:
            chosen[n] = LeafLabel(label, newest.kind, newest.text, newest.block, newest.at)
    return Voted(chosen, dropped, len(by_annotator))


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement between annotators, by label and in total; None where it is undefined."""

    items: int  # blocks that two or more people labelled
    agreed: float | None  # share of pairs of labels that are equal
    cohen: dict[str, float | None]  # mean over pairs of people, weighed by what both labelled; "all": all labels
    fleiss: dict[str, float | None]
    pairs: dict[tuple[str, str], float | None]  # Cohen's of each two people


def agreement(index: LabelIndex) -> Agreement:
    """Return the agreement over all pages of an index."""
    items = list(_items(index))
    labels = sorted({label for item in items for label in item.values()})
    people = sorted({who for item in items for who in item})
    cohen: dict[str, float | None] = {}
    fleiss: dict[str, float | None] = {}
    for name in ("all", *labels):
        seen = items if name == "all" else [{w: str(label == name) for w, label in item.items()} for item in items]
        cohen[name] = _mean_cohen(seen, people)
        fleiss[name] = fleiss_kappa([list(item.values()) for item in seen])
    pairs = {pair: cohen_kappa(_both(items, *pair)) for pair in combinations(people, 2) if _both(items, *pair)}
    equal = [a == b for item in items for a, b in combinations(item.values(), 2)]
    return Agreement(len(items), sum(equal) / len(equal) if equal else None, cohen, fleiss, pairs)


def _items(index: LabelIndex) -> Iterable[dict[str, str]]:
    """Yield annotator -> label for each block with two or more annotators; a leaf without a block counts alone."""
    for page in list(index.pages):
        blocks: dict[tuple[bool, int], dict[str, list[LeafLabel]]] = {}
        for who, leaves in index.of_page(page).items():
            for n, one in leaves.items():
                key = (one.block is not None, n if one.block is None else one.block)
                blocks.setdefault(key, {}).setdefault(who, []).append(one)
        for by_person in blocks.values():
            if len(by_person) > 1:
                yield {who: str(block_label(leaves)) for who, leaves in by_person.items()}


def _both(items: Iterable[Mapping[str, str]], one: str, other: str) -> list[tuple[str, str]]:
    return [(item[one], item[other]) for item in items if one in item and other in item]


def _mean_cohen(items: Sequence[Mapping[str, str]], people: Sequence[str]) -> float | None:
    total, weight = 0.0, 0
    for pair in combinations(people, 2):
        both = _both(items, *pair)
        kappa = cohen_kappa(both)
        if kappa is not None:
            total, weight = total + kappa * len(both), weight + len(both)
    return total / weight if weight else None


def cohen_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return Cohen's kappa (1960) of two annotators; None where chance alone explains all agreement.

    >>> cohen_kappa([("a", "a"), ("a", "b"), ("b", "b"), ("b", "b")])
    0.5
    """
    if not pairs:
        return None
    count = len(pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(first[label] * second[label] for label in first) / count**2
    observed = sum(one == other for one, other in pairs) / count
    return None if chance == 1 else (observed - chance) / (1 - chance)


def fleiss_kappa(items: Sequence[Sequence[str]]) -> float | None:
    """Return Fleiss' kappa (1971) of several annotators, whose number may differ between items.

    >>> round(fleiss_kappa([["a", "a", "b"], ["b", "b", "b"], ["a", "a"]]), 3)
    0.556
    """
    rated = [Counter(item) for item in items if len(item) > 1]
    if not rated:
        return None
    sizes = [item.total() for item in rated]
    observed = sum(
        (sum(count**2 for count in item.values()) - size) / (size * (size - 1))
        for item, size in zip(rated, sizes, strict=True)
    ) / len(rated)
    everyone: Counter[str] = Counter()
    for item in rated:
        everyone.update(item)
    chance = sum((count / everyone.total()) ** 2 for count in everyone.values())
    return None if chance == 1 else (observed - chance) / (1 - chance)
