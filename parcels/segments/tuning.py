"""Tuning of the baselines on marked pages: one number each, and the weights of pairs of leaves."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from parcels.common.output import Log, log_nothing
from parcels.segments.baselines import block_fusion, cclus, gcuts, vips
from parcels.segments.baselines.pair_features import pair_rows, places_of
from parcels.segments.examples import MarkedPage
from parcels.segments.gold import OUTSIDE
from parcels.segments.graph.measures import SegmentMeasures
from parcels.segments.metrics import adjusted_rand
from parcels.segments.model import Tuned

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]

THRESHOLDS = (0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99)
COHERENCES = tuple(range(1, 11))
CCLUS_TRADEOFFS = (0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8)
GCUTS_TRADEOFFS = (0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8)
PAIRS_A_PAGE = 2000


def tuned_baselines(pages: Sequence[MarkedPage], *, level: int, log: Log = log_nothing) -> Tuned:
    """Tune each baseline's number to the best mean adjusted Rand index on these pages."""
    used = [page for page in pages if level in page.labels]
    pairs = learn_pairs(used, level=level)
    # Steps that do not depend on the number run once per page.
    measured = {page.name: SegmentMeasures(page.graph) for page in used}
    likely = {page.name: cclus.likely_pairs(page.laid, pairs) for page in used}
    tuned = Tuned(
        bf_threshold=_best(used, level, THRESHOLDS, lambda page, x: block_fusion.clusters(page.laid.page, x)),
        vips_coherence=int(_best(used, level, COHERENCES, lambda page, x: vips.cut(measured[page.name], int(x)))),
        cclus_tradeoff=_best(used, level, CCLUS_TRADEOFFS, lambda page, x: cclus.joined(likely[page.name], x)),
        gcuts_tradeoff=_best(used, level, GCUTS_TRADEOFFS, lambda page, x: gcuts.clusters(page.laid, pairs, x)),
        pair_weights=pairs,
    )
    log(f"level {level}: baselines tuned to {tuned.numbers()}")
    return tuned


def learn_pairs(pages: Sequence[MarkedPage], *, level: int, seed: int = 0) -> Floats:
    """Learn by logistic regression whether two leaves are in the same marked block."""
    from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

    rng = np.random.default_rng(seed)
    rows, same = [], []
    for page in pages:
        blocks = page.gold.of_level(level)
        marked = np.flatnonzero(blocks != OUTSIDE)
        one, other = rng.choice(marked, PAIRS_A_PAGE), rng.choice(marked, PAIRS_A_PAGE)
        kept = one != other
        rows.append(pair_rows(places_of(page.laid), one[kept], other[kept]))
        same.append(blocks[one[kept]] == blocks[other[kept]])
    model = LogisticRegression(max_iter=500).fit(np.concatenate(rows), np.concatenate(same))
    return np.append(model.coef_[0], model.intercept_[0])


def _best(
    pages: Sequence[MarkedPage], level: int, values: Sequence[float], clusters: Callable[[MarkedPage, float], Ints]
) -> float:
    """Return the value with the best mean adjusted Rand index."""
    return max(values, key=lambda value: np.mean([index_of(page, clusters(page, value), level) for page in pages]))


def index_of(page: MarkedPage, clusters: Ints, level: int) -> float:
    """Return the adjusted Rand index over the leaves in marked blocks."""
    blocks = page.gold.of_level(level)
    is_marked = blocks != OUTSIDE
    return adjusted_rand(blocks[is_marked], clusters[is_marked])
