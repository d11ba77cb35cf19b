# cython: infer_types=True, wraparound=False
"""Fallback layout for boxes nested deeper than Python's stack allows."""

from math import nan

from parcels.css.style import Display
from parcels.layout.boxes.flow import sizes
from parcels.layout.boxes.flow.box_tree import Screen
from parcels.layout.boxes.flow.kinds import REPLACED

_NONE, _BLOCK = int(Display.NONE), int(Display.BLOCK)


def stack(s: Screen, row: int, width: float) -> float:
    """Stack everything in a box vertically without recursion: boxes as wide as this one, leaves below each other."""
    down = s.top[row]
    tops = []
    for leaf in range(s.first_leaf[row], s.end_leaf[row]):
        tops.append(down)
        node = s.leaf_node[leaf]
        if s.kind[node] == REPLACED:
            wide, high = sizes.replaced_size(s, node, width, nan)
        else:
            wide = s.total[leaf]
            high = s.line_height[node] * max(1.0, -divmod(-wide, max(width, 1.0))[0])
        s.leaf_left[leaf], s.leaf_right[leaf] = s.left[row], s.left[row] + min(wide, width)
        s.leaf_top[leaf], s.leaf_bottom[leaf] = down, down + high
        s.leaf_in[leaf] = row
        down += high
    tops.append(down)
    first = s.first_leaf[row]
    for below in range(row + 1, s.last[row] + 1):
        if s.display[below] == _NONE:
            continue
        s.across[below] = s.down[below] = row
        s.x[below], s.y[below] = s.left[row], tops[s.first_leaf[below] - first]
        s.w[below], s.h[below] = width, tops[s.end_leaf[below] - first] - s.y[below]
        s.display[below] = _BLOCK
    s.baseline[row] = nan
    return down - s.top[row]
