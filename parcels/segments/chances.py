"""How likely each segment is the informative one: by its content, and by what it costs to have it whole.

A conditional logit: the chance of a segment is in proportion to the exponential of a weighted sum, among the segments
of its page. The segmenter's own gains are part of it, so that what the boundaries say is not forgotten.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parcels.learn.folds import fold_of_group
from parcels.segments.content import NAMES
from parcels.segments.examples import Marked, told_leaves
from parcels.segments.graph.second_opinion import learn_trees, opinion
from parcels.segments.graph.structural_svm import SLACK
from parcels.segments.graph.whole import costs_of_whole
from parcels.segments.graph.wps_graph import WpsGraph
from parcels.segments.train import LEAST_DEVIATION, learn_weights

Floats = NDArray[np.float64]
COST = 1.0  # weight of a gain that is lost: what is learned of it from fewer pages would be too little
PRIZE = 4.0  # gains that a whole segment is worth which is surely the informative one
RIDGE = 30.0  # half of it times the squares of the weights is added to the loss
INNER_FOLDS = 3  # of the pages to learn from: their gains are those of machines that have not seen them


def chances_of(rows: Floats, costs: Floats, weights: Floats) -> Floats:
    """The chance of each segment of a page; they add up to 1.

    >>> chances_of(np.zeros((2, 1)), np.array([0.0, np.log(3)]), np.ones(1)).round(2).tolist()
    [0.75, 0.25]
    """
    scores = rows @ weights - COST * costs
    odds = np.exp(scores - scores.max())
    chances: Floats = odds / odds.sum()
    return chances


def prizes_of(chances: Floats) -> Floats:
    """What each segment is worth where it is left whole, in gains."""
    return PRIZE * chances


def learn_chances(pages: Sequence[Marked], *, level: int) -> Floats:
    """The weight of each of `content.NAMES`, from the pages with blocks of the informative types."""
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
    return fitted([(rows / scale, costs, is_right) for rows, costs, is_right in examples]) / scale


def held_out_gains(pages: Sequence[Marked], *, level: int) -> list[Floats]:
    """The gains of each page by a machine that has learned from other sites."""
    sites = np.array([page.site for page in pages])
    folds = min(INNER_FOLDS, len(np.unique(sites)))
    fold = fold_of_group(sites, folds=folds)
    found: list[Floats] = [np.zeros(0)] * len(pages)
    for number in range(folds):
        seen = [page for page, own in zip(pages, fold, strict=True) if own != number]
        weights, trees = learn_weights(seen, level=level, rescaling=SLACK), learn_trees(seen, level=level)
        for place in np.flatnonzero(fold == number).tolist():
            rows = pages[place].rows
            found[place] = rows @ weights[:-1] + weights[-1] + opinion(trees, rows)
    return found


def informative_segments(page: Marked, level: int) -> NDArray[np.bool_]:
    """The segments of the graph that hold a block of the informative types, whole, and nothing of other blocks."""
    blocks = page.gold.of_level(level)
    wanted = [set(leaves.tolist()) for leaves in page.gold.contents_of_level(level)]
    graph: WpsGraph = page.graph
    return np.array([told_leaves(graph.leaves_of(number), blocks) in wanted for number in range(graph.segments)])


def fitted(examples: Sequence[tuple[Floats, Floats, NDArray[np.bool_]]]) -> Floats:
    """The weights under which the right segments are likeliest, kept small."""
    from scipy.optimize import minimize  # type: ignore[import-untyped]

    def loss(weights: Floats) -> tuple[float, Floats]:
        value, slope = RIDGE / 2 * float(weights @ weights), RIDGE * weights
        for rows, costs, is_right in examples:
            chances = chances_of(rows, costs, weights)
            right = np.where(is_right, chances, 0.0)
            whole = max(float(right.sum()), 1e-300)
            value -= np.log(whole)
            slope = slope + rows.T @ (chances - right / whole)
        return value, slope

    found: Floats = minimize(loss, np.zeros(examples[0][0].shape[1]), jac=True, method="L-BFGS-B").x
    return found
