"""How much each leaf of a page holds: characters, words, and of which kind it is."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.compiled import loaded
from parcels.leaves import Leaves

loops = loaded("parcels.views.loops")  # None where it is not compiled: the same by lists, slower

KINDS = ("text", "img", "video", "audio", "iframe", "embed", "input", "textarea", "select")
_KIND_NUMBER = {kind: number for number, kind in enumerate(KINDS)}
IMAGE_CHARS = 20  # what an image weighs beside text, in characters


class LeafSizes(NamedTuple):
    """One entry a leaf."""

    chars: NDArray[np.float32]  # an image or control counts as IMAGE_CHARS
    words: NDArray[np.float32]  # of text
    kind: NDArray[np.int8]  # a number in KINDS


def leaf_sizes(leaves: Leaves) -> LeafSizes:
    """The sizes of leaves.

    >>> from parcels.page import read_page
    >>> [column.tolist() for column in leaf_sizes(read_page("<p>A fire<img>").leaves)]
    [[6.0, 20.0], [2.0, 0.0], [0, 1]]
    """
    kinds, texts = leaves.kind, leaves.text
    if loops is not None:
        chars, words = np.empty(len(kinds), np.float32), np.empty(len(kinds), np.float32)
        numbers = np.empty(len(kinds), np.int8)
        loops.leaf_sizes(kinds, texts, _KIND_NUMBER, IMAGE_CHARS, chars, words, numbers)
        return LeafSizes(chars, words, numbers)
    sizes = [len(t) if k == "text" else IMAGE_CHARS for k, t in zip(kinds, texts, strict=True)]
    counts = [t.count(" ") + 1 if k == "text" else 0 for k, t in zip(kinds, texts, strict=True)]
    of_kind = np.fromiter(map(_KIND_NUMBER.__getitem__, kinds), np.int8, len(kinds))
    return LeafSizes(np.array(sizes, np.float32), np.array(counts, np.float32), of_kind)
