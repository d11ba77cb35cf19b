"""Scores of segmenters on marked pages: ARI, NMI and informative segments, with intervals over sites."""

from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parcels.common.output import Log, log_nothing
from parcels.learn.folds import fold_of_group
from parcels.segments.examples import MarkedPage, finals, marked_leaves, read_marked
from parcels.segments.gold import OUTSIDE
from parcels.segments.graph.inference import by_chains
from parcels.segments.graph.second_opinion import learn_trees
from parcels.segments.graph.structural_svm import SLACK
from parcels.segments.metrics import adjusted_rand, normalised_mutual_information
from parcels.segments.model import WPS, SegmenterModel, Tuned
from parcels.segments.segmenters import BASELINES, SEGMENTERS
from parcels.segments.train import FOLDS, learn_informative_weights, learn_weights
from parcels.segments.tuning import tuned_baselines

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]
DRAWS = 2000
ORACLE = "oracle"
UNPRIZED = "slack-bare"  # wps-slack without its prize for the informative segment, for comparison


@dataclass(frozen=True)
class PageScore:
    """The scores of one page; `is_informative_right` is None where the level has no single informative block.

    `is_sole`: the page has no further block of the informative types at either level.
    """

    page: str
    site: str
    ari: float
    nmi: float
    is_informative_right: bool | None
    is_sole: bool = False

    @property
    def is_sole_right(self) -> bool | None:
        """`is_informative_right`, or None where the page has further blocks of the informative types."""
        return self.is_informative_right if self.is_sole else None


Scores = dict[str, list[PageScore]]  # by segmenter, pages in the same order


def scored(page: MarkedPage, clusters: Ints, level: int) -> PageScore:
    """Score the segment of each leaf over the leaves in marked blocks."""
    blocks = page.gold.of_level(level)
    is_marked = blocks != OUTSIDE
    return PageScore(
        page.name,
        page.site,
        adjusted_rand(blocks[is_marked], clusters[is_marked]),
        normalised_mutual_information(blocks[is_marked], clusters[is_marked]),
        has_informative(page, clusters, level),
        len(page.gold.sole_of_level(level)) > 0,
    )


def has_informative(page: MarkedPage, clusters: Ints, level: int) -> bool | None:
    """Return whether a segment has exactly the marked leaves of the informative block; None without such a block."""
    wanted = page.gold.informative_of_level(level)
    if not len(wanted):
        return None
    inside = np.flatnonzero(clusters == clusters[wanted[0]]).tolist()
    return marked_leaves(inside, page.gold.of_level(level)) == set(wanted.tolist())


def clusters_of(page: MarkedPage, segmenter: str, model: SegmenterModel, level: int) -> Ints:
    """Return the segment of each leaf by a segmenter or by the oracle."""
    if segmenter == ORACLE:
        return finals(page, page.labels[level])
    if segmenter in BASELINES:
        return BASELINES[segmenter](page.laid, model.tuned[level])
    if segmenter == UNPRIZED:
        return finals(page, by_chains(page.graph, model.gains(page.rows, segmenter="wps-slack", level=level)))
    cut = model.cut(page.graph, page.rows, segmenter=segmenter, level=level, content=lambda: page.content)
    return finals(page, cut.labels)


def evaluate(model: SegmenterModel, pages: Sequence[MarkedPage], *, level: int, segmenters: Sequence[str]) -> Scores:
    """Score the segmenters of a model."""
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
    log: Log = log_nothing,
) -> Scores:
    """Score every page by segmenters trained and tuned on the other folds' sites, with folds in parallel."""
    collected: Scores = {name: [] for name in (*segmenters, ORACLE)}
    jobs = [(folder, number, folds, level, tuple(segmenters)) for number in range(folds)]
    if workers == 1:
        return _gathered(collected, map(_fold, jobs), log)
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        return _gathered(collected, pool.map(_fold, jobs), log)


def _gathered(collected: Scores, results: Iterable[Scores], log: Log) -> Scores:
    for number, scores in enumerate(results, 1):
        for name, pages in scores.items():
            collected[name] += pages
        means = ", ".join(f"{name} {np.mean([page.ari for page in pages]):.3f}" for name, pages in scores.items())
        log(f"fold {number}: {means}")
    return collected


@cache
def _pages(folder: Path) -> list[MarkedPage]:
    """Return the marked pages of a folder, read once per process."""
    return read_marked(folder)[0]


def _fold(job: tuple[Path, int, int, int, tuple[str, ...]]) -> Scores:
    folder, number, folds, level, segmenters = job
    return fold_scores(_pages(folder), number, folds=folds, level=level, segmenters=segmenters)


def fold_scores(
    marked: Sequence[MarkedPage],
    number: int,
    *,
    level: int,
    segmenters: Sequence[str] = SEGMENTERS,
    folds: int = FOLDS,
    seed: int = 0,
) -> Scores:
    """Score the pages of one fold of sites by segmenters trained and tuned on the others; `seed` draws the folds."""
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
    informative_weights = (
        {level: learn_informative_weights(seen, level=level)} if any(name == SLACK for name, _ in wanted) else {}
    )
    model = SegmenterModel(weights, {level: tuned}, trees, informative_weights)
    return {
        name: [scored(page, clusters_of(page, name, model, level), level) for page in held_out]
        for name in (*segmenters, ORACLE)
    }


def interval(values: Sequence[float], *, seed: int = 0) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the mean over pages (each page is a site of its own).

    >>> interval([0.5, 0.5])
    (0.5, 0.5)
    """
    if not len(values):
        return float("nan"), float("nan")
    drawn = np.random.default_rng(seed).integers(0, len(values), (DRAWS, len(values)))
    low, high = np.quantile(np.asarray(values, np.float64)[drawn].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


def differences(scores: Scores, one: str, other: str, field: str) -> list[float]:
    """Return for each page the score of one segmenter minus that of another."""
    pairs = zip(scores[one], scores[other], strict=True)
    values = [(getattr(a, field), getattr(b, field)) for a, b in pairs]
    return [float(a) - float(b) for a, b in values if a is not None]
