"""Which blocks to take, given how likely each is content: those that make the expected F1 of the words largest."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.parts import Floats, Parts

if TYPE_CHECKING:
    from parcels.articles.model import Scored

ARTICLE, LIKELY = "article", 0.8
LINKED = 0.9  # share of a block's words in links from which it is a teaser, on an article's page
DAMPED = 0.2  # what is left of a teaser's probability
STANDFIRST = 3  # blocks behind the title among which one may sum up the story
SUMMARY = (8, 60)  # words of a summary
LEAST = 0.15  # probability from which a summary is raised
RAISED = 1.0  # log-odds: completeness is worth more than the few words
GAP = 4  # blocks with text that are not taken, from which what follows is another part of the page
DOUBTFUL = 0.6  # mean probability below which a part behind the story is left out


def choice(scored: "Scored", parts: Parts, title_block: int | None) -> tuple[NDArray[np.bool_], float]:
    """The blocks that are taken, and the F1 that is expected of them."""
    weight = parts.words.astype(np.float64)
    if scored.types.get(ARTICLE, 0.0) < LIKELY:
        return chosen(scored.proba, weight)
    proba = without_teasers(scored.proba, parts)
    if title_block is not None:
        proba = with_standfirst(proba, parts, title_block)
    taken, expected = chosen(proba, weight)
    return without_doubtful_ends(taken, scored.proba, weight), expected


def without_doubtful_ends(taken: NDArray[np.bool_], proba: Floats, weight: Floats) -> NDArray[np.bool_]:
    """The choice without doubtful parts behind the story: further teasers, comments, the next story's beginning.

    >>> taken, weight = np.array([True, True, *[False] * 4, True]), np.full(7, 20.0)
    >>> without_doubtful_ends(taken, np.array([0.9, 0.9, 0.1, 0.1, 0.1, 0.1, 0.5]), weight).tolist()
    [True, True, False, False, False, False, False]
    """
    rows = np.flatnonzero(taken)
    if not len(rows):
        return taken
    place = np.cumsum(weight > 0)[rows]
    pieces = np.split(rows, np.flatnonzero(np.diff(place) > GAP) + 1)
    sums = [float((proba[piece] * weight[piece]).sum()) for piece in pieces]
    kept = taken.copy()
    for piece, total in list(zip(pieces, sums, strict=True))[int(np.argmax(sums)) + 1 :]:
        kept[piece] = total >= DOUBTFUL * float(weight[piece].sum())
    return kept


def with_standfirst(proba: Floats, parts: Parts, title_block: int) -> Floats:
    """The probabilities, those of summaries right behind the title raised: half of the sites print them as the story's.

    The scorer cannot tell which half, and a story without its summary misses more than one with it has too much.
    """
    raised = proba.copy()
    near = slice(title_block + 1, title_block + 1 + STANDFIRST)
    words, own = parts.words[near], proba[near]
    is_summary = (words >= SUMMARY[0]) & (words <= SUMMARY[1]) & (parts.link_words[near] < 0.5 * words) & (own >= LEAST)
    odds = np.exp(RAISED) * own / np.maximum(1e-9, 1 - own)
    raised[near] = np.where(is_summary, odds / (1 + odds), own)
    return raised


def without_teasers(proba: Floats, parts: Parts) -> Floats:
    """The probabilities of an article's blocks, those of wholly linked ones lowered.

    On listings such blocks are the content, so the scorer cannot give them up everywhere.
    """
    is_linked = parts.link_words >= LINKED * np.maximum(1, parts.words)
    return np.where(is_linked, DAMPED * proba, proba)


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
