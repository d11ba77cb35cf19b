"""A second opinion on every boundary: boosted trees over the same features, which see what a sum of weights cannot.

The structural SVM weighs whole labellings but only adds features up; the trees judge each boundary alone, where those
that it depends on cut. Their errors are not the same ones, so the sum of both gains is better than either.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parcels.learn.trees import Trees
from parcels.segments.examples import Marked
from parcels.segments.features import Rows
from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.wps_graph import WpsGraph

Floats = NDArray[np.float64]
WEIGHT = 0.5  # of the trees' log-odds beside the SVM's gain
LEAST = 0.01  # no boundary is surer than this
PAGE = 10.0  # what a page's boundaries weigh together, by the root of their number


def learn_trees(pages: Sequence[Marked], *, level: int) -> Trees:
    """Boost trees on the boundaries that the gold labelling comes to."""
    rows, labels, weights = [], [], []
    for page in pages:
        if level not in page.labels or not len(page.graph):
            continue
        asked = reached(page.graph, page.labels[level])
        rows.append(page.rows[asked].astype(np.float64))
        labels.append(page.labels[level][asked].astype(np.int64))
        weights.append(np.full(int(asked.sum()), PAGE / np.sqrt(max(1, int(asked.sum())))))
    trees = Trees(rounds=60, leaves=6, rate=0.1, least_rows=15, ridge=5.0, column_share=0.3)
    return trees.fit(np.concatenate(rows), None, np.concatenate(labels), sample_weight=np.concatenate(weights))


def reached(graph: WpsGraph, labels: Labels) -> Labels:
    """The boundaries of the segments that a labelling cuts out: only there is it a question whether to cut."""
    above, below = graph.sides()
    is_cut_out = np.array(
        [all(side < 0 or labels[side] for side in sides) for sides in zip(above, below, strict=True)], np.bool_
    )
    asked: Labels = is_cut_out[graph.parent[graph.before]]
    return asked


def opinion(trees: Trees, rows: Rows) -> Floats:
    """The log-odds of each boundary, weighed; nothing where the trees have seen one answer only."""
    if not len(rows) or len(trees.classes_) < 2:
        return np.zeros(len(rows))
    chance = np.clip(trees.predict_proba(rows.astype(np.float64), None)[:, 1], LEAST, 1 - LEAST)
    odds: Floats = WEIGHT * np.log(chance / (1 - chance))
    return odds
