# cython: infer_types=True, wraparound=False
"""The leaves and parts of a page as columns of numbers, filled pass by pass.

All passes together allocate a few pieces of memory. Tables of several columns are flat, row after row. `geometry`
documents the columns.
"""

from typing import Any

import numpy as np

from parcels.html.page import Page
from parcels.layout.boxes import Layout
from parcels.layout.boxes.column_store import ColumnStore

NAN = float("nan")
_COLUMNS = 16  # per node and leaf in one piece of memory


class PartTable:
    """The parts of one page; `read_layout` adds their geometry."""

    def __init__(self, page: Page):
        self.page, nodes, leaves = page, page.nodes, page.leaves
        self.count, self.leaf_count, self.part_count, self.holder_count = len(nodes), len(leaves), 0, 0
        self.kinds, self.texts = leaves.kind, leaves.text
        self.node_first, self.node_end = nodes.first_leaf, nodes.end_leaf
        self.node_parent, self.node_last = nodes.parent, nodes.last
        self.node_tag, self.leaf_node = nodes.tag, leaves.node
        self.is_link = leaves.is_link.view("i1")
        self.store = ColumnStore(_COLUMNS * (self.count + self.leaf_count))
        self._find_parts()

    def _find_parts(self) -> None:
        """Find the parts: elements that hold leaves, only the outermost of those around the same leaves."""
        store, count = self.store, self.count
        first, end, above = self.node_first, self.node_end, self.node_parent
        part_of = store.filled_ints(count, -1)  # of each row
        self.holder, self.first_holder = store.filled_ints(count, 0), store.filled_ints(count + 1, 0)
        self.row, self.parent = store.filled_ints(count, 0), store.filled_ints(count, 0)
        held = parts = 0
        for at in range(count):
            if end[at] <= first[at]:
                continue
            up = above[at]
            outer = part_of[up] if up >= 0 else -1
            if outer < 0 or first[at] != first[up] or end[at] != end[up]:
                self.first_holder[parts] = held
                self.row[parts] = at
                self.parent[parts] = outer
                parts += 1
            part_of[at] = parts - 1  # an element around the same leaves follows its parent at once
            self.holder[held] = at
            held += 1
        self.first_holder[parts] = held
        self.part_count, self.holder_count = parts, held
        self.last, self.flags = store.filled_ints(parts, 0), store.filled_ints(parts, 0)  # see `names`
        self.first, self.end = store.filled_ints(parts, 0), store.filled_ints(parts, 0)
        for part in range(parts):
            self.last[part] = part
            self.first[part] = first[self.row[part]]
            self.end[part] = end[self.row[part]]
        for part in range(parts - 1, 0, -1):
            up = self.parent[part]
            if up >= 0 and self.last[part] > self.last[up]:
                self.last[up] = self.last[part]
        self.of_leaf = store.filled_ints(self.leaf_count, 0)
        for leaf in range(self.leaf_count):
            self.of_leaf[leaf] = part_of[self.leaf_node[leaf]]

    def read_layout(self, layout: Layout, least: int) -> None:
        """Read boxes and texts; a text of at least `least` letters outside links is a sentence."""
        if len(layout.leaves) != self.leaf_count or len(layout.hidden_reason) != self.leaf_count:
            raise ValueError(f"a layout of {len(layout.leaves)} leaves for a page of {self.leaf_count}")
        places = np.ascontiguousarray(layout.leaves, np.float64).reshape(-1)
        self._find_shares(places, tuple(layout.hidden_reason), layout.width, layout.height)
        self._find_rectangles()
        self._find_text(least)

    def _find_shares(self, places: Any, hidden: tuple[str | None, ...], width: float, height: float) -> None:
        """Compute the page's height and each leaf's edges: x as share of the page's extent, y in px."""
        box, store, count = places, self.store, self.leaf_count
        edges = self.box = store.filled_doubles(4 * count, NAN)
        start, stop, lowest = 1e30, -1e30, -1e30
        for leaf in range(count):
            at = 4 * leaf
            right, bottom = box[at] + box[at + 2], box[at + 1] + box[at + 3]
            # Comparisons with NaN are false, so leaves without a box are invisible.
            if hidden[leaf] is None and box[at + 2] > 0 and box[at + 3] > 0 and 0 < right < 1e30 and 0 < bottom < 1e30:
                edges[at] = box[at]
                lowest = max(lowest, bottom)
                if right <= 1.1 * width:  # boxes far out on the right do not widen the page
                    start = min(start, box[at])
                    stop = max(stop, right)
        start = max(start, 0.0) if stop > -1e30 else 0.0
        extent = max((stop if stop > -1e30 else width) - start, 1.0)
        for leaf in range(count):
            at = 4 * leaf
            if edges[at] == edges[at]:
                edges[at] = min(max((box[at] - start) / extent, -0.2), 1.2)
                edges[at + 1] = box[at + 1]
                edges[at + 2] = min(max((box[at] + box[at + 2] - start) / extent, -0.2), 1.2)
                edges[at + 3] = box[at + 1] + box[at + 3]
        self.height = max(lowest if lowest > -1e30 else height, 1.0)

    def _find_rectangles(self) -> None:
        """Compute the bounding rectangle of each part's visible leaves; NaN if none is visible."""
        box, store = self.box, self.store
        rectangles = self.rectangle = store.filled_doubles(4 * self.part_count, NAN)
        for leaf in range(self.leaf_count):
            at = 4 * leaf
            if box[at] == box[at]:
                self._widen(4 * self.of_leaf[leaf], box[at], box[at + 1], box[at + 2], box[at + 3])
        for part in range(self.part_count - 1, 0, -1):
            at = 4 * part
            if rectangles[at] == rectangles[at] and self.parent[part] >= 0:
                self._widen(
                    4 * self.parent[part], rectangles[at], rectangles[at + 1], rectangles[at + 2], rectangles[at + 3]
                )

    def _widen(self, at: int, left: float, top: float, right: float, bottom: float) -> None:
        rectangles = self.rectangle
        if rectangles[at] != rectangles[at]:
            rectangles[at], rectangles[at + 1], rectangles[at + 2], rectangles[at + 3] = left, top, right, bottom
            return
        rectangles[at] = min(rectangles[at], left)
        rectangles[at + 1] = min(rectangles[at + 1], top)
        rectangles[at + 2] = max(rectangles[at + 2], right)
        rectangles[at + 3] = max(rectangles[at + 3], bottom)

    def _find_text(self, least: int) -> None:
        """Compute each leaf's text, link and sentence letters, and each part's shares."""
        store, count, parts = self.store, self.leaf_count, self.part_count
        self.is_text, self.letters = store.filled_doubles(count, 0.0), store.filled_doubles(count, 0.0)
        self.linked, self.prose = store.filled_doubles(count, 0.0), store.filled_doubles(count, 0.0)
        for leaf in range(count):
            if self.kinds[leaf] == "text":
                self.is_text[leaf] = 1.0
                size = len(self.texts[leaf])
                self.letters[leaf] = size
                if self.is_link[leaf]:
                    self.linked[leaf] = size
                elif size >= least:
                    self.prose[leaf] = size
        self.share = store.filled_doubles(parts, 0.0)
        linked, letters = store.filled_doubles(parts, 0.0), store.filled_doubles(parts, 0.0)
        for leaf in range(count):
            linked[self.of_leaf[leaf]] += self.linked[leaf]
            letters[self.of_leaf[leaf]] += self.letters[leaf]
        for part in range(parts - 1, -1, -1):
            up = self.parent[part]
            if up >= 0:
                linked[up] += linked[part]
                letters[up] += letters[part]
            self.share[part] = (self.end[part] - self.first[part]) / (max(count, 1) * 1.0)
            linked[part] = linked[part] / max(letters[part], 1.0)
        self.density = linked  # of links among the letters

    def outermost(self, most: float, is_across: bool, chosen: Any, of_leaf: Any) -> int:
        """Find the outermost parts no wider (or no higher) than `most`; return how many.

        They are written to `chosen`; to `of_leaf`, for each leaf, the number of its own among them.
        """
        box, low, high = self.rectangle, 0 if is_across else 1, 2 if is_across else 3
        count, part = 0, 0
        while part < self.part_count:
            if box[4 * part + high] - box[4 * part + low] <= most:
                for leaf in range(self.first[part], self.end[part]):
                    of_leaf[leaf] = count
                chosen[count] = part
                count += 1
                part = self.last[part]
            part += 1
        return count

    def reals(self, name: str) -> Any:
        """Return a column of reals by its name, as an array."""
        if name == "box":
            return np.array(self.box[: 4 * self.leaf_count]).reshape(self.leaf_count, 4)
        if name == "rectangle":
            return np.array(self.rectangle[: 4 * self.part_count]).reshape(self.part_count, 4)
        if name in ("density", "share"):
            return np.array((self.density if name == "density" else self.share)[: self.part_count])
        of_leaves = {"is_text": self.is_text, "letters": self.letters, "linked": self.linked, "prose": self.prose}
        return np.array(of_leaves[name][: self.leaf_count])

    def part_arrays(self) -> dict[str, Any]:
        """Return the columns of the parts as arrays, by the names of `geometry.Parts`."""
        count = self.part_count
        return {
            "holders": np.array(self.holder[: self.holder_count], np.int64),
            "first_holder": np.array(self.first_holder[:count], np.int64),
            "row": np.array(self.row[:count], np.int64),
            "parent": np.array(self.parent[:count], np.int64),
            "last": np.array(self.last[:count], np.int64),
            "first_leaf": np.array(self.first[:count], np.int64),
            "end_leaf": np.array(self.end[:count], np.int64),
            "of_leaf": np.array(self.of_leaf[: self.leaf_count], np.int64),
        }
