"""What is known of word forms, kept in arrays by word number: the reason why a page is cheap.

A lexicon grows with the words that it meets and starts anew when it is full, so its memory is bounded (about 30 MB).
"""

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.nlp.decode import FIRST_WORD, Bools, Indices, chunk_loops, form_loops
from parcels.nlp.idf import Idf
from parcels.nlp.names import LISTS, SHAPES, Names
from parcels.nlp.stems import stem, stems
from parcels.nlp.tagger import Tagger
from parcels.nlp.tokens import cut_chunk, split_chunk
from parcels.nlp.weights import NONE, Ints
from parcels.nlp.wordlists import ASKED, by_small_word, flags

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
        self.chunks = Chunks() if chunk_loops is None else chunk_loops.Chunks()
        numbered = Numbered if form_loops is None else form_loops.Numbered
        self.number, self.stem_number = numbered(FIRST_WORD), numbered(0)
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

    def add(self, chunks: list[str], models: Models, forms: Any) -> None:
        """Learn chunks that are not known yet, and their words; `forms` is what the models know of forms."""
        words, numbers = self.number.new([cut_chunk(chunk) for chunk in chunks])
        rows = slice(self.size, self.size + len(words))
        of_words = stems(words, term)
        if forms is not None:
            forms.describe(
                words, of_words, self.tag_keys[rows], self.decided[rows], self.name_keys[rows],
                self.shapes[rows], self.flags[rows], self.idf[rows],
            )  # fmt: skip
        else:
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


class Numbered:
    """Words, numbered as they come from the first on."""

    def __init__(self, first: int):
        self._first = first
        self._number: dict[str, int] = {}

    def new(self, cut: list[tuple[str, ...]]) -> tuple[list[str], list[Numbers]]:
        """The words of cut chunks that have no number yet, which they get, and the numbers of each chunk."""
        number = self._number
        new = [word for word in dict.fromkeys(chain.from_iterable(cut)) if word not in number]
        number.update(zip(new, range(self._first + len(number), self._first + len(number) + len(new)), strict=True))
        every = [tuple([number[token] for token in tokens]) for tokens in cut]
        return new, [numbers[0] if len(numbers) == 1 else numbers for numbers in every]

    def numbers(self, words: list[str]) -> list[int]:
        """The numbers of words, which those that have none get."""
        return [self._number.setdefault(word, self._first + len(self._number)) for word in words]


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
        self._forms = None
        if form_loops is not None:
            of_forms = models.tagger.forms(), models.names.forms()
            self._forms = form_loops.Forms(*of_forms, by_small_word(), ASKED, models.idf.frequency, models.idf.pages)
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
                known.add(new, self._models, self._forms)
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


class Chunks:
    """Chunks that were met, and the numbers of their words."""

    def __init__(self) -> None:
        self._numbers: dict[str, Numbers] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, chunk: str) -> bool:
        return chunk in self._numbers

    def add(self, chunks: list[str], numbers: list[Numbers]) -> None:
        """Put in chunks that are not there yet, each with the number of its word or a tuple of these."""
        self._numbers.update(zip(chunks, numbers, strict=True))

    def read(self, texts: list[str], longest: int) -> tuple[list[Any], list[int], list[str], list[int]]:
        """The word numbers of each chunk of texts, how many chunks each text has; those that are not known, and where
        these stand."""
        chunks = [_chunks(text, longest) for text in texts]
        rows = [self._numbers.get(chunk, chunk) for chunk in chain.from_iterable(chunks)]
        places = [at for at, row in enumerate(rows) if isinstance(row, str)]
        return rows, list(map(len, chunks)), [str(rows[at]) for at in places], places

    def fill(self, rows: list[Any], missing: list[str], places: list[int]) -> None:
        """Set the numbers of what was missing when it was read and has come in since."""
        for chunk, at in zip(missing, places, strict=True):
            rows[at] = self._numbers[chunk]

    def joined(self, rows: list[Numbers], counts: list[int]) -> tuple[Indices, Bools, Indices, Indices]:
        """The word numbers of texts, which tokens begin a chunk, where each text begins, and the text of each token."""
        tokens = [(row,) if isinstance(row, int) else row for row in rows]
        words = np.array(list(chain.from_iterable(tokens)), np.intp)
        chunk_begin = _ends(list(map(len, tokens)))
        is_spaced = np.zeros(len(words), np.bool_)
        is_spaced[chunk_begin[:-1]] = True
        begin = chunk_begin[_ends(counts)]
        return words, is_spaced, begin, np.repeat(np.arange(len(counts)), np.diff(begin))


def _ends(sizes: list[int]) -> Indices:
    """Where each part begins, if all stand in one row, and the end of all."""
    return np.cumsum([0, *sizes], dtype=np.intp)


def _most(chunks: Iterable[str]) -> int:
    """The most words that chunks can have."""
    return sum(map(len, map(split_chunk, chunks)))
