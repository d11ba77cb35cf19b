"""The content that a page states in metadata (JSON-LD, OpenGraph, microdata), compared with its blocks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from parcels.articles.body.parts import Floats
from parcels.articles.gold import words_of
from parcels.html.structured import Claim

LEAST_BODY = 40  # words; a shorter stated body is a teaser
RUN = 4  # words per run that is looked up in the stated body
MOST_LOOKED_UP = 40  # words per block that are looked up


@dataclass(frozen=True)
class Stated:
    """Titles, body and description from a page's metadata claims."""

    titles: tuple[str, ...]
    body: str
    description: str

    @classmethod
    def of(cls, claims: Sequence[Claim]) -> "Stated":
        """Select the longest body and description and the distinct titles from a page's claims."""
        bodies = [claim.value for claim in claims if claim.field == "body"]
        body = max(bodies, key=len, default="")
        descriptions = [claim.value for claim in claims if claim.field == "description"]
        titles = tuple(dict.fromkeys(claim.value for claim in claims if claim.field == "title"))
        return cls(titles, body if body.count(" ") >= LEAST_BODY else "", max(descriptions, key=len, default=""))

    @cached_property
    def _title_words(self) -> frozenset[str]:
        return frozenset(word for title in self.titles[:4] for word in words_of(title))

    def title_shares(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        """Return for each text the share of its words that occur in a title, and 1.0 where it equals a title."""
        words, plain = self._title_words, {title.lower() for title in self.titles}
        shares = []
        for text in texts:
            own = text[:200].lower().split()
            shares.append(sum(word.strip(".,:;!?\"'“”‘’") in words for word in own) / max(1, len(own)))
        return np.array(shares), np.array([float(text.lower() in plain) for text in texts])

    def shares(self, texts: Sequence[str]) -> tuple[Floats, Floats]:
        """Return the share of each text's runs of words in the stated body and in the description; -1 without one."""
        stated = [_runs(words_of(one)) if one else None for one in (self.body, self.description)]
        columns = np.full((2, len(texts)), -1.0)
        if self.body or self.description:
            for at, text in enumerate(texts):
                own = _runs(words_of(text[: 8 * MOST_LOOKED_UP]))
                for column, runs in zip(columns, stated, strict=True):
                    if runs is not None:
                        column[at] = len(own & runs) / len(own) if own else 0.0
        return columns[0], columns[1]


def _runs(words: list[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1))
