"""Scores of segmenters on marked pages: ARI, NMI, informative segments, with intervals over sites; the worst first."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parcels.learn.folds import fold_of_group
from parcels.segments.chances import learn_chances
from parcels.segments.examples import Marked, finals, read_marked, told_leaves
from parcels.segments.gold import OUTSIDE
from parcels.segments.graph.inference import by_chains
from parcels.segments.graph.second_opinion import learn_trees
from parcels.segments.graph.structural_svm import SLACK
from parcels.segments.metrics import adjusted_rand, normalised_mutual_information
from parcels.segments.model import WPS, SegmenterModel, Tuned
from parcels.segments.segmenters import BASELINES, SEGMENTERS
from parcels.segments.train import learn_weights
from parcels.segments.tuning import tuned_baselines

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
FOLDS = 4  # as in the paper
DRAWS = 2000
ORACLE = "oracle"
UNPRIZED = "slack-bare"  # wps-slack without its prize for the informative segment: what the prize gives
Tell = Callable[[str], None]


@dataclass(frozen=True)
class PageScore:
    """How well one page was segmented; `is_informative_right` is None where the level has no one informative block.

    `is_sole`: the page has no other block of the informative types at the other level either."""

    page: str
    site: str
    ari: float
    nmi: float
    is_informative_right: bool | None
    is_sole: bool = False

    @property
    def is_sole_right(self) -> bool | None:
        """`is_informative_right`, None where the page has other blocks of the informative types too."""
        return self.is_informative_right if self.is_sole else None


Scores = dict[str, list[PageScore]]  # by segmenter, the pages in one order


def scored(page: Marked, clusters: Ints, level: int) -> PageScore:
    """Score the segment of each leaf over the leaves in marked blocks."""
    blocks = page.gold.of_level(level)
    told = blocks != OUTSIDE
    return PageScore(
        page.name,
        page.site,
        adjusted_rand(blocks[told], clusters[told]),
        normalised_mutual_information(blocks[told], clusters[told]),
        has_informative(page, clusters, level),
        len(page.gold.sole_of_level(level)) > 0,
    )


def has_informative(page: Marked, clusters: Ints, level: int) -> bool | None:
    """True where a segment holds the informative block, whole, and nothing of other marked blocks; None where the page
    has no informative block of this level."""
    wanted = page.gold.informative_of_level(level)
    if not len(wanted):
        return None
    inside = np.flatnonzero(clusters == clusters[wanted[0]]).tolist()
    return told_leaves(inside, page.gold.of_level(level)) == set(wanted.tolist())


def clusters_of(page: Marked, segmenter: str, model: SegmenterModel, level: int) -> Ints:
    """The segment of each leaf by one of the segmenters, or the best that is feasible."""
    if segmenter == ORACLE:
        return finals(page, page.labels[level])
    if segmenter in BASELINES:
        return BASELINES[segmenter](page.laid, model.tuned[level])
    if segmenter == UNPRIZED:
        return finals(page, by_chains(page.graph, model.gains(page.rows, segmenter="wps-slack", level=level)))
    cut = model.cut(page.graph, page.rows, segmenter=segmenter, level=level, content=lambda: page.content)
    return finals(page, cut.labels)


def evaluate(model: SegmenterModel, pages: Sequence[Marked], *, level: int, segmenters: Sequence[str]) -> Scores:
    """Score a model's segmenters."""
    used = [page for page in pages if level in page.labels]
    return {
        name: [scored(page, clusters_of(page, name, model, level), level) for page in used]
        for name in (*segmenters, ORACLE)
    }


def cross_validate(
    folder: Path,
    *,
    level: int,
    segmenters: Sequence[str] = SEGMENTERS,
    folds: int = FOLDS,
    workers: int = 1,
    tell: Tell = lambda line: None,
) -> Scores:
    """Every page scored by segmenters that were trained and tuned on the other folds' sites, folds in parallel."""
    found: Scores = {name: [] for name in (*segmenters, ORACLE)}
    jobs = [(folder, number, folds, level, tuple(segmenters)) for number in range(folds)]
    if workers == 1:
        return _gathered(found, map(_fold, jobs), tell)
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        return _gathered(found, pool.map(_fold, jobs), tell)


def _gathered(found: Scores, results: Iterable[Scores], tell: Tell) -> Scores:
    for number, scores in enumerate(results, 1):
        for name, pages in scores.items():
            found[name] += pages
        told = ", ".join(f"{name} {np.mean([page.ari for page in pages]):.3f}" for name, pages in scores.items())
        tell(f"fold {number}: {told}")
    return found


@cache
def _pages(folder: Path) -> list[Marked]:
    """The marked pages of a folder, measured once a process."""
    return read_marked(folder)[0]


def _fold(job: tuple[Path, int, int, int, tuple[str, ...]]) -> Scores:
    folder, number, folds, level, segmenters = job
    return fold_scores(_pages(folder), number, folds=folds, level=level, segmenters=segmenters)


def fold_scores(
    marked: Sequence[Marked],
    number: int,
    *,
    level: int,
    segmenters: Sequence[str] = SEGMENTERS,
    folds: int = FOLDS,
    seed: int = 0,
) -> Scores:
    """The pages of one fold of sites, scored by segmenters that were trained and tuned on the others; every seed is
    another draw of the folds."""
    pages = [page for page in marked if level in page.labels]
    fold = fold_of_group(np.array([page.site for page in pages]), folds=folds, seed=seed)
    seen = [page for page, own in zip(pages, fold, strict=True) if own != number]
    held_out = [page for page, own in zip(pages, fold, strict=True) if own == number]
    wanted = {WPS[name] for name in segmenters if name in WPS}
    weights = {
        (rescaling, level): learn_weights(seen, level=level, rescaling=rescaling)
        for rescaling in sorted({rescaling for rescaling, _ in wanted})
    }
    trees = {level: learn_trees(seen, level=level)} if any(has_trees for _, has_trees in wanted) else {}
    tuned = tuned_baselines(seen, level=level) if set(segmenters) & set(BASELINES) else Tuned()
    chances = {level: learn_chances(seen, level=level)} if any(name == SLACK for name, _ in wanted) else {}
    model = SegmenterModel(weights, {level: tuned}, trees, chances)
    return {
        name: [scored(page, clusters_of(page, name, model, level), level) for page in held_out]
        for name in (*segmenters, ORACLE)
    }


def interval(values: Sequence[float], *, seed: int = 0) -> tuple[float, float]:
    """95 % of the means of pages drawn again with replacement (each page is a site of its own).

    >>> interval([0.5, 0.5])
    (0.5, 0.5)
    """
    if not len(values):
        return float("nan"), float("nan")
    drawn = np.random.default_rng(seed).integers(0, len(values), (DRAWS, len(values)))
    low, high = np.quantile(np.asarray(values, np.float64)[drawn].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


def differences(scores: Scores, one: str, other: str, field: str) -> list[float]:
    """Page by page, how much better one segmenter is than another."""
    pairs = zip(scores[one], scores[other], strict=True)
    values = [(getattr(a, field), getattr(b, field)) for a, b in pairs]
    return [float(a) - float(b) for a, b in values if a is not None]
