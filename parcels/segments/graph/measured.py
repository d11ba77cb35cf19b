"""What is counted of every segment of a WPS-graph at once: sums over its leaves and elements, its place, its root."""

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
FIRST_LEAVES, FIRST_CHARS = 20, 200  # of a segment's texts that are read for their words


def floats(values: Any) -> Floats:
    """An array of floats, of flags or numbers."""
    return np.asarray(values, np.float64)


@dataclass(frozen=True)
class Measured:
    """A graph with what its segments hold."""

    graph: WpsGraph

    @cached_property
    def _of_unit(self) -> tuple[Ints, Ints, Ints, Ints]:
        """First leaf, end leaf and row of each unit, and where each segment's units begin."""
        units = [unit for own in self.graph.units for unit in own]
        flat = np.array(units, np.intp).reshape(-1, 3)
        starts = np.concatenate(([0], np.cumsum([len(own) for own in self.graph.units])))[:-1].astype(np.intp)
        return flat[:, 0], flat[:, 1], flat[:, 2], starts

    def _summed(self, of_unit: Floats) -> Floats:
        """Sums over the units of each segment."""
        starts = self._of_unit[3]
        summed: Floats = np.add.reduceat(of_unit, starts, axis=0) if len(of_unit) else np.zeros((1, *of_unit.shape[1:]))
        return summed

    def sum_of_leaves(self, column: NDArray[np.generic]) -> Floats:
        """The sum of a number of each leaf, for each segment."""
        before = np.concatenate(([0.0], np.cumsum(column, dtype=np.float64)))
        first, end = self._of_unit[:2]
        return self._summed(before[end] - before[first])

    @cached_property
    def tags(self) -> Floats:
        """How many elements of each of TAG_KINDS a segment holds, then how many in all."""
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
        """How many elements of these tags each segment holds."""
        found: Floats = self.tags[:, [TAG_KINDS.index(name) for name in names]].sum(axis=1)
        return found

    @cached_property
    def root(self) -> Ints:
        """The row of a segment's first subtree, that of the element around it where it has only loose leaves."""
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
        """True where a segment is one subtree."""
        row, starts = self._of_unit[2], self._of_unit[3]
        count = np.diff(np.append(starts, len(row)))
        return np.asarray((count == 1) & (np.maximum.reduceat(row, starts) >= 0) if len(row) else count == 1)

    @cached_property
    def kinds(self) -> NDArray[np.int32]:
        """What the names of a segment's subtree speak of, as bits of `names.KINDS`; 0 for several subtrees."""
        return np.where(self.is_single, kinds_of_nodes(self.graph.laid.page)[self.root], 0).astype(np.int32)

    @cached_property
    def background(self) -> NDArray[np.uint32]:
        """The colour behind each segment: its own, that of an only child, or what shines through."""
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
        """The tag counts of each segment with the length 1; a segment without elements has that of loose text."""
        counts = np.log1p(self.tags[:, :-1])
        loose = np.append(counts, (counts.sum(axis=1) == 0)[:, None], axis=1)
        profile: Floats = loose / np.linalg.norm(loose, axis=1, keepdims=True)
        return profile

    @cached_property
    def first_node(self) -> Ints:
        """The element of each segment's first leaf."""
        first, starts = self._of_unit[0], self._of_unit[3]
        leaves = self.graph.laid.page.leaves
        return leaves.node[np.minimum(first[starts], len(leaves) - 1)].astype(np.intp)

    @cached_property
    def word_sets(self) -> list[frozenset[str]]:
        """The different words that each segment begins with."""
        texts = self.graph.laid.page.leaves.text
        found = []
        for units in self.graph.units:
            words: set[str] = set()
            for unit in units:
                for leaf in range(unit.first, min(unit.end, unit.first + FIRST_LEAVES)):
                    words.update(texts[leaf][:FIRST_CHARS].lower().split())
            found.append(frozenset(words))
        return found

    @cached_property
    def leaf_words(self) -> Floats:
        """Words of each leaf; none where it is not text."""
        leaves = self.graph.laid.page.leaves
        counts = [
            text.count(" ") + 1 if kind == "text" else 0 for kind, text in zip(leaves.kind, leaves.text, strict=True)
        ]
        return np.array(counts, np.float64)

    @cached_property
    def is_seen(self) -> NDArray[np.bool_]:
        """Of each leaf, whether it has a place on the screen."""
        return np.array([reason is None for reason in self.graph.laid.layout.hidden_reason], np.bool_)

    @cached_property
    def words(self) -> Floats:
        """Words of each segment."""
        return self.sum_of_leaves(self.leaf_words)

    @cached_property
    def leaves(self) -> Floats:
        """Leaves of each segment."""
        return self.sum_of_leaves(np.ones(len(self.leaf_words)))

    @cached_property
    def link_words(self) -> Floats:
        """Words of each segment that are in links."""
        return self.sum_of_leaves(self.leaf_words * self.graph.laid.page.leaves.is_link)

    @cached_property
    def font_size(self) -> Floats:
        """The mean size of a segment's words, by the page's; 1 where it has none."""
        sizes = self.graph.laid.styles.font_size[self.graph.laid.page.leaves.node].astype(np.float64)
        whole = float(np.average(sizes, weights=self.leaf_words)) if self.leaf_words.sum() else 16.0
        mean = self.sum_of_leaves(sizes * self.leaf_words) / np.maximum(self.words, 1)
        return np.where(self.words > 0, mean / max(whole, 1.0), 1.0)

    @cached_property
    def bold_words(self) -> Floats:
        """Words of each segment in bold."""
        heavy = self.graph.laid.styles.font_weight[self.graph.laid.page.leaves.node] >= BOLD
        return self.sum_of_leaves(self.leaf_words * heavy)

    def kind_count(self, *kinds: str) -> Floats:
        """Leaves of some kinds."""
        return self.sum_of_leaves(np.array([kind in kinds for kind in self.graph.laid.page.leaves.kind], np.float64))

    @cached_property
    def box(self) -> Floats:
        """Left, top, right, bottom by the page's width and height, from 0 to 1; the middle where nothing is seen."""
        boxes = self.graph.boxes / (self.page_size[[0, 1, 0, 1]])
        return np.clip(np.where(np.isnan(boxes), 0.5, boxes), 0, 1)

    @cached_property
    def size_px(self) -> Floats:
        """Width and height of each segment; 0 where nothing is seen."""
        boxes = self.graph.boxes
        return np.nan_to_num(np.maximum(boxes[:, 2:] - boxes[:, :2], 0))

    @cached_property
    def page_size(self) -> Floats:
        """Width and height of the page."""
        layout = self.graph.laid.layout
        low = np.nanmax(self.graph.boxes[:, 3]) if np.isfinite(self.graph.boxes[:, 3]).any() else layout.height
        return np.array([max(layout.width, 1.0), max(float(low), 1.0)])
