# cython: infer_types=True
"""The loop over all letters of a page that finds the parts of its texts: what `text_measure` takes where compiled."""

from typing import Any

from parcels.layout import columns
from parcels.layout.text_codes import BLANK, END, HYPHEN, IDEOGRAPHS, PUNCTUATION_FROM, PUNCTUATION_TO, TABLED

IS_COMPILED = not __file__.endswith(".py")
_IS_LETTER = bytes(code not in (BLANK, END, HYPHEN) for code in range(TABLED))  # on which no part begins or ends
# What stands before a character: nothing of its part, a letter, a hyphen, an ideograph.
_NOTHING, _LETTER, _HYPHEN, _WIDE = 0, 1, 2, 3


def find_parts(
    texts: list[str], widths: Any, stride: int, face: Any, size: Any, spacing: Any, found: Any, of_leaf: Any, first: Any
) -> int:
    """Fill in where the parts of each text begin and end, and each text's total and its widest part; how many parts.

    `widths` has `stride` numbers a face; `found` has room for as many parts as there are letters: starts, then ends.
    """
    keep: list[Any] = []
    table, faces = columns.doubles(keep, widths), columns.codes(keep, face)
    sizes, spacings = columns.doubles(keep, size), columns.doubles(keep, spacing)
    starts, ends = columns.doubles(keep, found[0]), columns.doubles(keep, found[1])
    totals, widest = columns.doubles(keep, of_leaf[0]), columns.doubles(keep, of_leaf[1])
    firsts = columns.ints(keep, first)
    part = 0
    reach = 0.0  # of all texts on one long line
    for leaf in range(len(texts)):
        text = texts[leaf]
        row, font, extra = faces[leaf] * stride, sizes[leaf], spacings[leaf]
        firsts[leaf] = begin = part
        before, state = reach, _NOTHING
        for letter in text:
            code = ord(letter)
            if state == _LETTER and code < TABLED and _IS_LETTER[code]:  # most characters
                width = table[row + code] * font + extra
                if width > 0.0:
                    reach += width
                continue
            is_gap, is_wide = code in (BLANK, END), code >= IDEOGRAPHS
            if state and (is_gap or is_wide or state == _WIDE or (state == _HYPHEN and code != HYPHEN)):
                ends[part] = reach - before
                part += 1
                state = _NOTHING
            if is_wide:
                width = font
            elif code < TABLED:
                width = table[row + code] * font
            elif PUNCTUATION_FROM <= code < PUNCTUATION_TO:
                width = table[row + code - PUNCTUATION_FROM + TABLED] * font
            else:
                width = table[row + stride - 1] * font
            width += extra
            if width < 0.0:
                width = 0.0
            reach += width
            if is_gap:
                continue
            if not state:
                starts[part] = reach - width - before
            state = _WIDE if is_wide else _HYPHEN if code == HYPHEN else _LETTER
        if state:
            ends[part] = reach - before
            part += 1
        totals[leaf] = reach - before
        most = 0.0
        for n in range(begin, part):
            if n == begin or ends[n] - starts[n] > most:
                most = ends[n] - starts[n]
        widest[leaf] = most
    firsts[len(texts)] = part
    found[0], found[1] = columns.written(found[0], starts), columns.written(found[1], ends)
    of_leaf[0], of_leaf[1] = columns.written(of_leaf[0], totals), columns.written(of_leaf[1], widest)
    first[:] = columns.written_ints(first, firsts)
    return part
