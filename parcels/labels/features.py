"""What the views say of a page's blocks, before any model has looked at it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from parcels.divide import Division
from parcels.features import evidence, topic
from parcels.features.arrays import ranks
from parcels.features.context import view as context
from parcels.features.look import Floats, Ints, Look
from parcels.features.style import view as stylistic
from parcels.features.tokens import Parts, name_parts
from parcels.features.words import view as lexical
from parcels.features.words.view import LexicalView
from parcels.layout.render import LaidOut
from parcels.learn.words import Words
from parcels.text.analysis import Analyser, Analysis
from parcels.text.wordlists import Flag

BAGS = ("terms", "names")  # the views that give words


@dataclass(frozen=True)
class Measured:
    """One row or entry a block."""

    numbers: dict[str, Floats]  # by view
    words: LexicalView
    name_parts: list[Parts]
    groups: dict[str, Ints]  # blocks with the same number belong together: by parent, list, heading
    chars: Floats
    texts: list[str]
    look: Look

    def __len__(self) -> int:
        return len(self.texts)

    @property
    def analysis(self) -> Analysis:
        """Tokens, tags and names of the blocks' texts."""
        return self.words.analysis

    @property
    def terms(self) -> list[dict[str, int]]:
        """Stems of the block's own words."""
        return self.words.terms

    @cached_property
    def names(self) -> list[set[str]]:
        """What its makers called things around the block."""
        return [set(chain.from_iterable(parts)) for parts in self.name_parts]

    def counted(self, bag: str, vocabulary: dict[str, int]) -> Words:
        """Return the words of one of BAGS that a vocabulary has, without making the bag itself."""
        if bag == "names":
            return Words.from_parts(self.name_parts, vocabulary)
        of = self.analysis
        return Words.from_tokens(of.stems, of.has(Flag.WORD), of.begin, vocabulary)

    def with_features(self, places: Mapping[str, list[int]]) -> "Measured":
        """Return the page with only the columns at some places, in views that have such places."""
        if not places:
            return self
        return replace(
            self, numbers={view: of[:, places[view]] if view in places else of for view, of in self.numbers.items()}
        )

    def beside(self, *views: str) -> Floats:
        """The numbers of several views, side by side."""
        return np.concatenate([self.numbers[view] for view in views], axis=1)


def measure(division: Division, laid: LaidOut, *, analyser: Analyser | None = None) -> Measured:
    """Measure every view of a divided page.

    >>> from parcels.divide import fine
    >>> from parcels.layout.render import lay_out
    >>> from parcels.html.page import read_page
    >>> from parcels.features.registry import NUMBERS
    >>> page = read_page("<h1>Fire at the pier</h1><p>By Ann Lee<p>Nobody was hurt.")
    >>> found = measure(fine.divide(page), lay_out(page))
    >>> found.texts, [len(NUMBERS[view]) == found.numbers[view].shape[1] for view in NUMBERS]
    (['Fire at the pier', 'By Ann Lee', 'Nobody was hurt.'], [True, True, True, True, True])
    """
    look = Look(laid.page, division, laid.styles, laid.layout, laid.areas)
    words = lexical.lexical_view(laid.page, division, texts=look.texts, analyser=analyser)
    numbers = {
        "style": stylistic.stylistic_view(look),
        "context": context.context_view(look),
        "evidence": evidence.evidence_view(look),
        "lexical": words.numbers,
        "topic": topic.topic_view(look, words.analysis),
    }
    groups = {
        "parent": ranks(look.parent),
        "list": ranks(np.where(look.groups.entry > 0, look.groups.list_, -1 - np.arange(len(look)))),
        "heading": ranks(look.headings.over),
    }
    return Measured(numbers, words, name_parts(look), groups, look.chars, look.texts, look)
