"""The names that a page's makers gave its parts: words of id, class, role and itemprop around a block.

A view of its own: strong on most sites, empty on those with hashed names, and neither style nor the reader's words.
"""

import re
from functools import lru_cache

from parcels.divide import Division
from parcels.page import Page

LEVELS = 6  # the container and so many elements above it, less one
MAX_CHARS = 300  # of one attribute
ATTRIBUTES = ("class", "id", "role", "itemprop", "data-testid", "aria-label", "rel", "name", "type")
_WORD = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])")


@lru_cache(maxsize=50_000)
def name_words(value: str) -> tuple[str, ...]:
    """The words of a name, in lower case.

    >>> name_words("css-1x2y3 ArticleByline__author_name HTMLBody")
    ('css', 'article', 'byline', 'author', 'name', 'html', 'body')
    """
    return tuple(dict.fromkeys(word.lower() for word in _WORD.findall(value[:MAX_CHARS])))


def token_view(page: Page, division: Division) -> list[set[str]]:
    """For each block the words around it; those of the container itself carry an `=`, those of its parent a `^`.

    >>> from parcels.divide import fine
    >>> from parcels.page import read_page
    >>> page = read_page('<div class="story-body"><p class="byline">By Ann')
    >>> sorted(token_view(page, fine.divide(page))[0])
    ['=byline', '^body', '^story', 'body', 'byline', 'story']
    """
    own: dict[int, tuple[str, ...]] = {}
    elements, parent = page.nodes.elements, page.nodes.parent.tolist()
    found = []
    for container in division.container.tolist():
        words: set[str] = set()
        row = container
        for level in range(LEVELS):
            if row < 0:
                break
            if row not in own:
                own[row] = _of_element(elements[row])
            words.update(own[row])
            if level < 2:
                words.update(("=^"[level]) + word for word in own[row])
            row = parent[row]
        found.append(words)
    return found


def _of_element(element: object) -> tuple[str, ...]:
    get = element.get  # type: ignore[attr-defined]
    words: list[str] = []
    for attribute in ATTRIBUTES:
        value = get(attribute)
        if value:
            words.extend(name_words(value))
    return tuple(words)
