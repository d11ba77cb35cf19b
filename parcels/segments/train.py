"""Learning from marked pages: the weights of boundaries."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from parcels.segments.examples import Marked, informative_boundaries
from parcels.segments.graph.structural_svm import EPSILON, MARGIN, STRENGTH, Example, learn

Floats = NDArray[np.float64]
Tell = Callable[[str], None]
LEAST_DEVIATION = 1e-6


def learn_weights(
    pages: Sequence[Marked],
    *,
    level: int,
    rescaling: str = MARGIN,
    strength: float = STRENGTH,
    epsilon: float = EPSILON,
    tell: Tell = lambda line: None,
) -> Floats:
    """The weight of each feature, then the constant. Features are standardised while learning."""
    used = [page for page in pages if level in page.labels and len(page.graph)]
    every = np.concatenate([page.rows for page in used]).astype(np.float64)
    mean, deviation = every.mean(axis=0), every.std(axis=0)
    scale = np.where(deviation > LEAST_DEVIATION, deviation, np.inf)  # what never differs gets no weight
    examples = [
        Example(
            page.graph,
            np.append((page.rows - mean) / scale, np.ones((len(page.rows), 1)), axis=1),
            page.labels[level],
            informative_boundaries(page, level),
        )
        for page in used
    ]
    weights = learn(examples, rescaling=rescaling, strength=strength, epsilon=epsilon, tell=tell)
    plain = weights[:-1] / scale
    return np.append(plain, weights[-1] - mean @ plain)
