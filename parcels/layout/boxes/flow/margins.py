# cython: infer_types=True, wraparound=False
"""Collapsing margins, and blocks that contain their floats."""

import re
from functools import lru_cache

from parcels.css.style import Display
from parcels.layout.boxes.flow.box_tree import BoxTree
from parcels.layout.boxes.flow.kinds import BREAK, REPLACED

_INLINE = int(Display.INLINE)
_CLEARING = re.compile(r"\b(clear-?fix|clearer|cf|group|row|container(-fluid)?|self-clear)\b", re.I)


def collapsed(one: float, other: float) -> float:
    """Return the collapsed margin of two adjoining margins.

    >>> collapsed(10.0, 16.0), collapsed(-4.0, 16.0), collapsed(-4.0, -9.0)
    (16.0, 12.0, -9.0)
    """
    if one >= 0 and other >= 0:
        return max(one, other)
    return one + other if one >= 0 or other >= 0 else min(one, other)


def collapse_top_margins(t: BoxTree) -> None:
    """Collapse every box's top margin with that of its first child, children before their parents."""
    for n in range(t.flow_count - 1, -1, -1):
        row = t.flow_row[n]
        first = t.first_child[row]
        if first < t.first_child[row + 1] and t.child[first] >= 0 and not t.top[row]:
            below = _first_block(t, row)
            if below >= 0 and t.top_margins[below]:
                t.top_margins[row] = collapsed(t.top_margins[row], t.top_margins[below])


def _first_block(t: BoxTree, row: int) -> int:
    """Return the child whose top margin adjoins the box's own; -1 for none."""
    for n in range(t.first_child[row], t.first_child[row + 1]):
        child = t.child[n]
        if child < 0:
            return -1
        if t.is_absolute[child] or t.float_[child]:
            continue
        if t.is_inline[child]:
            kind = t.kind[child]
            if kind in (REPLACED, BREAK) or t.first_leaf[child] < t.end_leaf[child] or t.display[child] != _INLINE:
                return -1
            continue
        return child if not t.clear[child] else -1
    return -1


def contains_floats(t: BoxTree, row: int) -> bool:
    """Return whether a block extends to the end of its floats.

    The usual way is `clear: both` on its `::after`, which the computed styles lack; so this is true of blocks with only
    floats, or with a clearfix class.
    """
    first, end = t.first_child[row], t.first_child[row + 1]
    for n in range(first, end):
        child = t.child[n]
        if child < 0 or not (t.float_[child] or t.is_absolute[child]):
            name = t.attributes[row].get("class")
            return bool(name) and _names_clearing(name)
    return end > first


@lru_cache(maxsize=4096)  # a page repeats its classes
def _names_clearing(name: str) -> bool:
    return _CLEARING.search(name) is not None
