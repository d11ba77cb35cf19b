"""Optional parts of an article (links, images, tables, comments), and their effect on the choice of blocks."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.data_tables import data_tables
from parcels.articles.body.parts import Parts
from parcels.html.tags import NUMBER

MOSTLY = 1 / 3  # share of chosen words from which a whole table is taken
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Include:
    """The optional parts that an article is to have."""

    links: bool = True  # in Markdown
    images: bool = True  # in Markdown
    tables: bool = True
    comments: bool = False


DEFAULT = Include()


def without_tables(parts: Parts, taken: Bools) -> Bools:
    """Return the choice without tables of data."""
    kept = taken.copy()
    for table in data_tables(parts):
        kept[table.first : table.end] = False
    return kept


def completed(parts: Parts, taken: Bools) -> Bools:
    """Return the choice with each table either complete or left out.

    The model scores each cell by itself, and a table with missing cells has numbers in the wrong columns.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> parts = parts_of(read_page("<p>One<table><tr><th>Town<th>Fires<tr><td>Ely<td>3</table><p>Two"))
    >>> completed(parts, np.array([True, True, True, True, False, True])).tolist()
    [True, True, True, True, True, True]
    """
    whole = taken.copy()
    for table in data_tables(parts):
        inside = slice(table.first, table.end)
        words = parts.words[inside]
        whole[inside] = float(words[taken[inside]].sum()) >= MOSTLY * max(1, int(words.sum()))
    return whole


def with_enclosed(parts: Parts, taken: Bools, *, has_tables: bool) -> Bools:
    """Return the choice with the tables and code listings directly between two chosen blocks.

    Used for Markdown only: gold texts mostly leave such tables out.
    """
    whole, nodes = taken.copy(), parts.page.nodes
    tables, listings = data_tables(parts) if has_tables else [], np.flatnonzero(nodes.tag == NUMBER["pre"])
    if not tables and not len(listings):
        return whole
    first = np.searchsorted(parts.division.first, nodes.first_leaf[listings]).tolist()
    end = np.searchsorted(parts.division.first, nodes.end_leaf[listings]).tolist()
    is_among = _among(parts, taken)
    for start, stop in [*((table.first, table.end) for table in tables), *zip(first, end, strict=True)]:
        if start < stop and is_among(start, stop):
            whole[start:stop] = True
    return whole


def _among(parts: Parts, taken: Bools) -> Callable[[int, int], bool]:
    """Return a function that tests whether the nearest blocks with text around a range are chosen."""
    number, has_words = np.arange(len(parts)), parts.words > 0
    last = np.maximum.accumulate(np.where(has_words, number, -1))
    following = np.minimum.accumulate(np.where(has_words, number, len(parts))[::-1])[::-1]

    def is_among(first: int, end: int) -> bool:
        if first == 0 or end >= len(parts) or last[first - 1] < 0 or following[end] == len(parts):
            return False
        return bool(taken[last[first - 1]] and taken[following[end]])

    return is_among
