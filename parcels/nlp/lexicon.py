"""What is known of word forms, kept in arrays by word number: the reason why a page is cheap.

A lexicon grows with the words that it meets and starts anew when it is full, so its memory is bounded (about 30 MB).
"""

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from parcels.nlp.decode import FIRST_WORD, Indices
from parcels.nlp.gazetteers import gazetteers
from parcels.nlp.idf import Idf
from parcels.nlp.names import LISTS, SHAPES, Names
from parcels.nlp.stems import stem
from parcels.nlp.tagger import Tagger
from parcels.nlp.tokens import split_chunk
from parcels.nlp.weights import NONE, Ints
from parcels.nlp.wordlists import flags_of

CAPACITY = 60_000  # word forms, and as many chunks
LONGEST_PATTERN = 12
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Models:
    """What is asked about words."""

    tagger: Tagger
    names: Names
    idf: Idf


def term(word: str) -> str:
    """The word as it is counted: its stem; of what has digits, its pattern.

    >>> term("Reports"), term("3:04"), term("12/31/2003")
    ('report', '0:00', '00/00/0000')
    """
    if word.isalpha():
        return stem(word)
    return _DIGIT.sub("0", word.lower())[:LONGEST_PATTERN] if _DIGIT.search(word) else stem(word)


class Known:
    """The word forms that were met, and what is known of them. Rows are written before their word can be found."""

    def __init__(self, models: Models, capacity: int):
        self.capacity = capacity
        self.chunks: dict[str, tuple[int, ...]] = {}  # the word numbers of a chunk's tokens
        self.number: dict[str, int] = {}
        self.size = FIRST_WORD
        self.words: NDArray[np.object_] = np.full(capacity, "", object)
        self.stems: NDArray[np.object_] = np.full(capacity, "", object)
        self.tag_keys: Ints = np.zeros((capacity, 4), np.int32, order="F")  # read by column
        self.decided: Indices = np.full(capacity, NONE, np.intp)
        self.name_keys: Ints = np.zeros((capacity, 5), np.int32, order="F")
        self.shapes: Indices = np.zeros(capacity, np.intp)
        self.flags: NDArray[np.uint32] = np.zeros(capacity, np.uint32)
        self.idf: NDArray[np.float32] = np.zeros(capacity, np.float32)
        self.tag_keys[:FIRST_WORD] = models.tagger.mark_keys()
        self.name_keys[:FIRST_WORD] = models.names.mark_keys()

    def add(self, chunks: Sequence[str], models: Models) -> None:
        """Learn chunks that are not known yet, and their words."""
        tokens = [split_chunk(chunk) for chunk in chunks]
        number = self.number
        words = [word for word in dict.fromkeys(chain.from_iterable(tokens)) if word not in number]
        first = self.size
        rows = slice(first, first + len(words))
        self.tag_keys[rows] = models.tagger.keys(words)
        self.decided[rows] = models.tagger.decided(words)
        self.name_keys[rows] = models.names.keys(words)
        self.shapes[rows] = (self.name_keys[rows, LISTS] - 1) % len(SHAPES)
        phrases, seconds = gazetteers().phrases, gazetteers().seconds
        self.flags[rows] = [flags_of(word, phrases, seconds) for word in words]
        stems = [term(word) for word in words]
        self.idf[rows] = [models.idf.idf(of_word) for of_word in stems]
        self.words[rows], self.stems[rows] = words, stems
        self.size += len(words)
        number.update(zip(words, range(first, first + len(words)), strict=True))
        for chunk, of_chunk in zip(chunks, tokens, strict=True):
            self.chunks[chunk] = tuple([number[token] for token in of_chunk])


class Lexicon:
    """The known words, replaced as a whole when they fill up: a page in work keeps those it began with."""

    def __init__(self, models: Models, *, capacity: int = CAPACITY):
        self._models, self._capacity = models, capacity
        self._lock = threading.Lock()
        self._known = Known(models, capacity)

    def read(self, chunks: Sequence[str]) -> tuple[Known, list[tuple[int, ...]]]:
        """The word numbers of each chunk, and the arrays that these numbers belong to."""
        known = self._known
        try:
            return known, list(map(known.chunks.__getitem__, chunks))
        except KeyError:
            known = self._grown(chunks)
        return known, list(map(known.chunks.__getitem__, chunks))

    def _grown(self, chunks: Iterable[str]) -> Known:
        with self._lock:
            known = self._known
            all_chunks = dict.fromkeys(chunks)
            new = [chunk for chunk in all_chunks if chunk not in known.chunks]
            room = known.capacity - known.size
            if _most(new) > room or len(known.chunks) + len(new) > known.capacity:
                new = list(all_chunks)
                known = Known(self._models, max(self._capacity, FIRST_WORD + _most(new)))
                if known.capacity == self._capacity:  # one monstrous page must not set the size for all others
                    self._known = known
            known.add(new, self._models)
        return known


def _most(chunks: Iterable[str]) -> int:
    """The most words that chunks can have."""
    return sum(map(len, map(split_chunk, chunks)))
