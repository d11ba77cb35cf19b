"""All texts of a page measured at once: where every unbreakable part of a text begins and ends on one long line.

Interpreted, a loop over words took a third of the layout's time, so there are two ways to the same numbers.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.layout.text_codes import BLANK, END, HYPHEN, IDEOGRAPHS, PUNCTUATION_FROM, PUNCTUATION_TO, TABLED
from parcels.layout.text_metrics import FACES
from parcels.layout.text_parts import IS_COMPILED, find_parts

_OTHER = 0.57  # mean of Liberation's letters beyond Latin


@dataclass(frozen=True, slots=True)
class Words:
    """The parts of all leaves, one after the other; those of leaf n are from first[n] up to first[n + 1]."""

    first: NDArray[np.int32]
    starts: NDArray[np.float64]  # px from the beginning of the leaf's text
    ends: NDArray[np.float64]
    total: NDArray[np.float64]  # of each leaf: its width on one line
    widest: NDArray[np.float64]  # of each leaf: its widest part


@cache
def _table() -> NDArray[np.float64]:
    """Widths in font sizes by face and character, the last column for those that are not tabled."""
    table = np.full((len(FACES), TABLED + PUNCTUATION_TO - PUNCTUATION_FROM + 1), _OTHER)
    for row, face in zip(table, FACES, strict=True):
        letters = face.letters
        row[:TABLED] = [letters[chr(code)] for code in range(TABLED)]
        row[TABLED:-1] = [letters[chr(code)] for code in range(PUNCTUATION_FROM, PUNCTUATION_TO)]
        row[-1] = letters["\u0f00"]
    return table


def measure(texts: list[str], face: NDArray[Any], size: NDArray[Any], spacing: NDArray[Any]) -> Words:
    """Measure the texts; of each its face, font size and letter spacing.

    >>> words = measure(["a well-known case"], np.array([0]), np.array([10.0]), np.array([0.0]))
    >>> words.ends.round(1).tolist(), words.first.tolist()
    ([5.6, 28.9, 57.8, 81.7], [0, 4])
    """
    measured = _by_letter if IS_COMPILED else _by_step
    return measured(texts, face, size, spacing)


def _by_letter(texts: list[str], face: NDArray[Any], size: NDArray[Any], spacing: NDArray[Any]) -> Words:
    """One loop over all letters, which is the fastest where it is compiled."""
    found, of_leaf = np.empty((2, sum(map(len, texts)))), np.empty((2, len(texts)))
    first = np.zeros(len(texts) + 1, np.int32)
    table = _table()
    fonts = face.astype(np.int8), size.astype(np.float64), spacing.astype(np.float64)
    count = find_parts(texts, table.ravel(), table.shape[1], *fonts, found, of_leaf, first)
    return Words(first, found[0, :count], found[1, :count], of_leaf[0], of_leaf[1])


def _by_step(texts: list[str], face: NDArray[Any], size: NDArray[Any], spacing: NDArray[Any]) -> Words:
    """One array operation a step for the whole page, which is the fastest where Python is interpreted."""
    count = len(texts)
    if not count:
        return Words(np.zeros(1, np.int32), *(np.zeros(0) for _ in range(4)))
    whole = "\n".join(texts) + "\n"
    if whole.isascii():
        codes: NDArray[Any] = np.frombuffer(whole.encode(), np.uint8).astype(np.intp)
    else:
        codes = np.frombuffer(whole.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.intp)
    lengths = np.fromiter(map(len, texts), np.intp, count) + 1
    table = _table()
    columns = codes
    is_wide = None
    if codes.max() >= TABLED:
        low, high = PUNCTUATION_FROM, PUNCTUATION_TO
        is_far = codes >= TABLED
        columns = np.where(
            (codes >= low) & (codes < high), codes - low + TABLED, np.where(is_far, table.shape[1] - 1, codes)
        )
        is_wide = codes >= IDEOGRAPHS
    widths = table.ravel()[np.repeat(face.astype(np.intp) * table.shape[1], lengths) + columns]
    widths *= np.repeat(size, lengths)
    if is_wide is not None and is_wide.any():
        widths = np.where(is_wide, np.repeat(size, lengths), widths)
    if spacing.any():
        widths = np.maximum(widths + np.repeat(spacing, lengths), 0.0)
    ends_of_leaves = np.cumsum(lengths)
    widths[ends_of_leaves - 1] = 0.0
    reach = np.cumsum(widths)
    is_gap = (codes == BLANK) | (codes == END)
    is_last = np.empty(len(codes), np.bool_)
    is_last[:-1] = is_gap[1:] | (codes[:-1] == HYPHEN) & (codes[1:] != HYPHEN)
    if is_wide is not None and is_wide.any():
        is_last[:-1] |= is_wide[:-1] | is_wide[1:]
    is_last[-1] = False
    is_last &= ~is_gap
    is_first = np.empty(len(codes), np.bool_)
    is_first[0] = True
    is_first[1:] = is_gap[:-1] | is_last[:-1]
    is_first &= ~is_gap
    last, first = np.flatnonzero(is_last), np.flatnonzero(is_first)
    before = np.concatenate([[0.0], reach[ends_of_leaves[:-1] - 1]])
    per_leaf = np.searchsorted(last, np.concatenate([[0], ends_of_leaves]))
    offset = np.repeat(before, np.diff(per_leaf))
    starts, ends = reach[first] - widths[first] - offset, reach[last] - offset
    total = reach[ends_of_leaves - 1] - before
    widest = np.zeros(count)
    has_parts = np.flatnonzero(np.diff(per_leaf))
    if len(has_parts):
        widest[has_parts] = np.maximum.reduceat(ends - starts, per_leaf[has_parts])
    return Words(per_leaf.astype(np.int32), starts, ends, total, widest)
