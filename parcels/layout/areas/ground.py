# cython: infer_types=True
"""A page as the recogniser sees it: columns of numbers of its leaves and of its parts, filled pass by pass.

Compiled, a column is a pointer and all passes together allocate a few pieces of memory; interpreted it is a list, and
the same lines give the same numbers to the bit. Tables of several columns are flat, row after row. What the numbers
mean to those who read them as arrays is said in `scene`.
"""

from typing import Any

import numpy as np

from parcels.layout import columns
from parcels.layout.boxes import Layout
from parcels.page import Page

NAN = float("nan")


class Ground:
    """One page; its parts are found at once, where they stand by `look_at`."""

    __slots__ = (
        *(
            "box",
            "count",
            "density",
            "end",
            "first",
            "first_holder",
            "flags",
            "height",
            "holder",
            "holder_count",
            "is_link",
        ),
        *("is_text", "keep", "kinds", "last", "leaf_count", "leaf_node", "letters", "linked", "node_end", "node_first"),
        *("node_last", "node_parent", "node_tag", "of_leaf", "page", "parent", "part_count", "prose", "rectangle"),
        *("row", "share", "texts"),
    )

    def __init__(self, page: Page):
        self.page, nodes, leaves = page, page.nodes, page.leaves
        self.keep: list[Any] = []  # the memory of the columns, where these are compiled
        keep = self.keep
        self.count, self.leaf_count, self.part_count, self.holder_count = len(nodes), len(leaves), 0, 0
        self.kinds, self.texts = leaves.kind, leaves.text
        self.node_first, self.node_end = columns.ints(keep, nodes.first_leaf), columns.ints(keep, nodes.end_leaf)
        self.node_parent, self.node_last = columns.ints(keep, nodes.parent), columns.ints(keep, nodes.last)
        self.node_tag, self.leaf_node = columns.shorts(keep, nodes.tag), columns.ints(keep, leaves.node)
        self.is_link = columns.codes(keep, leaves.is_link)
        self._find_parts()

    def _find_parts(self) -> None:
        """Elements that hold leaves; of those around the same leaves the outermost is a part."""
        keep, count = self.keep, self.count
        first, end, above = self.node_first, self.node_end, self.node_parent
        part_of = columns.new_ints(keep, count, -1)  # of each row
        self.holder, self.first_holder = columns.new_ints(keep, count, 0), columns.new_ints(keep, count + 1, 0)
        self.row, self.parent = columns.new_ints(keep, count, 0), columns.new_ints(keep, count, 0)
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
        self.last, self.flags = columns.new_ints(keep, parts, 0), columns.new_ints(keep, parts, 0)  # see `names`
        self.first, self.end = columns.new_ints(keep, parts, 0), columns.new_ints(keep, parts, 0)
        for part in range(parts):
            self.last[part] = part
            self.first[part] = first[self.row[part]]
            self.end[part] = end[self.row[part]]
        for part in range(parts - 1, 0, -1):
            up = self.parent[part]
            if up >= 0 and self.last[part] > self.last[up]:
                self.last[up] = self.last[part]
        self.of_leaf = columns.new_ints(keep, self.leaf_count, 0)
        for leaf in range(self.leaf_count):
            self.of_leaf[leaf] = part_of[self.leaf_node[leaf]]

    def look_at(self, layout: Layout, least: int) -> None:
        """Where everything stands, and how much is written there; a text of `least` letters is a sentence."""
        if len(layout.leaves) != self.leaf_count or len(layout.hidden_reason) != self.leaf_count:
            raise ValueError(f"a layout of {len(layout.leaves)} leaves for a page of {self.leaf_count}")
        places = np.ascontiguousarray(layout.leaves, np.float64).reshape(-1)
        self._find_shares(places, tuple(layout.hidden_reason), layout.width, layout.height)
        self._find_rectangles()
        self._find_text(least)

    def _find_shares(self, places: Any, hidden: tuple[str | None, ...], width: float, height: float) -> None:
        """The page's height, and of each leaf left and right as shares of the page's extent, top and bottom in px."""
        box = columns.doubles(self.keep, places)
        count = self.leaf_count
        found = self.box = columns.new_doubles(self.keep, 4 * count, NAN)
        start, stop, lowest = 1e30, -1e30, -1e30
        for leaf in range(count):
            at = 4 * leaf
            right, bottom = box[at] + box[at + 2], box[at + 1] + box[at + 3]
            # Comparisons with NaN are false, so that what has no box is not seen.
            if hidden[leaf] is None and box[at + 2] > 0 and box[at + 3] > 0 and 0 < right < 1e30 and 0 < bottom < 1e30:
                found[at] = box[at]
                lowest = max(lowest, bottom)
                if right <= 1.1 * width:  # what juts out far on the right does not widen the page
                    start = min(start, box[at])
                    stop = max(stop, right)
        start = max(start, 0.0) if stop > -1e30 else 0.0
        extent = max((stop if stop > -1e30 else width) - start, 1.0)
        for leaf in range(count):
            at = 4 * leaf
            if found[at] == found[at]:
                found[at] = min(max((box[at] - start) / extent, -0.2), 1.2)
                found[at + 1] = box[at + 1]
                found[at + 2] = min(max((box[at] + box[at + 2] - start) / extent, -0.2), 1.2)
                found[at + 3] = box[at + 1] + box[at + 3]
        self.height = max(lowest if lowest > -1e30 else height, 1.0)

    def _find_rectangles(self) -> None:
        """The rectangle around the seen leaves of each part; NaN where none is seen."""
        box = self.box
        found = self.rectangle = columns.new_doubles(self.keep, 4 * self.part_count, NAN)
        for leaf in range(self.leaf_count):
            at = 4 * leaf
            if box[at] == box[at]:
                self._widen(4 * self.of_leaf[leaf], box[at], box[at + 1], box[at + 2], box[at + 3])
        for part in range(self.part_count - 1, 0, -1):
            at = 4 * part
            if found[at] == found[at] and self.parent[part] >= 0:
                self._widen(4 * self.parent[part], found[at], found[at + 1], found[at + 2], found[at + 3])

    def _widen(self, at: int, left: float, top: float, right: float, bottom: float) -> None:
        found = self.rectangle
        if found[at] != found[at]:
            found[at], found[at + 1], found[at + 2], found[at + 3] = left, top, right, bottom
            return
        found[at] = min(found[at], left)
        found[at + 1] = min(found[at + 1], top)
        found[at + 2] = max(found[at + 2], right)
        found[at + 3] = max(found[at + 3], bottom)

    def _find_text(self, least: int) -> None:
        """Of each leaf whether it is text, its letters, those in links and those of sentences; shares of each part."""
        keep, count, parts = self.keep, self.leaf_count, self.part_count
        self.is_text, self.letters = columns.new_doubles(keep, count, 0.0), columns.new_doubles(keep, count, 0.0)
        self.linked, self.prose = columns.new_doubles(keep, count, 0.0), columns.new_doubles(keep, count, 0.0)
        for leaf in range(count):
            if self.kinds[leaf] == "text":
                self.is_text[leaf] = 1.0
                size = len(self.texts[leaf])
                self.letters[leaf] = size
                if self.is_link[leaf]:
                    self.linked[leaf] = size
                elif size >= least:
                    self.prose[leaf] = size
        self.share = columns.new_doubles(keep, parts, 0.0)
        linked, letters = columns.new_doubles(keep, parts, 0.0), columns.new_doubles(keep, parts, 0.0)
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
        """The parts no wider (or no higher) than `most` that are in no other such: how many.

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
        """A column of reals as an array, by its name: of leaves, or of parts."""
        if name == "box":
            return _reals(columns.double_bytes(self.box, 4 * self.leaf_count)).reshape(self.leaf_count, 4)
        if name == "rectangle":
            return _reals(columns.double_bytes(self.rectangle, 4 * self.part_count)).reshape(self.part_count, 4)
        if name in ("density", "share"):
            return _reals(columns.double_bytes(self.density if name == "density" else self.share, self.part_count))
        kept = {
            "is_text": columns.double_bytes(self.is_text, self.leaf_count),
            "letters": columns.double_bytes(self.letters, self.leaf_count),
            "linked": columns.double_bytes(self.linked, self.leaf_count),
            "prose": columns.double_bytes(self.prose, self.leaf_count),
        }
        return _reals(kept[name])

    def part_table(self) -> dict[str, Any]:
        """The columns of the parts as arrays, by the names of `scene.Parts`."""
        count = self.part_count
        return {
            "holders": _numbers(columns.int_bytes(self.holder, self.holder_count)),
            "first_holder": _numbers(columns.int_bytes(self.first_holder, count)),
            "row": _numbers(columns.int_bytes(self.row, count)),
            "parent": _numbers(columns.int_bytes(self.parent, count)),
            "last": _numbers(columns.int_bytes(self.last, count)),
            "first_leaf": _numbers(columns.int_bytes(self.first, count)),
            "end_leaf": _numbers(columns.int_bytes(self.end, count)),
            "of_leaf": _numbers(columns.int_bytes(self.of_leaf, self.leaf_count)),
        }


def _reals(memory: bytes) -> Any:
    return np.frombuffer(memory, np.float64)


def _numbers(memory: bytes) -> Any:
    return np.frombuffer(memory, np.int32).astype(np.int64)
