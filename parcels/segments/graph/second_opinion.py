"""Boosted trees over the boundary features, whose log-odds are added to the gains of the structural SVM.

The SVM scores whole labellings with a linear function. The trees score each boundary alone, where its dependencies cut,
and can use interactions of features. Their errors differ, so the sum is better than either.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parcels.learn.trees import Trees
from parcels.segments.examples import MarkedPage
from parcels.segments.features import Rows
from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.wps_graph import WpsGraph

Floats = NDArray[np.float64]
WEIGHT = 0.5  # weight of the trees' log-odds relative to the SVM's gain
LEAST = 0.01  # probabilities are clipped to LEAST and 1 - LEAST
PAGE = 10.0  # training weight of a boundary, times the root of the number on its page


def learn_trees(pages: Sequence[MarkedPage], *, level: int) -> Trees:
    """Fit trees on the boundaries that the gold labelling reaches."""
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
    """Return the boundaries inside segments that a labelling cuts out, that is, whose dependencies all cut."""
    above, below = graph.sides()
    is_cut_out = np.array(
        [all(side < 0 or labels[side] for side in sides) for sides in zip(above, below, strict=True)], np.bool_
    )
    asked: Labels = is_cut_out[graph.parent[graph.before]]
    return asked


def opinion(trees: Trees, rows: Rows) -> Floats:
    """Return the weighted log-odds of each boundary; 0 where the trees have seen one class only."""
    if not len(rows) or len(trees.classes_) < 2:
        return np.zeros(len(rows))
    chance = np.clip(trees.predict_proba(rows.astype(np.float64), None)[:, 1], LEAST, 1 - LEAST)
    odds: Floats = WEIGHT * np.log(chance / (1 - chance))
    return odds
