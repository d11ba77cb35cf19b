"""Articles versus lists of articles (front pages, sections, tags, archives).

Few of the content model's training pages are front pages of news sites. So for these two types the page's address, its
claims and the text after its title vote as well.
"""

import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

from parcels.articles.body.choose import ARTICLE
from parcels.articles.body.parts import Parts
from parcels.html.structured import Claim
from parcels.html.tags import lookup

LISTS = ("listing", "collection")
# Votes for a list (positive) or against it. Set by hand on a fifth of the pages of news-pool.
AT_ROOT = 1.5  # the address is the site's root
IN_LIST_PATH = 1.0  # /tag/x, /author/x, /2012/05/
STATED = 1.0  # og:type or a similar claim is "website", or "article"
LINKED = 1.0  # much of the chosen text is in links
NO_TEXT, TEXT = 1.5, -1.0  # little text, or enough, between the title and the next linked headline
TYPED = 0.5  # the model predicts an article, or a list
MOST_VOTES = 1.0  # with more votes the page is a list
DOUBT = 0.1  # probability of an article below which votes are ignored: lists of shops contain text too
LINKED_SHARE = 0.25
ENOUGH = 500  # letters of text after the title
PARAGRAPH = 80  # letters from which a line is text
LINK_LINE = 0.9  # share of a line's words in links, from which it is a link
TEASER_WORDS = 4
_LIST_NAME = re.compile(
    r"(?:categor(?:y|ies)|tags?|topics?|authors?|people|sections?|archives?|search|page|index|home|default)", re.I
)
_FRONT_NAME = re.compile(r"(?:index|home|default)(?:\.\w+)?", re.I)
_DATE_NAME = re.compile(r"(?:19|20)\d\d|\d{1,2}")
_IS_HEADLINE = lookup("h1 h2 h3 h4")


def settled_type(types: Mapping[str, float], votes: float) -> str:
    """Return the most probable page type, with votes deciding between article and list.

    >>> settled_type({"article": 0.9, "listing": 0.1}, 2.0), settled_type({"article": 0.4, "listing": 0.6}, -2.0)
    ('listing', 'article')
    """
    best = max(types, key=types.__getitem__)
    if best not in (ARTICLE, *LISTS) or (best in LISTS and types.get(ARTICLE, 0.0) < DOUBT):
        return best
    votes += -TYPED if best == ARTICLE else TYPED
    if votes <= MOST_VOTES:
        return ARTICLE
    return max((name for name in LISTS if name in types), key=types.__getitem__, default=best)


def list_votes(
    lines: Parts, title_line: int | None, claims: Sequence[Claim], url: str | None, linked_share: float
) -> float:
    """Return the sum of votes for a list; `linked_share` is the share of the chosen words in links."""
    types = [claim.value.lower() for claim in claims if claim.field == "type"]
    if any("article" in kind or "posting" in kind for kind in types):
        votes = -STATED
    else:
        votes = STATED if {"website", "frontpage", "blog", "collectionpage", "object"}.intersection(types) else 0.0
    votes += LINKED if linked_share > LINKED_SHARE else 0.0
    return votes + _address_votes(url) + (TEXT if _has_text(lines, title_line) else NO_TEXT)


def _address_votes(url: str | None) -> float:
    """Return the votes of an address.

    >>> [_address_votes(f"http://post.example/{path}") for path in ("", "index.html", "tag/pier/", "2012/05/", "a.htm")]
    [1.5, 1.5, 1.0, 1.0, 0.0]
    """
    if url is None:
        return 0.0
    try:
        parts = urlsplit(url)
    except ValueError:  # an invalid bracket in the address
        return 0.0
    names = [name for name in parts.path.split("/") if name]
    if not parts.query and all(_FRONT_NAME.fullmatch(name) for name in names):
        return AT_ROOT
    is_list = names and (any(map(_LIST_NAME.fullmatch, names)) or _DATE_NAME.fullmatch(names[-1]))
    return IN_LIST_PATH if is_list else 0.0


def _has_text(lines: Parts, title_line: int | None) -> bool:
    """Return whether there is enough text between the title and the next linked headline."""
    if title_line is None:
        return False
    letters, tags = 0, lines.page.nodes.tag
    for number in range(title_line + 1, len(lines)):
        text, words, linked = lines.texts[number], int(lines.words[number]), int(lines.link_words[number])
        is_link = words and linked >= LINK_LINE * words
        if is_link and words >= TEASER_WORDS and _IS_HEADLINE[tags[lines.division.container[number]]]:
            return False
        size = len(text) if text.isascii() else len(text) + 2 * sum(letter > "\u2e80" for letter in text)
        if size >= PARAGRAPH and linked < 0.4 * words:  # a Chinese character counts as three letters
            letters += size
            if letters >= ENOUGH:
                return True
    return False
