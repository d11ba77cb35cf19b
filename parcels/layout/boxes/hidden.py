# cython: boundscheck=True, wraparound=False
"""Leaves that a reader cannot see, and why: the paper's note on cheating search engines (Kovacevic et al. 2003, 1).

Such leaves are kept and marked. In doubt a leaf counts as visible: behind a background image, a half-transparent colour
or a positioned box.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.css.style import Display, Position, Styles, Unit
from parcels.html.page import Page
from parcels.html.tags import lookup
from parcels.layout.boxes import Boxes

# The reasons why a reader cannot see a leaf, by priority.
REASONS = (None, "display", "visibility", "size", "off-screen", "colour", "covered")
MIN_VISIBLE_PX = 1.0  # narrower or lower leaves are invisible
MIN_FONT_PX = 2.0
MIN_OPACITY = 0.01
OPAQUE = 0.95
ALIKE = 8  # of 255: two colours whose parts differ by no more look the same
MAX_COVERS = 1000  # boxes tested for covering leaves, the largest of a page
WHITE = 0xFFFFFF  # the canvas
ALPHA_OPAQUE = round(OPAQUE * 255)
_IS_PICTURE = lookup("img video iframe embed canvas").view("u1")
# Elements whose overflow: hidden clips nothing: that of the root and the body applies to the viewport.
_CUTS_NOTHING = lookup("html body img video audio iframe embed canvas object svg input textarea select").view("u1")

# Numbers in REASONS; CUT is temporary, until it is known whether the leaf is off the screen.
_SHOWN, _DISPLAY, _VISIBILITY, _SIZE, _OFF_SCREEN, _COLOUR, _COVERED, _CUT = range(8)
_UNKNOWN = -1  # the colour behind a text
_NONE, _PX = int(Display.NONE), int(Unit.PX)
_STATIC, _RELATIVE, _ABSOLUTE, _FIXED = (
    int(kind) for kind in (Position.STATIC, Position.RELATIVE, Position.ABSOLUTE, Position.FIXED)
)


def hidden_reasons(page: Page, styles: Styles, nodes: Boxes, leaves: Boxes) -> tuple[str | None, ...]:
    """Return each leaf's first reason of display, visibility, size, off-screen, colour, covered, or None."""
    if not len(page.leaves):
        return ()
    reasons, boxes = np.zeros(len(leaves), np.int8), np.empty(leaves.shape, np.float32)
    leaf_table = _LeafTable(page, styles, nodes, reasons, boxes)
    leaf_table.read_boxes(leaves)
    leaf_table.mark_cut_off()
    leaf_table.mark_small_or_off_screen()
    leaf_table.mark_same_colour()
    covers = leaf_table.covers()
    if covers:
        reasons[_covered(page, styles, nodes, boxes, np.array(covers, np.intp), reasons == 0)] = _COVERED
    return tuple(leaf_table.names())


class _LeafTable:
    """The leaves of a page, the styles of their nodes, and the reasons determined so far."""

    def __init__(self, page: Page, styles: Styles, nodes: Boxes, reasons: NDArray[np.int8], boxes: Boxes):
        self.tag, self.parent, self.last = page.nodes.tag, page.nodes.parent, page.nodes.last
        self.first_leaf, self.end_leaf = page.nodes.first_leaf, page.nodes.end_leaf
        self.node, self.kinds = page.leaves.node, page.leaves.kind
        self.count, self.leaf_count = len(page.nodes), len(page.leaves)
        self.nodes, self.reasons, self.boxes = nodes, reasons, boxes
        self.display, self.position, self.z_index = styles.display, styles.position, styles.z_index
        self.is_visible, self.opacity = styles.is_visible.view("u1"), styles.opacity
        self.is_clipped, self.hides_overflow = styles.clip_hidden.view("u1"), styles.overflow_hidden.view("u1")
        self.font_size, self.colour, self.background = styles.font_size, styles.colour, styles.background
        self.has_picture = styles.has_background_image.view("u1")
        self.width_unit, self.height_unit = styles.width.unit, styles.height.unit

    def read_boxes(self, boxes: Boxes) -> None:
        """Store the leaves' boxes with 0 in place of NaN; mark leaves that have none or are transparent."""
        for leaf in range(self.leaf_count):
            node = self.node[leaf]
            for side in range(4):
                number = boxes[leaf, side]
                self.boxes[leaf, side] = number if number == number else 0.0
            if boxes[leaf, 0] != boxes[leaf, 0] or self.display[node] == _NONE:
                self.reasons[leaf] = _DISPLAY
            elif not self.is_visible[node] or self.opacity[node] < MIN_OPACITY:
                self.reasons[leaf] = _VISIBILITY

    def mark_cut_off(self) -> None:
        """Mark leaves of which nothing lies inside a box around them that is clipped or hides what overflows it."""
        is_out = np.empty(self.leaf_count, np.uint8)
        for row in range(self.count):
            if not (self.is_clipped[row] or self.hides_overflow[row]) or self.display[row] == _NONE:
                continue
            if self.end_leaf[row] <= self.first_leaf[row]:
                continue
            if self.is_clipped[row]:
                for leaf in range(self.first_leaf[row], self.end_leaf[row]):
                    self._mark_cut(leaf)
            if self.hides_overflow[row] and not _CUTS_NOTHING[self.tag[row]] and self.nodes[row, 2] >= 0:
                self._cut_by(row, is_out)

    def _mark_cut(self, leaf: int) -> None:
        if self.reasons[leaf] == _SHOWN:
            self.reasons[leaf] = _CUT

    def _cut_by(self, row: int, is_out: NDArray[np.uint8]) -> None:
        """Mark what a box cuts off."""
        left, top = self.nodes[row, 0], self.nodes[row, 1]
        right, bottom = left + self.nodes[row, 2], top + self.nodes[row, 3]
        has_any = False
        for leaf in range(self.first_leaf[row], self.end_leaf[row]):
            x, y = self.boxes[leaf, 0], self.boxes[leaf, 1]
            end_x, end_y = x + self.boxes[leaf, 2], y + self.boxes[leaf, 3]
            # Comparisons with NaN are false, and NaN is what is taken in their place.
            end_x, end_y = end_x if end_x < right else right, end_y if end_y < bottom else bottom
            x, y = x if x > left else left, y if y > top else top
            is_out[leaf] = end_x - x < MIN_VISIBLE_PX or end_y - y < MIN_VISIBLE_PX
            has_any = has_any or is_out[leaf] != 0
        if has_any:
            self._release_absolute(row, is_out)
            for leaf in range(self.first_leaf[row], self.end_leaf[row]):
                if is_out[leaf]:
                    self._mark_cut(leaf)

    def _release_absolute(self, row: int, is_out: NDArray[np.uint8]) -> None:
        """Take back the marks of absolute boxes that are held from farther up: only what holds them cuts them off."""
        if self.position[row] != _STATIC:
            return
        visited = 0
        for free in range(row, self.last[row] + 1):
            if self.position[free] != _ABSOLUTE and self.position[free] != _FIXED:
                continue
            visited += 1
            if visited > MAX_COVERS:
                return
            over = self.parent[free]
            while over > row and self.position[over] == _STATIC:
                over = self.parent[over]
            if over <= row:
                for leaf in range(self.first_leaf[free], self.end_leaf[free]):
                    is_out[leaf] = 0

    def mark_small_or_off_screen(self) -> None:
        """Mark what is too small to be seen and what lies left of the screen or above it."""
        for leaf in range(self.leaf_count):
            reason, wide, high = self.reasons[leaf], self.boxes[leaf, 2], self.boxes[leaf, 3]
            if reason in (_DISPLAY, _VISIBILITY):
                continue
            is_off = self.boxes[leaf, 0] + wide <= 0 or self.boxes[leaf, 1] + high <= 0
            is_tiny = self.font_size[self.node[leaf]] < MIN_FONT_PX and self.kinds[leaf] == "text"
            if wide < MIN_VISIBLE_PX or high < MIN_VISIBLE_PX or is_tiny or (reason == _CUT and not is_off):
                self.reasons[leaf] = _SIZE
            elif is_off:
                self.reasons[leaf] = _OFF_SCREEN

    def mark_same_colour(self) -> None:
        """Mark texts in the colour of what is behind them, or in no colour at all."""
        backdrop = self._backdrops()
        for leaf in range(self.leaf_count):
            node = self.node[leaf]
            ink = self.colour[node]
            if self.reasons[leaf] != _SHOWN or self.kinds[leaf] != "text":
                continue
            if (ink & 0xFF) <= 2 or (backdrop[node] != _UNKNOWN and _are_alike(ink >> 8, backdrop[node])):
                self.reasons[leaf] = _COLOUR

    def _backdrops(self) -> NDArray[np.int32]:
        """Return the colour (0xRRGGBB) behind each node's text."""
        backdrop = colours = np.empty(self.count, np.int32)
        for row in range(self.count):
            alpha = self.background[row] & 0xFF
            if self.has_picture[row]:
                backdrop[row] = _UNKNOWN
            elif alpha >= ALPHA_OPAQUE:
                backdrop[row] = self.background[row] >> 8
            elif alpha or self.position[row] == _ABSOLUTE or self.position[row] == _FIXED:
                backdrop[row] = _UNKNOWN
            else:
                backdrop[row] = backdrop[self.parent[row]] if self.parent[row] >= 0 else WHITE
        return colours

    def covers(self) -> list[int]:
        """Return the opaque boxes that are placed over others."""
        covers = []
        for row in range(self.count):
            position = self.position[row]
            if position == _STATIC or self.display[row] == _NONE or self.is_clipped[row] or not self.is_visible[row]:
                continue
            level = self.z_index[row] if self.z_index[row] == self.z_index[row] else 0.0
            if level < 0 or not self.opacity[row] > OPAQUE:
                continue
            if not (position in (_ABSOLUTE, _FIXED) or (position == _RELATIVE and level > 0)):
                continue
            if not self._is_opaque(row):
                continue
            if self.nodes[row, 2] > MIN_VISIBLE_PX and self.nodes[row, 3] > MIN_VISIBLE_PX:
                covers.append(row)
        return covers

    def names(self) -> list[str | None]:
        """Return the names of the leaves' reasons."""
        names = []
        for leaf in range(self.leaf_count):
            names.append(REASONS[self.reasons[leaf]])
        return names

    def _is_opaque(self, row: int) -> bool:
        """Return whether a box has an opaque background or is a picture.

        A picture counts where the page states its size; others may be of any size, or gone.
        """
        if (self.background[row] & 0xFF) >= ALPHA_OPAQUE:
            return True
        is_picture: bool = _IS_PICTURE[self.tag[row]] != 0
        return is_picture and self.width_unit[row] == _PX and self.height_unit[row] == _PX


def _are_alike(one: int, other: int) -> bool:
    """Return whether two colours (0xRRGGBB) look the same."""
    for shift in range(0, 24, 8):  # noqa: SIM110 - a generator would not be compiled to a loop
        if abs(((one >> shift) & 0xFF) - ((other >> shift) & 0xFF)) > ALIKE:
            return False
    return True


def _covered(
    page: Page,
    styles: Styles,
    nodes: Boxes,
    boxes: Boxes,
    covers: NDArray[np.intp],
    is_candidate: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return which leaves lie wholly below an opaque box that is placed over them and does not hold them."""
    is_covered = np.zeros(len(boxes), np.bool_)
    if not len(covers) or not is_candidate.any():
        return is_covered
    if len(covers) > MAX_COVERS:
        covers = np.sort(covers[np.argsort(-(nodes[covers, 2] * nodes[covers, 3]))[:MAX_COVERS]])
    candidates = is_candidate.nonzero()[0]
    candidates = candidates[np.argsort(boxes[candidates, 1], kind="stable")]
    tops, places = boxes[candidates, 1], nodes[covers].astype(np.float64)
    lows = np.searchsorted(tops, places[:, 1] - 1)
    ends = np.searchsorted(tops, places[:, 1] + places[:, 3])
    level = None
    for cover, (left, top, wide, high), low, end in zip(
        covers.tolist(), places.tolist(), lows.tolist(), ends.tolist(), strict=True
    ):
        if low >= end:
            continue
        near = candidates[low:end]
        x, y, w, h = boxes[near].T
        row = page.leaves.node[near]
        is_in = (x >= left - 1) & (x + w <= left + wide + 1) & (y + h <= top + high + 1)
        is_in &= (row < cover) | (row > page.nodes.last[cover])  # the box does not cover its own content
        if is_in.any():
            level = _levels(page, styles) if level is None else level
            near, row = near[is_in], row[is_in]
            is_covered[near[(level[cover] > level[row]) | ((level[cover] == level[row]) & (cover > row))]] = True
    return is_covered


def _levels(page: Page, styles: Styles) -> NDArray[np.float64]:
    """Return how high each node is painted.

    It is the z-index of the outermost placed box around it that states one, in flow -0.5.
    """
    is_placed = (styles.position != _STATIC).tolist()
    own = styles.z_index.tolist()
    levels: list[float] = []
    for row, over in enumerate(page.nodes.parent.tolist()):
        level = levels[over] if over >= 0 else -0.5
        if is_placed[row] and level in (-0.5, 0.0):
            level = own[row] if own[row] == own[row] else 0.0
        levels.append(level)
    return np.array(levels)
