"""The features of a page's blocks in all views: the input of models."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from parcels.divide import Division
from parcels.features import evidence, topic
from parcels.features.context import view as context
from parcels.features.page_features import Floats, Ints, PageFeatures, ranks
from parcels.features.style import view as stylistic
from parcels.features.tokens import Parts, name_parts
from parcels.features.words import view as lexical
from parcels.features.words.view import LexicalView
from parcels.layout.render import LaidOut
from parcels.learn.words import Words
from parcels.text.analysis import Analyser, Analysis
from parcels.text.wordlists import Flag

BAGS = ("terms", "names")  # the views of words


@dataclass(frozen=True)
class BlockViews:
    """The features of a page, with one row or entry per block."""

    numbers: dict[str, Floats]  # by view
    words: LexicalView
    name_parts: list[Parts]
    groups: dict[str, Ints]  # by parent, list and heading: blocks of a group have the same number
    chars: Floats
    texts: list[str]
    look: PageFeatures

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def analysis(self) -> Analysis:
        """Return tokens, tags and names of the blocks' texts."""
        return self.words.analysis

    @property
    def terms(self) -> list[dict[str, int]]:
        """Return stems of the block's own words."""
        return self.words.terms

    @cached_property
    def names(self) -> list[set[str]]:
        """Return the words that the page's authors gave to the elements around each block."""
        return [set(chain.from_iterable(parts)) for parts in self.name_parts]

    def counted(self, bag: str, vocabulary: dict[str, int]) -> Words:
        """Return the counts of one of BAGS over a vocabulary, without making the bag itself."""
        if bag == "names":
            return Words.from_parts(self.name_parts, vocabulary)
        of = self.analysis
        return Words.from_tokens(of.columns(vocabulary), of.has(Flag.WORD), of.begin, len(vocabulary))

    def with_features(self, places: Mapping[str, list[int]]) -> "BlockViews":
        """Return the page with only the given columns, in the views for which columns are given."""
        if not places:
            return self
        return replace(
            self, numbers={view: of[:, places[view]] if view in places else of for view, of in self.numbers.items()}
        )

    def beside(self, *views: str) -> Floats:
        """Return the numbers of several views, side by side."""
        return np.concatenate([self.numbers[view] for view in views], axis=1)


def measure(division: Division, laid: LaidOut, *, analyser: Analyser | None = None) -> BlockViews:
    """Compute the features of all views of a divided page.

    >>> from parcels.divide import fine
    >>> from parcels.layout.render import lay_out
    >>> from parcels.html.page import read_page
    >>> from parcels.features.registry import NUMBERS
    >>> page = read_page("<h1>Fire at the pier</h1><p>By Ann Lee<p>Nobody was hurt.")
    >>> measured = measure(fine.divide(page), lay_out(page))
    >>> measured.texts, [len(NUMBERS[view]) == measured.numbers[view].shape[1] for view in NUMBERS]
    (['Fire at the pier', 'By Ann Lee', 'Nobody was hurt.'], [True, True, True, True, True])
    """
    page = PageFeatures(laid.page, division, laid.styles, laid.layout, laid.areas)
    words = lexical.lexical_view(laid.page, division, texts=page.texts, analyser=analyser)
    numbers = {
        "style": stylistic.stylistic_view(page),
        "context": context.context_view(page),
        "evidence": evidence.evidence_view(page),
        "lexical": words.numbers,
        "topic": topic.topic_view(page, words.analysis),
    }
    groups = {
        "parent": ranks(page.parent),
        "list": ranks(np.where(page.groups.entry > 0, page.groups.list_, -1 - np.arange(len(page)))),
        "heading": ranks(page.headings.over),
    }
    return BlockViews(numbers, words, name_parts(page), groups, page.chars, page.texts, page)
