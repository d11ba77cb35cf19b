# cython: infer_types=True, wraparound=False
"""The evidence for side columns: one row per candidate, one column per feature, numbers from 0 to 1.

A candidate is an outermost narrow part whose middle lies in the outer part of the page. Candidates on the same side
that are stacked closely and in line are a *run*; a sidebar is often made of several.
"""

import math
from typing import Any

from parcels.html.tags import lookup
from parcels.layout.areas.names import BIT
from parcels.layout.areas.part_table import PartTable

COLUMN_SHARE = 0.40  # of the page's width: a column is not wider
LEFT_SHARE = 0.25  # a left column is a menu; the wider it is from here on, the more likely it is text
OUTER_SHARE = 0.36  # the middle of a side column lies within this share of the page's width from its edge
MIN_LEAVES, MIN_PX = 2, 30.0  # a narrow part of fewer leaves that is lower than this is no column
MAX_NARROW = 150  # the largest narrow parts; a page of ten thousand is a table
LEAF_WEIGHT = 10.0  # letters added per leaf, since pictures count too
EDGE_SHARE = 0.10  # of the page's width: lines are ragged, so a column's leaves end short of the page's edge
TALL_PX = 300.0
RUN_EDGE, RUN_GAP_PX = 0.08, 60.0  # of the page's width, and px: how far apart the pieces of one column stand
LEVEL_SHARE = 0.3  # of the lower one's height: parts that share less of it are not beside each other
SHORT_LINK, LONG_LINK = 30, 40  # letters: an entry of a menu is not longer, a headline is

_PLAIN = (
    *("nav_name", "nav_tag", "header_name", "header_tag", "footer_name", "footer_tag"),
    *("article_tag", "main_tag", "content_name"),
)
COLUMN_NAMES = (
    *("bias", "narrow", "outer", "tall", "slim", "wide_left", "ends_high", "begins_low", "run_high"),
    *("sibling_wide", "sibling_equal", "beside_wide", "beside_wider", "beside_text", "beside_share", "beside_broad"),
    *("alone", "more_outside"),
    *("links", "long_text", "few", "many", "items", "short_links", "long_links", "wordy"),
    *_PLAIN,
    *("own_side_name", "other_side_name", "side_name"),
)
_PLAIN_BITS = [BIT[name] for name in _PLAIN]
_PLAIN_COUNT = len(_PLAIN)
_LEFT_NAME, _RIGHT_NAME, _SIDE_NAME = BIT["left_name"], BIT["right_name"], BIT["side_name"] | BIT["aside_tag"]
_IS_ITEM = bytes(lookup("li dt dd").tolist())
COLUMN_WIDTH = len(COLUMN_NAMES)


class ColumnEvidence:
    """The side column candidates of a page: the part and side of each, and the candidate of each leaf."""

    def __init__(self, page_parts: PartTable):
        self.page_parts, self.count = page_parts, 0
        self._find_candidates()
        self._add_up()

    def _add_up(self) -> None:
        page_parts = self.page_parts
        self.total = 0.0  # letters of the visible sentences
        for leaf in range(page_parts.leaf_count):
            if page_parts.box[4 * leaf] == page_parts.box[4 * leaf]:
                self.total += page_parts.prose[leaf]

    def _find_candidates(self) -> None:
        """Find the narrow parts that may be a side column, and their sides."""
        page_parts, store = self.page_parts, self.page_parts.store
        box = page_parts.rectangle
        narrow = store.filled_ints(page_parts.part_count, 0)
        self.of_leaf = store.filled_ints(page_parts.leaf_count, -1)
        narrow_count = page_parts.outermost(COLUMN_SHARE, True, narrow, self.of_leaf)
        least = 0
        if narrow_count > MAX_NARROW:
            sizes = sorted(
                [
                    page_parts.end[narrow[candidate]] - page_parts.first[narrow[candidate]]
                    for candidate in range(narrow_count)
                ]
            )
            least = sizes[narrow_count - MAX_NARROW]  # of the largest, the smallest; of those as small, the first count
        room = MAX_NARROW
        for candidate in range(narrow_count):
            if page_parts.end[narrow[candidate]] - page_parts.first[narrow[candidate]] > least:
                room -= 1
        self.part, self.is_right = store.filled_ints(narrow_count, 0), store.filled_ints(narrow_count, 0)
        number = store.filled_ints(narrow_count, -1)
        for candidate in range(narrow_count):
            part = narrow[candidate]
            size, at = page_parts.end[part] - page_parts.first[part], 4 * part
            if narrow_count > MAX_NARROW and size <= least:
                if size < least or room <= 0:
                    continue
                room -= 1
            if size < MIN_LEAVES and box[at + 3] - box[at + 1] < MIN_PX:
                continue
            middle = (box[at] + box[at + 2]) / 2
            if middle <= OUTER_SHARE or middle >= 1 - OUTER_SHARE:
                number[candidate] = self.count
                self.part[self.count], self.is_right[self.count] = part, middle > 0.5
                self.count += 1
        for leaf in range(page_parts.leaf_count):
            if self.of_leaf[leaf] >= 0:
                self.of_leaf[leaf] = number[self.of_leaf[leaf]]

    def write(self, table: Any) -> None:
        """Write the evidence of each candidate to the table, one row per candidate."""
        runs = self._runs()
        for candidate in range(self.count):
            row = COLUMN_WIDTH * candidate
            table[row] = 1.0
            self._write_shape(candidate, table, row)
            table[row + 8] = runs[candidate]
            self._write_siblings(candidate, table, row + 9)
            self._write_beside(candidate, table, row + 11)
            table[row + 18] = self.page_parts.density[self.part[candidate]]
            self._write_text(candidate, table, row + 19)
            self._write_names(candidate, table, row + 26)

    def _write_shape(self, candidate: int, table: Any, row: int) -> None:
        """Write the candidate's shape: width, distance from the edge, height, position, and negligibility."""
        page_parts, box, at = self.page_parts, self.page_parts.rectangle, 4 * self.part[candidate]
        part, is_right = self.part[candidate], self.is_right[candidate] != 0
        wide, high = box[at + 2] - box[at], box[at + 3] - box[at + 1]
        from_edge = 1 - box[at + 2] if is_right else box[at]
        low = max(high, 0.0) / -TALL_PX
        table[row + 1] = min(max((COLUMN_SHARE - wide) / COLUMN_SHARE, 0.0), 1.0)
        table[row + 2] = math.exp(max(from_edge, 0.0) / -EDGE_SHARE)
        table[row + 3] = 1 - math.exp(low)
        table[row + 4] = 1.0 if high / page_parts.height > wide else 0.0
        table[row + 5] = 0.0
        if not is_right:
            table[row + 5] = min(max((wide - LEFT_SHARE) / (COLUMN_SHARE - LEFT_SHARE), 0.0), 1.0)
        table[row + 6] = math.exp(max(box[at + 3], 0.0) / -250.0)
        table[row + 7] = math.exp(max(page_parts.height - box[at + 1], 0.0) / -250.0)
        # One high advertisement is a column.
        table[row + 20] = math.exp((page_parts.end[part] - page_parts.first[part] - 1.0) / -3.0 + low)

    def _runs(self) -> Any:
        """Return for each candidate the height of its run as a share of the page's height."""
        store, count, box, part = self.page_parts.store, self.count, self.page_parts.rectangle, self.part
        run = store.filled_ints(count, 0)
        tops, bottoms = store.filled_doubles(count, 1e30), store.filled_doubles(count, -1e30)
        for candidate in range(count):
            run[candidate] = candidate
            for other in range(candidate):
                if run[other] == run[candidate] or self.is_right[other] != self.is_right[candidate]:
                    continue
                if not _is_in_line(self.page_parts, 4 * part[candidate], 4 * part[other]):
                    continue
                joined, kept = run[other], run[candidate]
                for member in range(candidate):
                    if run[member] == joined:
                        run[member] = kept
        heights = store.filled_doubles(count, 0.0)
        for candidate in range(count):
            tops[run[candidate]] = min(tops[run[candidate]], box[4 * part[candidate] + 1])
            bottoms[run[candidate]] = max(bottoms[run[candidate]], box[4 * part[candidate] + 3])
        for candidate in range(count):
            heights[candidate] = min(
                max((bottoms[run[candidate]] - tops[run[candidate]]) / self.page_parts.height, 0.0), 1.0
            )
        return heights

    def _write_siblings(self, candidate: int, table: Any, to: int) -> None:
        """Write two numbers on the candidate's neighbours in the page's tree, towards the middle.

        How wide the widest such part is, and whether one is as wide as the candidate: a column of a grid. Looked at are
        the other parts of the nearest part around the candidate that has any beside it.
        """
        box, parent, last = self.page_parts.rectangle, self.page_parts.parent, self.page_parts.last
        inside, own, is_right = self.part[candidate], 4 * self.part[candidate], self.is_right[candidate] != 0
        left, top, right, bottom = box[own], box[own + 1], box[own + 2], box[own + 3]
        width, widest = max(right - left, 0.05), 0.0
        table[to + 1] = 0.0
        while widest <= 0 and parent[inside] >= 0:
            around = parent[inside]
            sibling = around + 1
            while sibling <= last[around]:
                at = 4 * sibling
                shared = min(bottom, box[at + 3]) - max(top, box[at + 1])
                # Comparisons with NaN are false, so invisible parts are not beside.
                is_level = shared > 0 and shared >= LEVEL_SHARE * min(bottom - top, box[at + 3] - box[at + 1])
                if is_level and (box[at + 2] <= left + 0.02 if is_right else box[at] >= right - 0.02):
                    wide = box[at + 2] - box[at]
                    widest = max(widest, wide)
                    if 0.8 * width <= wide <= 1.25 * width:
                        table[to + 1] = 1.0
                sibling = last[sibling] + 1
            inside = around
        table[to] = min(widest / width, 3.0) / 3

    def _write_beside(self, candidate: int, table: Any, to: int) -> None:
        """Write seven numbers on what stands beside the candidate towards the middle.

        How wide; which share of it is wider; its shares of the page's text and of its level; whether it is broad;
        whether there is none; and the share of the level that is outside.
        """
        page_parts, box, own = self.page_parts, self.page_parts.box, 4 * self.part[candidate]
        left, top = page_parts.rectangle[own], page_parts.rectangle[own + 1]
        right, bottom = page_parts.rectangle[own + 2], page_parts.rectangle[own + 3]
        is_right, width = self.is_right[candidate] != 0, max(right - left, 0.05)
        inner = text = level = widest = wider = outer = 0.0
        for leaf in range(page_parts.leaf_count):
            at = 4 * leaf
            if not (box[at + 1] < bottom and box[at + 3] > top):
                continue
            weight = page_parts.letters[leaf] + LEAF_WEIGHT
            level += weight
            is_before, is_behind = box[at + 2] <= left + 0.02, box[at] >= right - 0.02
            if is_before if is_right else is_behind:
                wide = box[at + 2] - box[at]
                inner += weight
                text += page_parts.prose[leaf]
                widest = max(widest, wide)
                if wide > 1.3 * width:
                    wider += weight
            if is_behind if is_right else is_before:
                outer += weight
        level = max(level, 1.0)
        table[to] = min(widest / width, 3.0) / 3
        table[to + 1] = wider / max(inner, 1.0)
        table[to + 2] = text / max(self.total, 1.0)
        table[to + 3] = inner / level
        table[to + 4] = 1.0 if widest >= 0.3 else 0.0
        table[to + 5] = 1.0 if inner <= 0 else 0.0
        table[to + 6] = outer / level

    def _write_text(self, candidate: int, table: Any, to: int) -> None:
        """Write the candidate's text: sentences, then, one column later, size, items, short and long links, letters."""
        page_parts, part = self.page_parts, self.part[candidate]
        written = sentences = items = short = headlines = 0.0
        for leaf in range(page_parts.first[part], page_parts.end[part]):
            size, node = page_parts.letters[leaf], page_parts.leaf_node[leaf]
            written += size
            sentences += page_parts.prose[leaf]
            above = page_parts.node_parent[node]
            if _IS_ITEM[page_parts.node_tag[node]] or (above >= 0 and _IS_ITEM[page_parts.node_tag[above]]):
                items += 1.0
            if page_parts.is_link[leaf] and page_parts.is_text[leaf] > 0:
                if size <= SHORT_LINK:
                    short += 1.0
                elif size > LONG_LINK:
                    headlines += 1.0
        count = (page_parts.end[part] - page_parts.first[part]) * 1.0
        table[to] = sentences / max(written, 1.0)
        table[to + 2] = min(count / 30, 1.0)
        table[to + 3] = items / count
        table[to + 4] = short / count
        table[to + 5] = headlines / count
        table[to + 6] = min(written / count / 100, 1.0)

    def _write_names(self, candidate: int, table: Any, to: int) -> None:
        flags = self.page_parts.flags[self.part[candidate]]
        for number in range(_PLAIN_COUNT):
            bit: int = _PLAIN_BITS[number]
            table[to + number] = 1.0 if flags & bit else 0.0
        own, other = (_RIGHT_NAME, _LEFT_NAME) if self.is_right[candidate] else (_LEFT_NAME, _RIGHT_NAME)
        table[to + _PLAIN_COUNT] = 1.0 if flags & own else 0.0
        table[to + _PLAIN_COUNT + 1] = 1.0 if flags & other else 0.0
        table[to + _PLAIN_COUNT + 2] = 1.0 if flags & _SIDE_NAME else 0.0


def _is_in_line(page_parts: PartTable, candidate: int, other: int) -> bool:
    """Return whether two candidates stand above one another, close, with a common left or right edge."""
    box = page_parts.rectangle
    is_left_alike = -RUN_EDGE <= box[candidate] - box[other] <= RUN_EDGE
    is_right_alike = -RUN_EDGE <= box[candidate + 2] - box[other + 2] <= RUN_EDGE
    if not (is_left_alike or is_right_alike):
        return False
    shared = min(box[candidate + 2], box[other + 2]) - max(box[candidate], box[other])
    if shared < 0.5 * min(box[candidate + 2] - box[candidate], box[other + 2] - box[other]):
        return False
    gap = max(box[candidate + 1], box[other + 1]) - min(box[candidate + 3], box[other + 3])
    return bool(gap <= RUN_GAP_PX)
