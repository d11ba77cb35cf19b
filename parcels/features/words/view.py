"""The lexical view: 48 numbers per block (46 of the paper's 47 features and two more), keywords and stems."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, pairwise

import numpy as np

from parcels.divide import Division
from parcels.features.feature import Numbers, columns
from parcels.features.words.counts import BlockWords
from parcels.features.words.numbers import FEATURES, top_keywords
from parcels.html.page import Page
from parcels.text.analysis import Analyser, Analysis
from parcels.text.lexicon import term
from parcels.text.tokens import tokenize
from parcels.text.wordlists import Flag

Terms = dict[str, int]  # stem: its frequency

NAMES: tuple[str, ...] = tuple(of.name for of in FEATURES)
VERSIONS: tuple[int, ...] = tuple(of.version for of in FEATURES)


@dataclass(frozen=True)
class LexicalView:
    """The lexical features of a page, one row or entry per block. Lists are made on first use."""

    words: BlockWords
    numbers: Numbers  # block x feature
    names: tuple[str, ...] = NAMES  # of the columns
    versions: tuple[int, ...] = VERSIONS

    @property
    def texts(self) -> Sequence[str]:
        """The text of each block."""
        return self.words.texts

    @property
    def analysis(self) -> Analysis:
        """Tokens, tags and names of the texts."""
        return self.words.analysis

    @cached_property
    def top_keywords(self) -> list[str]:
        """The three best stems of each block, best first."""
        return top_keywords(self.words)

    @cached_property
    def terms(self) -> list[Terms]:
        """Stems of all words of each block with their frequencies, stop words and `alt` texts included."""
        return term_counts(self.words)

    @cached_property
    def alt_terms(self) -> list[Terms]:
        """Stems of the words of each block's `alt` texts, with their frequencies."""
        return alt_counts(self.words)


def lexical_view(
    page: Page, division: Division, *, texts: Sequence[str] | None = None, analyser: Analyser | None = None
) -> LexicalView:
    """Return the lexical view of a divided page.

    `texts` are the texts of its blocks, if they are already known. `analyser` replaces the shipped models.

    >>> from parcels.divide import fine
    >>> from parcels.html.page import read_page
    >>> page = read_page("<h1>Harbour fire</h1><p>By Ann Lee<p>Subscribe to our <a href=/n>newsletters</a>!")
    >>> view = lexical_view(page, fine.divide(page))
    >>> view.top_keywords
    ['harbour fire', 'ann lee', 'newslett subscrib']
    >>> view.numbers[:, view.names.index("contains-by")].tolist()
    [0.0, 1.0, 0.0]
    """
    words = BlockWords.of(page, division, texts=texts, analyser=analyser)
    return LexicalView(words, columns(FEATURES, words, len(words)))


def term_counts(words: BlockWords) -> list[Terms]:
    """Return the frequency of each stem in each block."""
    of = words.analysis
    is_word = of.has(Flag.WORD)
    stems = list(compress(of.stems, is_word.tolist()))
    begin = np.concatenate(([0], np.cumsum(is_word)))[of.begin].tolist()
    return [_counted(stems[first:end]) for first, end in pairwise(begin)]


def _counted(stems: list[str]) -> Terms:
    once = dict.fromkeys(stems, 1)  # most blocks are short and have every stem once
    return once if len(once) == len(stems) else Counter(stems)


def alt_counts(words: BlockWords) -> list[Terms]:
    """Return the frequency of each stem in the `alt` texts of each block."""
    leaves = words.page.leaves
    images = [leaf for leaf, kind in enumerate(leaves.kind) if kind == "img" and leaves.text[leaf]]
    blocks = np.searchsorted(words.division.first, images, "right") - 1
    by_block: list[Terms] = [{} for _ in range(len(words))]
    for leaf, block in zip(images, blocks.tolist(), strict=True):
        counts = by_block[block]
        for token in tokenize(leaves.text[leaf]):
            if token[0].isalnum():
                stem = term(token)
                counts[stem] = counts.get(stem, 0) + 1
    return by_block
