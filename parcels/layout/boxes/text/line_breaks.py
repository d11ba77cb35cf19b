# cython: infer_types=True, wraparound=False
"""Line break opportunities: a loop over all letters of a page that finds its unbreakable runs of text."""

import numpy as np
from numpy.typing import NDArray

from parcels.layout.boxes.text.metrics import BLANK, END, HYPHEN, IDEOGRAPHS, PUNCTUATION_FROM, PUNCTUATION_TO, TABLED

_IS_LETTER = bytes(code not in (BLANK, END, HYPHEN) for code in range(TABLED))  # on which no part begins or ends
# The state before a character: outside a run, after a letter, a hyphen, an ideograph.
_NOTHING, _LETTER, _HYPHEN, _WIDE = 0, 1, 2, 3


def find_unbreakable_runs(
    texts: list[str],
    widths: NDArray[np.float64],
    faces: NDArray[np.int8],
    fonts: NDArray[np.float64],
    parts: NDArray[np.float64],
    of_text: NDArray[np.float64],
    first: NDArray[np.int32],
) -> int:
    """Fill in the parts of each text, each text's width and that of its widest part; return how many parts there are.

    `widths` has one row per face, the last column for characters that are not tabled; `fonts` has a row of sizes and
    one of letter spacings. `parts` has room for as many parts as there are letters: starts, then ends.
    """
    if not len(faces) == fonts.shape[1] == of_text.shape[1] == len(first) - 1 == len(texts):
        raise ValueError(f"there must be one face and font for each of {len(texts)} texts, got {len(faces)} faces")
    other = widths.shape[1] - 1
    part = 0
    reach = 0.0  # of all texts on one long line
    for leaf in range(len(texts)):
        text = texts[leaf]
        face, font, extra = faces[leaf], fonts[0, leaf], fonts[1, leaf]
        first[leaf] = begin = part
        before, state = reach, _NOTHING
        for letter in text:
            code = ord(letter)
            if state == _LETTER and code < TABLED and _IS_LETTER[code]:  # most characters
                width = widths[face, code] * font + extra
                if width > 0.0:
                    reach += width
                continue
            is_gap, is_wide = code in (BLANK, END), code >= IDEOGRAPHS
            if state and (is_gap or is_wide or state == _WIDE or (state == _HYPHEN and code != HYPHEN)):
                parts[1, part] = reach - before
                part += 1
                state = _NOTHING
            if is_wide:
                width = font
            elif code < TABLED:
                width = widths[face, code] * font
            elif PUNCTUATION_FROM <= code < PUNCTUATION_TO:
                width = widths[face, code - PUNCTUATION_FROM + TABLED] * font
            else:
                width = widths[face, other] * font
            width += extra
            if width < 0.0:
                width = 0.0
            reach += width
            if is_gap:
                continue
            if not state:
                parts[0, part] = reach - width - before
            state = _WIDE if is_wide else _HYPHEN if code == HYPHEN else _LETTER
        if state:
            parts[1, part] = reach - before
            part += 1
        of_text[0, leaf] = reach - before
        most = 0.0
        for n in range(begin, part):
            if n == begin or parts[1, n] - parts[0, n] > most:
                most = parts[1, n] - parts[0, n]
        of_text[1, leaf] = most
    first[len(texts)] = part
    return part
