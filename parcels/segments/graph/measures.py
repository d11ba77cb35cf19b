"""Measure every segment of a WPS-graph: sums over its leaves and elements, its box, its root."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.html.tags import NUMBER
from parcels.segments.graph.wps_graph import WpsGraph
from parcels.segments.names import kinds_of_nodes, only_children

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

TAG_KINDS = (
    "h1", "h2", "h3", "h4", "p", "li", "ul", "a", "img", "tr", "td", "table", "form", "div", "span", "br", "b",
    "strong", "input", "dl", "dt", "hr", "label", "select", "iframe", "section", "article", "button",
)  # fmt: skip
BOLD = 600.0
FIRST_LEAVES, FIRST_CHARS = 20, 200  # leaves per segment and characters per leaf that are read for words


def floats(values: Any) -> Floats:
    """Return an array of floats, of flags or numbers."""
    return np.asarray(values, np.float64)


@dataclass(frozen=True)
class SegmentMeasures:
    """The measurements of all segments of a graph, one row per segment."""

    graph: WpsGraph

    @cached_property
    def _of_unit(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Return first leaf, end leaf and row of each unit, and the first unit of each segment."""
        units = [unit for own in self.graph.units for unit in own]
        flat = np.array(units, np.intp).reshape(-1, 3)
        starts = np.concatenate(([0], np.cumsum([len(own) for own in self.graph.units])))[:-1].astype(np.intp)
        return flat[:, 0], flat[:, 1], flat[:, 2], starts

    def _summed(self, of_unit: Floats) -> Floats:
        """Return the sum over the units of each segment."""
        starts = self._of_unit[3]
        summed: Floats = np.add.reduceat(of_unit, starts, axis=0) if len(of_unit) else np.zeros((1, *of_unit.shape[1:]))
        return summed

    def sum_of_leaves(self, column: NDArray[np.generic]) -> Floats:
        """Return for each segment the sum of a value over its leaves."""
        before = np.concatenate(([0.0], np.cumsum(column, dtype=np.float64)))
        first, end = self._of_unit[:2]
        return self._summed(before[end] - before[first])

    @cached_property
    def tags(self) -> Floats:
        """Return the number of elements of each of TAG_KINDS in each segment, then of all elements."""
        nodes = self.graph.laid.page.nodes
        place = np.full(int(nodes.tag.max(initial=0)) + 1, len(TAG_KINDS))
        for number, name in enumerate(TAG_KINDS):
            if NUMBER[name] < len(place):
                place[NUMBER[name]] = number
        counts = np.zeros((len(nodes) + 1, len(TAG_KINDS) + 1))
        kinds = place[nodes.tag]
        counts[np.arange(len(nodes)) + 1, kinds] = 1
        counts[1:, -1] = 1
        before = np.cumsum(counts, axis=0)
        row = self._of_unit[2]
        is_node = row >= 0
        held = before[np.where(is_node, nodes.last[row] + 1, 0)] - before[np.where(is_node, row, 0)]
        return self._summed(held)

    def tag(self, *names: str) -> Floats:
        """Return the number of elements with these tags in each segment."""
        counts: Floats = self.tags[:, [TAG_KINDS.index(name) for name in names]].sum(axis=1)
        return counts

    @cached_property
    def root(self) -> Ints:
        """Return the row of each segment's first subtree, or of the element around it if it has only loose leaves."""
        row, starts = self._of_unit[2], self._of_unit[3]
        if not len(row):
            return np.zeros(self.graph.segments, np.intp)
        best = np.maximum.reduceat(row, starts)
        only = np.add.reduceat((row >= 0).astype(np.intp), starts)
        first = row[starts]
        chosen = np.where(first >= 0, first, np.where(only > 0, best, -1))
        leaves = self.graph.laid.page.leaves
        around = leaves.node[np.minimum(self._of_unit[0][starts], len(leaves) - 1)]
        return np.where(chosen >= 0, chosen, around).astype(np.intp)

    @cached_property
    def is_single(self) -> NDArray[np.bool_]:
        """Return whether a segment is one subtree."""
        row, starts = self._of_unit[2], self._of_unit[3]
        count = np.diff(np.append(starts, len(row)))
        return np.asarray((count == 1) & (np.maximum.reduceat(row, starts) >= 0) if len(row) else count == 1)

    @cached_property
    def kinds(self) -> NDArray[np.int32]:
        """Return the kinds in the names of a segment's subtree, as bits of `names.KINDS`; 0 for several subtrees."""
        return np.where(self.is_single, kinds_of_nodes(self.graph.laid.page)[self.root], 0).astype(np.int32)

    @cached_property
    def background(self) -> NDArray[np.uint32]:
        """Return the background colour of each segment: its own, that of an only child, or that of an ancestor."""
        page, own = self.graph.laid.page, self.graph.laid.styles.background.tolist()
        parent = page.nodes.parent.tolist()
        effective = list(own)
        for row in range(1, len(own)):
            if not own[row] & 0xFF:
                effective[row] = effective[parent[row]]
        for row in only_children(page)[::-1].tolist():
            if not own[parent[row]] & 0xFF:
                effective[parent[row]] = effective[row]
        return np.array(effective, np.uint32)[self.root]

    @cached_property
    def tag_profile(self) -> Floats:
        """Return the tag counts of each segment, scaled to length 1; segments without elements count as loose text."""
        counts = np.log1p(self.tags[:, :-1])
        loose = np.append(counts, (counts.sum(axis=1) == 0)[:, None], axis=1)
        profile: Floats = loose / np.linalg.norm(loose, axis=1, keepdims=True)
        return profile

    @cached_property
    def first_node(self) -> Ints:
        """Return the element of each segment's first leaf."""
        first, starts = self._of_unit[0], self._of_unit[3]
        leaves = self.graph.laid.page.leaves
        return leaves.node[np.minimum(first[starts], len(leaves) - 1)].astype(np.intp)

    @cached_property
    def word_sets(self) -> list[frozenset[str]]:
        """Return the distinct words at the start of each segment."""
        texts = self.graph.laid.page.leaves.text
        sets = []
        for units in self.graph.units:
            words: set[str] = set()
            for unit in units:
                for leaf in range(unit.first, min(unit.end, unit.first + FIRST_LEAVES)):
                    words.update(texts[leaf][:FIRST_CHARS].lower().split())
            sets.append(frozenset(words))
        return sets

    @cached_property
    def leaf_words(self) -> Floats:
        """Return the number of words of each leaf; 0 for leaves without text."""
        leaves = self.graph.laid.page.leaves
        counts = [
            text.count(" ") + 1 if kind == "text" else 0 for kind, text in zip(leaves.kind, leaves.text, strict=True)
        ]
        return np.array(counts, np.float64)

    @cached_property
    def is_seen(self) -> NDArray[np.bool_]:
        """Return whether each leaf has a box on the screen."""
        return np.array([reason is None for reason in self.graph.laid.layout.hidden_reason], np.bool_)

    @cached_property
    def words(self) -> Floats:
        """Return the number of words of each segment."""
        return self.sum_of_leaves(self.leaf_words)

    @cached_property
    def leaves(self) -> Floats:
        """Return the number of leaves of each segment."""
        return self.sum_of_leaves(np.ones(len(self.leaf_words)))

    @cached_property
    def link_words(self) -> Floats:
        """Return the number of words in links of each segment."""
        return self.sum_of_leaves(self.leaf_words * self.graph.laid.page.leaves.is_link)

    @cached_property
    def font_size(self) -> Floats:
        """Return the mean font size of a segment's words relative to the page's; 1 where it has no words."""
        sizes = self.graph.laid.styles.font_size[self.graph.laid.page.leaves.node].astype(np.float64)
        whole = float(np.average(sizes, weights=self.leaf_words)) if self.leaf_words.sum() else 16.0
        mean = self.sum_of_leaves(sizes * self.leaf_words) / np.maximum(self.words, 1)
        return np.where(self.words > 0, mean / max(whole, 1.0), 1.0)

    @cached_property
    def bold_words(self) -> Floats:
        """Return the number of bold words of each segment."""
        heavy = self.graph.laid.styles.font_weight[self.graph.laid.page.leaves.node] >= BOLD
        return self.sum_of_leaves(self.leaf_words * heavy)

    def kind_count(self, *kinds: str) -> Floats:
        """Return the number of leaves of some kinds in each segment."""
        return self.sum_of_leaves(np.array([kind in kinds for kind in self.graph.laid.page.leaves.kind], np.float64))

    @cached_property
    def box(self) -> Floats:
        """Return left, top, right, bottom as shares of the page's size; the middle for invisible segments."""
        boxes = self.graph.boxes / (self.page_size[[0, 1, 0, 1]])
        return np.clip(np.where(np.isnan(boxes), 0.5, boxes), 0, 1)

    @cached_property
    def size_px(self) -> Floats:
        """Return width and height of each segment in pixels; 0 for invisible segments."""
        boxes = self.graph.boxes
        return np.nan_to_num(np.maximum(boxes[:, 2:] - boxes[:, :2], 0))

    @cached_property
    def page_size(self) -> Floats:
        """Return width and height of the page."""
        layout = self.graph.laid.layout
        low = np.nanmax(self.graph.boxes[:, 3]) if np.isfinite(self.graph.boxes[:, 3]).any() else layout.height
        return np.array([max(layout.width, 1.0), max(float(low), 1.0)])
