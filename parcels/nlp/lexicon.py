"""What is known of word forms, kept in arrays by word number: the reason why a page is cheap.

A lexicon grows with the words that it meets and starts anew when it is full, so its memory is bounded (about 30 MB).
"""

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.nlp.decode import FIRST_WORD, Bools, Indices, form_loops, loops
from parcels.nlp.idf import Idf
from parcels.nlp.names import LISTS, SHAPES, Names
from parcels.nlp.stems import stem, stems
from parcels.nlp.tagger import Tagger
from parcels.nlp.tokens import cut_chunk, split_chunk
from parcels.nlp.weights import NONE, Ints
from parcels.nlp.wordlists import flags

CAPACITY = 60_000  # word forms, and as many chunks
LONGEST_CHUNK = 200  # characters without white space; what is longer is cut there and is no word
LONGEST_PATTERN = 12
_DIGIT = re.compile(r"\d")


# The word numbers of a chunk's tokens, or its one token's: most have one, and a number is no container, which Python's
# garbage collector would look at.
Numbers = int | tuple[int, ...]


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
        self.chunks: dict[str, Numbers] = {}
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
        first = self.size
        new, numbers = _new_words([cut_chunk(chunk) for chunk in chunks], self.number, first)
        words = list(new)
        rows = slice(first, first + len(words))
        self.tag_keys[rows] = models.tagger.keys(words)
        self.decided[rows] = models.tagger.decided(words)
        self.name_keys[rows] = models.names.keys(words)
        self.shapes[rows] = (self.name_keys[rows, LISTS] - 1) % len(SHAPES)
        self.flags[rows] = flags(words)
        of_words = stems(words, term)
        self.idf[rows] = models.idf.of(of_words)
        self.words[rows], self.stems[rows] = words, of_words
        self.size += len(words)
        self.number.update(new)
        self.chunks.update(zip(chunks, numbers, strict=True))


def _new_words(cut: list[tuple[str, ...]], number: dict[str, int], first: int) -> tuple[dict[str, int], list[Numbers]]:
    """The words of cut chunks that have no number yet, numbered from the first on, and the numbers of each chunk."""
    if form_loops is not None:
        found: tuple[dict[str, int], list[Numbers]] = form_loops.new_words(cut, number, first)
        return found
    words = [word for word in dict.fromkeys(chain.from_iterable(cut)) if word not in number]
    new = {word: at for at, word in enumerate(words, first)}
    every = [tuple([number[token] if token in number else new[token] for token in tokens]) for tokens in cut]
    return new, [numbers[0] if len(numbers) == 1 else numbers for numbers in every]


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
        rows, counts, missing = _found(texts, known.chunks)
        if missing:
            began_with, known = known, self._grown(known, [rows[at] for at in missing], texts)
            if known is began_with:
                for at in missing:
                    rows[at] = known.chunks[rows[at]]
            else:
                rows, counts, _ = _found(texts, known.chunks)
        return known, _joined(rows, counts)

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


def _found(texts: Sequence[str], known: dict[str, Numbers]) -> tuple[list[Any], list[int], list[int]]:
    """The word numbers of each chunk of texts, or the chunk itself where it is not known yet; how many chunks each text
    has; and the places of those that are not known."""
    if loops is not None:
        found: tuple[list[Any], list[int], list[int]] = loops.read(list(texts), known, LONGEST_CHUNK)
        return found
    chunks = [_chunks(text) for text in texts]
    rows = [known.get(chunk, chunk) for chunk in chain.from_iterable(chunks)]
    return rows, list(map(len, chunks)), [at for at, row in enumerate(rows) if isinstance(row, str)]


def _joined(rows: list[Numbers], counts: list[int]) -> Read:
    """The words of texts with so many chunks each."""
    if loops is not None:
        return Read(*loops.joined(rows, counts))
    tokens = [(row,) if isinstance(row, int) else row for row in rows]
    words = np.array(list(chain.from_iterable(tokens)), np.intp)
    chunk_begin = _ends(list(map(len, tokens)))
    is_spaced = np.zeros(len(words), np.bool_)
    is_spaced[chunk_begin[:-1]] = True
    begin = chunk_begin[_ends(counts)]
    return Read(words, is_spaced, begin, np.repeat(np.arange(len(counts)), np.diff(begin)))


def _ends(sizes: list[int]) -> Indices:
    """Where each part begins, if all stand in one row, and the end of all."""
    return np.cumsum([0, *sizes], dtype=np.intp)


def _most(chunks: Iterable[str]) -> int:
    """The most words that chunks can have."""
    return sum(map(len, map(split_chunk, chunks)))
