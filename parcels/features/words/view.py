"""The lexical view: what a block says. Numbers (46 of the paper's 47 features and two more), keywords, stems."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, pairwise

import numpy as np

from parcels.divide import Division
from parcels.features.feature import Numbers, columns
from parcels.features.words.counts import Words
from parcels.features.words.numbers import FEATURES, top_keywords
from parcels.html.page import Page
from parcels.text.analysis import Analyser, Analysis
from parcels.text.lexicon import term
from parcels.text.tokens import tokenize
from parcels.text.wordlists import Flag

Terms = dict[str, int]  # stem: how often

NAMES: tuple[str, ...] = tuple(of.name for of in FEATURES)
VERSIONS: tuple[int, ...] = tuple(of.version for of in FEATURES)


@dataclass(frozen=True)
class LexicalView:
    """What the words of a page's blocks say, one row or entry a block; lists are made when they are asked for."""

    words: Words
    numbers: Numbers  # block x feature
    names: tuple[str, ...] = NAMES  # of the columns
    versions: tuple[int, ...] = VERSIONS

    @property
    def texts(self) -> Sequence[str]:
        """The text of each block."""
        return self.words.texts

    @property
    def analysis(self) -> Analysis:
        """Tokens, tags and names, for whoever needs more."""
        return self.words.analysis

    @cached_property
    def top_keywords(self) -> list[str]:
        """Three stems, best first."""
        return top_keywords(self.words)

    @cached_property
    def terms(self) -> list[Terms]:
        """All words, stop words too, `alt` texts too."""
        return term_counts(self.words)

    @cached_property
    def alt_terms(self) -> list[Terms]:
        """The words of `alt` texts alone."""
        return alt_counts(self.words)


def lexical_view(
    page: Page, division: Division, *, texts: Sequence[str] | None = None, analyser: Analyser | None = None
) -> LexicalView:
    """The lexical view of a divided page.

    `texts` are the texts of its blocks, where they are at hand; `analyser` replaces the shipped models.

    >>> from parcels.divide import fine
    >>> from parcels.html.page import read_page
    >>> page = read_page("<h1>Harbour fire</h1><p>By Ann Lee<p>Subscribe to our <a href=/n>newsletters</a>!")
    >>> view = lexical_view(page, fine.divide(page))
    >>> view.top_keywords
    ['harbour fire', 'ann lee', 'newslett subscrib']
    >>> view.numbers[:, view.names.index("contains-by")].tolist()
    [0.0, 1.0, 0.0]
    """
    words = Words.of(page, division, texts=texts, analyser=analyser)
    return LexicalView(words, columns(FEATURES, words, len(words)))


def term_counts(words: Words) -> list[Terms]:
    """How often each stem occurs in each block."""
    of = words.analysis
    is_word = of.has(Flag.WORD)
    stems = list(compress(of.stems, is_word.tolist()))
    begin = np.concatenate(([0], np.cumsum(is_word)))[of.begin].tolist()
    return [_counted(stems[first:end]) for first, end in pairwise(begin)]


def _counted(stems: list[str]) -> Terms:
    once = dict.fromkeys(stems, 1)  # as most blocks are short, most have every stem once
    return once if len(once) == len(stems) else Counter(stems)


def alt_counts(words: Words) -> list[Terms]:
    """How often each stem occurs in the `alt` texts of each block."""
    leaves = words.page.leaves
    images = [leaf for leaf, kind in enumerate(leaves.kind) if kind == "img" and leaves.text[leaf]]
    blocks = np.searchsorted(words.division.first, images, "right") - 1
    found: list[Terms] = [{} for _ in range(len(words))]
    for leaf, block in zip(images, blocks.tolist(), strict=True):
        counts = found[block]
        for token in tokenize(leaves.text[leaf]):
            if token[0].isalnum():
                stem = term(token)
                counts[stem] = counts.get(stem, 0) + 1
    return found
