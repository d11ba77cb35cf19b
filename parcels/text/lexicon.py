"""A cache of word forms: what the models compute for a word alone, in arrays by word number.

The cache grows with the words that it sees and is replaced when it is full, so its memory is bounded (about 30 MB).
"""

import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parcels.text.chunks import Chunks, WordNumbers
from parcels.text.idf import Idf
from parcels.text.names.recogniser import LISTS, SHAPES, NameRecogniser
from parcels.text.stems import stem, stems
from parcels.text.tagging.tables import FIRST_WORD, Bools, Indices
from parcels.text.tagging.tagger import Tagger
from parcels.text.tagging.weights import NONE, Ints
from parcels.text.tokens import cut_chunk, split_chunk
from parcels.text.wordlists import flags

CAPACITY = 60_000  # word forms, and also chunks
LONGEST_CHUNK = 200  # characters; longer chunks are cut
LONGEST_PATTERN = 12
MOST_VOCABULARIES = 8  # whose columns are kept at a time
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Models:
    """The models of words."""

    tagger: Tagger
    names: NameRecogniser
    idf: Idf


def term(word: str) -> str:
    """Return the form in which a word is counted: its stem; for a word with digits, its pattern.

    >>> term("Reports"), term("3:04"), term("12/31/2003")
    ('report', '0:00', '00/00/0000')
    """
    if word.isalpha():
        return stem(word)
    return _DIGIT.sub("0", word.lower())[:LONGEST_PATTERN] if _DIGIT.search(word) else stem(word)


class WordForms:
    """The word forms seen so far and their values. A row is written before its word is visible to other threads."""

    def __init__(self, models: Models, capacity: int):
        self.capacity = capacity
        self.chunks = Chunks()
        self.number, self.stem_number = WordNumbers(FIRST_WORD), WordNumbers(0)
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
        self._columns: dict[int, _Columns] = {}  # by the id of a vocabulary

    def add(self, chunks: list[str], models: Models) -> None:
        """Add new chunks and their words."""
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

    def columns(self, vocabulary: dict[str, int]) -> Ints:
        """Return by row the column of a word's stem in a vocabulary, -1 for stems that it lacks.

        Only words that are new since the last call are looked up; the vocabulary must not change.
        """
        known, size = self._columns.get(id(vocabulary)), self.size
        if known is None:
            if len(self._columns) >= MOST_VOCABULARIES:
                self._columns.clear()
            known = self._columns[id(vocabulary)] = _Columns(vocabulary, self.capacity)
        known.extend(self.stems, size)
        return known.of_row


class _Columns:
    """The columns of word forms in a vocabulary."""

    def __init__(self, vocabulary: dict[str, int], capacity: int):
        self.vocabulary, self.size = vocabulary, 0
        self.of_row: Ints = np.full(capacity, -1, np.int32)

    def extend(self, stems: list[str], size: int) -> None:
        """Look up the stems of the first `size` rows, as far as they are new."""
        first = self.size
        if first < size:
            places = map(self.vocabulary.get, stems[first:size], repeat(-1))
            self.of_row[first:size] = np.fromiter(places, np.int32, size - first)
            self.size = size  # set last: another thread may do the same, with the same result


class TokenArrays(NamedTuple):
    """Texts as word numbers."""

    words: Indices
    is_spaced: Bools  # white space or nothing stands before it
    begin: Indices  # the first word of each text; the last entry is the number of words
    text_of: Indices  # index of the text that a word belongs to


class Lexicon:
    """The cached word forms. They are replaced as a whole when full, so a page keeps the arrays that it began with."""

    def __init__(self, models: Models, *, capacity: int = CAPACITY):
        self._models, self._capacity = models, capacity
        self._lock = threading.Lock()
        self._forms = WordForms(models, capacity)

    def read(self, texts: Sequence[str]) -> tuple[WordForms, TokenArrays]:
        """Return the words of texts, and the word forms that their numbers refer to."""
        forms, texts = self._forms, list(texts)
        rows, counts, missing, places = forms.chunks.read(texts, LONGEST_CHUNK)
        if missing:
            began_with, forms = forms, self._extended(forms, missing, texts)
            if forms is began_with:
                forms.chunks.fill(rows, missing, places)
            else:
                rows, counts, _, _ = forms.chunks.read(texts, LONGEST_CHUNK)
        return forms, TokenArrays(*forms.chunks.joined(rows, counts))

    def _extended(self, forms: WordForms, missing: Iterable[str], texts: Sequence[str]) -> WordForms:
        """Return word forms that include all chunks of the texts; `missing` are those that `forms` lacks."""
        with self._lock:
            if forms is not self._forms:  # another thread has replaced them
                forms, missing = self._forms, chain.from_iterable(map(_chunks, texts))
            new = [chunk for chunk in dict.fromkeys(missing) if chunk not in forms.chunks]
            room = forms.capacity - forms.size
            is_tight = sum(map(len, new)) > room  # no chunk has more words than characters
            if (is_tight and _most(new) > room) or len(forms.chunks) + len(new) > forms.capacity:
                new = list(dict.fromkeys(chain.from_iterable(map(_chunks, texts))))
                forms = WordForms(self._models, max(self._capacity, FIRST_WORD + _most(new)))
                if forms.capacity == self._capacity:  # a very large page does not set the size for later pages
                    self._forms = forms
            try:
                forms.add(new, self._models)
            except BaseException:  # some words may have numbers but no rows
                self._forms = WordForms(self._models, self._capacity)
                raise
        return forms


def take(values: list[str], numbers: Indices) -> list[str]:
    """Return the values with these numbers."""
    result = [""] * len(numbers)
    for at in range(len(numbers)):
        result[at] = values[numbers[at]]
    return result


def _chunks(text: str, longest: int = LONGEST_CHUNK) -> list[str]:
    chunks = text.split()
    if len(text) > longest and max(map(len, chunks), default=0) > longest:
        return [chunk[:longest] for chunk in chunks]
    return chunks


def _most(chunks: Iterable[str]) -> int:
    """Return an upper bound on the number of words in chunks."""
    return sum(map(len, map(split_chunk, chunks)))
