"""Clues: element names and words of short blocks as evidence for or against content.

A clue is a word of a class, id, role or itemprop, a tag, or a word of a block's text. Its weight is the log-odds that
the element or block with this clue is content. Weights are learned from many sites and shrunk towards 0 where few
sites have the clue.
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
MAX_NAME = 200  # characters read per attribute
SHRINK = 1.5  # pseudo-count, in sites
LEAST_SITES = 4
LEAST_DIFFERENCE = 0.05  # clues nearer to the overall share of content are dropped
OPENING = 8  # words of a block that are read as clues


@lru_cache(maxsize=50_000)
def name_tokens(name: str) -> tuple[str, ...]:
    """Return the distinct words of a class or id in lower case.

    >>> name_tokens("article-body__text ArticleBody col-12")
    ('article', 'body', 'text', 'col')
    """
    return tuple(dict.fromkeys(token.lower() for token in _TOKEN.findall(name[:MAX_NAME])))


def node_tokens(parts: Parts) -> list[list[str]]:
    """Return the clues of by_node element: its tag and the words of its naming attributes.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> node_tokens(parts_of(read_page("<nav class='top-menu'>x</nav>")))[-1]
    ['<nav>', 'top', 'menu']
    """
    nodes, by_node = parts.page.nodes, []
    for tag, attributes in zip(nodes.tags, nodes.attributes, strict=True):
        clues = [f"<{tag}>"]
        if attributes:
            for attribute in _ATTRIBUTES:
                value = attributes.get(attribute)
                if value:
                    clues += name_tokens(value)
        by_node.append(clues)
    return by_node


@lru_cache(maxsize=50_000)
def _plain(word: str) -> str:
    return "#" if word[:1].isdigit() else word.strip(".,:;!?()[]\"'“”’‘|»«›•…").lower()


def text_tokens(text: str) -> list[str]:
    """Return the clues of a block's text: its first words and its last word.

    >>> text_tokens("Read more: 5 things")
    ['^read', 'read', 'more', '#', 'things', 'things$']
    """
    words = [_plain(word) for word in text[:120].split()[:OPENING]]
    words = [word for word in words if word]
    if not words:
        return []
    return [f"^{words[0]}", *dict.fromkeys(words), f"{_plain(text[-40:].split()[-1])}$"]


def opening(text: str) -> str | None:
    """Return the first clue of a text, or None where it has no word.

    >>> opening("... Read more"), opening("|")
    ('^read', None)
    """
    plain = (_plain(word) for word in text[:120].split()[:OPENING])
    return next((f"^{word}" for word in plain if word), None)


@dataclass(frozen=True)
class Clues:
    """Weights of clues: of element names and of words in blocks."""

    names: Mapping[str, float]
    words: Mapping[str, float]

    def of_nodes(self, tokens: Sequence[Sequence[str]]) -> Floats:
        """Return for each element the sum of its own clues' weights."""
        weigh = self.names.get
        return np.array([sum([weigh(token, 0.0) for token in own]) for own in tokens])

    def of_texts(self, parts: Parts) -> tuple[Floats, Floats]:
        """Return for each block the mean and the minimum of its words' weights."""
        weigh = self.words.get
        rows = [[weigh(token, 0.0) for token in text_tokens(text)] or [0.0] for text in parts.texts]
        return np.array([sum(row) / len(row) for row in rows]), np.array([min(row) for row in rows])


@dataclass
class ClueCounts:
    """Share of content by clue and site, summed over pages; a page counts once per clue."""

    names: dict[str, dict[str, list[float]]]  # clue -> site -> [content, other]
    words: dict[str, dict[str, list[float]]]

    @classmethod
    def empty(cls) -> "ClueCounts":
        """Return counts of no pages."""
        return cls(defaultdict(dict), defaultdict(dict))

    def add(self, parts: Parts, shares: Floats, site: str) -> None:
        """Add the clues of one page, given the share of each block that is content."""
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
                counts = by_name.setdefault(token, [0.0, 0.0])
                counts[0] += inside[row]
                counts[1] += total[row] - inside[row]
        by_word: dict[str, list[float]] = {}
        for text, share in zip(parts.texts, shares.tolist(), strict=True):
            for token in text_tokens(text):
                by_word.setdefault(token, [0.0, 0.0])[share < 0.5] += 1
        _count(self.names, by_name, site)
        _count(self.words, by_word, site)

    def clues(self, leave_out: Iterable[str] = ()) -> Clues:
        """Return the weights learned from all sites but those in `leave_out`."""
        without = frozenset(leave_out)
        return Clues(_weights(self.names, without), _weights(self.words, without))


def _count(by_clue: dict[str, dict[str, list[float]]], cells: Mapping[str, Sequence[float]], site: str) -> None:
    for token, (content, other) in cells.items():
        counts = by_clue[token].setdefault(site, [0.0, 0.0])
        counts[0] += content / (content + other)
        counts[1] += other / (content + other)


def _weights(table: Mapping[str, Mapping[str, Sequence[float]]], without: frozenset[str]) -> dict[str, float]:
    """Return the log-odds of each clue relative to the log-odds of content overall."""
    sums: dict[str, tuple[float, float]] = {}
    for token, sites in table.items():
        kept = [cell for site, cell in sites.items() if site not in without]
        if len(kept) >= LEAST_SITES:  # pages of one site share their names, so a site counts once
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
