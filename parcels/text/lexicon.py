"""What is known of word forms, kept in arrays by word number: the reason why a page is cheap.

A lexicon grows with the words that it meets and starts anew when it is full, so its memory is bounded (about 30 MB).
"""

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.text.chunks import Chunks, Numbered
from parcels.text.idf import Idf
from parcels.text.names.recogniser import LISTS, SHAPES, Names
from parcels.text.stems import stem, stems
from parcels.text.tagging.tables import FIRST_WORD, Bools, Indices
from parcels.text.tagging.tagger import Tagger
from parcels.text.tagging.weights import NONE, Ints
from parcels.text.tokens import cut_chunk, split_chunk
from parcels.text.wordlists import flags

CAPACITY = 60_000  # word forms, and as many chunks
LONGEST_CHUNK = 200  # characters without white space; what is longer is cut there and is no word
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
        self.chunks = Chunks()
        self.number, self.stem_number = Numbered(FIRST_WORD), Numbered(0)
        self.size = FIRST_WORD
        self.words = [""] * capacity
        self.stems = [""] * capacity
        of_marks = models.tagger.mark_keys(), models.names.mark_keys()
        self.tag_keys: Ints = np.zeros((capacity, of_marks[0].shape[1]), np.int32)
        self.decided: Indices = np.full(capacity, NONE, np.intp)
        self.name_keys: Ints = np.zeros((capacity, of_marks[1].shape[1]), np.int32)
        self.stem_of: Ints = np.zeros(capacity, np.int32)
        self.shapes: Indices = np.zeros(capacity, np.intp)
        self.flags: NDArray[np.uint32] = np.zeros(capacity, np.uint32)
        self.idf: NDArray[np.float32] = np.zeros(capacity, np.float32)
        self.tag_keys[:FIRST_WORD], self.name_keys[:FIRST_WORD] = of_marks

    def add(self, chunks: list[str], models: Models) -> None:
        """Learn chunks that are not known yet, and their words."""
        words, numbers = self.number.new([cut_chunk(chunk) for chunk in chunks])
        rows = slice(self.size, self.size + len(words))
        of_words = stems(words, term)
        self.tag_keys[rows] = models.tagger.keys(words)
        self.decided[rows] = models.tagger.decided(words)
        self.name_keys[rows] = models.names.keys(words)
        self.shapes[rows] = (self.name_keys[rows, LISTS] - 1) % len(SHAPES)
        self.flags[rows] = flags(words)
        self.idf[rows] = models.idf.of(of_words)
        self.stem_of[rows] = self.stem_number.numbers(of_words)
        self.words[rows], self.stems[rows] = words, of_words
        self.size += len(words)
        self.chunks.add(chunks, numbers)


class Read(NamedTuple):
    """Texts as word numbers."""

    words: Indices
    is_spaced: Bools  # white space or nothing stands before it
    begin: Indices  # the first word of each text, and the end of all
    text_of: Indices  # the text that a word belongs to


class Lexicon:
    """The known words, replaced as a whole when they fill up: a page in work keeps those it began with."""

    def __init__(self, models: Models, *, capacity: int = CAPACITY):
        self._models, self._capacity = models, capacity
        self._lock = threading.Lock()
        self._known = Known(models, capacity)

    def read(self, texts: Sequence[str]) -> tuple[Known, Read]:
        """Read texts: their words, and the arrays that the words' numbers belong to."""
        known, texts = self._known, list(texts)
        rows, counts, missing, places = known.chunks.read(texts, LONGEST_CHUNK)
        if missing:
            began_with, known = known, self._grown(known, missing, texts)
            if known is began_with:
                known.chunks.fill(rows, missing, places)
            else:
                rows, counts, _, _ = known.chunks.read(texts, LONGEST_CHUNK)
        return known, Read(*known.chunks.joined(rows, counts))

    def _grown(self, known: Known, missing: Iterable[str], texts: Sequence[str]) -> Known:
        """What is known once all chunks of the texts are, of which `known` lacks those that are missing."""
        with self._lock:
            if known is not self._known:  # another thread has begun anew
                known, missing = self._known, chain.from_iterable(map(_chunks, texts))
            new = [chunk for chunk in dict.fromkeys(missing) if chunk not in known.chunks]
            room = known.capacity - known.size
            is_tight = sum(map(len, new)) > room  # no chunk has more words than characters
            if (is_tight and _most(new) > room) or len(known.chunks) + len(new) > known.capacity:
                new = list(dict.fromkeys(chain.from_iterable(map(_chunks, texts))))
                known = Known(self._models, max(self._capacity, FIRST_WORD + _most(new)))
                if known.capacity == self._capacity:  # one monstrous page must not set the size for all others
                    self._known = known
            try:
                known.add(new, self._models)
            except BaseException:  # some words may have numbers and no rows
                self._known = Known(self._models, self._capacity)
                raise
        return known


def chosen(values: list[str], numbers: Indices) -> list[str]:
    """Return the values with these numbers."""
    found = [""] * len(numbers)
    for at in range(len(numbers)):
        found[at] = values[numbers[at]]
    return found


def _chunks(text: str, longest: int = LONGEST_CHUNK) -> list[str]:
    chunks = text.split()
    if len(text) > longest and max(map(len, chunks), default=0) > longest:
        return [chunk[:longest] for chunk in chunks]
    return chunks


def _most(chunks: Iterable[str]) -> int:
    """The most words that chunks can have."""
    return sum(map(len, map(split_chunk, chunks)))
