"""The choice of blocks: those with the highest expected word F1, given the probability that each is content."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.parts import Floats, Parts

if TYPE_CHECKING:
    from parcels.articles.model import Scored

ARTICLE, LIKELY = "article", 0.8
LINKED = 0.9  # share of a block's words in links from which it is a teaser, on the page of an article
DAMPED = 0.2  # factor for a teaser's probability
STANDFIRST = 3  # blocks after the title in which a summary is looked for
SUMMARY = (8, 60)  # words of a summary
LEAST = 0.15  # probability from which a summary is raised
RAISED = 1.0  # log-odds added to a summary
GAP = 4  # rejected blocks with text after which a new part of the page begins
DOUBTFUL = 0.6  # mean probability below which a part after the story is dropped


def choice(scored: "Scored", parts: Parts, title_block: int | None) -> tuple[NDArray[np.bool_], float]:
    """Return the chosen blocks and their expected word F1."""
    weight = parts.words.astype(np.float64)
    if scored.types.get(ARTICLE, 0.0) < LIKELY:
        return chosen(scored.proba, weight)
    proba = without_teasers(scored.proba, parts)
    if title_block is not None:
        proba = with_standfirst(proba, parts, title_block)
    taken, expected = chosen(proba, weight)
    return without_doubtful_ends(taken, scored.proba, weight), expected


def without_doubtful_ends(taken: NDArray[np.bool_], proba: Floats, weight: Floats) -> NDArray[np.bool_]:
    """Return the choice without doubtful parts after the story, such as teasers, comments or the next story.

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
    """Return the probabilities, with those of summaries right after the title raised.

    Half of the sites count the summary as part of the story, and the model cannot know which. A missing summary costs
    more than a superfluous one.
    """
    raised = proba.copy()
    near = slice(title_block + 1, title_block + 1 + STANDFIRST)
    words, own = parts.words[near], proba[near]
    is_summary = (words >= SUMMARY[0]) & (words <= SUMMARY[1]) & (parts.link_words[near] < 0.5 * words) & (own >= LEAST)
    odds = np.exp(RAISED) * own / np.maximum(1e-9, 1 - own)
    raised[near] = np.where(is_summary, odds / (1 + odds), own)
    return raised


def without_teasers(proba: Floats, parts: Parts) -> Floats:
    """Return the probabilities, with those of blocks that are all links lowered.

    Used for articles only: on listings such blocks are the content.
    """
    is_linked = parts.link_words >= LINKED * np.maximum(1, parts.words)
    return np.where(is_linked, DAMPED * proba, proba)


def chosen(proba: Floats, weight: Floats) -> tuple[NDArray[np.bool_], float]:
    """Return the most probable blocks, up to the highest expected word F1, and that F1.

    Blocks are added by falling probability, so precision falls and recall rises. The expected F1 is
    2 * hits / (taken + wanted).

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
