"""The lines of a page: blocks that also end at every `br`.

Pages of the 2000s put breadcrumb, date, headline and byline into one block, separated by `br`. Fields are read from
single lines.
"""

from dataclasses import replace

import numpy as np

from parcels.articles.body.parts import Parts, joined_texts
from parcels.divide.division import Division, of_tags, opened_between
from parcels.html.tags import IS_BREAK, lookup

_IS_HEADING = lookup("h1 h2 h3 h4 h5 h6")


def lines_of(parts: Parts) -> Parts:
    """Return the parts, also divided at line breaks; headings stay whole, since a title may take two lines.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> page = read_page("<h1>Old pier<br>burns</h1><div><b>3 May 2004</b><br>By <b>Ann Lee</b><br>It burnt.</div>")
    >>> lines_of(parts_of(page)).texts
    ['Old pier burns', '3 May 2004', 'By Ann Lee', 'It burnt.']
    """
    page, division = parts.page, parts.division
    is_start = opened_between(page, of_tags(page, IS_BREAK)) > 0
    block = division.block_of_leaf()
    is_start &= ~_IS_HEADING[page.nodes.tag[division.container]][block]
    is_start[division.first] = True
    first = np.flatnonzero(is_start).astype(np.int32)
    if len(first) == len(division):
        return parts
    lines = Division(first, division.container[block[first]], division.leaf_count)
    return replace(parts, division=lines, texts=joined_texts(page, lines))


def block_of_line(parts: Parts, lines: Parts, number: int | None) -> int | None:
    """Return the number of the block around a line, or None for None."""
    if number is None:
        return None
    return int(np.searchsorted(parts.division.first, lines.division.first[number], side="right")) - 1
