"""Learning from marked pages: the weights of boundaries, and what the baselines are tuned to."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from parcels.segment import block_fusion, cclus, gcuts, vips
from parcels.segment.examples import Marked, informative_boundaries
from parcels.segment.gold import OUTSIDE
from parcels.segment.metrics import adjusted_rand
from parcels.segment.model import Tuned
from parcels.segment.pair_features import pair_rows, places_of
from parcels.segment.structural_svm import EPSILON, MARGIN, STRENGTH, Example, learn

Floats = NDArray[np.float64]
Tell = Callable[[str], None]

THRESHOLDS = (0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99)
COHERENCES = tuple(range(1, 11))
TRADEOFFS = (0.2, 0.35, 0.5, 0.65, 0.8)
PAIRS_A_PAGE = 2000
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


def tuned_baselines(pages: Sequence[Marked], *, level: int, tell: Tell = lambda line: None) -> Tuned:
    """Each baseline's number with the best mean index on these pages."""
    used = [page for page in pages if level in page.labels]
    pairs = learn_pairs(used, level=level)
    found = Tuned(
        bf_threshold=_best(used, level, THRESHOLDS, lambda page, x: block_fusion.clusters(page.laid.page, x)),
        vips_coherence=int(_best(used, level, COHERENCES, lambda page, x: vips.clusters(page.laid, int(x)))),
        cclus_tradeoff=_best(used, level, TRADEOFFS, lambda page, x: cclus.clusters(page.laid, pairs, x)),
        gcuts_tradeoff=_best(used, level, TRADEOFFS, lambda page, x: gcuts.clusters(page.laid, pairs, x)),
        pair_weights=pairs,
    )
    tell(f"level {level}: baselines tuned to {found.numbers()}")
    return found


def learn_pairs(pages: Sequence[Marked], *, level: int, seed: int = 0) -> Floats:
    """Logistic regression over pairs of leaves that are in marked blocks: are they in the same one?"""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    rng = np.random.default_rng(seed)
    rows, same = [], []
    for page in pages:
        blocks = page.gold.of_level(level)
        told = np.flatnonzero(blocks != OUTSIDE)
        one, other = rng.choice(told, PAIRS_A_PAGE), rng.choice(told, PAIRS_A_PAGE)
        kept = one != other
        rows.append(pair_rows(places_of(page.laid), one[kept], other[kept]))
        same.append(blocks[one[kept]] == blocks[other[kept]])
    model = LogisticRegression(max_iter=500).fit(np.concatenate(rows), np.concatenate(same))
    return np.append(model.coef_[0], model.intercept_[0])


def _best(
    pages: Sequence[Marked], level: int, values: Sequence[float], clusters: Callable[[Marked, float], NDArray[np.int32]]
) -> float:
    """The value with the best mean index."""
    return max(values, key=lambda value: np.mean([index_of(page, clusters(page, value), level) for page in pages]))


def index_of(page: Marked, clusters: NDArray[np.int32], level: int) -> float:
    """The adjusted Rand index over the leaves in marked blocks."""
    blocks = page.gold.of_level(level)
    told = blocks != OUTSIDE
    return adjusted_rand(blocks[told], clusters[told])
