"""Evaluation of a model's labels: of a given model on labelled pages, or by cross-validation over sites."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from multiprocessing import get_context

import numpy as np

from parcels.common.output import Log, log_nothing, log_to_stderr
from parcels.labels import label_set
from parcels.labels.blocks import leaf_labels
from parcels.labels.examples import Example, Unlabelled, checked, read_examples, read_pool, without_labelled
from parcels.labels.model import LabelModel
from parcels.labels.recipe import Recipe
from parcels.labels.scores import PageScore, Score, interval, score, score_page
from parcels.labels.train import train
from parcels.learn.folds import fold_of_group

BINS = 10  # of the calibration table


@dataclass
class Evaluation:
    """The scores of pages, and each block's confidence and correctness."""

    pages: list[PageScore] = field(default_factory=list)
    confidence: list[float] = field(default_factory=list)
    is_right: list[bool] = field(default_factory=list)
    lines: list[dict[str, object]] = field(default_factory=list)  # a page as `parcels blocks` prints it, in short

    def add(self, model: LabelModel, example: Example) -> None:
        """Label one page and score it."""
        prediction = model.predict(example.measured)
        labels = leaf_labels(prediction, example.measured)
        self.pages.append(score_page(example.page, example.site, example.gold, labels))
        for (label, confidence), gold in zip(prediction.best(), example.labels, strict=True):
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

    def join(self, other: "Evaluation") -> None:
        """Add the pages of another evaluation."""
        self.pages += other.pages
        self.confidence += other.confidence
        self.is_right += other.is_right
        self.lines += other.lines

    def in_short(self) -> str:
        """Return the three scores as text."""
        score = self.score()
        return f"block error {score.block_error:.4f}, char error {score.char_error:.4f}, macro F1 {score.macro_f1:.4f}"

    def score(self) -> Score:
        """Return the score of all pages."""
        return score(self.pages, label_set().names)

    def intervals(self) -> dict[str, tuple[float, float]]:
        """Return 95 % bootstrap intervals over sites."""
        return interval(self.pages, label_set().names)

    def calibration(self) -> list[tuple[float, float, int]]:
        """Return mean confidence, accuracy and number of blocks per bin of confidence."""
        sure, right = np.array(self.confidence), np.array(self.is_right)
        place = np.minimum((sure * BINS).astype(int), BINS - 1)
        return [
            (float(sure[place == n].mean()), float(right[place == n].mean()), int((place == n).sum()))
            for n in range(BINS)
            if (place == n).any()
        ]

    def calibration_error(self) -> float:
        """Return the mean difference between confidence and accuracy, weighted by blocks."""
        table = self.calibration()
        return sum(abs(sure - right) * n for sure, right, n in table) / max(1, sum(n for *_, n in table))

    def worst(self, count: int = 10) -> list[PageScore]:
        """Return the pages with the largest share of wrong blocks, worst first."""
        return sorted(self.pages, key=lambda page: -page.wrong_blocks / max(1, page.blocks))[:count]


def evaluate(model: LabelModel, examples: Sequence[Example]) -> Evaluation:
    """Score a model on labelled pages."""
    evaluation = Evaluation()
    for example in examples:
        evaluation.add(model, example)
    return evaluation


def cross_validate(
    examples: Sequence[Example],
    *,
    folds: int = 5,
    seed: int = 0,
    recipe: Recipe | None = None,
    pool: Sequence[Unlabelled] = (),
    log: Log = log_nothing,
) -> Evaluation:
    """Train on all sites but a fold's, score on the fold's; neither labelled pages nor the pool's are of its sites."""
    evaluation = Evaluation()
    for number in range(folds):
        evaluation.join(scored_fold(examples, number, folds=folds, seed=seed, recipe=recipe, pool=pool, log=log))
        log(f"so far: {evaluation.in_short()}")
    return evaluation


def scored_fold(
    examples: Sequence[Example],
    number: int,
    *,
    folds: int,
    seed: int = 0,
    recipe: Recipe | None = None,
    pool: Sequence[Unlabelled] = (),
    log: Log = log_nothing,
) -> Evaluation:
    """Score one fold by a model trained on the other sites.

    BLAS is kept to one thread: it adds in another order with more, and training turns a last bit into another label.
    A fold so has the same score in this process, in a worker and on a machine with more cores.
    """
    from threadpoolctl import threadpool_limits  # comes with the packages for training

    seen, held_out = list(folds_of(examples, folds=folds, seed=seed))[number]
    name = f"fold {number + 1} of {folds}"
    log(f"{name}: {len(seen)} pages to learn from, {len(held_out)} held out")
    sites = {example.site for example in held_out}
    others = [page.measured for page in pool if page.site not in sites]
    with threadpool_limits(1, user_api="blas"):
        model = train(seen, recipe, pool=others, seed=seed, log=lambda line: log(f"  {name}: {line}"))
        scores = evaluate(model, held_out)
    log(f"{name}: {scores.in_short()}")
    return scores


@dataclass(frozen=True)
class Folders:
    """The folders of labelled pages: those to score, those only to learn from; and those of unlabelled pages."""

    data: tuple[str, ...]
    also: tuple[str, ...] = ()
    pool: tuple[str, ...] = ()

    def examples(self) -> list[Example]:
        """Return the labelled pages, half of them in old markup too."""
        scored = [example for folder in self.data for example in read_examples(folder, with_aged=True)]
        others = (read_examples(folder, is_scored=False, with_aged=True) for folder in self.also)
        return [*scored, *chain.from_iterable(others)]

    def unlabelled(self, examples: Sequence[Example]) -> list[Unlabelled]:
        """Return the pool without the labelled pages."""
        return without_labelled(read_pool(self.pool), examples) if self.pool else []


def cross_validate_folders(
    folders: Folders,
    *,
    folds: int,
    workers: int = 1,
    recipe: Recipe | None = None,
    log: Log = log_nothing,
) -> Evaluation:
    """Run `cross_validate` over folders, several folds at a time; every worker reads and measures the pages itself."""
    if workers == 1:
        examples = folders.examples()
        log(f"{len(examples)} labelled pages measured, those in old markup counted")
        return cross_validate(examples, folds=folds, recipe=recipe, pool=folders.unlabelled(examples), log=log)
    evaluation = Evaluation()
    jobs = [(folders, number, folds, recipe) for number in range(folds)]
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for part in pool.map(_fold_of_folders, jobs):
            evaluation.join(part)
            log(f"so far: {evaluation.in_short()}")
    return evaluation


def _fold_of_folders(job: tuple[Folders, int, int, Recipe | None]) -> Evaluation:
    folders, number, folds, recipe = job
    examples, pool = _read(folders)
    return scored_fold(examples, number, folds=folds, recipe=recipe, pool=pool, log=log_to_stderr)


@cache
def _read(folders: Folders) -> tuple[list[Example], list[Unlabelled]]:
    """Return the pages of folders, measured once per process."""
    examples = folders.examples()
    return examples, folders.unlabelled(examples)


def folds_of(
    examples: Sequence[Example], *, folds: int, seed: int = 0
) -> Iterator[tuple[list[Example], list[Example]]]:
    """Yield the examples to learn from and those held out, fold by fold; sites stay whole.

    Held out are only those that are to be scored.
    """
    scored = checked([example for example in examples if example.is_scored], sites=folds)
    fold = fold_of_group(np.array([example.site for example in scored]), folds=folds, seed=seed)
    for number in range(folds):
        held_out = [example for example, place in zip(scored, fold.tolist(), strict=True) if place == number]
        sites = {example.site for example in held_out}
        yield [example for example in examples if example.site not in sites], held_out
