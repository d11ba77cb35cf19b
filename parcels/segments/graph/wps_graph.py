"""The WPS-graph: the boundaries of a page and their dependencies (Bing et al. 2014, section 3, Algorithm 1).

A segment is a list of units: subtrees of the page, or runs of loose leaves between them. It is cut between its units:
by horizontal boundaries, else by vertical ones, else (where boxes overlap) in page order. A segment of one unit is
opened down to an element with several. A boundary depends on the one or two boundaries that cut its segment out of
its parent segment.
"""

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.css.style import Display, Float, Position
from parcels.html.tags import IS_BLOCK_LEVEL
from parcels.layout.render import LaidOut

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

HORIZONTAL, VERTICAL, IN_ORDER = 0, 1, 2
OVERLAP_PX = 4.0  # boxes that overlap by less count as separate
OVERLAP_SHARE = 0.2  # the same as a share of the smaller box
LINE_PX = 20.0
UNSEEN = frozenset(["display", "visibility", "size", "off-screen"])
_INLINE = (int(Display.INLINE), int(Display.CONTENTS))


class Unit(NamedTuple):
    """A subtree, or a run of loose leaves (`row` is then -1)."""

    first: int
    end: int
    row: int


@dataclass(frozen=True, slots=True)
class WpsGraph:
    """Segments, each before those inside it, and their boundaries.

    The children of a segment are `child` to `child + cuts`; its boundary `boundary + i` is between children i and
    i + 1.
    """

    laid: LaidOut
    units: list[list[Unit]]  # of each segment
    parent: Ints  # the segment around each segment, -1 for the page
    layer: Ints  # number of segments around it
    child: Ints  # its first child, -1 where it cannot be cut
    boundary: Ints  # its first boundary
    cuts: Ints  # number of its boundaries
    kind: Ints  # of each boundary: HORIZONTAL, VERTICAL, IN_ORDER
    before: Ints  # the segment above, or left of, each boundary
    after: Ints  # the segment below, or right of, it
    boxes: Floats  # of each segment: left, top, right, bottom of its visible leaves; NaN where none is visible

    @property
    def segments(self) -> int:
        """Return the number of segments."""
        return len(self.units)

    def __len__(self) -> int:
        return len(self.kind)

    def dependencies(self) -> list[tuple[int, int]]:
        """Return the pairs (b, c) for which c may cut only where b does."""
        edges = []
        above, below = self.sides()
        for segment in np.flatnonzero(self.cuts).tolist():
            first = int(self.boundary[segment])
            for other in (above[segment], below[segment]):
                if other >= 0:
                    edges += [(other, first + cut) for cut in range(int(self.cuts[segment]))]
        return edges

    def sides(self) -> tuple[list[int], list[int]]:
        """Return the boundaries before and after each segment, -1 at an edge of its parent segment."""
        above, below = [-1] * self.segments, [-1] * self.segments
        for number, (before, after) in enumerate(zip(self.before.tolist(), self.after.tolist(), strict=True)):
            below[before], above[after] = number, number
        return above, below

    def leaves_of(self, segment: int) -> list[int]:
        """Return the ordinals of a segment's leaves."""
        return [leaf for unit in self.units[segment] for leaf in range(unit.first, unit.end)]


def build_graph(laid: LaidOut) -> WpsGraph:
    """Build the graph of a laid-out page.

    >>> from parcels.layout.render import lay_out
    >>> from parcels.html.page import read_page
    >>> graph = build_graph(lay_out(read_page("<h1>Pier burns</h1><table><tr><td>Nobody hurt<td>More news</table>")))
    >>> graph.kind.tolist(), graph.dependencies()
    ([0, 1], [(0, 1)])
    """
    return _Builder(laid).graph()


class _Builder:
    """The page's arrays as lists, and the queue of Algorithm 1."""

    def __init__(self, laid: LaidOut):
        self.laid = laid
        nodes, leaves = laid.page.nodes, laid.page.leaves
        self.last = nodes.last.tolist()
        self.first_leaf, self.end_leaf = nodes.first_leaf.tolist(), nodes.end_leaf.tolist()
        self.count = len(leaves)
        self.edges = leaf_edges(laid)
        self.node_edges = edges_of_ranges(self.edges, nodes.first_leaf, nodes.end_leaf)
        self.opens = _holds_blocks(laid)

    def graph(self) -> WpsGraph:
        """Run Algorithm 1."""
        units: list[list[Unit]] = [[Unit(0, self.count, 0)]] if self.count else [[]]
        parent, layer, child, boundary, cuts = [-1], [0], [-1], [0], [0]
        kinds: list[int] = []
        before: list[int] = []
        queue = deque([0] if self.count else [])
        while queue:
            segment = queue.popleft()
            groups, kind = self.separated(units[segment])
            boundary[segment] = len(kinds)
            if len(groups) < 2:
                continue
            first = len(units)
            child[segment], cuts[segment] = first, len(groups) - 1
            for number, group in enumerate(groups):
                queue.append(first + number)
                units.append(group)
                parent.append(segment)
                layer.append(layer[segment] + 1)
                child.append(-1)
                boundary.append(0)
                cuts.append(0)
            kinds += [kind] * (len(groups) - 1)
            before += range(first, first + len(groups) - 1)
        before_ = np.array(before, np.int32)
        return WpsGraph(
            self.laid, units, np.array(parent, np.int32), np.array(layer, np.int32), np.array(child, np.int32),
            np.array(boundary, np.int32), np.array(cuts, np.int32), np.array(kinds, np.int32), before_, before_ + 1,
            np.array([self.around(group) for group in units], np.float64).reshape(-1, 4),
        )  # fmt: skip

    def separated(self, units: list[Unit]) -> tuple[list[list[Unit]], int]:
        """Return the parts of a segment in reading order, and the kind of boundary between them."""
        seen = [number for number, unit in enumerate(units) if self.is_seen(unit)]
        while len(seen) == 1:
            only = units[seen[0]]
            if only.row < 0 or not self.opens[only.row]:
                return [], HORIZONTAL
            units = [*units[: seen[0]], *self.parts(only), *units[seen[0] + 1 :]]
            seen = [number for number, unit in enumerate(units) if self.is_seen(unit)]
        if not seen:
            return [], HORIZONTAL
        glued = self.glued(units)
        boxes = [self.around(group) for group in glued]
        for kind, axis in ((HORIZONTAL, 1), (VERTICAL, 0)):
            groups = _cut(glued, boxes, axis)
            if len(groups) > 1:
                return groups, kind
        return glued, IN_ORDER

    def parts(self, unit: Unit) -> list[Unit]:
        """Return the children of a subtree with leaves, and the loose leaves between them."""
        parts: list[Unit] = []
        at, row = unit.first, unit.row + 1
        while row <= self.last[unit.row]:
            first, end = self.first_leaf[row], self.end_leaf[row]
            if end > first:
                if first > at:
                    parts.append(Unit(at, first, -1))
                parts.append(Unit(first, end, row))
                at = end
            row = self.last[row] + 1
        if unit.end > at:
            parts.append(Unit(at, unit.end, -1))
        return parts

    def glued(self, units: list[Unit]) -> list[list[Unit]]:
        """Return the units in groups of one visible unit with the invisible ones after it (at the start: before it)."""
        groups: list[list[Unit]] = []
        unseen: list[Unit] = []
        for unit in units:
            if self.is_seen(unit):
                groups.append([*unseen, unit])
                unseen = []
            elif groups:
                groups[-1].append(unit)
            else:
                unseen.append(unit)
        return groups

    def is_seen(self, unit: Unit) -> bool:
        """Return whether a leaf of the unit has a box."""
        if unit.row >= 0:
            return self.node_edges[unit.row][0] < np.inf
        return any(self.edges[leaf, 0] < np.inf for leaf in range(unit.first, unit.end))

    def around(self, units: list[Unit]) -> tuple[float, float, float, float]:
        """Return left, top, right, bottom of the visible leaves of the units."""
        left = top = np.inf
        right = bottom = -np.inf
        for unit in units:
            edges = self.node_edges[unit.row] if unit.row >= 0 else self._loose(unit)
            left, top = min(left, edges[0]), min(top, edges[1])
            right, bottom = max(right, edges[2]), max(bottom, edges[3])
        return (left, top, right, bottom) if left < np.inf else (np.nan, np.nan, np.nan, np.nan)

    def _loose(self, unit: Unit) -> list[float]:
        part = self.edges[unit.first : unit.end]
        return [part[:, 0].min(), part[:, 1].min(), part[:, 2].max(), part[:, 3].max()]


def leaf_edges(laid: LaidOut) -> Floats:
    """Return left, top, right, bottom of each leaf; inf, inf, -inf, -inf where it is invisible."""
    boxes = laid.layout.leaves.astype(np.float64)
    edges = np.stack([boxes[:, 0], boxes[:, 1], boxes[:, 0] + boxes[:, 2], boxes[:, 1] + boxes[:, 3]], axis=1)
    is_unseen = np.array([reason in UNSEEN for reason in laid.layout.hidden_reason], np.bool_)
    is_unseen |= ~np.isfinite(edges).all(axis=1)
    if is_unseen.all():  # shown by a script only: its leaves are treated as lines, one below the other
        top = LINE_PX * np.arange(len(edges))
        return np.stack([0 * top, top, 0 * top + laid.layout.width, top + LINE_PX], axis=1)
    edges[is_unseen] = (np.inf, np.inf, -np.inf, -np.inf)
    return edges


def edges_of_ranges(edges: Floats, first: Ints, end: Ints) -> list[list[float]]:
    """Return the rectangle around each range of leaves."""
    nothing = np.array([[np.inf, np.inf, -np.inf, -np.inf]])
    padded = np.concatenate([edges, nothing])
    at = np.stack([first, end], axis=1).ravel()
    low = np.minimum.reduceat(padded[:, :2], at)[::2]
    high = np.maximum.reduceat(padded[:, 2:], at)[::2]
    rectangles = np.concatenate([low, high], axis=1)
    rectangles[first == end] = nothing
    rows: list[list[float]] = rectangles.tolist()
    return rows


def _cut(groups: list[list[Unit]], boxes: list[tuple[float, float, float, float]], axis: int) -> list[list[Unit]]:
    """Return the groups sorted along an axis, with overlapping ones joined."""
    order = sorted(range(len(groups)), key=lambda number: (boxes[number][axis], number))
    cut: list[list[Unit]] = []
    reach, extent = -np.inf, 0.0  # end of the open group, and size of its last part
    for number in order:
        low, high = boxes[number][axis], boxes[number][axis + 2]
        allowed = min(OVERLAP_PX, OVERLAP_SHARE * min(high - low, extent))
        if cut and low < reach - allowed:
            cut[-1] = [*cut[-1], *groups[number]]
            extent = max(extent, high - low)
        else:
            cut.append(list(groups[number]))
            extent = high - low
        reach = max(reach, high)
    return [sorted(group) for group in cut]


def _holds_blocks(laid: LaidOut) -> list[bool]:
    """Return for each element whether it contains block-level content, so that it may be opened."""
    nodes, styles = laid.page.nodes, laid.styles
    is_none = styles.display == int(Display.NONE)  # relevant where the whole page is `display: none`
    is_block = np.where(is_none, IS_BLOCK_LEVEL[nodes.tag], ~np.isin(styles.display, _INLINE))
    is_block |= (styles.float_ != int(Float.NONE)) | np.isin(styles.position, (Position.ABSOLUTE, Position.FIXED))
    is_block &= nodes.end_leaf > nodes.first_leaf
    before = np.concatenate(([0], np.cumsum(is_block)))
    opens: list[bool] = (before[nodes.last + 1] > before[np.arange(len(nodes)) + 1]).tolist()
    return opens
