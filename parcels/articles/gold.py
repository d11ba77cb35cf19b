"""Labels of blocks from a gold text: the training labels of the content model.

A long block is content if its runs of words occur in the gold text. A short one (a heading, "Share") may occur there
by chance, so it must also occur between its long neighbours.
"""

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from parcels.articles.body.parts import Floats

WORD = re.compile(r"\w+")
RUN = 3  # words per run
LONG = 8  # words from which a block is matched by its runs alone
SLACK = 60  # words of the gold text by which a short block may be outside its neighbours' range


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case.

    >>> words_of("It's 3 o'clock.")
    ['it', 's', '3', 'o', 'clock']
    """
    return WORD.findall(text.lower())


def content_shares(texts: Sequence[str], gold: str) -> Floats:
    """Return for each block the share of its words that occur in the gold text, in order.

    >>> texts = ["Home", "Big fire", "It burnt down the old pier in the night.", "Home", "Big fire"]
    >>> content_shares(texts, "Big fire. It burnt down the old pier in the night.").tolist()
    [0.0, 1.0, 1.0, 0.0, 0.0]
    """
    blocks, wanted = [words_of(text) for text in texts], words_of(gold)
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place in range(len(wanted) - RUN + 1):
        places[tuple(wanted[place : place + RUN])].append(place)
    shares, at = np.zeros(len(blocks)), np.full(len(blocks), -1)
    taken = np.zeros(len(wanted) + 1, bool)
    for number, words in enumerate(blocks):
        if len(words) >= LONG:
            shares[number], at[number] = _runs(words, places, taken)
    starts: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(wanted):
        starts[word].append(place)
    low, high = _bounds(at, [len(words) for words in blocks], len(wanted))
    for number, words in enumerate(blocks):
        if not 0 < len(words) < LONG:
            continue
        for place in starts.get(words[0], ()):
            if not low[number] - SLACK <= place <= high[number] + SLACK or taken[place]:
                continue
            if wanted[place : place + len(words)] == words:
                taken[place : place + len(words)] = True
                shares[number] = 1.0
                break
    return shares


def _runs(
    words: list[str], places: dict[tuple[str, ...], list[int]], taken: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
) -> tuple[float, int]:
    """Return the share of a block's words in runs of the gold text not yet taken, and their start."""
    is_matched = np.zeros(len(words), bool)
    hits: list[int] = []
    first, behind = -1, -1
    for start in range(len(words) - RUN + 1):
        free = [place for place in places.get(tuple(words[start : start + RUN]), ()) if not taken[place]]
        if not free:
            continue
        place = next((place for place in free if place >= behind), free[0])
        is_matched[start : start + RUN] = True
        first = place - start if first < 0 else first
        behind = place + 1
        hits.append(place)
    share = float(is_matched.mean())
    if share >= 0.5:
        for place in hits:
            taken[place : place + RUN] = True
        return share, max(first, 0)
    return share, -1


def _bounds(
    at: "np.ndarray[tuple[int], np.dtype[np.int64]]", sizes: list[int], total: int
) -> tuple[list[int], list[int]]:
    """Return for each block its range in the gold text: between the nearest matched blocks above and below."""
    low, high, last = [], [], 0
    for place, size in zip(at.tolist(), sizes, strict=True):
        low.append(last)
        if place >= 0:
            last = place + size
    last = total
    for place in reversed(at.tolist()):
        high.append(last)
        if place >= 0:
            last = place
    return low, high[::-1]
