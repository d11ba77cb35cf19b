"""A first guess at what kind of page this is: article, forum, product, collection, listing, documentation, service.

Logistic regression over what stands on the page: names of elements, how blocks begin, words of the address, what the
page calls itself, and a few sizes in steps.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from parcels.articles.clues import text_tokens
from parcels.articles.parts import Parts
from parcels.learn.linear import Linear
from parcels.learn.words import Floats, Words
from parcels.structured import Claim

LEAST_SITES = 8  # on which a token stands, to be learned
STRENGTH = 30.0
SHORT = 80  # characters of a block whose beginning is read
_PATH = re.compile(r"[a-z]{3,}|\d{4,}")
_PRICE = re.compile(r"[$£€]\s?\d")
_REPLY = re.compile(r"\b(?:reply|replies|posted|quote|joined|likes?|thread)\b", re.I)


def page_tokens(parts: Parts, claims: Iterable[Claim], url: str | None, names: Sequence[Sequence[str]]) -> set[str]:
    """What the guess is made from."""
    found = {token for own in names for token in own}
    openings = [tokens[0] for text in parts.texts if len(text) < SHORT and (tokens := text_tokens(text))]
    found.update(openings)
    path = (url or "").lower().partition("//")[2].partition("/")[2]
    found.update("u:#" if token[0].isdigit() else f"u:{token}" for token in _PATH.findall(path))
    found.add(f"u:depth:{min(6, path.strip('/').count('/') + bool(path.strip('/')))}")
    found.update(f"t:{claim.value.lower()[:30]}" for claim in claims if claim.field == "type")
    words, links = int(parts.words.sum()), int(parts.link_words.sum())
    is_running = (parts.words >= 12) & (parts.link_words < 0.4 * parts.words)
    sizes = {
        "words": words, "blocks": len(parts), "running": int(parts.words[is_running].sum()),
        "paragraphs": int(is_running.sum()), "longest": int(parts.words.max(initial=0)),
        "prices": sum(bool(_PRICE.search(text)) for text in parts.texts if len(text) < SHORT),
        "replies": sum(bool(_REPLY.search(text)) for text in parts.texts if len(text) < SHORT),
        "images": parts.page.leaves.kind.count("img"),
    }  # fmt: skip
    found.update(f"n:{name}:{int(1.5 * np.log1p(size))}" for name, size in sizes.items())
    found.add(f"n:links:{int(10 * links / max(1, words))}")
    found.add(f"n:share:{int(10 * sizes['running'] / max(1, words))}")
    return found


def vocabulary_of(pages: Sequence[set[str]], sites: Sequence[str]) -> list[str]:
    """The tokens that stand on enough sites, in order."""
    seen: dict[str, set[str]] = defaultdict(set)
    for tokens, site in zip(pages, sites, strict=True):
        for token in tokens:
            seen[token].add(site)
    return sorted(token for token, where in seen.items() if len(where) >= LEAST_SITES)


class PageTypes:
    """The learner with its vocabulary."""

    def __init__(self, vocabulary: Sequence[str], learner: Linear):
        self.vocabulary, self.learner = list(vocabulary), learner
        self.places = {token: place for place, token in enumerate(self.vocabulary)}

    @classmethod
    def fitted(cls, pages: Sequence[set[str]], types: Sequence[str], sites: Sequence[str]) -> "PageTypes":
        """Learn from pages of known type."""
        vocabulary = vocabulary_of(pages, sites)
        places = {token: place for place, token in enumerate(vocabulary)}
        learner = Linear(strength=STRENGTH).fit(None, Words.from_counts(pages, places), list(types))
        return cls(vocabulary, learner)

    @property
    def names(self) -> list[str]:
        """The types, in the order of the probabilities."""
        return [str(name) for name in self.learner.classes_.tolist()]

    def probabilities(self, pages: Sequence[set[str]]) -> Floats:
        """A row a page, a column a type."""
        return self.learner.predict_proba(None, Words.from_counts(pages, self.places))
