"""Text blocks of a page by Yao and Zuo's rules, with the names of the elements around each."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from parcels.articles.body.parts import Floats, Ints, Parts, content_parts
from parcels.articles.clues import name_tokens
from parcels.divide import blockify
from parcels.html.page import Page

_NAMED = ("id", "class")


@dataclass(frozen=True)
class TextBlocks:
    """Blocks with text; `at` is the number of each among the page's parts."""

    parts: Parts
    at: Ints
    texts: Sequence[str]
    words: Floats
    link_words: Floats
    names: Sequence[tuple[str, ...]]  # words of ids and classes from the outermost element inwards, with repetitions

    def __len__(self) -> int:
        return len(self.texts)


def text_blocks(page: Page) -> TextBlocks:
    """Divide a page into blocks with text; images and controls are left out.

    >>> from parcels.html.page import read_page
    >>> blocks = text_blocks(read_page("<div class='post main-body'>One<p id=lead>two <a href=x>three</a><img></div>"))
    >>> blocks.texts, blocks.link_words.tolist(), blocks.names[1]
    (['One', 'two three'], [0.0, 1.0], ('post', 'main', 'body', 'lead'))
    """
    parts = content_parts(page, blockify.divide, shows_hidden=False)
    at = np.flatnonzero(parts.words)
    held_by = _path_names(parts, parts.division.container[at].tolist())
    texts = [parts.texts[number] for number in at.tolist()]
    return TextBlocks(parts, at, texts, parts.words[at].astype(float), parts.link_words[at].astype(float), held_by)


def _path_names(parts: Parts, rows: Sequence[int]) -> list[tuple[str, ...]]:
    """Return for each element the names on the path from the root to it."""
    nodes = parts.page.nodes
    parents, attributes = nodes.parent.tolist(), nodes.attributes
    known: dict[int, tuple[str, ...]] = {-1: ()}
    for row in rows:
        climbed = []
        while row not in known:
            climbed.append(row)
            row = parents[row]
        for below in reversed(climbed):
            given = attributes[below]
            own = [name_tokens(value) for name in _NAMED if (value := given.get(name))]
            known[below] = known[parents[below]] + tuple(token for tokens in own for token in tokens)
    return [known[row] for row in rows]
