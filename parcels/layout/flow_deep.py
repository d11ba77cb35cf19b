"""What lies too deep to be laid out box by box, since Python's stack is finite."""

from math import nan

from parcels.css.style import Display
from parcels.layout.flow_screen import REPLACED, Screen
from parcels.layout.flow_sizes import replaced_size

DEEPEST = 100  # boxes within boxes; up to six of Python's thousand frames each
_NONE, _BLOCK = int(Display.NONE), int(Display.BLOCK)


def stack(s: Screen, row: int, width: float) -> float:
    """What lies too deep: every box as wide as this one, every leaf below the one before it, without recursion."""
    down = s.top[row]
    tops = []
    nodes = s.leaf_node
    for leaf in range(s.first_leaf[row], s.end_leaf[row]):
        tops.append(down)
        node = nodes[leaf]
        if s.kind[node] == REPLACED:
            wide, high = replaced_size(s, node, width, None)
        else:
            wide = s.total[leaf]
            high = s.line_height[node] * max(1.0, -(-wide // max(width, 1.0)))
        s.leaf_box[leaf] = [s.left[row], down, s.left[row] + min(wide, width), down + high]
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
