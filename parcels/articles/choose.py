"""Which blocks to take, given how likely each is content: those that make the expected F1 of the words largest."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from parcels.articles.parts import Floats, Parts

if TYPE_CHECKING:
    from parcels.articles.model import Scored

ARTICLE, LIKELY = "article", 0.8
LINKED = 0.7  # share of a block's words in links from which it is a teaser, on an article's page
DAMPED = 0.2  # what is left of a teaser's probability


def without_teasers(scored: "Scored", parts: Parts) -> Floats:
    """The probabilities, those of wholly linked blocks lowered where the page is likely an article.

    On listings such blocks are the content, so the scorer cannot give them up everywhere.
    """
    if scored.types.get(ARTICLE, 0.0) < LIKELY:
        return scored.proba
    is_linked = parts.link_words >= LINKED * np.maximum(1, parts.words)
    return np.where(is_linked, DAMPED * scored.proba, scored.proba)


def chosen(proba: Floats, weight: Floats) -> tuple[NDArray[np.bool_], float]:
    """The blocks that are taken, and the F1 that is expected of them.

    With the likeliest blocks first, precision falls and recall rises: the best place to stop is where the expected
    F1, 2 * hits / (taken + wanted), is highest. On a page of which little is sure it stops early only if that pays.

    >>> taken, expected = chosen(np.array([0.9, 0.2, 0.8]), np.array([10.0, 10.0, 10.0]))
    >>> taken.tolist(), round(expected, 3)
    ([True, False, True], 0.872)
    """
    if not len(proba) or not (proba * weight).any():
        return np.zeros(len(proba), bool), 0.0
    order = np.argsort(-proba, kind="stable")
    hits = proba * weight
    expected = 2 * np.cumsum(hits[order]) / np.maximum(1e-9, np.cumsum(weight[order]) + hits.sum())
    best = int(expected.argmax())
    taken = np.zeros(len(proba), bool)
    taken[order[: best + 1]] = True
    return taken & (weight > 0), float(expected[best])
