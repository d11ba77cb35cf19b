"""Kreuzer's block types as areas: which area each leaf of a page of `segments` belongs to (docs/areas.md has the rules).

Where something stands (top, side, bottom) is read from Chromium's boxes of the gold blocks, never from our own.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow.parquet

from benchmarks import corpora
from parcels.inputs import RawPage
from parcels.layout.boxes import AREAS, Layout
from parcels.page import Page, read_page

UNSCORED = -1
HEADER, FOOTER, LEFT, RIGHT, CENTRE = range(len(AREAS))

FRAMES = {"Header": HEADER, "Footer": FOOTER}
PLACED = frozenset(["Menu", "LinkList", "Logo", "Searchbar", "Ad"])  # their area is where they stand
TOP_PX = 250.0  # what ends above this stands on top
SIDE_SHARE = 0.35  # of the page's extent: a side column is not wider
OUTER = 1 / 3  # the middle of a side column lies in the outer third
WIDER = 1.5  # and something at least this many times as wide stands beside it
SIDEBAR_SHARE = 0.5  # a Sidebar that Chromium shows wider than this is no column: not scored

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
    marked = pyarrow.parquet.read_table(corpora.folder() / "segments" / "pages.parquet", columns=["page", "blocks_html"])
    by_name = {row["page"]: row["blocks_html"] for row in marked.to_pylist()}
    found = []
    for raw in corpora.pages("segments"):
        page, twin = read_page(raw.html, raw.url, name=raw.name), read_page(by_name[raw.name])
        is_marked = any(element.get("data-block") for element in twin.nodes.elements)
        if is_marked and page.leaves.kind == twin.leaves.kind:
            found.append(GoldPage(raw, page, twin))
    return found


def areas_of(gold: GoldPage, layout: Layout) -> np.ndarray:
    """The area of each leaf, UNSCORED where the gold does not say or a style hides the leaf."""
    blocks, chains = blocks_and_chains(gold.marked, layout)
    extent = _extent(layout)
    placed = {id(block): _place(block, blocks, extent, layout.height) for block in blocks}
    columns = _columns(blocks, placed, extent)
    areas = [_area(chain, blocks, placed, columns, extent, layout.height) for chain in chains]
    is_hidden = [reason in ("display", "visibility") for reason in layout.hidden_reason]
    return np.where(is_hidden, UNSCORED, areas).astype(np.int8)


def blocks_and_chains(marked: Page, layout: Layout) -> tuple[list[Block], list[list[Block]]]:
    """The gold blocks in document order, and for each leaf the blocks around it, the nearest first."""
    nodes = marked.nodes
    by_row: dict[int, Block] = {}
    for row, element in enumerate(nodes.elements):
        if element.get("data-block"):
            first, end = int(nodes.first_leaf[row]), int(nodes.end_leaf[row])
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
    box = _around(layout, range(len(layout.leaves)))
    return (box[0], box[2]) if box else (0.0, layout.width)


def _area(
    chain: list[Block],
    blocks: list[Block],
    placed: dict[int, int | None],
    columns: dict[int, Box],
    extent: tuple[float, float],
    height: float,
) -> int:
    """The area of a leaf from the blocks around it."""
    if not chain:
        return UNSCORED
    for block in chain:
        if block.kind in FRAMES and not _is_wrapper(block, blocks, height):
            return FRAMES[block.kind]
        if block.kind == "Sidebar" and not _is_wrapper(block, blocks, height):
            return _side_of_sidebar(block, extent)
    for block in chain:
        place = placed[id(block)]
        if place is not None:
            return place
    nearest = chain[0].box
    for side, column in columns.items():
        if nearest is not None and chain[0].kind != "Content" and _is_within(nearest, column):
            return side
    return CENTRE


def _is_wrapper(block: Block, blocks: list[Block], height: float) -> bool:
    """A Header, Footer or Sidebar around other frames and across the page's middle was marked on the whole page."""
    inner = any(block.holds(other) and other.kind in ("Header", "Footer", "Content") for other in blocks)
    return inner and block.box is not None and block.box[1] < height / 2 < block.box[3]


def _side_of_sidebar(block: Block, extent: tuple[float, float]) -> int:
    if block.box is None or block.box[2] - block.box[0] > SIDEBAR_SHARE * (extent[1] - extent[0]):
        return UNSCORED
    return LEFT if (block.box[0] + block.box[2]) / 2 < (extent[0] + extent[1]) / 2 else RIGHT


def _place(block: Block, blocks: list[Block], extent: tuple[float, float], height: float) -> int | None:
    """Where a menu, list of links, logo, search bar or ad stands; None where that is among the content."""
    if block.kind not in PLACED or block.box is None:
        return None
    side = _side(block, blocks, extent)
    if side is not None:
        return side
    left, top, right, bottom = block.box
    if bottom <= TOP_PX and block.kind != "Ad":
        return HEADER
    content = [
        other.box[3]
        for other in blocks
        if other.box and other.kind not in (*PLACED, *FRAMES, "Sidebar") and not other.holds(block)
    ]
    if block.kind in ("Menu", "LinkList") and content and top >= max(content) - 5 and top > height / 2:
        return FOOTER
    return None


def _side(block: Block, blocks: list[Block], extent: tuple[float, float]) -> int | None:
    """Left or right for a column beside something wider."""
    assert block.box is not None
    left, top, right, bottom = block.box
    whole = extent[1] - extent[0]
    width, height = right - left, bottom - top
    middle = ((left + right) / 2 - extent[0]) / max(whole, 1.0)
    if width > SIDE_SHARE * whole or OUTER < middle < 1 - OUTER or (height < width and bottom <= TOP_PX):
        return None
    for other in blocks:
        if other.box is None or other.kind in FRAMES or other.holds(block) or block.holds(other) or other is block:
            continue
        shared = min(bottom, other.box[3]) - max(top, other.box[1])
        is_inner = other.box[0] >= right - 5 if middle < 0.5 else other.box[2] <= left + 5
        if is_inner and shared >= height / 2 and other.box[2] - other.box[0] >= WIDER * width:
            return LEFT if middle < 0.5 else RIGHT
    return None


def _columns(blocks: list[Block], placed: dict[int, int | None], extent: tuple[float, float]) -> dict[int, Box]:
    """The rectangle around what stands on each side: other blocks inside it go with it."""
    found: dict[int, Box] = {}
    for block in blocks:
        side = placed[id(block)]
        if block.kind == "Sidebar":
            side = _side_of_sidebar(block, extent)
        if side in (LEFT, RIGHT) and block.box is not None:
            one, other = found.get(side, block.box), block.box
            found[side] = (min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3]))
    return found


def _is_within(box: Box, column: Box) -> bool:
    slack = 5.0
    return (
        box[0] >= column[0] - slack
        and box[1] >= column[1] - slack
        and box[2] <= column[2] + slack
        and box[3] <= column[3] + slack
    )
