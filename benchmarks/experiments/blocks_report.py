"""Tables of an experiment beside the papers' own, as Markdown."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from benchmarks.experiments.blocks_experiment import ANSWERS, Outcome
from benchmarks.experiments.blocks_papers import F1, LAI, Figure
from parcels.labels import label_set

SUPERVISED = ("baseline", "single view")


class Change(NamedTuple):
    """An error in per cent before and after co-training: means over folds, and the standard error of the fall."""

    before: float
    after: float
    spread: float
    falls_in: int

    @property
    def reduction(self) -> float:
        """Share of the error that is gone, in per cent."""
        return 100 * (self.before - self.after) / self.before


def change(outcomes: Sequence[Outcome], name: str) -> Change:
    """How the error of one classifier changes.

    >>> folds = [Outcome(np.array([]), {}, [{"combined": 0.4}, {"combined": after}]) for after in (0.2, 0.3)]
    >>> found = change(folds, "combined")
    >>> round(found.before, 1), round(found.after, 1), round(found.reduction, 1), round(found.spread, 1), found.falls_in
    (40.0, 25.0, 37.5, 5.0, 2)
    """
    ends = 100 * np.array([[outcome.errors[0][name], outcome.errors[-1][name]] for outcome in outcomes])
    fall = ends[:, 0] - ends[:, 1]
    spread = float(fall.std(ddof=1) / len(fall) ** 0.5) if len(fall) > 1 else 0.0
    return Change(*ends.mean(axis=0).tolist(), spread, int((fall > 0).sum()))


def curves(outcomes: Sequence[Outcome]) -> dict[str, list[float]]:
    """Mean error of each classifier a round, in per cent; a pool that is exhausted changes nothing more."""
    longest = max(len(outcome.errors) for outcome in outcomes)
    found = {}
    for name in ANSWERS:
        rows = [[point[name] for point in outcome.errors] for outcome in outcomes]
        found[name] = (100 * np.mean([row + row[-1:] * (longest - len(row)) for row in rows], axis=0)).tolist()
    return found


def error_table(outcomes: Sequence[Outcome], paper: Mapping[str, Figure]) -> list[str]:
    """Errors before and after co-training, beside the paper's."""
    lines = [
        "| error, % | before | after | reduction | falls in folds | paper: before | after | reduction |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in SUPERVISED:
        error = 100 * float(np.mean([outcome.error(name) for outcome in outcomes]))
        lines.append(f"| {name} | {error:.1f} | | | | {_percent(paper.get(name, Figure(None)).before)} | | |")
    is_trained = any(len(outcome.errors) > 1 for outcome in outcomes)
    for name in ("lexical", "stylistic", "combined"):
        lines.append(_change_row(name, change(outcomes, name), len(outcomes), paper, is_trained=is_trained))
    return lines


def _change_row(name: str, found: Change, folds: int, paper: Mapping[str, Figure], *, is_trained: bool) -> str:
    theirs = paper.get(name, Figure(None))
    if not is_trained:
        return f"| {name} | {found.before:.1f} | | | | {_percent(theirs.before)} | {_percent(theirs.after)} | |"
    is_known = theirs.before is not None and theirs.after is not None
    reduction = 100 * (1 - theirs.after / theirs.before) if is_known else None
    return (
        f"| {name} | {found.before:.1f} | {found.after:.1f} | {found.reduction:.1f} | {found.falls_in} of {folds} "
        f"| {_percent(theirs.before)} | {_percent(theirs.after)} | {_percent(reduction)} |"
    )


def variant_table(found: Mapping[str, Sequence[Outcome]]) -> list[str]:
    """The combined error and both views' under other settings."""
    lines = [
        "| settings | stylistic | lexical | combined | reduction, % | standard error of the fall, points | added |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, outcomes in found.items():
        ends = {answer: change(outcomes, answer) for answer in ANSWERS}
        cells = " | ".join(f"{ends[answer].before:.1f} -> {ends[answer].after:.1f}" for answer in ANSWERS)
        combined, added = ends["combined"], np.mean([outcome.added for outcome in outcomes])
        lines.append(f"| {name} | {cells} | {combined.reduction:.1f} | {combined.spread:.1f} | {added:.0f} |")
    return lines


def label_table(outcomes: Sequence[Outcome]) -> list[str]:
    """F1 of each label beside Lee, Kan and Lai's, and the share of its blocks that are found beside Lai's."""
    gold = np.concatenate([outcome.gold for outcome in outcomes])
    names = ("combined before", "combined after", "lexical before")
    said = {name: np.concatenate([outcome.said[name] for outcome in outcomes]) for name in names}
    lines = [
        "| label | blocks | F1: before | after | paper: iteration 1 | 20 | found: words alone | co-trained "
        "| Lai: words alone | co-trained |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for label in label_set().names:
        if not (gold == label).any():
            continue
        ours = [f1_of(gold, said[name], label) for name in names[:2]]
        found = [recall_of(gold, said[name], label) for name in ("lexical before", "combined after")]
        theirs, lai = F1.get(label, (0.0, 0.0)), LAI.get(label)
        cells = [*ours, *theirs, *found]
        row = " | ".join(f"{cell:.3f}" for cell in cells)
        shares = " | ".join(f"{share:.3f}" for share in lai) if lai else "- | -"
        lines.append(f"| {label} | {int((gold == label).sum())} | {row} | {shares} |")
    return lines


def f1_of(gold: np.ndarray, said: np.ndarray, label: str) -> float:
    """Harmonic mean of precision and recall.

    >>> f1_of(np.array(["a", "a", "b"]), np.array(["a", "b", "b"]), "a")
    0.6666666666666666
    """
    right = int(((gold == label) & (said == label)).sum())
    return 2 * right / max(1, int((gold == label).sum()) + int((said == label).sum()))


def recall_of(gold: np.ndarray, said: np.ndarray, label: str) -> float:
    """Share of the label's blocks that have it."""
    return int(((gold == label) & (said == label)).sum()) / max(1, int((gold == label).sum()))


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
