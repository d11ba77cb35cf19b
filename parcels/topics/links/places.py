"""The position of each link on its page: area, height, block, group, heading above, words around it.

Areas and heights need a layout; links of a page without one have neither.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from parcels.html.page import Page
from parcels.html.tags import lookup
from parcels.layout.boxes import AREAS
from parcels.layout.render import LaidOut
from parcels.topics.cleaning import LeafTerms
from parcels.urls import canonical

MAX_LINKS = 2000  # per page; further links are ignored
MAX_AROUND, MAX_HEADING, MAX_ANCHOR = 30, 12, 12  # terms
MAX_LEAVES = 24  # per anchor or heading
NEAR = 6  # leaves on either side of a link
HEIGHTS = 4  # steps from top to bottom
_IS_HEADING = lookup("h1 h2 h3 h4 h5 h6 dt th caption legend summary")
_IS_ITEM = lookup("li dd dt td th p h1 h2 h3 h4 h5 h6 tr blockquote pre div center section article nav body")
_IS_GROUP = lookup(
    "ul ol dl dir menu table nav p blockquote pre section article aside header footer form div center body"
)
_ITEMS, _GROUPS = _IS_ITEM.tolist(), _IS_GROUP.tolist()  # by the number of a tag


@dataclass(slots=True)  # not frozen: creating it would take three times as long
class LinkPlace:
    """One link and its position on the page."""

    target: str  # canonical address
    anchor: str
    anchor_terms: tuple[str, ...]
    around: tuple[str, ...]  # terms of its item, without its own
    heading: tuple[str, ...]  # terms of the heading above it
    item: str  # tag of the block around it
    area: str | None
    height: int | None  # from 0, the top, to HEIGHTS - 1
    group: int  # links of one list, table or paragraph share a number
    group_count: int  # links of its group
    group_density: float  # share of the group's characters that are inside links

    def unlaid(self) -> "LinkPlace":
        """Return the link as on a page without layout."""
        return replace(self, area=None, height=None)


def link_rows(page: Page, base: str, known: dict[str, str | None] | None = None) -> Iterator[tuple[int, str]]:
    """Yield the row and the target of each link of a page, in document order; links within the page are skipped.

    `known` caches the canonical forms of addresses.
    """
    known = {} if known is None else known
    attributes, elements = page.nodes.attributes, page.nodes.elements
    for row, tag in enumerate(page.nodes.tags):
        if tag != "a" and tag != "area":
            continue
        given: Any = attributes[row] or elements[row]  # elements inside a `noscript` have no entry in `attributes`
        href = (given.get("href") or "").strip()
        if not href or href[0] == "#":
            continue
        if href not in known:
            known[href] = canonical(href, base)
        if target := known[href]:
            yield row, target


def link_places(
    page: Page, rows: Sequence[tuple[int, str]], laid: LaidOut | None = None, leaf_terms: LeafTerms | None = None,
    is_wanted: Callable[[str], bool | None] | None = None,
) -> list[LinkPlace]:  # fmt: skip
    """Return the positions of the first MAX_LINKS links, given by row and target.

    `leaf_terms` are the page's terms where the caller has them. Links whose target `is_wanted` rejects are left out,
    but count in their groups.

    >>> from parcels.html.page import read_page
    >>> page = read_page("<h2>Students</h2><ul><li><a href=/~lee>Ann Lee</a>, databases<li><a href=/~kim>Kim</a></ul>")
    >>> found = link_places(page, list(link_rows(page, "http://a.example/")))
    >>> found[0].heading, found[0].around, found[0].item, found[0].group == found[1].group, found[0].group_count
    (('student',), ('databas',), 'li', True, 2)
    """
    if is_wanted is not None and not any(is_wanted(target) for _, target in rows[:MAX_LINKS]):
        return []
    if not rows:
        return []
    finder = _Finder(page, laid, leaf_terms or LeafTerms(page.leaves.text))
    return finder.places(list(rows[:MAX_LINKS]), is_wanted)


class _Finder:
    """Computes the positions of one page's links and caches what they share."""

    def __init__(self, page: Page, laid: LaidOut | None, terms: LeafTerms):
        nodes = page.nodes
        self.page, self.laid, self.terms = page, laid, terms
        self.texts, self.tags = page.leaves.text, nodes.tags
        self.tag, self.parent = nodes.tag.tolist(), nodes.parent.tolist()
        self.first_leaf, self.end_leaf = nodes.first_leaf.tolist(), nodes.end_leaf.tolist()
        if laid is not None:
            self.areas, self.tops = laid.areas.leaves.tolist(), laid.layout.leaves[:, 1].tolist()
            self.height = laid.layout.height
        self.headings = np.flatnonzero(_IS_HEADING[nodes.tag]).tolist()
        self.heading_terms: dict[int, tuple[str, ...]] = {}
        self.densities: dict[int, float] = {}
        # Characters before each leaf, and those of them that are inside links.
        self.chars, self.in_links = [0], [0]
        chars = in_links = 0
        for text, is_link in zip(self.texts, page.leaves.is_link.tolist(), strict=True):
            length = len(text)
            chars += length
            if is_link:
                in_links += length
            self.chars.append(chars)
            self.in_links.append(in_links)

    def places(self, rows: list[tuple[int, str]], is_wanted: Callable[[str], bool | None] | None) -> list[LinkPlace]:
        """Return the positions of the wanted links, in order."""
        groups = [self.nearest(row, _GROUPS) for row, _ in rows]
        counts: dict[int, int] = {}
        for group in groups:
            counts[group] = counts.get(group, 0) + 1
        return [
            self.place(row, target, self.nearest(row, _ITEMS), group, counts[group])
            for (row, target), group in zip(rows, groups, strict=True)
            if is_wanted is None or is_wanted(target)
        ]

    def nearest(self, row: int, wanted: list[bool]) -> int:
        """Return the nearest row around a link whose tag is wanted, or the root."""
        while row > 0 and not wanted[self.tag[row]]:
            row = self.parent[row]
        return max(row, 0)

    def place(self, row: int, target: str, item: int, group: int, count: int) -> LinkPlace:
        """Return the position of one link."""
        first, end = self.first_leaf[row], self.end_leaf[row]
        stop = min(end, first + MAX_LEAVES)
        anchor = self.texts[first] if stop == first + 1 else " ".join(filter(None, self.texts[first:stop]))
        area, height = self.on_screen(row, first, end)
        # Leaves of the link's block on either side of it.
        before, behind = max(self.first_leaf[item], first - NEAR), min(self.end_leaf[item], end + NEAR)
        return LinkPlace(
            target, anchor, tuple(self.terms.labels(first, stop, MAX_ANCHOR)),
            tuple(self.terms.around(before, first, end, behind, MAX_AROUND)), self.heading(row), self.tags[item],
            area, height, group, count, self.density(group),
        )  # fmt: skip

    def density(self, group: int) -> float:
        """Return the share of a group's characters that are inside links."""
        density = self.densities.get(group)
        if density is None:
            start, stop = self.first_leaf[group], self.end_leaf[group]
            chars = self.chars[stop] - self.chars[start]
            density = self.densities[group] = (self.in_links[stop] - self.in_links[start]) / chars if chars else 0.0
        return density

    def on_screen(self, row: int, first: int, end: int) -> tuple[str | None, int | None]:
        """Return area and height of a link, or None for both without a layout."""
        if self.laid is None:
            return None, None
        if end > first:
            area, top = AREAS[self.areas[first]], self.tops[first]
        else:
            area, top = AREAS[self.laid.areas.nodes[row]], float(self.laid.layout.nodes[row, 1])
        if not isfinite(top) or self.height <= 0:
            return area, None
        return area, min(max(int(HEIGHTS * top / self.height), 0), HEIGHTS - 1)

    def heading(self, row: int) -> tuple[str, ...]:
        """Return the terms of the last heading before or around the link."""
        place = bisect_right(self.headings, row) - 1
        if place < 0:
            return ()
        heading = self.headings[place]
        terms = self.heading_terms.get(heading)
        if terms is None:
            first, end = self.first_leaf[heading], self.end_leaf[heading]
            terms = tuple(self.terms.labels(first, min(end, first + MAX_LEAVES), MAX_HEADING))
            self.heading_terms[heading] = terms
        return terms
