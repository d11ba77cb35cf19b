"""Training of a segmenter: weights of boundaries, weights of the informative segment, and the model's folder."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parcels.common.output import Log, log_nothing, log_to_stderr
from parcels.learn.folds import fold_of_group
from parcels.learn.trees import Trees
from parcels.models.card import Source, Trained, examples_hash
from parcels.segments.content import NAMES
from parcels.segments.examples import MarkedPage, informative_boundaries, marked_leaves, read_marked
from parcels.segments.gold import LEVELS
from parcels.segments.graph.prizes import costs_of_whole
from parcels.segments.graph.second_opinion import learn_trees, opinion
from parcels.segments.graph.structural_svm import EPSILON, MARGIN, SLACK, STRENGTH, GraphExample, learn
from parcels.segments.graph.wps_graph import WpsGraph
from parcels.segments.informative import informative_probabilities
from parcels.segments.model import RESCALINGS, SegmenterModel, Tuned
from parcels.segments.tuning import tuned_baselines

Floats = NDArray[np.float64]
FOLDS = 4  # as in the paper
LEAST_DEVIATION = 1e-6
RIDGE = 30.0  # half of it times the squares of the weights is added to the loss
INNER_FOLDS = 3  # of the training pages: their gains are predicted by models of other sites
WORKERS = 2
TREES, CHANCES, BASELINES = "trees", "chances", "baselines"
CARD = """# Segments of pages

Weights of the boundaries between the parts of a page, for two losses (margin: all boundaries alike; slack: those around
the informative segment first) and two levels (1: top-level parts, 2: the blocks inside them).

{made}- Examples: {pages} marked pages of {sites} sites. Boundaries are labelled by the feasible labelling with the
  best adjusted Rand index to the blocks; of equal ones the one that also keeps apart blocks without words and what
  lies outside all blocks.
- Learner: structural SVM by cutting planes, C {strength:g}, epsilon {epsilon:g} (Bing et al. 2014); slack asks for the
  Hamming distance as margin where the paper asks for 1.
- `wps-margin` (the default) and `wps-slack` add the log-odds of boosted trees over the same features.
- `wps-slack` gives a prize for leaving the informative segment whole, by its probability: a conditional logit over the
  content model's predictions (`parcels extract`) and over the loss of gains. It is learned with gains of models of
  other sites.
- The baselines (block fusion, correlation clustering, graph cuts, VIPS) are tuned on the same pages.
- Scores: not measured in this run; `parcels evaluate segments --data {data} --folds {folds}` does.
- Limits: pages are laid out without scripts.
"""


def train_model(data: list[Path], out: Path) -> str:
    """Learn weights for both losses and levels, tune the baselines, and write the model folder."""
    jobs = [(tuple(data), level, what) for what in (*RESCALINGS, TREES, CHANCES, BASELINES) for level in LEVELS]
    weights: dict[tuple[str, int], Floats] = {}
    tuned: dict[int, Tuned] = {}
    trees: dict[int, Trees] = {}
    informative_weights: dict[int, Floats] = {}
    with ProcessPoolExecutor(WORKERS, get_context("spawn")) as pool:
        for (_, level, what), learned in zip(jobs, pool.map(_learned, jobs), strict=True):
            if isinstance(learned, Tuned):
                tuned[level] = learned
            elif isinstance(learned, Trees):
                trees[level] = learned
            elif what == CHANCES:
                informative_weights[level] = learned
            else:
                weights[what, level] = learned
            log_to_stderr(f"level {level}: {what} done")
    pages, sources = _marked(tuple(data)), []
    for folder in data:
        own = _marked((folder,))
        sources.append(Source(folder, len(own), len({page.site for page in own})))
    digest = examples_hash(
        f"{page.site} {page.name} {[own.tolist() for own in page.labels.values()]}" for page in pages
    )
    trained = Trained("segmenter", sources, out, digest, settings={"C": STRENGTH, "epsilon": EPSILON})
    meta = trained.stated(pages=len(pages))
    SegmenterModel(weights, tuned, trees, informative_weights, meta).save(out)
    card = CARD.format(
        made=trained.lines(), data=" ".join(source.name for source in sources), pages=len(pages),
        sites=len({page.site for page in pages}), strength=STRENGTH, epsilon=EPSILON, folds=FOLDS,
    )  # fmt: skip
    (out / "card.md").write_text(card, "utf-8")
    return f"{len(pages)} marked pages"


@cache
def _marked(data: tuple[Path, ...]) -> list[MarkedPage]:
    """Return the marked pages, read once per process."""
    return [page for folder in data for page in read_marked(folder)[0]]


def _learned(job: tuple[tuple[Path, ...], int, str]) -> "Floats | Trees | Tuned":
    data, level, what = job
    pages = _marked(data)
    if what == BASELINES:
        return tuned_baselines(pages, level=level)
    if what == TREES:
        return learn_trees(pages, level=level)
    if what == CHANCES:
        return learn_informative_weights(pages, level=level)
    return learn_weights(pages, level=level, rescaling=what)


def learn_weights(
    pages: Sequence[MarkedPage],
    *,
    level: int,
    rescaling: str = MARGIN,
    strength: float = STRENGTH,
    epsilon: float = EPSILON,
    log: Log = log_nothing,
) -> Floats:
    """Learn the weight of each feature, then the constant. Features are standardised during training."""
    used = [page for page in pages if level in page.labels and len(page.graph)]
    every = np.concatenate([page.rows for page in used]).astype(np.float64)
    mean, deviation = every.mean(axis=0), every.std(axis=0)
    scale = np.where(deviation > LEAST_DEVIATION, deviation, np.inf)  # constant features get no weight
    examples = [
        GraphExample(
            page.graph,
            np.append((page.rows - mean) / scale, np.ones((len(page.rows), 1)), axis=1),
            page.labels[level],
            informative_boundaries(page, level),
        )
        for page in used
    ]
    weights = learn(examples, rescaling=rescaling, strength=strength, epsilon=epsilon, log=log)
    plain = weights[:-1] / scale
    return np.append(plain, weights[-1] - mean @ plain)


def learn_informative_weights(pages: Sequence[MarkedPage], *, level: int) -> Floats:
    """Learn the weight of each of `content.NAMES` from pages with blocks of the informative types."""
    used = [page for page in pages if level in page.labels and len(page.graph)]
    gains = held_out_gains(used, level=level)
    examples = []
    for page, own in zip(used, gains, strict=True):
        is_right = informative_segments(page, level)
        if is_right.any():
            examples.append((page.content, costs_of_whole(page.graph, own), is_right))
    if not examples:
        return np.zeros(len(NAMES))
    every = np.concatenate([rows for rows, _, _ in examples])
    deviation = every.std(axis=0)
    scale = np.where(deviation > LEAST_DEVIATION, deviation, np.inf)
    return fit_logit([(rows / scale, costs, is_right) for rows, costs, is_right in examples]) / scale


def held_out_gains(pages: Sequence[MarkedPage], *, level: int) -> list[Floats]:
    """Return the gains of each page by a model of other sites."""
    sites = np.array([page.site for page in pages])
    folds = min(INNER_FOLDS, len(np.unique(sites)))
    fold = fold_of_group(sites, folds=folds)
    gains: list[Floats] = [np.zeros(0)] * len(pages)
    for number in range(folds):
        seen = [page for page, own in zip(pages, fold, strict=True) if own != number]
        weights, trees = learn_weights(seen, level=level, rescaling=SLACK), learn_trees(seen, level=level)
        for place in np.flatnonzero(fold == number).tolist():
            rows = pages[place].rows
            gains[place] = rows @ weights[:-1] + weights[-1] + opinion(trees, rows)
    return gains


def informative_segments(page: MarkedPage, level: int) -> NDArray[np.bool_]:
    """Return for each segment of the graph whether its marked leaves are exactly one block of an informative type."""
    blocks = page.gold.of_level(level)
    wanted = [set(leaves.tolist()) for leaves in page.gold.contents_of_level(level)]
    graph: WpsGraph = page.graph
    return np.array([marked_leaves(graph.leaves_of(number), blocks) in wanted for number in range(graph.segments)])


def fit_logit(examples: Sequence[tuple[Floats, Floats, NDArray[np.bool_]]]) -> Floats:
    """Fit the conditional logit with a ridge penalty."""
    from scipy.optimize import minimize  # type: ignore[import-untyped]

    def loss(weights: Floats) -> tuple[float, Floats]:
        value, slope = RIDGE / 2 * float(weights @ weights), RIDGE * weights
        for rows, costs, is_right in examples:
            probabilities = informative_probabilities(rows, costs, weights)
            right = np.where(is_right, probabilities, 0.0)
            whole = max(float(right.sum()), 1e-300)
            value -= np.log(whole)
            slope = slope + rows.T @ (probabilities - right / whole)
        return value, slope

    weights: Floats = minimize(loss, np.zeros(examples[0][0].shape[1]), jac=True, method="L-BFGS-B").x
    return weights
