"""Learning the weights of boundary features by cutting planes (section 6, Algorithm 2).

A label doubles the features in the paper, one copy for each answer. Only the difference of the two copies decides, and
at the optimum one is the other's negative, so one copy is kept here: with half the square of its length, C counts
twice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Example:
    """A graph with its features (standardised, a constant last), its gold labelling, and where it matters most."""

    graph: WpsGraph
    rows: Floats
    labels: Labels
    informative: tuple[int, ...] = ()  # proper informative boundaries


def learn(
    examples: Sequence[Example],
    *,
    rescaling: str = MARGIN,
    strength: float = STRENGTH,
    epsilon: float = EPSILON,
    tell: Tell = lambda line: None,
) -> Floats:
    """The weights: gains of boundaries are rows @ weights."""
    most_violated = most_violated_margin if rescaling == MARGIN else most_violated_slack
    working = WorkingSet(len(examples), examples[0].rows.shape[1], 2 * strength)
    for number in range(ROUNDS):
        added = 0
        for place, example in enumerate(examples):
            gains = example.rows @ working.weights
            found = most_violated(example.graph, gains, example.labels, example.informative)
            difference = example.labels.astype(np.float64) - found.labels
            direction = found.scale * (difference @ example.rows)
            level = found.scale * found.margin
            if level - direction @ working.weights > working.slack(place) + epsilon:
                working.add(place, direction, level)
                added += 1
        is_solved = working.solve(epsilon / 2)
        if not added:
            if is_solved:
                break
            for _ in range(SOLVES):  # what is left of the optimum, before looking for constraints again
                if working.solve(epsilon / 2):
                    break
        tell(
            f"round {number + 1}: {added} constraints added, {len(working)} in all, objective {working.objective():.3f}"
        )
    return working.weights


def predict(graph: WpsGraph, rows: Floats, weights: Floats) -> Labels:
    """The best labelling."""
    return by_chains(graph, rows @ weights)
