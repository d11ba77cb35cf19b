"""Measure all texts of a page at once: start and end of every unbreakable run of text on one long line."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.layout.boxes.text.line_breaks import find_unbreakable_runs
from parcels.layout.boxes.text.metrics import FACES, PUNCTUATION_FROM, PUNCTUATION_TO, TABLED

_OTHER = 0.57  # mean of Liberation's letters beyond Latin


@dataclass(frozen=True, slots=True)
class MeasuredTexts:
    """The unbreakable runs of all leaves in order; those of leaf n are first[n] to first[n + 1]."""

    first: NDArray[np.int32]
    starts: NDArray[np.float64]  # px from the beginning of the leaf's text
    ends: NDArray[np.float64]
    total: NDArray[np.float64]  # of each leaf: its width on one line
    widest: NDArray[np.float64]  # of each leaf: its widest part


@cache
def _table() -> NDArray[np.float64]:
    """Return widths in font sizes by face and character; the last column is for characters without an entry."""
    table = np.full((len(FACES), TABLED + PUNCTUATION_TO - PUNCTUATION_FROM + 1), _OTHER)
    for row, face in zip(table, FACES, strict=True):
        letters = face.letters
        row[:TABLED] = [letters[chr(code)] for code in range(TABLED)]
        row[TABLED:-1] = [letters[chr(code)] for code in range(PUNCTUATION_FROM, PUNCTUATION_TO)]
        row[-1] = letters["\u0f00"]
    return table


def measure(texts: list[str], face: NDArray[Any], size: NDArray[Any], spacing: NDArray[Any]) -> MeasuredTexts:
    """Measure the texts; of each its face, font size and letter spacing.

    >>> words = measure(["a well-known case"], np.array([0]), np.array([10.0]), np.array([0.0]))
    >>> words.ends.round(1).tolist(), words.first.tolist()
    ([5.6, 28.9, 57.8, 81.7], [0, 4])
    """
    parts, of_text = np.empty((2, sum(map(len, texts)))), np.empty((2, len(texts)))
    first = np.zeros(len(texts) + 1, np.int32)
    fonts = np.array([size, spacing], np.float64)
    count = find_unbreakable_runs(texts, _table(), face.astype(np.int8), fonts, parts, of_text, first)
    return MeasuredTexts(first, parts[0, :count], parts[1, :count], of_text[0], of_text[1])
