"""Where each link of a page stands: area, height, block, group, heading above, words around it.

A page is laid out for its areas; a page that is too large for that, or that nobody laid out, has links without areas.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from parcels.layout.boxes import AREAS
from parcels.layout.render import LaidOut
from parcels.page import Page
from parcels.tags import lookup
from parcels.topics.cleaning import label_terms, terms_of
from parcels.urls import canonical

MAX_LINKS = 2000  # of one page whose places are looked at; what has more is an index that one look cannot tell apart
MAX_AROUND, MAX_HEADING, MAX_ANCHOR = 30, 12, 12  # terms
MAX_LEAVES = 24  # of one anchor or heading
NEAR = 6  # leaves on either side of a link
HEIGHTS = 4  # a page from top to bottom
_IS_HEADING = lookup("h1 h2 h3 h4 h5 h6 dt th caption legend summary")
_IS_ITEM = lookup("li dd dt td th p h1 h2 h3 h4 h5 h6 tr blockquote pre div center section article nav body")
_IS_GROUP = lookup(
    "ul ol dl dir menu table nav p blockquote pre section article aside header footer form div center body"
)


@dataclass(frozen=True, slots=True)
class LinkPlace:
    """One link and where it stands."""

    target: str  # canonical address
    anchor: str
    anchor_terms: tuple[str, ...]
    around: tuple[str, ...]  # terms of its item, without its own
    heading: tuple[str, ...]  # terms of the heading above it
    item: str  # tag of the block that it stands in
    area: str | None
    height: int | None  # from 0, the top, to HEIGHTS - 1
    group: int  # links of one list, table or paragraph share a number
    group_count: int  # links of its group
    group_density: float  # share of the group's characters that are inside links


def link_rows(page: Page, base: str) -> Iterator[tuple[int, str]]:
    """The row and the target of each link of a page, in document order; links inside the page are passed over."""
    known: dict[str, str | None] = {}
    for row, tag in enumerate(page.nodes.tags):
        if tag not in ("a", "area"):
            continue
        href = (page.nodes.elements[row].get("href") or "").strip()
        if not href or href[0] == "#":
            continue
        if href not in known:
            known[href] = canonical(href, base)
        if target := known[href]:
            yield row, target


def link_places(page: Page, rows: Sequence[tuple[int, str]], laid: LaidOut | None = None) -> list[LinkPlace]:
    """The places of links, given by row and target; those beyond MAX_LINKS have none.

    >>> from parcels.page import read_page
    >>> page = read_page("<h2>Students</h2><ul><li><a href=/~lee>Ann Lee</a>, databases<li><a href=/~kim>Kim</a></ul>")
    >>> found = link_places(page, list(link_rows(page, "http://a.example/")))
    >>> found[0].heading, found[0].around, found[0].item, found[0].group == found[1].group, found[0].group_count
    (('student',), ('databas',), 'li', True, 2)
    """
    finder = _Finder(page, laid)
    rows = rows[:MAX_LINKS]
    items, groups = finder.nearest(rows, _IS_ITEM), finder.nearest(rows, _IS_GROUP)
    counts = np.bincount(groups, minlength=len(page.nodes)) if len(rows) else np.zeros(1, np.int64)
    return [
        finder.place(row, target, item, group, int(counts[group]))
        for (row, target), item, group in zip(rows, items, groups, strict=True)
    ]


class _Finder:
    """Looks around in one page; what its links share is found once."""

    def __init__(self, page: Page, laid: LaidOut | None):
        self._page, self._laid = page, laid
        self._texts = page.leaves.text
        self._heading_terms: dict[int, tuple[str, ...]] = {}
        lengths = np.fromiter(map(len, self._texts), np.int64, len(self._texts))
        self._chars = np.concatenate([[0], np.cumsum(lengths)])
        self._in_links = np.concatenate([[0], np.cumsum(lengths * page.leaves.is_link)])

    @cached_property
    def _headings(self) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        return np.flatnonzero(_IS_HEADING[self._page.nodes.tag])

    def nearest(
        self, rows: Sequence[tuple[int, str]], is_wanted: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
    ) -> list[int]:
        """The nearest row around each link whose tag is wanted; the root where there is none."""
        parent, tag = self._page.nodes.parent, self._page.nodes.tag
        at = np.array([row for row, _ in rows], np.int64)
        while len(at) and (is_open := ~is_wanted[tag[at]] & (at > 0)).any():
            at[is_open] = np.maximum(parent[at[is_open]], 0)
        found: list[int] = at.tolist()
        return found

    def place(self, row: int, target: str, item: int, group: int, count: int) -> LinkPlace:
        """The place of one link."""
        nodes = self._page.nodes
        first, end = int(nodes.first_leaf[row]), int(nodes.end_leaf[row])
        anchor = " ".join(filter(None, self._texts[first : min(end, first + MAX_LEAVES)]))
        area, height = self._on_screen(row, first, end)
        start, stop = int(nodes.first_leaf[group]), int(nodes.end_leaf[group])
        chars = int(self._chars[stop] - self._chars[start])
        return LinkPlace(
            target, anchor, tuple(label_terms(anchor)[:MAX_ANCHOR]), self._around(item, first, end), self._heading(row),
            nodes.tags[item], area, height, group, count,
            float(self._in_links[stop] - self._in_links[start]) / chars if chars else 0.0,
        )  # fmt: skip

    def _on_screen(self, row: int, first: int, end: int) -> tuple[str | None, int | None]:
        if self._laid is None:
            return None, None
        layout, areas = self._laid.layout, self._laid.areas
        area = AREAS[areas.leaves[first] if end > first else areas.nodes[row]]
        top = float(layout.leaves[first, 1] if end > first else layout.nodes[row, 1])
        if not np.isfinite(top) or layout.height <= 0:
            return area, None
        return area, min(max(int(HEIGHTS * top / layout.height), 0), HEIGHTS - 1)

    def _heading(self, row: int) -> tuple[str, ...]:
        """The terms of the last heading before the link; a heading that the link stands in counts as well."""
        place = int(np.searchsorted(self._headings, row, side="right")) - 1
        if place < 0:
            return ()
        heading = int(self._headings[place])
        if heading not in self._heading_terms:
            nodes = self._page.nodes
            texts = self._texts[int(nodes.first_leaf[heading]) : int(nodes.end_leaf[heading])]
            self._heading_terms[heading] = tuple(label_terms(" ".join(texts[:MAX_LEAVES]))[:MAX_HEADING])
        return self._heading_terms[heading]

    def _around(self, item: int, first: int, end: int) -> tuple[str, ...]:
        """The terms of an item's leaves on either side of the link."""
        nodes = self._page.nodes
        start, stop = max(int(nodes.first_leaf[item]), first - NEAR), min(int(nodes.end_leaf[item]), end + NEAR)
        return tuple(terms_of([*self._texts[start:first], *self._texts[end:stop]])[:MAX_AROUND])
