"""Readers' comments below an article, recognised by the names of their elements."""

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.parts import Ints, Parts
from parcels.articles.clues import name_tokens
from parcels.html.tags import lookup

MOST = 0.5  # share of the chosen words; an element with more is not a comment section
_NAMES = frozenset(["comment", "comments", "commentlist", "disqus"])
_HOLDS = lookup("div section article aside ol ul li")

Bools = NDArray[np.bool_]


def comment_blocks(parts: Parts, taken: Bools) -> Bools:
    """Return the blocks in elements named for comments, outside the chosen text.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> parts = parts_of(read_page("<p>It burnt down.<p>Nobody was hurt.<div id=comments><p>So sad.</div>"))
    >>> comment_blocks(parts, np.ones(3, bool)).tolist()
    [False, False, True]
    """
    steps = np.zeros(len(parts) + 1, np.int64)
    nodes = parts.page.nodes
    rows = [
        row
        for row in np.flatnonzero(_HOLDS[nodes.tag]).tolist()
        if (given := nodes.attributes[row])
        and (_is_named(given.get("id")) or _is_named(given.get("class")) or given.get("itemprop") == "comment")
    ]
    if not rows:
        return steps[:-1] > 0
    first: Ints = np.searchsorted(parts.division.first, nodes.first_leaf[rows])
    end: Ints = np.searchsorted(parts.division.first, nodes.end_leaf[rows])
    before = np.concatenate(([0], np.cumsum(parts.words * taken)))
    is_part = before[end] - before[first] <= MOST * before[-1]
    np.add.at(steps, first[is_part], 1)
    np.subtract.at(steps, end[is_part], 1)
    inside: Bools = np.cumsum(steps)[:-1] > 0
    return inside


def _is_named(name: str | None) -> bool:
    return bool(name) and not _NAMES.isdisjoint(name_tokens(name or ""))
