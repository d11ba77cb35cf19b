# cython: annotation_typing=True, boundscheck=True, wraparound=False
"""The size and kind of each leaf, and the text of each block."""

from typing import NamedTuple

import cython
import numpy as np
from numpy.typing import NDArray

from parcels.divide.division import Division
from parcels.html.leaves import Leaves

KINDS = ("text", "img", "video", "audio", "iframe", "embed", "input", "textarea", "select")
_KIND_NUMBER = {kind: number for number, kind in enumerate(KINDS)}
IMAGE_CHARS = 20  # an image or control counts as so many characters


class LeafSizes(NamedTuple):
    """Arrays with one entry per leaf."""

    chars: NDArray[np.float32]  # an image or control counts as IMAGE_CHARS
    words: NDArray[np.float32]  # of text
    kind: NDArray[np.int8]  # an index of KINDS
    is_figures: NDArray[np.uint8]  # digits and signs only: prices, percentages, numeric dates


def leaf_sizes(leaves: Leaves) -> LeafSizes:
    """Return the size and kind of each leaf.

    >>> from parcels.html.page import read_page
    >>> [column.tolist() for column in leaf_sizes(read_page("<p>A fire<img><p>1.50").leaves)]
    [[6.0, 20.0, 4.0], [2.0, 0.0, 1.0], [0, 1, 0], [0, 0, 1]]
    """
    kinds: list[str] = leaves.kind
    texts: list[str] = leaves.text
    size = len(kinds)
    sizes = LeafSizes(
        np.full(size, IMAGE_CHARS, np.float32), np.zeros(size, np.float32), np.empty(size, np.int8),
        np.empty(size, np.uint8),
    )  # fmt: skip
    chars: cython.float[::1] = sizes.chars
    words: cython.float[::1] = sizes.words
    kind: cython.schar[::1] = sizes.kind
    is_figures: cython.uchar[::1] = sizes.is_figures
    leaf: cython.Py_ssize_t
    text: str
    for leaf in range(len(kinds)):
        text = texts[leaf]
        kind[leaf] = _KIND_NUMBER[kinds[leaf]]
        is_figures[leaf] = is_figures_only(text)
        if kind[leaf] == 0:
            chars[leaf] = len(text)
            words[leaf] = text.count(" ") + 1
    return sizes


@cython.cfunc
@cython.exceptval(check=False)
def is_figures_only(text: str) -> cython.bint:
    """Return whether a text has digits and otherwise only signs and spaces."""
    at: cython.Py_ssize_t
    letter: cython.Py_UCS4
    has_digit: cython.bint = False
    for at in range(len(text)):
        letter = text[at]
        if letter.isdecimal():
            has_digit = True
        elif letter.isalnum():
            return False
    return has_digit


def block_texts(leaves: Leaves, division: Division) -> list[str]:
    """Return the text of each block: the texts of its leaves, joined by a space where the page has white space.

    >>> from parcels.divide import fine
    >>> from parcels.html.page import read_page
    >>> page = read_page("<p>A <b>fire</b>!<p>Later")
    >>> block_texts(page.leaves, fine.divide(page))
    ['A fire!', 'Later']
    """
    texts: list[str] = leaves.text
    is_spaced: cython.uchar[::1] = leaves.is_spaced.view(np.uint8)
    result: list[str] = []
    parts: list[str]
    first: cython.Py_ssize_t
    end: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    for first, end in division.ranges():
        if end - first == 1:
            result.append(texts[first])
            continue
        parts = [texts[first]]
        for leaf in range(first + 1, end):
            if is_spaced[leaf]:
                parts.append(" ")
            parts.append(texts[leaf])
        result.append("".join(parts).strip())
    return result
