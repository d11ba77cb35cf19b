"""Kreuzer's block types as areas: the area of each leaf of a page of `segments` (docs/areas.md has the rules).

Where something stands (top, side, bottom) is read from Chromium's boxes of the gold blocks, never from our own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow.parquet

from benchmarks import corpora
from parcels.html.page import Page, read_page
from parcels.inputs import RawPage
from parcels.layout.boxes import AREAS, Layout

UNSCORED = -1
UNSEEN = ("display", "visibility", "size", "off-screen")  # a leaf that has no place on the screen has no area
HEADER, FOOTER, LEFT, RIGHT, CENTRE = range(len(AREAS))

FRAMES = {"Header": HEADER, "Footer": FOOTER}
STACKED = frozenset(["Menu", "LinkList", "Ad", "Image", "Video", "Logo", "Searchbar"])  # go with a column they stand in
PLACED = frozenset(["Menu", "LinkList", "Logo", "Searchbar"])  # their area is where they stand
COLUMNS = frozenset(["Menu", "LinkList", "Ad"])  # what can be a side column of its own
TOP_PX = 250.0  # what ends above this stands on top
BOTTOM_SHARE = 0.75  # of the page's height: what begins below this stands at the bottom
# Of the page's extent: a side column is not wider. Left columns are menus; right ones hold ads of 300 in 960 pixels.
LEFT_SHARE, RIGHT_SHARE = 0.27, 0.36
OUTER = 1 / 3  # the middle of a side column lies in the outer third
COLUMN_PX = 200.0  # and all that stands on that side spans at least this height,
MENU_PX = 100.0  # or this one where it has a Menu
WIDER = 1.5  # and something at least this many times as wide stands beside it
SIDEBAR_SHARE = 0.5  # a Sidebar that Chromium shows wider than this is no column: not scored
EQUAL = 1.25  # blocks whose widths differ by less, with their tops in line, are columns of a grid

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Block:
    """A gold block: its type, its leaves, and where Chromium shows them."""

    kind: str
    first: int
    end: int
    box: Box | None

    def holds(self, other: "Block") -> bool:
        return self is not other and self.first <= other.first and other.end <= self.end


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page, as it is to be recognised, and its marked twin."""

    raw: RawPage
    page: Page
    marked: Page


def gold_pages() -> list[GoldPage]:
    """The pages of `segments` whose marked twin has the same leaves and any mark."""
    marked = pyarrow.parquet.read_table(
        corpora.folder() / "segments" / "pages.parquet", columns=["page", "blocks_html"]
    )
    by_name = {row["page"]: row["blocks_html"] for row in marked.to_pylist()}
    found = []
    for raw in corpora.pages("segments"):
        page, twin = read_page(raw.html, raw.url, name=raw.name), read_page(by_name[raw.name])
        is_marked = any(element.get("data-block") for element in twin.nodes.elements)
        if is_marked and page.leaves.kind == twin.leaves.kind:
            found.append(GoldPage(raw, page, twin))
    return found


def areas_of(gold: GoldPage, layout: Layout) -> np.ndarray:
    """The area of each leaf, UNSCORED where the gold does not say or Chromium shows no such leaf."""
    blocks, chains = blocks_and_chains(gold.marked, layout)
    places = _Places(blocks, layout)
    areas = [places.area(chain, box) for chain, box in zip(chains, layout.leaves.tolist(), strict=True)]
    is_unseen = [reason in UNSEEN for reason in layout.hidden_reason]
    return np.where(is_unseen, UNSCORED, areas).astype(np.int8)


def blocks_and_chains(marked: Page, layout: Layout) -> tuple[list[Block], list[list[Block]]]:
    """The gold blocks in document order, and for each leaf the blocks around it, the nearest first."""
    nodes = marked.nodes
    by_row: dict[int, Block] = {}
    for row, element in enumerate(nodes.elements):
        first, end = int(nodes.first_leaf[row]), int(nodes.end_leaf[row])
        if element.get("data-block") and first < end:
            kind = element.get("data-block-type") or ""
            by_row[row] = Block(kind, first, end, _around(layout, range(first, end)))
    chains = []
    parent = nodes.parent.tolist()
    for row in marked.leaves.node.tolist():
        chain = []
        while row >= 0:
            if row in by_row:
                chain.append(by_row[row])
            row = parent[row]
        chains.append(chain)
    return list(by_row.values()), chains


def _shown(layout: Layout) -> np.ndarray:
    has_box = np.array([reason is None for reason in layout.hidden_reason], bool)
    return has_box & (layout.leaves[:, 0] < 2 * layout.width)


def _around(layout: Layout, leaves: Sequence[int]) -> Box | None:
    shown = layout.leaves[list(leaves)][_shown(layout)[list(leaves)]]
    if not len(shown):
        return None
    right, bottom = shown[:, 0] + shown[:, 2], shown[:, 1] + shown[:, 3]
    return float(shown[:, 0].min()), float(shown[:, 1].min()), float(right.max()), float(bottom.max())


def _extent(layout: Layout) -> tuple[float, float]:
    """From the leftmost to the rightmost leaf; what juts out far on the right does not count."""
    box = _around(layout, np.flatnonzero(layout.leaves[:, 0] + layout.leaves[:, 2] <= 1.1 * layout.width).tolist())
    return (max(box[0], 0.0), box[2]) if box else (0.0, layout.width)


class _Places:
    """Where the gold blocks of one page stand."""

    def __init__(self, blocks: list[Block], layout: Layout):
        self.blocks, self.extent, self.height = blocks, _extent(layout), layout.height
        self.shown = layout.leaves[_shown(layout)]
        extent = self.extent
        self.whole = max(extent[1] - extent[0], 1.0)
        self.wrappers = {id(block) for block in blocks if self._is_wrapper(block)}
        self.side: dict[int, int] = {}
        self.columns: dict[int, Box] = {}
        for side in (LEFT, RIGHT):
            self._find_column(side)

    def area(self, chain: list[Block], leaf: list[float]) -> int:
        """The area of a leaf from the blocks around it, the nearest first, and its own x, y, width, height."""
        chain = [block for block in chain if id(block) not in self.wrappers]
        if not chain:
            return UNSCORED
        for block in chain:
            if block.kind in FRAMES:
                return FRAMES[block.kind]
            if block.kind == "Sidebar":
                return self._side_of_sidebar(block)
        for block in chain:
            if id(block) in self.side:
                return self.side[id(block)]
        for block in chain:
            if block.kind in PLACED and block.box is not None:
                if block.box[3] <= TOP_PX:
                    return HEADER
                if block.kind in ("Menu", "LinkList") and self._is_last(block):
                    return FOOTER
        if chain[0].kind == "Content":  # a loose heading or picture of the column
            x, y, w, h = leaf
            for side, (left, top, right, bottom) in self.columns.items():
                if x >= left - 5 and x + w <= right + 5 and y >= top - 40 and y + h <= bottom + 5:
                    return side
        return CENTRE

    def _is_wrapper(self, block: Block) -> bool:
        """A Header, Footer or Sidebar around other frames and across the page's middle: marked on the whole page."""
        inner = any(block.holds(other) and other.kind in ("Header", "Footer", "Content") for other in self.blocks)
        return inner and block.box is not None and block.box[1] < self.height / 2 < block.box[3]

    def _side_of_sidebar(self, block: Block) -> int:
        if block.box is None or block.box[2] - block.box[0] > SIDEBAR_SHARE * self.whole:
            return UNSCORED
        return LEFT if self._middle(block.box) < 0.5 else RIGHT

    def _middle(self, box: Box) -> float:
        return ((box[0] + box[2]) / 2 - self.extent[0]) / self.whole

    def _is_last(self, block: Block) -> bool:
        """True at the bottom of a page that has no Footer block, below all content."""
        if block.box is None or any(b.kind == "Footer" and id(b) not in self.wrappers for b in self.blocks):
            return False
        content = [
            other.box[3]
            for other in self.blocks
            if other.box and other.kind not in (*PLACED, *FRAMES, "Sidebar") and not other.holds(block)
        ]
        return bool(content) and block.box[1] >= max(max(content) - 5, BOTTOM_SHARE * self.height)

    def _find_column(self, side: int) -> None:
        """The outermost column of narrow blocks with a menu or list of links in it, beside something."""
        narrow = [block for block in self.blocks if self._is_narrow(block, side)]
        menus = [block for block in narrow if block.kind in COLUMNS and block.box]
        if not menus:
            return
        outermost = (min if side == LEFT else max)(menus, key=lambda block: self._middle(block.box))  # type: ignore[arg-type]
        stacked = [block for block in narrow if _share_of_width(block.box, outermost.box) >= 0.5]
        column = _rectangle([block.box for block in stacked if block.kind in COLUMNS])
        least = MENU_PX if any(block.kind == "Menu" for block in stacked) else COLUMN_PX
        if column[3] - column[1] < least or not self._has_centre_beside(column, stacked, side):
            return
        for block in stacked:
            assert block.box is not None
            if block.kind in STACKED or (block.box[1] >= column[1] - 5 and block.box[3] <= column[3] + 5):
                self.side[id(block)] = side
        self.columns[side] = _rectangle([block.box for block in stacked if id(block) in self.side])

    def _is_narrow(self, block: Block, side: int) -> bool:
        if block.box is None or block.kind in (*FRAMES, "Content", "Sidebar"):
            return False
        left, top, right, bottom = block.box
        middle = self._middle(block.box)
        is_outer = middle <= OUTER if side == LEFT else middle >= 1 - OUTER
        is_bar_on_top = bottom - top < right - left and bottom <= TOP_PX
        frames = [b for b in self.blocks if b.kind in (*FRAMES, "Sidebar") and id(b) not in self.wrappers]
        in_frame = any(frame.holds(block) for frame in frames)
        widest = (LEFT_SHARE if side == LEFT else RIGHT_SHARE) * self.whole
        return right - left <= widest and is_outer and not is_bar_on_top and not in_frame

    def _has_centre_beside(self, column: Box, stacked: list[Block], side: int) -> bool:
        """True where something wider stands beside the column, or at least nothing that makes it one of equals."""
        width, height = column[2] - column[0], column[3] - column[1]
        beside = []
        for other in self.blocks:
            if other.box is None or other.kind in FRAMES or other in stacked:
                continue
            shared = min(column[3], other.box[3]) - max(column[1], other.box[1])
            is_inner = other.box[0] >= column[2] - 5 if side == LEFT else other.box[2] <= column[0] + 5
            if is_inner and shared >= 0.25 * min(height, other.box[3] - other.box[1]):
                beside.append(other.box)
        if any(box[2] - box[0] >= WIDER * width for box in beside):
            return True
        tops = [block.box[1] for block in stacked if block.box]
        alike = [box for box in beside if width / EQUAL <= box[2] - box[0] <= width * EQUAL]
        equals = [box for box in alike if any(abs(box[1] - top) <= 20 for top in tops)]
        x, y, w, h = self.shown.T
        is_level = (y < column[3]) & (y + h > column[1])
        y, h = y - 10, h + 20  # lines of a text and the gaps between them
        is_inner_leaf = is_level & ((x >= column[2] - 5) if side == LEFT else (x + w <= column[0] + 5))
        steps = np.arange(column[1], column[3], 10.0)
        is_filled = [bool((is_inner_leaf & (y <= step) & (y + h >= step)).any()) for step in steps]
        return float(np.mean(is_filled)) >= 0.5 and not equals


def _rectangle(boxes: Sequence[Box | None]) -> Box:
    left, top, right, bottom = zip(*(box for box in boxes if box), strict=True)
    return min(left), min(top), max(right), max(bottom)


def _share_of_width(one: Box | None, other: Box | None) -> float:
    """How much of the narrower one's width both share."""
    if one is None or other is None:
        return 0.0
    narrower = max(min(one[2] - one[0], other[2] - other[0]), 1.0)
    return (min(one[2], other[2]) - max(one[0], other[0])) / narrower
