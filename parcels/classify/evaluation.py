"""How good a model's labels are: a given model on labelled pages, or cross-validation over sites."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from parcels.classify.examples import Example, Unlabelled, checked
from parcels.classify.labelled import leaf_labels
from parcels.classify.model import BlockModel
from parcels.classify.recipe import Recipe
from parcels.classify.score import PageScore, Score, interval, score, score_page
from parcels.classify.training import train
from parcels.labels import label_set
from parcels.learn.folds import fold_of_group

BINS = 10  # of the calibration table


@dataclass
class Evaluation:
    """Scores of pages, and how sure the model was of each block beside whether it was right."""

    pages: list[PageScore] = field(default_factory=list)
    confidence: list[float] = field(default_factory=list)
    is_right: list[bool] = field(default_factory=list)
    lines: list[dict[str, object]] = field(default_factory=list)  # a page as `parcels blocks` prints it, in short

    def add(self, model: BlockModel, example: Example) -> None:
        """Label one page and score it."""
        said = model.predict(example.measured)
        labels = leaf_labels(said, example.measured)
        self.pages.append(score_page(example.page, example.site, example.gold, labels))
        for (label, confidence), gold in zip(said.best(), example.labels, strict=True):
            if gold:
                self.confidence.append(confidence)
                self.is_right.append(label == gold)
        leaves = example.measured.look.page.leaves
        self.lines.append(
            {
                "page": example.page,
                "blocks": [
                    {"label": label, "leaves": [{"kind": kind, "text": text}]}
                    for label, kind, text in zip(labels, leaves.kind, leaves.text, strict=True)
                ],
            }
        )

    def score(self) -> Score:
        """The score of all pages."""
        return score(self.pages, label_set().names)

    def intervals(self) -> dict[str, tuple[float, float]]:
        """95 % intervals, by drawing sites anew."""
        return interval(self.pages, label_set().names)

    def calibration(self) -> list[tuple[float, float, int]]:
        """Mean confidence, share right and number of blocks, in bins of confidence."""
        sure, right = np.array(self.confidence), np.array(self.is_right)
        place = np.minimum((sure * BINS).astype(int), BINS - 1)
        return [
            (float(sure[place == n].mean()), float(right[place == n].mean()), int((place == n).sum()))
            for n in range(BINS)
            if (place == n).any()
        ]

    def calibration_error(self) -> float:
        """Mean difference between confidence and share right, weighted by blocks."""
        table = self.calibration()
        return sum(abs(sure - right) * n for sure, right, n in table) / max(1, sum(n for *_, n in table))

    def worst(self, count: int = 10) -> list[PageScore]:
        """The pages with the largest share of wrong blocks, worst first."""
        return sorted(self.pages, key=lambda page: -page.wrong_blocks / max(1, page.blocks))[:count]


def evaluate(model: BlockModel, examples: Sequence[Example]) -> Evaluation:
    """Score a model on labelled pages."""
    found = Evaluation()
    for example in examples:
        found.add(model, example)
    return found


def cross_validate(
    examples: Sequence[Example],
    *,
    folds: int = 5,
    seed: int = 0,
    recipe: Recipe | None = None,
    pool: Sequence[Unlabelled] = (),
    tell: Callable[[str], None] = lambda line: None,
) -> Evaluation:
    """Train on all sites but a fold's, score on the fold's; neither labelled pages nor the pool's are of its sites."""
    found = Evaluation()
    for number, (seen, held_out) in enumerate(folds_of(examples, folds=folds, seed=seed), 1):
        tell(f"fold {number} of {folds}: {len(seen)} pages to learn from, {len(held_out)} held out")
        sites = {example.site for example in held_out}
        others = [page.measured for page in pool if page.site not in sites]
        model = train(seen, recipe, pool=others, seed=seed, tell=lambda line: tell(f"  {line}"))
        for example in held_out:
            found.add(model, example)
        part = found.score()
        tell(
            f"  so far: block error {part.block_error:.4f}, char error {part.char_error:.4f}, "
            f"macro F1 {part.macro_f1:.4f}"
        )
    return found


def folds_of(
    examples: Sequence[Example], *, folds: int, seed: int = 0
) -> Iterator[tuple[list[Example], list[Example]]]:
    """The examples to learn from and those held out, fold by fold; sites stay whole.

    Held out are only those that are to be scored.
    """
    scored = checked([example for example in examples if example.is_scored], sites=folds)
    fold = fold_of_group(np.array([example.site for example in scored]), folds=folds, seed=seed)
    for number in range(folds):
        held_out = [example for example, place in zip(scored, fold.tolist(), strict=True) if place == number]
        sites = {example.site for example in held_out}
        yield [example for example in examples if example.site not in sites], held_out
