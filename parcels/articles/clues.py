"""What the makers of a page call things, and what short blocks say, as evidence for or against content.

A clue is a word of a class, id, role or itemprop (or a tag), or a word of a block's text; its weight is the logarithm
of the odds that what it stands on is content, learned from pages of many sites and drawn to zero where sites are few.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from parcels.articles.body.parts import Floats, Parts

_ATTRIBUTES = ("class", "id", "role", "itemprop", "data-testid", "data-component")
_TOKEN = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}")
MAX_NAME = 200  # characters of an attribute that are read
SHRINK = 1.5  # sites' worth of doubt
LEAST_SITES = 4
LEAST_DIFFERENCE = 0.05  # from the share of content in all: a clue that is nearer to it says nothing
OPENING = 8  # words of a block that are read as clues


@lru_cache(maxsize=50_000)
def name_tokens(name: str) -> tuple[str, ...]:
    """The words of a class or id.

    >>> name_tokens("article-body__text ArticleBody col-12")
    ('article', 'body', 'text', 'col')
    """
    return tuple(dict.fromkeys(token.lower() for token in _TOKEN.findall(name[:MAX_NAME])))


def node_tokens(parts: Parts) -> list[list[str]]:
    """The clues of every element: its tag and its names.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> node_tokens(parts_of(read_page("<nav class='top-menu'>x</nav>")))[-1]
    ['<nav>', 'top', 'menu']
    """
    nodes, every = parts.page.nodes, []
    for tag, given in zip(nodes.tags, nodes.attributes, strict=True):
        found = [f"<{tag}>"]
        if given:
            for attribute in _ATTRIBUTES:
                value = given.get(attribute)
                if value:
                    found += name_tokens(value)
        every.append(found)
    return every


@lru_cache(maxsize=50_000)
def _plain(word: str) -> str:
    return "#" if word[:1].isdigit() else word.strip(".,:;!?()[]\"'“”’‘|»«›•…").lower()


def text_tokens(text: str) -> list[str]:
    """The clues of a block's text: how it begins, and its last word.

    >>> text_tokens("Read more: 5 things")
    ['^read', 'read', 'more', '#', 'things', 'things$']
    """
    words = [_plain(word) for word in text[:120].split()[:OPENING]]
    words = [word for word in words if word]
    if not words:
        return []
    return [f"^{words[0]}", *dict.fromkeys(words), f"{_plain(text[-40:].split()[-1])}$"]


def opening(text: str) -> str | None:
    """The first of a text's clues, None where it has no word.

    >>> opening("... Read more"), opening("|")
    ('^read', None)
    """
    plain = (_plain(word) for word in text[:120].split()[:OPENING])
    return next((f"^{word}" for word in plain if word), None)


@dataclass(frozen=True)
class Clues:
    """Weights of names and of words."""

    names: Mapping[str, float]
    words: Mapping[str, float]

    def of_nodes(self, tokens: Sequence[Sequence[str]]) -> Floats:
        """For each element the sum of its own names' weights."""
        weigh = self.names.get
        return np.array([sum([weigh(token, 0.0) for token in own]) for own in tokens])

    def of_texts(self, parts: Parts) -> tuple[Floats, Floats]:
        """For each block the mean and the least of its words' weights."""
        weigh = self.words.get
        rows = [[weigh(token, 0.0) for token in text_tokens(text)] or [0.0] for text in parts.texts]
        return np.array([sum(row) / len(row) for row in rows]), np.array([min(row) for row in rows])


@dataclass
class ClueCounts:
    """How much of what a clue stands on is content, each page counting once a clue; summed up over pages."""

    names: dict[str, dict[str, list[float]]]  # clue: site: content, other
    words: dict[str, dict[str, list[float]]]

    @classmethod
    def empty(cls) -> "ClueCounts":
        """Nothing seen yet."""
        return cls(defaultdict(dict), defaultdict(dict))

    def add(self, parts: Parts, shares: Floats, site: str) -> None:
        """Count one page."""
        nodes, division = parts.page.nodes, parts.division
        weight = np.log1p(parts.words)
        content = np.concatenate(([0.0], np.cumsum(weight * (shares >= 0.5))))
        every = np.concatenate(([0.0], np.cumsum(weight)))
        first = np.searchsorted(division.first, nodes.first_leaf, side="left")
        end = np.searchsorted(division.first, nodes.end_leaf, side="left")
        inside, total = content[end] - content[first], every[end] - every[first]
        by_name: dict[str, list[float]] = {}
        tokens = node_tokens(parts)
        for row in np.flatnonzero(total > 0).tolist():
            for token in tokens[row]:
                cell = by_name.setdefault(token, [0.0, 0.0])
                cell[0] += inside[row]
                cell[1] += total[row] - inside[row]
        by_word: dict[str, list[float]] = {}
        for text, share in zip(parts.texts, shares.tolist(), strict=True):
            for token in text_tokens(text):
                by_word.setdefault(token, [0.0, 0.0])[share < 0.5] += 1
        _count(self.names, by_name, site)
        _count(self.words, by_word, site)

    def clues(self, leave_out: Iterable[str] = ()) -> Clues:
        """The weights, without what some sites said."""
        without = frozenset(leave_out)
        return Clues(_weights(self.names, without), _weights(self.words, without))


def _count(table: dict[str, dict[str, list[float]]], cells: Mapping[str, Sequence[float]], site: str) -> None:
    for token, (content, other) in cells.items():
        cell = table[token].setdefault(site, [0.0, 0.0])
        cell[0] += content / (content + other)
        cell[1] += other / (content + other)


def _weights(table: Mapping[str, Mapping[str, Sequence[float]]], without: frozenset[str]) -> dict[str, float]:
    """Log-odds of each clue against the odds of all."""
    sums: dict[str, tuple[float, float]] = {}
    for token, sites in table.items():
        kept = [cell for site, cell in sites.items() if site not in without]
        if len(kept) >= LEAST_SITES:  # a site's pages share their names: it counts once
            sums[token] = (
                sum(cell[0] / (cell[0] + cell[1]) for cell in kept),
                sum(cell[1] / (cell[0] + cell[1]) for cell in kept),
            )
    content, other = sum(pair[0] for pair in sums.values()), sum(pair[1] for pair in sums.values())
    prior = content / max(content + other, 1.0)
    return {
        token: round(float(np.log((yes + SHRINK * prior) / (no + SHRINK * (1 - prior)) * (1 - prior) / prior)), 3)
        for token, (yes, no) in sums.items()
        if abs(yes / (yes + no) - prior) > LEAST_DIFFERENCE
    }
