"""Kinds of page parts (header, footer, menu, main and others) by the names of elements."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from parcels.articles.clues import name_tokens
from parcels.html.page import Page

KINDS = ("header", "footer", "menu", "side", "main", "search", "ad", "logo", "item", "heading")
_WORDS = {
    "header": "header head masthead banner top topbar",
    "footer": "footer foot bottom copyright colophon contentinfo legal",
    "menu": "nav navigation menu navbar menubar breadcrumb breadcrumbs tabs navi links submenu",
    "side": "side sidebar aside rail left right complementary sidebars secondary",
    "main": "content main article story post body entry center centre middle text page",
    "search": "search suche find",
    "ad": "ad ads advert advertisement sponsor sponsored promo promotion adv",
    "logo": "logo brand branding",
    "item": "item box block module panel card widget teaser list row col column section entry feature",
    "heading": "title heading headline caption",
}
_TAGS = {
    "header": "header", "footer": "footer", "nav": "menu", "aside": "side", "main": "main", "article": "main",
    "form": "search", "li": "item", "section": "item", "h1": "heading", "h2": "heading", "h3": "heading",
    "h4": "heading", "menu": "menu",
}  # fmt: skip
_BIT_OF_WORD: dict[str, int] = {}
for _place, _kind in enumerate(KINDS):
    for _word in _WORDS[_kind].split():
        _BIT_OF_WORD[_word] = _BIT_OF_WORD.get(_word, 0) | 1 << _place
_BIT_OF_TAG = {tag: 1 << KINDS.index(kind) for tag, kind in _TAGS.items()}


@lru_cache(maxsize=20_000)
def kinds_of_name(name: str) -> int:
    """Return the kinds that a class or id refers to, as bits.

    >>> [kind for place, kind in enumerate(KINDS) if kinds_of_name("main-menu") >> place & 1]
    ['menu', 'main']
    """
    bits = 0
    for token in name_tokens(name):
        bits |= _BIT_OF_WORD.get(token, 0)
    return bits


def kinds_of_nodes(page: Page) -> NDArray[np.int32]:
    """Return the kinds of each element, including those of an only child with the same leaves."""
    nodes = page.nodes
    bits = []
    for tag, given in zip(nodes.tags, nodes.attributes, strict=True):
        own = _BIT_OF_TAG.get(tag, 0)
        for attribute in ("class", "id", "role"):
            if value := given.get(attribute):
                own |= kinds_of_name(value)
        bits.append(own)
    parent = nodes.parent.tolist()
    for row in only_children(page)[::-1].tolist():
        bits[parent[row]] |= bits[row]
    return np.array(bits, np.int32)


def only_children(page: Page) -> NDArray[np.intp]:
    """Return the rows below the body whose parent has the same leaves."""
    nodes = page.nodes
    above = np.maximum(nodes.parent, 0)
    is_same = (nodes.first_leaf == nodes.first_leaf[above]) & (nodes.end_leaf == nodes.end_leaf[above])
    return np.flatnonzero(is_same & (nodes.end_leaf > nodes.first_leaf) & (nodes.parent > 0))
