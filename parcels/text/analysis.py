"""The analysis of texts: tokens with tags, names and stems, as the lexical view needs them, in one pass.

Values that depend on a word form alone are computed once and kept (see Lexicon). A page costs array operations on its
tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.text import idf
from parcels.text.dates import Moment, find_moments
from parcels.text.lexicon import Lexicon, Models, WordForms, take
from parcels.text.names import recogniser as names
from parcels.text.names.recogniser import LABELS, TokenContext, phrase_labels, sentence_cases
from parcels.text.names.runs import runs
from parcels.text.tagging import tagger
from parcels.text.tagging.greedy import mark_starts
from parcels.text.tagging.tables import Bools, Indices, Ints, TokenWindows
from parcels.text.tokens import offsets
from parcels.text.wordlists import Flag

AT_ONCE = 8_000  # tokens; longer pages are labelled in parts, to keep arrays small


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text: PER, LOC or ORG."""

    kind: str
    text: str
    start: int
    end: int


class LazyTokens(Sequence[str]):
    """Tokens by word number, looked up on access: for callers that need few of many."""

    def __init__(self, values: list[str], numbers: Indices):
        self._values, self._numbers = values, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, at: Any) -> Any:
        numbers = self._numbers[at]
        if isinstance(at, slice):
            return [self._values[number] for number in numbers.tolist()]
        return self._values[numbers]


@dataclass(frozen=True)
class Analysis:
    """The tokens of some texts (the blocks of a page), one after the other, in arrays with one entry per token."""

    texts: Sequence[str]
    forms: WordForms = field(repr=False)
    words: Indices  # row of each token in `forms`
    text_of: Indices  # index of the text that a token belongs to
    begin: Indices  # the first token of each text; the last entry is the number of tokens
    is_first: Bools  # begins a sentence
    is_spaced: Bools  # white space or nothing stands before it
    tag: Indices  # an index of tag_names
    label: Indices  # of names, an index of LABELS
    flags: NDArray[np.uint32]
    idf: NDArray[np.float32]
    tag_names: tuple[str, ...]

    @cached_property
    def tokens(self) -> list[str]:
        """Return the tokens as strings."""
        return take(self.forms.words, self.words)

    def lazy_tokens(self) -> LazyTokens:
        """Return the tokens as a sequence that looks strings up on access."""
        return LazyTokens(self.forms.words, self.words)

    @cached_property
    def stem(self) -> Ints:
        """Number of each token's stem; equal stems have equal numbers within one analysis."""
        return self.forms.stem_of.take(self.words)

    @cached_property
    def stems(self) -> list[str]:
        """Return the stem of each token, as in lexicon.term."""
        return take(self.forms.stems, self.words)

    def columns(self, vocabulary: dict[str, int]) -> Ints:
        """Return the column of each token's stem in a vocabulary of stems, -1 for unknown ones."""
        return self.forms.columns(vocabulary).take(self.words)

    def has(self, flag: int) -> Bools:
        """Return which tokens have a flag."""
        has_flag: Bools = (self.flags & np.uint32(flag)) != 0
        return has_flag

    def count(self, is_counted: Bools) -> NDArray[np.int64]:
        """Return the number of selected tokens in each text."""
        return np.bincount(self.text_of[is_counted], minlength=len(self.texts))

    def tags(self) -> list[str]:
        """Return the part-of-speech tags."""
        return [self.tag_names[tag] for tag in self.tag.tolist()]

    def names(self, text: int = 0) -> list[Name]:
        """Return the names in one of the texts."""
        first, end = int(self.begin[text]), int(self.begin[text + 1])
        at = offsets(self.texts[text], self.lazy_tokens()[first:end])
        names = []
        for kind, begin, stop in runs([LABELS[label] for label in self.label[first:end].tolist()]):
            start, last = at[begin][0], at[stop - 1][1]
            names.append(Name(kind, self.texts[text][start:last], start, last))
        return names

    def moments(self, text: int = 0) -> list[Moment]:
        """Return the dates and times in one of the texts."""
        return find_moments(self.texts[text])


class Analyser:
    """The models of a language with a cache of word forms. It is safe for use by many threads."""

    def __init__(self, models: Models):
        self._models = models
        self._lexicon = Lexicon(models)

    def analyse(self, texts: Sequence[str]) -> Analysis:
        """Analyse texts. No sentence or name extends over the end of a text."""
        forms, (words, is_spaced, begin, text_of) = self._lexicon.read(texts)
        flags = forms.flags.take(words)
        parts = [self._label(forms, words[at:end], flags[at:end], text_of[at:end]) for at, end in _slices(len(words))]
        is_first, tag, label = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        return Analysis(
            texts, forms, words, text_of, begin, is_first, is_spaced, tag, label, flags, forms.idf.take(words),
            self._models.tagger.labels,
        )  # fmt: skip

    def _label(
        self, forms: WordForms, words: Indices, flags: NDArray[np.uint32], text_of: Indices
    ) -> tuple[Bools, Indices, Indices]:
        """Return which tokens begin sentences, part-of-speech tags and labels of names."""
        tokens = LazyTokens(forms.words, words)
        windows = TokenWindows.of(words, sentence_starts(flags, text_of))
        tag = self._models.tagger.decode(windows, forms.decided, forms.tag_keys, tokens)
        shapes = forms.shapes.take(words)
        is_long = (flags & np.uint32(Flag.LONG)) != 0
        cases = sentence_cases(shapes, is_long, windows.is_first)
        begin = phrase_starts(flags)
        context = TokenContext(shapes, cases, phrase_labels(tokens, begin, windows.is_first), tag)
        return windows.is_first, tag, self._models.names.decode(windows, forms.name_keys, context)


def phrase_starts(flags: NDArray[np.uint32]) -> list[int]:
    """Return the tokens where a listed name of several words may begin."""
    begins, goes_on = ((flags & np.uint32(flag)) != 0 for flag in (Flag.PHRASE, Flag.PHRASE_SECOND))
    starts: list[int] = np.flatnonzero(begins[:-1] & goes_on[1:]).tolist()
    return starts


def _slices(count: int) -> list[tuple[int, int]]:
    return [(at, min(at + AT_ONCE, count)) for at in range(0, max(count, 1), AT_ONCE)]


def sentence_starts(flags: NDArray[np.uint32], text_of: Indices) -> Bools:
    """Return which tokens begin a sentence: the first of a text, and those after an end mark and closing quotes."""
    is_first = np.empty(len(flags), np.bool_)
    mark_starts(flags, text_of, Flag.ENDS, Flag.CLOSES, Flag.SMALL, is_first.view(np.uint8))
    return is_first


@cache
def shipped() -> Analyser:
    """Return the analyser with the models that come with the package."""
    tags = tagger.shipped()
    return Analyser(Models(tags, names.shipped(tags.labels), idf.shipped()))


def analyse(text: str) -> Analysis:
    """Analyse one text with the shipped models.

    >>> analyse("It's raining.").tags()
    ['PRP', 'VBZ', 'VBG', '.']
    """
    return shipped().analyse([text])
