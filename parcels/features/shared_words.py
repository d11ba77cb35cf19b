# cython: wraparound=False, cdivision=True
"""Count the words that blocks share with the claims of a page's structured data."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parcels.maps import IntMap, hash_of

Bag = frozenset[str]
Counts = NDArray[np.int32]
Floats = NDArray[np.float32]

_WORDS = re.compile(r"\w+")


def bag(text: str) -> Bag:
    """Return the distinct words of a text, in lower case.

    >>> sorted(bag("Fire at the Pier!"))
    ['at', 'fire', 'pier', 'the']
    """
    return frozenset(_WORDS.findall(text.lower()))


@dataclass(frozen=True, slots=True)
class SharedWords:
    """The sizes of blocks and claims in distinct words, and the number of words they share."""

    sizes: Counts  # distinct words of each block
    has_digit: NDArray[np.bool_]
    common: dict[str, Counts]  # by field: claim x block
    claims: dict[str, Counts]  # by field: distinct words of each claim

    def best(self, field: str) -> Floats:
        """Return each block's best overlap with a claim: shared words divided by the size of the larger one."""
        best = np.zeros(len(self.sizes), np.float32)
        if field in self.common:
            best_shares(self.common[field], self.sizes, self.claims[field], best)
        return best


def shared_words(texts: Sequence[str], claims: Mapping[str, Sequence[Bag]]) -> SharedWords:
    """Count the words that texts of blocks share with claims, given by field. No claim may be empty.

    >>> shared = shared_words(["Fire at the pier", "5 May"], {"title": [bag("Fire at the pier - Gazette")]})
    >>> shared.best("title").tolist(), shared.sizes.tolist(), shared.has_digit.tolist()
    ([0.800000011920929, 0.0], [4, 2], [False, True])
    """
    fields = [field for field, bags in claims.items() if bags]
    every = [words for field in fields for words in claims[field]]
    sizes, has_digit = np.zeros(len(texts), np.int32), np.zeros(len(texts), np.bool_)
    common = np.zeros((len(every), len(texts)), np.int32)
    count_shared([text.lower() for text in texts], every, sizes, has_digit.view(np.uint8), common)
    of_field, of_claims, first = {}, {}, 0
    for field in fields:
        end = first + len(claims[field])
        of_field[field] = common[first:end]
        of_claims[field] = np.array([len(words) for words in claims[field]], np.int32)
        first = end
    return SharedWords(sizes, has_digit, of_field, of_claims)


class _ClaimedWords:
    """The numbered words of all claims, each with the linked list of the claims that have it."""

    def __init__(self, claims: list[Bag]):
        count = sum(map(len, claims))
        self.words = IntMap(count)
        self.last_place = np.full(count, -1, np.int32)
        self.claim, self.place_before = np.empty(count, np.int32), np.empty(count, np.int32)
        self._fill(claims)

    def _fill(self, claims: list[Bag]) -> int:
        place = 0
        for claim in range(len(claims)):
            of_claim = claims[claim]
            for word in of_claim:
                number = self.words.put(hash_of(word, 0, len(word)), self.words.count)
                self.claim[place], self.place_before[place] = claim, self.last_place[number]
                self.last_place[number] = place
                place += 1
        return place


def count_shared(
    texts: list[str], claims: list[Bag], sizes: Counts, has_digit: NDArray[np.uint8], common: Counts
) -> int:
    """Count the distinct words of lower-case texts, and those that each claim has too; return the number of texts."""
    claimed = _ClaimedWords(claims)
    words = claimed.words
    claims_words, most = words.count, words.count
    for text in texts:
        most += (len(text) + 1) // 2
    last_block = np.full(most, -1, np.int32)  # by word: the last block that has it
    for block in range(len(texts)):
        text = texts[block]
        at, size, count, has_any_digit = 0, len(text), 0, False
        while at < size:
            begin = at
            while at < size:
                letter = text[at]
                if "a" <= letter <= "z":
                    pass
                elif letter <= "\x7f":
                    if "0" <= letter <= "9":
                        has_any_digit = True
                    elif letter != "_":
                        break
                elif letter.isalnum():
                    has_any_digit = has_any_digit or letter.isdecimal()
                else:
                    break
                at += 1
            if at > begin:
                number = words.put(hash_of(text, begin, at), words.count)
                if last_block[number] != block:
                    last_block[number] = block
                    count += 1
                    place = claimed.last_place[number] if number < claims_words else -1
                    while place >= 0:
                        common[claimed.claim[place], block] += 1
                        place = claimed.place_before[place]
            at += 1
        sizes[block], has_digit[block] = count, has_any_digit
    return len(texts)


def best_shares(common: Counts, sizes: Counts, claims: Counts, best_of: Floats) -> int:
    """Fill `best_of` with the largest overlap of each block with any claim."""
    for block in range(len(sizes)):
        best = 0.0
        for claim in range(len(claims)):
            if common[claim, block]:
                shared, larger = common[claim, block], max(sizes[block], claims[claim])
                best = max(best, shared / larger)
        best_of[block] = best
    return len(sizes)
