# cython: infer_types=True, wraparound=False
"""The evidence for side columns: one row per candidate, one column per feature, numbers from 0 to 1.

A candidate is an outermost narrow part whose middle lies in the outer part of the page. Candidates on the same side
that stand over one another, close and in line, are a *run*; a sidebar is often made of several.
"""

import math
from typing import Any

from parcels.html.tags import lookup
from parcels.layout.areas.names import BIT
from parcels.layout.areas.part_table import Ground

COLUMN_SHARE = 0.40  # of the page's width: a column is not wider
LEFT_SHARE = 0.25  # a left column is a menu; the wider it is from here on, the more likely it is text
OUTER_SHARE = 0.36  # the middle of a side column lies within this share of the page's width from its edge
MIN_LEAVES, MIN_PX = 2, 30.0  # a narrow part of fewer leaves that is lower than this is no column
MAX_NARROW = 150  # the largest narrow parts; a page of ten thousand is a table
LEAF_WEIGHT = 10.0  # letters that a leaf is worth besides its own, since pictures count too
EDGE_SHARE = 0.10  # of the page's width: lines are ragged, so a column's leaves end short of the page's edge
TALL_PX = 300.0
RUN_EDGE, RUN_GAP_PX = 0.08, 60.0  # of the page's width, and px: how far apart the pieces of one column stand
LEVEL_SHARE = 0.3  # of the lower one's height: what shares less of it with a column is not beside it
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


class Sides:
    """The side column candidates of a page: the part and side of each, and the candidate of each leaf."""

    def __init__(self, ground: Ground):
        self.ground, self.count = ground, 0
        self._find_candidates()
        self._add_up()

    def _add_up(self) -> None:
        ground = self.ground
        self.total = 0.0  # letters of the sentences that are seen
        for leaf in range(ground.leaf_count):
            if ground.box[4 * leaf] == ground.box[4 * leaf]:
                self.total += ground.prose[leaf]

    def _find_candidates(self) -> None:
        """Find the narrow parts that may be a side column, and their sides."""
        ground, store = self.ground, self.ground.store
        box = ground.rectangle
        narrow = store.filled_ints(ground.part_count, 0)
        self.of_leaf = store.filled_ints(ground.leaf_count, -1)
        found = ground.outermost(COLUMN_SHARE, True, narrow, self.of_leaf)
        least = 0
        if found > MAX_NARROW:
            sizes = sorted([ground.end[narrow[one]] - ground.first[narrow[one]] for one in range(found)])
            least = sizes[found - MAX_NARROW]  # of the largest, the smallest; of those as small, the first count
        room = MAX_NARROW
        for one in range(found):
            if ground.end[narrow[one]] - ground.first[narrow[one]] > least:
                room -= 1
        self.part, self.is_right = store.filled_ints(found, 0), store.filled_ints(found, 0)
        number = store.filled_ints(found, -1)
        for one in range(found):
            part = narrow[one]
            size, at = ground.end[part] - ground.first[part], 4 * part
            if found > MAX_NARROW and size <= least:
                if size < least or room <= 0:
                    continue
                room -= 1
            if size < MIN_LEAVES and box[at + 3] - box[at + 1] < MIN_PX:
                continue
            middle = (box[at] + box[at + 2]) / 2
            if middle <= OUTER_SHARE or middle >= 1 - OUTER_SHARE:
                number[one] = self.count
                self.part[self.count], self.is_right[self.count] = part, middle > 0.5
                self.count += 1
        for leaf in range(ground.leaf_count):
            if self.of_leaf[leaf] >= 0:
                self.of_leaf[leaf] = number[self.of_leaf[leaf]]

    def write(self, table: Any) -> None:
        """Write the evidence of each candidate to the table, a row a candidate."""
        runs = self._runs()
        for one in range(self.count):
            row = COLUMN_WIDTH * one
            table[row] = 1.0
            self._write_shape(one, table, row)
            table[row + 8] = runs[one]
            self._write_siblings(one, table, row + 9)
            self._write_beside(one, table, row + 11)
            table[row + 18] = self.ground.density[self.part[one]]
            self._write_text(one, table, row + 19)
            self._write_names(one, table, row + 26)

    def _write_shape(self, one: int, table: Any, row: int) -> None:
        """Write the candidate's shape: width, distance from the edge, height, position, and negligibility."""
        ground, box, at = self.ground, self.ground.rectangle, 4 * self.part[one]
        part, is_right = self.part[one], self.is_right[one] != 0
        wide, high = box[at + 2] - box[at], box[at + 3] - box[at + 1]
        from_edge = 1 - box[at + 2] if is_right else box[at]
        low = max(high, 0.0) / -TALL_PX
        table[row + 1] = min(max((COLUMN_SHARE - wide) / COLUMN_SHARE, 0.0), 1.0)
        table[row + 2] = math.exp(max(from_edge, 0.0) / -EDGE_SHARE)
        table[row + 3] = 1 - math.exp(low)
        table[row + 4] = 1.0 if high / ground.height > wide else 0.0
        table[row + 5] = 0.0
        if not is_right:
            table[row + 5] = min(max((wide - LEFT_SHARE) / (COLUMN_SHARE - LEFT_SHARE), 0.0), 1.0)
        table[row + 6] = math.exp(max(box[at + 3], 0.0) / -250.0)
        table[row + 7] = math.exp(max(ground.height - box[at + 1], 0.0) / -250.0)
        # One high advertisement is a column.
        table[row + 20] = math.exp((ground.end[part] - ground.first[part] - 1.0) / -3.0 + low)

    def _runs(self) -> Any:
        """Return for each candidate the height of its run as a share of the page's height."""
        store, count, box, part = self.ground.store, self.count, self.ground.rectangle, self.part
        run = store.filled_ints(count, 0)
        tops, bottoms = store.filled_doubles(count, 1e30), store.filled_doubles(count, -1e30)
        for one in range(count):
            run[one] = one
            for other in range(one):
                if run[other] == run[one] or self.is_right[other] != self.is_right[one]:
                    continue
                if not _is_in_line(self.ground, 4 * part[one], 4 * part[other]):
                    continue
                joined, kept = run[other], run[one]
                for member in range(one):
                    if run[member] == joined:
                        run[member] = kept
        found = store.filled_doubles(count, 0.0)
        for one in range(count):
            tops[run[one]] = min(tops[run[one]], box[4 * part[one] + 1])
            bottoms[run[one]] = max(bottoms[run[one]], box[4 * part[one] + 3])
        for one in range(count):
            found[one] = min(max((bottoms[run[one]] - tops[run[one]]) / self.ground.height, 0.0), 1.0)
        return found

    def _write_siblings(self, one: int, table: Any, to: int) -> None:
        """Write two numbers on the candidate's neighbours in the page's tree, towards the middle.

        How wide the widest such part is, and whether one is as wide as the candidate: a column of a grid. Looked at are
        the other parts of the nearest part around the candidate that has any beside it.
        """
        box, parent, last = self.ground.rectangle, self.ground.parent, self.ground.last
        inside, own, is_right = self.part[one], 4 * self.part[one], self.is_right[one] != 0
        left, top, right, bottom = box[own], box[own + 1], box[own + 2], box[own + 3]
        width, widest = max(right - left, 0.05), 0.0
        table[to + 1] = 0.0
        while widest <= 0 and parent[inside] >= 0:
            around = parent[inside]
            sibling = around + 1
            while sibling <= last[around]:
                at = 4 * sibling
                shared = min(bottom, box[at + 3]) - max(top, box[at + 1])
                # Comparisons with NaN are false, so that what is not seen is not beside.
                is_level = shared > 0 and shared >= LEVEL_SHARE * min(bottom - top, box[at + 3] - box[at + 1])
                if is_level and (box[at + 2] <= left + 0.02 if is_right else box[at] >= right - 0.02):
                    wide = box[at + 2] - box[at]
                    widest = max(widest, wide)
                    if 0.8 * width <= wide <= 1.25 * width:
                        table[to + 1] = 1.0
                sibling = last[sibling] + 1
            inside = around
        table[to] = min(widest / width, 3.0) / 3

    def _write_beside(self, one: int, table: Any, to: int) -> None:
        """Write seven numbers on what stands beside the candidate towards the middle.

        How wide; which share of it is wider; its shares of the page's text and of its level; whether it is broad;
        whether there is none; and the share of the level that stands outside.
        """
        ground, box, own = self.ground, self.ground.box, 4 * self.part[one]
        left, top = ground.rectangle[own], ground.rectangle[own + 1]
        right, bottom = ground.rectangle[own + 2], ground.rectangle[own + 3]
        is_right, width = self.is_right[one] != 0, max(right - left, 0.05)
        inner = text = level = widest = wider = outer = 0.0
        for leaf in range(ground.leaf_count):
            at = 4 * leaf
            if not (box[at + 1] < bottom and box[at + 3] > top):
                continue
            weight = ground.letters[leaf] + LEAF_WEIGHT
            level += weight
            is_before, is_behind = box[at + 2] <= left + 0.02, box[at] >= right - 0.02
            if is_before if is_right else is_behind:
                wide = box[at + 2] - box[at]
                inner += weight
                text += ground.prose[leaf]
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

    def _write_text(self, one: int, table: Any, to: int) -> None:
        """Write the candidate's text: sentences, then, one column later, size, items, short and long links, letters."""
        ground, part = self.ground, self.part[one]
        written = sentences = items = short = headlines = 0.0
        for leaf in range(ground.first[part], ground.end[part]):
            size, node = ground.letters[leaf], ground.leaf_node[leaf]
            written += size
            sentences += ground.prose[leaf]
            above = ground.node_parent[node]
            if _IS_ITEM[ground.node_tag[node]] or (above >= 0 and _IS_ITEM[ground.node_tag[above]]):
                items += 1.0
            if ground.is_link[leaf] and ground.is_text[leaf] > 0:
                if size <= SHORT_LINK:
                    short += 1.0
                elif size > LONG_LINK:
                    headlines += 1.0
        count = (ground.end[part] - ground.first[part]) * 1.0
        table[to] = sentences / max(written, 1.0)
        table[to + 2] = min(count / 30, 1.0)
        table[to + 3] = items / count
        table[to + 4] = short / count
        table[to + 5] = headlines / count
        table[to + 6] = min(written / count / 100, 1.0)

    def _write_names(self, one: int, table: Any, to: int) -> None:
        flags = self.ground.flags[self.part[one]]
        for number in range(_PLAIN_COUNT):
            bit: int = _PLAIN_BITS[number]
            table[to + number] = 1.0 if flags & bit else 0.0
        own, other = (_RIGHT_NAME, _LEFT_NAME) if self.is_right[one] else (_LEFT_NAME, _RIGHT_NAME)
        table[to + _PLAIN_COUNT] = 1.0 if flags & own else 0.0
        table[to + _PLAIN_COUNT + 1] = 1.0 if flags & other else 0.0
        table[to + _PLAIN_COUNT + 2] = 1.0 if flags & _SIDE_NAME else 0.0


def _is_in_line(ground: Ground, one: int, other: int) -> bool:
    """Return whether two candidates stand above one another, close, with a common left or right edge."""
    box = ground.rectangle
    is_left_alike = -RUN_EDGE <= box[one] - box[other] <= RUN_EDGE
    is_right_alike = -RUN_EDGE <= box[one + 2] - box[other + 2] <= RUN_EDGE
    if not (is_left_alike or is_right_alike):
        return False
    shared = min(box[one + 2], box[other + 2]) - max(box[one], box[other])
    if shared < 0.5 * min(box[one + 2] - box[one], box[other + 2] - box[other]):
        return False
    gap = max(box[one + 1], box[other + 1]) - min(box[one + 3], box[other + 3])
    return bool(gap <= RUN_GAP_PX)
