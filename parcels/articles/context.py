"""Features for the second stage of the content model: first-stage probabilities around a block.

Content comes in runs of blocks and in branches of the tree. So a teaser among teasers and a heading between paragraphs
are recognised by their neighbours.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.parts import Floats, Parts
from parcels.articles.features import LEVELS, NOTHING, ElementSums

STEPS = (-3, -2, -1, 1, 2, 3)
WINDOWS = (4, 12)  # blocks before and after
SURE = 0.6
NAMES: tuple[str, ...] = (
    "said", "rank", *(f"said{step:+}" for step in STEPS), *(f"around_{size}" for size in WINDOWS),
    *(f"above_{level}" for level in range(1, LEVELS)), "page_share", "page_words_said", "before", "behind",
    "since_sure", "until_sure", "is_between",
)  # fmt: skip


def context(parts: Parts, proba: Floats) -> Floats:
    """Return one row per block and one column per name in NAMES, from first-stage probabilities."""
    rows = len(parts)
    if not rows:
        return np.zeros((0, len(NAMES)))
    tree, weight = ElementSums(parts), np.maximum(parts.words, 1e-3)
    sums = np.concatenate(([0.0], np.cumsum(proba * weight)))
    every = np.concatenate(([0.0], np.cumsum(weight)))
    number = np.arange(rows)
    columns: list[NDArray[np.generic]] = [proba, np.argsort(np.argsort(-proba)) / rows]
    for step in STEPS:
        at = number + step
        columns.append(np.where((at >= 0) & (at < rows), proba[np.clip(at, 0, rows - 1)], NOTHING))
    for size in WINDOWS:
        first, end = np.maximum(0, number - size), np.minimum(rows, number + size + 1)
        columns.append((sums[end] - sums[first]) / (every[end] - every[first]))
    for level in range(1, LEVELS):
        row = tree.climbed[level]
        first, end = tree.first[row], np.maximum(tree.end[row], tree.first[row] + 1)
        columns.append((sums[end] - sums[first]) / (every[end] - every[first]))
    columns += [np.full(rows, sums[-1] / every[-1]), np.full(rows, np.log1p(sums[-1]))]
    columns += [sums[:-1] / sums[-1], (sums[-1] - sums[1:]) / sums[-1]]
    is_sure = (proba >= SURE) & (parts.words > 0)
    last = np.maximum.accumulate(np.where(is_sure, number, -rows))
    following = np.minimum.accumulate(np.where(is_sure, number, 2 * rows)[::-1])[::-1]
    since, until = np.minimum(number - last, rows), np.minimum(following - number, rows)
    columns += [np.log1p(since), np.log1p(until), (since < rows) & (until < rows)]
    return np.stack([np.asarray(column, np.float64) for column in columns], axis=1)
