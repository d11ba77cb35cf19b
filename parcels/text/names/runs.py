"""Names as runs of labelled tokens, and how well they are found."""

from collections.abc import Mapping, Sequence
from itertools import chain

KINDS = ("LOC", "ORG", "PER")


def runs(labels: Sequence[str]) -> list[tuple[str, int, int]]:
    """The names that labels spell: kind, first token, token behind the last.

    >>> runs(["B-PER", "I-PER", "O", "I-LOC", "B-LOC"])
    [('PER', 0, 2), ('LOC', 3, 4), ('LOC', 4, 5)]
    """
    found: list[tuple[str, int, int]] = []
    for at, label in enumerate(labels):
        if label == "O":
            continue
        kind = label[2:]
        if label[0] == "I" and found and found[-1][2] == at and found[-1][0] == kind:
            found[-1] = (kind, found[-1][1], at + 1)
        else:
            found.append((kind, at, at + 1))
    return found


def f1(gold: Sequence[Sequence[str]], found: Sequence[Sequence[str]]) -> Mapping[str, float]:
    """F1 of names with their exact ends, by kind and over all."""
    counts = dict.fromkeys(chain(KINDS, ["all"]), (0, 0, 0))
    for true, guess in zip(gold, found, strict=True):
        a, b = set(runs(true)), set(runs(guess))
        for kind in counts:
            in_a, in_b = ({run for run in of if kind in ("all", run[0])} for of in (a, b))
            hit, had, said = counts[kind]
            counts[kind] = (hit + len(in_a & in_b), had + len(in_a), said + len(in_b))
    return {kind: 2 * hit / max(had + said, 1) for kind, (hit, had, said) in counts.items()}
