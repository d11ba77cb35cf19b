# cython: infer_types=True
"""Float positions: the inner edges of left and right floats as step functions of y.

A float never starts above an earlier one (CSS 2.2, 9.5.1), so that each is found and added near the lower end of the
steps, and a hundred thousand of them stay cheap.
"""

from bisect import bisect_right
from math import inf


class Floats:
    """The floats of one block formatting context, in its coordinates."""

    __slots__ = ("is_empty", "left_bottom", "left_edge", "left_from", "right_bottom", "right_edge", "right_from", "top")

    def __init__(self) -> None:
        self.is_empty = True
        self.top = -inf  # of the last float
        self.left_bottom = self.right_bottom = -inf

    def open(self) -> None:
        """Make ready for the first float: most contexts never see one."""
        self.is_empty = False
        # Steps: from this y on, the edge lies at this x. Right edges are kept negated, so that both grow inwards.
        self.left_from, self.left_edge = [-inf], [-inf]
        self.right_from, self.right_edge = [-inf], [-inf]

    def room(self, y: float, height: float) -> tuple[float, float]:
        """Return the free interval between left and right floats from y to y + height; infinite without floats."""
        if self.is_empty:
            return -inf, inf
        return _edge(self.left_from, self.left_edge, y, height), -_edge(self.right_from, self.right_edge, y, height)

    def next_step(self, y: float) -> float:
        """Return the next y below at which there may be more room; infinity if there is none."""
        if self.is_empty:
            return inf
        left, right = bisect_right(self.left_from, y), bisect_right(self.right_from, y)
        below_left = self.left_from[left] if left < len(self.left_from) else inf
        below_right = self.right_from[right] if right < len(self.right_from) else inf
        return min(below_left, below_right)

    def place(
        self, y: float, width: float, height: float, low: float, high: float, is_right: bool
    ) -> tuple[float, float]:
        """Add a float at or below y between the edges low and high of its block; its left and top.

        >>> floats = Floats()
        >>> floats.place(0.0, 60.0, 10.0, 0.0, 100.0, False)
        (0.0, 0.0)
        >>> floats.place(0.0, 60.0, 10.0, 0.0, 100.0, False)
        (0.0, 10.0)
        """
        y = max(y, self.top)
        left, right = low, high
        if self.is_empty:
            self.open()
        else:
            while True:
                free_left, free_right = self.room(y, 0.0)
                left, right = max(low, free_left), min(high, free_right)
                if right - left >= width - 0.01 or (free_left <= low and free_right >= high):
                    break
                below = self.next_step(y)
                if below == inf:
                    break
                y = below
        x = right - width if is_right else left
        self.top = y
        bottom = y + height
        if height > 0:
            if is_right:
                self.right_bottom = max(self.right_bottom, bottom)
                _raise(self.right_from, self.right_edge, y, bottom, -x)
            else:
                self.left_bottom = max(self.left_bottom, bottom)
                _raise(self.left_from, self.left_edge, y, bottom, x + width)
        return x, y

    def cleared(self, clear: int) -> float:
        """Return the y below the floats that `clear` names (1 left, 2 right, 3 both)."""
        return max(self.left_bottom if clear & 1 else -inf, self.right_bottom if clear & 2 else -inf)


class Origin:
    """The origin of a box's content in its block formatting context, and the box's nesting depth."""

    __slots__ = ("depth", "floats", "x", "y")

    floats: Floats
    x: float
    y: float
    depth: int


def origin_at(floats: Floats, x: float, y: float, depth: int) -> Origin:
    """Return the origin at x, y of these floats; by way of `__new__`, since `__init__` would make objects of numbers.

    >>> origin_at(Floats(), 8.0, 16.0, 0) is not None
    True
    """
    origin = Origin.__new__(Origin)
    origin.floats, origin.x, origin.y, origin.depth = floats, x, y, depth
    return origin


def _edge(starts: list[float], edges: list[float], y: float, height: float) -> float:
    if len(starts) == 1:
        return edges[0]
    n = bisect_right(starts, y) - 1
    edge = edges[n]
    below = y + height
    n += 1
    while n < len(starts) and starts[n] < below:
        if edges[n] > edge:
            edge = edges[n]
        n += 1
    return edge


def _raise(starts: list[float], edges: list[float], top: float, bottom: float, edge: float) -> None:
    """Let the edge be at least this from top to bottom."""
    first = bisect_right(starts, top) - 1
    if starts[first] < top:
        first += 1
        starts.insert(first, top)
        edges.insert(first, edges[first - 1])
    end = first
    while end < len(starts) and starts[end] < bottom:
        end += 1
    if end == len(starts) or starts[end] > bottom:
        starts.insert(end, bottom)
        edges.insert(end, edges[end - 1])
    kept: list[tuple[float, float]] = []
    for n in range(first, end):
        here = max(edge, edges[n])
        if not kept or kept[-1][1] != here:
            kept.append((starts[n], here))
    starts[first:end] = [start for start, _ in kept]
    edges[first:end] = [here for _, here in kept]
