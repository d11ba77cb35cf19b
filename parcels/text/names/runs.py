"""Names as runs of labelled tokens, and their F1."""

from collections.abc import Mapping, Sequence
from itertools import chain

KINDS = ("LOC", "ORG", "PER")


def runs(labels: Sequence[str]) -> list[tuple[str, int, int]]:
    """Return the names that labels encode: kind, first token, end.

    >>> runs(["B-PER", "I-PER", "O", "I-LOC", "B-LOC"])
    [('PER', 0, 2), ('LOC', 3, 4), ('LOC', 4, 5)]
    """
    names: list[tuple[str, int, int]] = []
    for at, label in enumerate(labels):
        if label == "O":
            continue
        kind = label[2:]
        if label[0] == "I" and names and names[-1][2] == at and names[-1][0] == kind:
            names[-1] = (kind, names[-1][1], at + 1)
        else:
            names.append((kind, at, at + 1))
    return names


def f1(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> Mapping[str, float]:
    """Return the F1 of names with exact boundaries, by kind and over all."""
    counts = dict.fromkeys(chain(KINDS, ["all"]), (0, 0, 0))
    for true, guess in zip(gold, predicted, strict=True):
        a, b = set(runs(true)), set(runs(guess))
        for kind in counts:
            in_a, in_b = ({run for run in of if kind in ("all", run[0])} for of in (a, b))
            hit, true_count, guessed = counts[kind]
            counts[kind] = (hit + len(in_a & in_b), true_count + len(in_a), guessed + len(in_b))
    return {kind: 2 * hit / max(true_count + guessed, 1) for kind, (hit, true_count, guessed) in counts.items()}
