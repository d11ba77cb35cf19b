"""The five heuristics of Kovacevic, Diligenti, Gori and Milutinovic (2003), section 3, unchanged.

The paper's y axis points down the page from its top: a node's *lower* bound is its edge nearer to the top, its *upper*
bound the one farther down. Header, left menu, right menu and footer are taken in this order, each from what the ones
before have left; the rest is the centre.
"""

import numpy as np
from numpy.typing import NDArray

from parcels.html.page import Page
from parcels.html.tags import NUMBER, lookup
from parcels.layout.areas.map import CENTRE, FOOTER, HEADER, LEFT, RIGHT, AreaMap
from parcels.layout.boxes import Layout

HEADER_PX = 200.0  # H1: Kovacevic et al. 2003, section 3
FOOTER_PX = 150.0  # H2
LEFT_SHARE = 0.30  # W1, of the page's width: the rightmost margin of its nodes
RIGHT_SHARE = 0.30  # W2

_IS_CELL = lookup("td th")
_IS_BREAK = lookup("br hr")
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


def recognise(
    page: Page,
    layout: Layout,
    *,
    header_px: float = HEADER_PX,
    footer_px: float = FOOTER_PX,
    left_share: float = LEFT_SHARE,
    right_share: float = RIGHT_SHARE,
) -> AreaMap:
    """Return the areas by the paper's heuristics."""
    return _Heuristics(page, layout, header_px, footer_px, left_share, right_share).result()


class _Heuristics:
    """The M-Tree as arrays: its elements first, then its texts and other leaves as nodes of their own."""

    def __init__(
        self, page: Page, layout: Layout, header_px: float, footer_px: float, left_share: float, right_share: float
    ):
        nodes = page.nodes
        self.page, self.count = page, len(nodes)
        boxes = np.concatenate([layout.nodes, layout.leaves]).astype(float)
        self.lower, self.upper = boxes[:, 1], boxes[:, 1] + boxes[:, 3]
        self.left, self.right = boxes[:, 0], boxes[:, 0] + boxes[:, 2]
        self.has_box = np.isfinite(boxes).all(axis=1)
        height = float(layout.height)
        # Parked boxes far outside do not make a page wider than its screen by more than its own scrolling.
        inside = self.right[self.has_box & (self.left < 2 * layout.width)]
        width = float(inside.max()) if len(inside) else layout.width
        self.h1, self.h2 = header_px, height - footer_px
        self.w1, self.w2 = left_share * width, (1 - right_share) * width
        self.is_table = np.zeros(len(boxes), np.bool_)
        self.is_table[: self.count] = nodes.tag == NUMBER["table"]
        self.area = np.full(len(boxes), CENTRE, np.int8)
        self.is_free = np.ones(len(boxes), np.bool_)

    def result(self) -> AreaMap:
        self.find_header()
        self.find_menu(LEFT, self.right <= self.w1)
        self.find_menu(RIGHT, self.left >= self.w2)
        self.find_footer()
        return AreaMap(self.area[: self.count].copy(), self.area[self.count :].copy(), "kovacevic")

    def find_header(self) -> None:
        """Apply heuristic 1: tables wholly above H1, and everything that ends no lower than the last of them."""
        tables = self.is_table & self.has_box & (self.upper <= self.h1)
        self.take(tables, HEADER)
        if tables.any():
            self.take(self.has_box & (self.upper <= self.upper[tables].max()), HEADER)

    def find_menu(self, area: int, is_inside: Bools) -> None:
        """Apply heuristics 2 and 3: tables wholly at the side, and cells there of a table from header to footer."""
        is_inside = is_inside & self.has_box
        self.take(self.is_table & is_inside, area)
        cells = np.flatnonzero(_IS_CELL[self.page.nodes.tag] & is_inside[: self.count])
        for cell in cells.tolist():
            table = self.table_of(cell)
            if table >= 0 and self.has_box[table] and self.lower[table] <= self.h1 and self.upper[table] >= self.h2:
                self.take_rows([cell], area)

    def find_footer(self) -> None:
        """Apply heuristic 4: tables below H2, what begins no higher, and what follows a break or centred text."""
        tables = self.is_table & self.has_box & (self.lower >= self.h2) & self.is_free
        self.take(tables, FOOTER)
        if tables.any():
            self.take(self.has_box & (self.lower >= self.lower[tables].max()), FOOTER)
        marks = (self.is_break() | self.is_centred()) & self.has_box & (self.lower >= self.h2)
        if marks.any():
            first = int(np.flatnonzero(marks)[np.argmin(self.lower[marks])])
            self.take(self.has_box & (self.lower >= self.upper[first]), FOOTER)

    def take(self, is_root: Bools, area: int) -> None:
        self.take_rows(np.flatnonzero(is_root).tolist(), area)

    def take_rows(self, roots: list[int], area: int) -> None:
        """Give the subtrees to an area, except for what an earlier one has."""
        nodes = self.page.nodes
        for root in roots:
            if root >= self.count:
                ranges = [(root, root + 1)]
            else:
                leaves = int(nodes.first_leaf[root]), int(nodes.end_leaf[root])
                ranges = [(root, int(nodes.last[root]) + 1), (self.count + leaves[0], self.count + leaves[1])]
            for start, end in ranges:
                part = slice(start, end)
                self.area[part][self.is_free[part]] = area
                self.is_free[part] = False

    def table_of(self, row: int) -> int:
        parent, tag = self.page.nodes.parent, self.page.nodes.tag
        row = int(parent[row])
        while row >= 0 and tag[row] != NUMBER["table"]:
            row = int(parent[row])
        return row

    def is_break(self) -> Bools:
        return np.concatenate([_IS_BREAK[self.page.nodes.tag], np.zeros(len(self.page.leaves), np.bool_)])

    def is_centred(self) -> Bools:
        """Return which nodes stand in a `center` or below an align=center (the paper reads no style sheets)."""
        is_centred = [False] * self.count
        for row, (element, above) in enumerate(
            zip(self.page.nodes.elements, self.page.nodes.parent.tolist(), strict=True)
        ):
            align = (element.get("align") or "").lower()
            own = element.tag == "center" or align in ("center", "middle")
            is_centred[row] = own or (not align and above >= 0 and is_centred[above])
        nodes = np.array(is_centred, np.bool_)
        return np.concatenate([nodes, nodes[self.page.leaves.node]])
