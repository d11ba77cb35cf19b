"""What is known of word forms, kept in arrays by word number: the reason why a page is cheap.

A lexicon grows with the words that it meets and starts anew when it is full, so its memory is bounded (about 30 MB).
"""

import re
import threading
from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.nlp.decode import FIRST_WORD, Bools, Indices, loops
from parcels.nlp.gazetteers import gazetteers
from parcels.nlp.idf import Idf
from parcels.nlp.names import LISTS, SHAPES, Names
from parcels.nlp.stems import stem
from parcels.nlp.tagger import Tagger
from parcels.nlp.tokens import split_chunk
from parcels.nlp.weights import NONE, Ints
from parcels.nlp.wordlists import flags_of

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
        self.chunks: dict[str, tuple[int, ...]] = {}  # the word numbers of a chunk's tokens
        self.number: dict[str, int] = {}
        self.size = FIRST_WORD
        self.words = [""] * capacity
        self.stems = [""] * capacity
        of_marks = models.tagger.mark_keys(), models.names.mark_keys()
        order: Literal["C", "F"] = "F" if loops is None else "C"  # NumPy reads it by column, a compiled loop by row
        self.tag_keys: Ints = np.zeros((capacity, of_marks[0].shape[1]), np.int32, order=order)
        self.decided: Indices = np.full(capacity, NONE, np.intp)
        self.name_keys: Ints = np.zeros((capacity, of_marks[1].shape[1]), np.int32, order=order)
        self.shapes: Indices = np.zeros(capacity, np.intp)
        self.flags: NDArray[np.uint32] = np.zeros(capacity, np.uint32)
        self.idf: NDArray[np.float32] = np.zeros(capacity, np.float32)
        self.tag_keys[:FIRST_WORD], self.name_keys[:FIRST_WORD] = of_marks

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
        known = self._known
        found = _read(texts, known.chunks)
        if not isinstance(found, Read):
            known = self._grown(known, found, texts)
            found = _read(texts, known.chunks)
            assert isinstance(found, Read)
        return known, found

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
            known.add(new, self._models)
        return known


def chosen(values: list[str], numbers: Indices) -> list[str]:
    """The values with these numbers."""
    if loops is not None:
        found: list[str] = loops.chosen(values, numbers)
        return found
    return [values[number] for number in numbers.tolist()]


def _chunks(text: str) -> list[str]:
    chunks = text.split()
    if len(text) > LONGEST_CHUNK and max(map(len, chunks), default=0) > LONGEST_CHUNK:
        return [chunk[:LONGEST_CHUNK] for chunk in chunks]
    return chunks


def _read(texts: Sequence[str], known: dict[str, tuple[int, ...]]) -> Read | list[str]:
    """The words of texts, or the chunks that are not known yet."""
    if loops is not None:
        found = loops.read(list(texts), known, LONGEST_CHUNK)
        return found if isinstance(found, list) else Read(*found)
    chunks = [_chunks(text) for text in texts]
    missing = [chunk for chunk in chain.from_iterable(chunks) if chunk not in known]
    if missing:
        return missing
    numbers = list(map(known.__getitem__, chain.from_iterable(chunks)))
    words = np.array(list(chain.from_iterable(numbers)), np.intp)
    chunk_begin = _ends(numbers)
    is_spaced = np.zeros(len(words), np.bool_)
    is_spaced[chunk_begin[:-1]] = True
    begin = chunk_begin[_ends(chunks)]
    return Read(words, is_spaced, begin, np.repeat(np.arange(len(texts)), np.diff(begin)))


def _ends(parts: Sequence[Sized]) -> Indices:
    """Where each part begins, if all stand in one row, and the end of all."""
    found = np.zeros(len(parts) + 1, np.intp)
    np.cumsum(np.fromiter(map(len, parts), np.intp, len(parts)), out=found[1:])
    return found


def _most(chunks: Iterable[str]) -> int:
    """The most words that chunks can have."""
    return sum(map(len, map(split_chunk, chunks)))
