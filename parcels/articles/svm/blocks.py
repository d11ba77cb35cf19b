"""The text blocks of a page as Yao and Zuo cut them, with the names of the elements that hold each."""

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
    """The blocks that have text; `at` is where each stands among the page's parts."""

    parts: Parts
    at: Ints
    texts: Sequence[str]
    words: Floats
    link_words: Floats
    names: Sequence[tuple[str, ...]]  # of ids and classes, the outermost element's first, repeated as they stand there

    def __len__(self) -> int:
        return len(self.texts)


def text_blocks(page: Page) -> TextBlocks:
    """Divide a page; blocks without text (images, controls) are left out.

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
    """For each element the names on the way down to it; each element is looked at once."""
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
