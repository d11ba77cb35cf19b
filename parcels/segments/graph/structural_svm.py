"""A structural SVM: weights of boundary features by cutting planes (section 6, Algorithm 2).

The paper has two copies of the features, one per label. Only their difference matters, and at the optimum one is the
negative of the other, so one copy is kept here. Its squared norm is half as large, so C counts twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.common.output import Log, log_nothing
from parcels.segments.graph.inference import by_chains
from parcels.segments.graph.labelling import Labels
from parcels.segments.graph.rescaling import most_violated_margin, most_violated_slack
from parcels.segments.graph.working_set import WorkingSet
from parcels.segments.graph.wps_graph import WpsGraph

Floats = NDArray[np.float64]
STRENGTH = 1.0  # C, section 6.1
EPSILON = 0.1  # section 7.2
ROUNDS = 300
SOLVES = 200
MARGIN, SLACK = "margin", "slack"


@dataclass(frozen=True)
class GraphExample:
    """A graph with its features (standardised, a constant last), gold labelling and informative boundaries."""

    graph: WpsGraph
    rows: Floats
    labels: Labels
    informative: tuple[int, ...] = ()  # proper informative boundaries


def learn(
    examples: Sequence[GraphExample],
    *,
    rescaling: str = MARGIN,
    strength: float = STRENGTH,
    epsilon: float = EPSILON,
    log: Log = log_nothing,
) -> Floats:
    """Learn the weights; the gains of boundaries are `rows @ weights`."""
    most_violated = most_violated_margin if rescaling == MARGIN else most_violated_slack
    working = WorkingSet(len(examples), examples[0].rows.shape[1], 2 * strength)
    for number in range(ROUNDS):
        added = 0
        for place, example in enumerate(examples):
            gains = example.rows @ working.weights
            violation = most_violated(example.graph, gains, example.labels, example.informative)
            difference = example.labels.astype(np.float64) - violation.labels
            direction = violation.scale * (difference @ example.rows)
            level = violation.scale * violation.margin
            if level - direction @ working.weights > working.slack(place) + epsilon:
                working.add(place, direction, level)
                added += 1
        is_solved = working.solve(epsilon / 2)
        if not added:
            if is_solved:
                break
            for _ in range(SOLVES):  # solve to the optimum before looking for further constraints
                if working.solve(epsilon / 2):
                    break
        log(
            f"round {number + 1}: {added} constraints added, {len(working)} in all, objective {working.objective():.3f}"
        )
    return working.weights


def predict(graph: WpsGraph, rows: Floats, weights: Floats) -> Labels:
    """Return the best labelling."""
    return by_chains(graph, rows @ weights)
