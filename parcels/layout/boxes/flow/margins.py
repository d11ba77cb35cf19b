# cython: infer_types=True, wraparound=False
"""Collapsing margins, and blocks that contain their floats."""

import re
from functools import lru_cache

from parcels.css.style import Display
from parcels.layout.boxes.flow.box_tree import Screen
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


def find_tops(s: Screen) -> None:
    """Collapse every box's top margin with that of its first child, children before their parents."""
    for n in range(s.flow_count - 1, -1, -1):
        row = s.flow_row[n]
        first = s.first_kid[row]
        if first < s.first_kid[row + 1] and s.kid[first] >= 0 and not s.top[row]:
            below = _first_block(s, row)
            if below >= 0 and s.tops[below]:
                s.tops[row] = collapsed(s.tops[row], s.tops[below])


def _first_block(s: Screen, row: int) -> int:
    """Return the child whose top margin adjoins the box's own; -1 for none."""
    for n in range(s.first_kid[row], s.first_kid[row + 1]):
        kid = s.kid[n]
        if kid < 0:
            return -1
        if s.is_absolute[kid] or s.float_[kid]:
            continue
        if s.is_inline[kid]:
            kind = s.kind[kid]
            if kind in (REPLACED, BREAK) or s.first_leaf[kid] < s.end_leaf[kid] or s.display[kid] != _INLINE:
                return -1
            continue
        return kid if not s.clear[kid] else -1
    return -1


def is_self_clearing(s: Screen, row: int) -> bool:
    """Return whether a block extends to the end of its floats.

    The usual way is `clear: both` on its `::after`, which the computed styles do not hold; so a block is taken to do it
    that holds nothing but floats, or whose class says so.
    """
    first, end = s.first_kid[row], s.first_kid[row + 1]
    for n in range(first, end):
        kid = s.kid[n]
        if kid < 0 or not (s.float_[kid] or s.is_absolute[kid]):
            name = s.attributes[row].get("class")
            return bool(name) and _names_clearing(name)
    return end > first


@lru_cache(maxsize=4096)  # a page repeats its classes
def _names_clearing(name: str) -> bool:
    return _CLEARING.search(name) is not None
