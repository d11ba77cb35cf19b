"""Texts into tokens with tags, names, stems: all that the lexical view asks of the words of a page, in one pass.

What depends on a word form alone is computed once and kept (see Lexicon); a page costs array operations on its tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.text import idf
from parcels.text.dates import Moment, find_moments
from parcels.text.lexicon import Known, Lexicon, Models, chosen
from parcels.text.names import recogniser as names
from parcels.text.names.recogniser import LABELS, Clues, phrase_labels, sentence_cases
from parcels.text.names.runs import runs
from parcels.text.tagging import tagger
from parcels.text.tagging.greedy import mark_starts
from parcels.text.tagging.tables import Bools, Indices, Ints, Places
from parcels.text.tokens import offsets
from parcels.text.wordlists import Flag

AT_ONCE = 8_000  # tokens: longer pages are taken in parts, so that arrays stay small


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text: PER, LOC or ORG."""

    kind: str
    text: str
    start: int
    end: int


class Tokens(Sequence[str]):
    """Words by their numbers, for those who ask about a few of many."""

    def __init__(self, values: list[str], numbers: Indices):
        self._values, self._numbers = values, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, at: Any) -> Any:
        found = self._numbers[at]
        return [self._values[number] for number in found.tolist()] if isinstance(at, slice) else self._values[found]


@dataclass(frozen=True)
class Analysis:
    """The tokens of some texts (the blocks of a page) in one row, and what is known of each."""

    texts: Sequence[str]
    known: Known = field(repr=False)
    words: Indices  # the tokens as numbers of what is known
    text_of: Indices  # the text that a token belongs to
    begin: Indices  # the first token of each text, and the end of all
    is_first: Bools  # begins a sentence
    is_spaced: Bools  # white space or nothing stands before it
    tag: Indices  # in tag_names
    label: Indices  # of names, in LABELS
    flags: NDArray[np.uint32]
    idf: NDArray[np.float32]
    tag_names: tuple[str, ...]

    @cached_property
    def tokens(self) -> list[str]:
        """The tokens themselves."""
        return chosen(self.known.words, self.words)

    def some_tokens(self) -> Tokens:
        """The same for those who look at a few."""
        return Tokens(self.known.words, self.words)

    @cached_property
    def stem(self) -> Ints:
        """The stem of each token as a number: the same stem is the same number, in one analysis."""
        return self.known.stem_of.take(self.words)

    @cached_property
    def stems(self) -> list[str]:
        """The stem of each token, or what stands for it (lexicon.term)."""
        return chosen(self.known.stems, self.words)

    def has(self, flag: int) -> Bools:
        """Which tokens have a flag."""
        found: Bools = (self.flags & np.uint32(flag)) != 0
        return found

    def count(self, is_counted: Bools) -> NDArray[np.int64]:
        """How many such tokens each text has."""
        return np.bincount(self.text_of[is_counted], minlength=len(self.texts))

    def tags(self) -> list[str]:
        """The part-of-speech tags."""
        return [self.tag_names[tag] for tag in self.tag.tolist()]

    def names(self, text: int = 0) -> list[Name]:
        """The names in one of the texts."""
        first, end = int(self.begin[text]), int(self.begin[text + 1])
        at = offsets(self.texts[text], self.tokens[first:end])
        found = []
        for kind, begin, stop in runs([LABELS[label] for label in self.label[first:end].tolist()]):
            start, last = at[begin][0], at[stop - 1][1]
            found.append(Name(kind, self.texts[text][start:last], start, last))
        return found

    def moments(self, text: int = 0) -> list[Moment]:
        """The dates and times in one of the texts."""
        return find_moments(self.texts[text])


class Analyser:
    """Models and what they said of words so far. Many threads may use one."""

    def __init__(self, models: Models):
        self._models = models
        self._lexicon = Lexicon(models)

    def analyse(self, texts: Sequence[str]) -> Analysis:
        """Analyse texts, each a text of its own (no sentence runs over its end)."""
        known, (words, is_spaced, begin, text_of) = self._lexicon.read(texts)
        flags = known.flags.take(words)
        parts = [self._part(known, words[at:end], flags[at:end], text_of[at:end]) for at, end in _slices(len(words))]
        is_first, tag, label = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        return Analysis(
            texts, known, words, text_of, begin, is_first, is_spaced, tag, label, flags, known.idf.take(words),
            self._models.tagger.labels,
        )  # fmt: skip

    def _part(
        self, known: Known, words: Indices, flags: NDArray[np.uint32], text_of: Indices
    ) -> tuple[Bools, Indices, Indices]:
        """Where sentences begin, part-of-speech tags and labels of names."""
        tokens = Tokens(known.words, words)
        places = Places.of(words, sentence_starts(flags, text_of))
        tag = self._models.tagger.decode(places, known.decided, known.tag_keys, tokens)
        shapes = known.shapes.take(words)
        is_long = (flags & np.uint32(Flag.LONG)) != 0
        cases = sentence_cases(shapes, is_long, places.is_first)
        begin = phrase_starts(flags)
        clues = Clues(shapes, cases, phrase_labels(tokens, begin, places.is_first), tag)
        return places.is_first, tag, self._models.names.decode(places, known.name_keys, clues)


def phrase_starts(flags: NDArray[np.uint32]) -> list[int]:
    """Where a listed name of several words may begin."""
    begins, goes_on = ((flags & np.uint32(flag)) != 0 for flag in (Flag.PHRASE, Flag.PHRASE_SECOND))
    found: list[int] = np.flatnonzero(begins[:-1] & goes_on[1:]).tolist()
    return found


def _slices(count: int) -> list[tuple[int, int]]:
    return [(at, min(at + AT_ONCE, count)) for at in range(0, max(count, 1), AT_ONCE)]


def sentence_starts(flags: NDArray[np.uint32], text_of: Indices) -> Bools:
    """Which tokens begin a sentence: the first of a text, and what follows an end mark, quotes and brackets closed."""
    is_first = np.empty(len(flags), np.bool_)
    mark_starts(flags, text_of, Flag.ENDS, Flag.CLOSES, Flag.SMALL, is_first.view(np.uint8))
    return is_first


@cache
def shipped() -> Analyser:
    """The analyser with the models that come with the package."""
    tags = tagger.shipped()
    return Analyser(Models(tags, names.shipped(tags.labels), idf.shipped()))


def analyse(text: str) -> Analysis:
    """Analyse one text with the models that come with the package.

    >>> analyse("It's raining.").tags()
    ['PRP', 'VBZ', 'VBG', '.']
    """
    return shipped().analyse([text])
