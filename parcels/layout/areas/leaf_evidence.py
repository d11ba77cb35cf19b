# cython: infer_types=True, wraparound=False
"""The evidence for header and footer: one row per leaf, one column per feature, numbers from 0 to 1.

The evidence is about the leaf's position: its own rectangle; the outermost *strip* (a part around it that is low,
such as a header or a footer; *mute* if it holds little, and neither links nor legal words); the text before and
after it; the names of the parts around it, and where a part named footer ends.
"""

import math
from typing import Any

from parcels.layout.areas.names import BIT, FLAGS
from parcels.layout.areas.notices import find_notices
from parcels.layout.areas.part_table import PartTable

STRIP_SHARE = 0.30  # of the page's height: a strip is not higher
STRIP_PX = 120.0  # and any that is no higher than this is one
_SHORT = 300  # letters: a longer text is no legal notice or link to one
_PLACE = ("bias", "top_near", "top_far", "bottom_near", "bottom_far", "down", "unseen")
_ENDS = ("first", "early", "last", "late", "footer_ends_low")
_ORDER = ("rank", "no_text_before", "no_text_after", "text_before", "rights", "after_rights")
_STRIP = (
    *("strip", "strip_wide", "strip_top_near", "strip_top_far", "strip_ends_high", "strip_bottom_near"),
    *(
        "strip_bottom_far",
        "strip_begins_low",
        "strip_mute",
        "strip_links",
        "strip_share",
        "strip_above_text",
        "strip_below_text",
    ),
    "strip_legal",
)
_SINGLE = (*_PLACE, *_ENDS, *_ORDER, *_STRIP, *FLAGS, "is_link", "is_long", "is_text", "is_image")
_PAIRS = (
    ("header_name", "top_far"),
    ("header_tag", "top_far"),
    ("header_name", "first"),
    ("footer_tag", "late"),
    ("nav_name", "strip_ends_high"),
    ("nav_name", "top_far"),
    ("strip_links", "strip_ends_high"),
    ("strip_links", "strip_bottom_far"),
    ("strip_above_text", "top_far"),
    ("strip_below_text", "bottom_far"),
    ("no_text_before", "top_far"),
    ("no_text_after", "bottom_far"),
    ("content_name", "top_far"),
    ("content_name", "bottom_far"),
)
LEAF_NAMES = (*_SINGLE, *(f"{one} x {other}" for one, other in _PAIRS))
_FIRSTS = bytes(_SINGLE.index(one) for one, _ in _PAIRS)
_SECONDS = bytes(_SINGLE.index(other) for _, other in _PAIRS)
_FOOTER = BIT["footer_tag"] | BIT["footer_name"]
_FLAG_COUNT, _PAIR_COUNT = len(FLAGS), len(_PAIRS)
LEAF_WIDTH = len(LEAF_NAMES)


class LeafEvidence:
    """The evidence for header and footer of a page whose parts have their flags."""

    def __init__(self, page_parts: PartTable):
        self.page_parts = page_parts
        self._find_notices()
        self._find_footers()
        self._find_ends()
        self._find_edges()
        self._find_strips()

    def _find_notices(self) -> None:
        self.has_rights, self.is_legal = find_notices(self.page_parts.texts, _SHORT)

    def _find_footers(self) -> None:
        """Find for each part the outermost enclosing part (or itself) that is named a footer; -1 for none."""
        page_parts, store = self.page_parts, self.page_parts.store
        footers = self.footer = store.filled_ints(page_parts.part_count, -1)
        for part in range(page_parts.part_count):
            if page_parts.parent[part] >= 0:
                footers[part] = footers[page_parts.parent[part]]
            if footers[part] < 0 and page_parts.flags[part] & _FOOTER:
                footers[part] = part

    def _find_ends(self) -> None:
        """Compute each leaf's closeness to the first leaf and to the last one, by its number."""
        store, count = self.page_parts.store, self.page_parts.leaf_count
        self.first, self.early = store.filled_doubles(count, 0.0), store.filled_doubles(count, 0.0)
        for leaf in range(count):
            self.first[leaf], self.early[leaf] = math.exp(leaf / -8.0), math.exp(leaf / -30.0)

    def _find_edges(self) -> None:
        """Find where the page's sentences begin and end, without the first and last 5 % of their letters."""
        page_parts = self.page_parts
        tops, bottoms = [], []
        total = 0.0
        for leaf in range(page_parts.leaf_count):
            letters = page_parts.prose[leaf]
            if letters > 0 and page_parts.box[4 * leaf + 1] == page_parts.box[4 * leaf + 1]:
                tops.append((page_parts.box[4 * leaf + 1], letters))
                bottoms.append((page_parts.box[4 * leaf + 3], letters))
                total += letters
        if tops:
            self.texts_from, self.texts_to = _reached(tops, 0.05 * total), _reached(bottoms, 0.95 * total)
        else:
            self.texts_from, self.texts_to = 0.35 * page_parts.height, 0.8 * page_parts.height

    def _find_strips(self) -> None:
        """Compute 14 numbers per strip, and the strip of each leaf; -1 for none."""
        page_parts, store, height = self.page_parts, self.page_parts.store, self.page_parts.height
        around, parts = page_parts.rectangle, page_parts.part_count
        legal, linked = store.filled_ints(parts, 0), store.filled_ints(parts, 0)
        for leaf in range(page_parts.leaf_count):
            legal[page_parts.of_leaf[leaf]] += self.is_legal[leaf]
            linked[page_parts.of_leaf[leaf]] += page_parts.is_link[leaf]
        for part in range(parts - 1, 0, -1):
            if page_parts.parent[part] >= 0:
                legal[page_parts.parent[part]] += legal[part]
                linked[page_parts.parent[part]] += linked[part]
        chosen = store.filled_ints(parts, 0)
        self.of_leaf = store.filled_ints(page_parts.leaf_count, -1)
        count = page_parts.outermost(max(STRIP_SHARE * height, STRIP_PX), False, chosen, self.of_leaf)
        strips = self.strips = store.filled_doubles(14 * count, 0.0)
        for number in range(count):
            part, at = chosen[number], 14 * number
            top, bottom = around[4 * part + 1], around[4 * part + 3]
            up = max(height - bottom, 0.0)
            strips[at] = 1.0
            strips[at + 1] = min(max(around[4 * part + 2] - around[4 * part], 0.0), 1.0)
            strips[at + 2] = math.exp(max(top, 0.0) / -80.0)
            strips[at + 3] = math.exp(max(top, 0.0) / -300.0)
            strips[at + 4] = math.exp(max(bottom, 0.0) / -250.0)
            strips[at + 5] = math.exp(up / -80.0)
            strips[at + 6] = math.exp(up / -300.0)
            strips[at + 7] = math.exp(max(height - top, 0.0) / -250.0)
            if not linked[part] and not legal[part]:  # mute
                strips[at + 8] = math.exp((page_parts.share[part] * page_parts.leaf_count - 1.0) / -2.0)
            strips[at + 9] = page_parts.density[part]
            strips[at + 10] = min(page_parts.share[part], 0.5) * 2
            strips[at + 11] = 1.0 if bottom <= self.texts_from + 5 else 0.0
            strips[at + 12] = 1.0 if top >= self.texts_to - 5 else 0.0
            strips[at + 13] = 1.0 if legal[part] else 0.0

    def write(self, table: Any) -> None:
        """Write the evidence of each leaf to the table, one row per leaf.

        An invisible leaf takes the position of the nearest part around it.
        """
        page_parts, height, count = self.page_parts, self.page_parts.height, self.page_parts.leaf_count
        box, around, prose = page_parts.box, page_parts.rectangle, page_parts.prose
        total = 0.0
        for leaf in range(count):
            total += prose[leaf]
        has_long, total = total > 0, max(total, 1.0)
        late = count
        for leaf in range(count // 2 + count % 2, count):
            if self.has_rights[leaf]:
                late = leaf
                break
        so_far = 0.0
        for leaf in range(count):
            row, part = LEAF_WIDTH * leaf, page_parts.of_leaf[leaf]
            top, bottom = box[4 * leaf + 1], box[4 * leaf + 3]
            table[row] = 1.0
            table[row + 6] = 0.0
            if top != top:
                holder = part
                while holder > 0 and around[4 * holder + 1] != around[4 * holder + 1]:
                    holder = page_parts.parent[holder]
                top, bottom = around[4 * holder + 1], around[4 * holder + 3]
                if top != top:
                    top = bottom = 0.5
                table[row + 6] = 1.0
            up = height - bottom
            table[row + 1] = math.exp(max(top, 0.0) / -80.0)
            table[row + 2] = math.exp(max(top, 0.0) / -300.0)
            table[row + 3] = math.exp(max(up, 0.0) / -80.0)
            table[row + 4] = math.exp(max(up, 0.0) / -300.0)
            table[row + 5] = min(max(top / height, 0.0), 1.0)
            table[row + 7], table[row + 8] = self.first[leaf], self.early[leaf]
            table[row + 9], table[row + 10] = self.first[count - 1 - leaf], self.early[count - 1 - leaf]
            table[row + 11] = 0.0
            if self.footer[part] >= 0:
                lowest = around[4 * self.footer[part] + 3]
                if lowest == lowest:
                    table[row + 11] = math.exp(max(height - lowest, 0.0) / -300.0)
            table[row + 12] = leaf / (count * 1.0)
            before = so_far / total
            so_far += prose[leaf]
            after = (total - so_far) / total if has_long else 0.0
            table[row + 13] = 1.0 if before <= 0.01 else 0.0
            table[row + 14] = 1.0 if after <= 0.01 else 0.0
            table[row + 15] = before
            table[row + 16] = 1.0 if self.has_rights[leaf] else 0.0
            table[row + 17] = 1.0 if leaf >= late else 0.0
            strip = 14 * self.of_leaf[leaf]
            for at in range(14):
                table[row + 18 + at] = self.strips[strip + at] if strip >= 0 else 0.0
            flags = page_parts.flags[part]
            for at in range(_FLAG_COUNT):
                table[row + 32 + at] = (flags >> at) & 1
            own = row + 32 + _FLAG_COUNT
            table[own] = page_parts.is_link[leaf]
            table[own + 1] = 1.0 if prose[leaf] > 0 else 0.0
            table[own + 2] = page_parts.is_text[leaf]
            table[own + 3] = 1.0 if page_parts.kinds[leaf] == "img" else 0.0
            for at in range(_PAIR_COUNT):
                table[own + 4 + at] = table[row + _FIRSTS[at]] * table[row + _SECONDS[at]]


def _reached(places: list[tuple[float, float]], share: float) -> float:
    """Return the place by which so many letters have been passed, from the lowest number on."""
    places.sort()
    so_far = reached = 0.0
    for place, letters in places:
        so_far += letters
        reached = place
        if so_far >= share:
            break
    return reached
