"""What models of other sites make of the examples: their texts' scores, and how sure such texts are."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from parcels.articles.body.choose import choice
from parcels.articles.body.parts import Floats
from parcels.articles.confidence import Curve
from parcels.articles.examples import Example
from parcels.articles.fields.facts import find_publishers
from parcels.articles.fields.lines import block_of_line, lines_of
from parcels.articles.fields.title import find_title
from parcels.articles.model import Scored
from parcels.articles.scores import word_f1
from parcels.articles.train import Prepared


@dataclass(frozen=True)
class HeldOut:
    """The examples, each as scored by a model that has not seen its site."""

    scored: list[Scored]  # with the curve of the other folds
    expected: Floats  # F1, before the curve
    measured: Floats
    curve: Curve  # of all

    @classmethod
    def of(cls, prepared: Prepared, proba: Sequence[Floats]) -> "HeldOut":
        """Choose from each page, score the choice, and learn from the other folds' pages how sure it is."""
        kinds = np.unique([example.page_type for example in prepared.examples]).tolist()
        scored = [
            Scored(of_page, dict(zip(kinds, types.tolist(), strict=True)))
            for of_page, types in zip(proba, prepared.types, strict=True)
        ]
        pairs = np.array([_tried(example, one) for example, one in zip(prepared.examples, scored, strict=True)])
        expected, measured = pairs.T
        for number in np.unique(prepared.fold).tolist():
            is_other = prepared.fold != number
            curve = Curve.fitted(expected[is_other], measured[is_other])
            for place in np.flatnonzero(~is_other).tolist():
                scored[place] = replace(scored[place], curve=curve)
        return cls(scored, expected, measured, Curve.fitted(expected, measured))

    @property
    def confidence(self) -> list[float]:
        """Of each example."""
        return [one.curve(expected) for one, expected in zip(self.scored, self.expected.tolist(), strict=True)]

    def scores(self, kinds: Sequence[str]) -> dict[str, tuple[float, int]]:
        """F1 of words averaged over the pages of each kind, and how many they are."""
        found: dict[str, list[float]] = defaultdict(list)
        for kind, f1 in zip(kinds, self.measured.tolist(), strict=True):
            found[kind].append(f1)
        return {kind: (sum(scores) / len(scores), len(scores)) for kind, scores in sorted(found.items())}


def _tried(example: Example, scored: Scored) -> tuple[float, float]:
    """The F1 that is expected of what is chosen, and the F1 that it has."""
    parts, lines = example.parts, lines_of(example.parts)
    title = find_title(lines, example.claims, find_publishers(example.claims))
    taken, expected = choice(scored, parts, block_of_line(parts, lines, title.block if title else None))
    text = "\n".join(text for text, is_taken in zip(example.parts.texts, taken, strict=True) if is_taken)
    return expected, word_f1(example.gold, text)


def table(scores: dict[str, tuple[float, int]]) -> str:
    """Scores as a table of Markdown."""
    lines = ["| pages | count | F1 of words |", "|---|---:|---:|"]
    return "\n".join([*lines, *(f"| {kind} | {count} | {f1:.4f} |" for kind, (f1, count) in scores.items())])
