# cython: infer_types=True, wraparound=False
"""Fallback layout for boxes nested deeper than Python's stack allows."""

from math import nan

from parcels.css.style import Display
from parcels.layout.boxes.flow import sizes
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.kinds import REPLACED

_NONE, _BLOCK = int(Display.NONE), int(Display.BLOCK)


def stack(t: BoxTree, row: int, width: float) -> float:
    """Stack everything in a box vertically without recursion: boxes as wide as this one, leaves below each other."""
    down = t.top[row]
    tops = []
    for leaf in range(t.first_leaf[row], t.end_leaf[row]):
        tops.append(down)
        node = t.leaf_node[leaf]
        if t.kind[node] == REPLACED:
            wide, high = sizes.replaced_size(t, node, width, nan)
        else:
            wide = t.total[leaf]
            high = t.line_height[node] * max(1.0, -divmod(-wide, max(width, 1.0))[0])
        t.leaf_left[leaf], t.leaf_right[leaf] = t.left[row], t.left[row] + min(wide, width)
        t.leaf_top[leaf], t.leaf_bottom[leaf] = down, down + high
        t.leaf_in[leaf] = row
        down += high
    tops.append(down)
    first = t.first_leaf[row]
    for below in range(row + 1, t.last[row] + 1):
        if t.display[below] == _NONE:
            continue
        t.x_container[below] = t.y_container[below] = row
        t.x[below], t.y[below] = t.left[row], tops[t.first_leaf[below] - first]
        t.w[below], t.h[below] = width, tops[t.end_leaf[below] - first] - t.y[below]
        t.display[below] = _BLOCK
    t.baseline[row] = nan
    return down - t.top[row]
