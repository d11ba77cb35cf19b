"""Which words the blocks of a page have in common with what the page says of itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.compiled import loaded
from parcels.views.arrays import Floats

loops = loaded("parcels.views.claim_loops")  # None where it is not compiled: the same by sets, slower

Bag = frozenset[str]
Counts = NDArray[np.int32]

_WORDS = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")


def bag(text: str) -> Bag:
    """The words of a text, in lower case.

    >>> sorted(bag("Fire at the Pier!"))
    ['at', 'fire', 'pier', 'the']
    """
    return frozenset(_WORDS.findall(text.lower()))


@dataclass(frozen=True, slots=True)
class SharedWords:
    """Different words of each block, and how many of them each claim has; claims are by field."""

    sizes: Counts
    has_digit: NDArray[np.bool_]
    common: dict[str, Counts]  # claim x block
    claims: dict[str, Counts]  # words of each claim

    def best(self, field: str) -> Floats:
        """The best overlap of each block with a claim: words in common, as a share of the larger of the two."""
        found = np.zeros(len(self.sizes), np.float32)
        if field in self.common:
            common, claims = self.common[field], self.claims[field]
            if loops is not None:
                loops.best_shares(common, self.sizes, claims, found)
            else:
                found[:] = (common / np.maximum(np.maximum(self.sizes, claims[:, None]), 1)).max(axis=0)
        return found


def shared_words(texts: Sequence[str], claims: Mapping[str, Sequence[Bag]]) -> SharedWords:
    """The words that blocks with these texts share with claims by field, of which none is empty.

    >>> found = shared_words(["Fire at the pier", "5 May"], {"title": [bag("Fire at the pier - Gazette")]})
    >>> found.best("title").tolist(), found.sizes.tolist(), found.has_digit.tolist()
    ([0.800000011920929, 0.0], [4, 2], [False, True])
    """
    fields = [field for field, bags in claims.items() if bags]
    every = [words for field in fields for words in claims[field]]
    sizes, has_digit = np.empty(len(texts), np.int32), np.empty(len(texts), np.bool_)
    common = np.zeros((len(every), len(texts)), np.int32)
    if loops is not None:
        loops.common([text.lower() for text in texts], every, sizes, has_digit.view(np.uint8), common)
    else:
        for block, text in enumerate(texts):
            words = bag(text)
            sizes[block], has_digit[block] = len(words), _DIGIT.search(text) is not None
            common[:, block] = [len(words & claim) for claim in every]
    of_field, of_claims, first = {}, {}, 0
    for field in fields:
        end = first + len(claims[field])
        of_field[field] = common[first:end]
        of_claims[field] = np.array([len(words) for words in claims[field]], np.int32)
        first = end
    return SharedWords(sizes, has_digit, of_field, of_claims)
