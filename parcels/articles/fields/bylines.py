"""Visible names of authors: bylines near the title, read by line and by element."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from parcels.articles.body.parts import Parts
from parcels.articles.clues import name_tokens
from parcels.articles.fields.byline_words import BY, BY_ALONE, INNER_BY, WRITTEN_BY
from parcels.articles.fields.names import (
    begins_with_role,
    ends_with_name,
    is_bare_name,
    is_caseless,
    is_known_name,
    joins_names,
    split_names,
)
from parcels.text.dates import find_moments
from parcels.text.days import find_days

SHOWN = 2.0  # weight of a byline: "By Ann Lee"
MARKED = 1.5  # weight of an element marked as author, and of a lone name above the date
NEAR_BEFORE, NEAR_BEHIND = 6, 24  # lines before and after the title in which a byline is looked for
MOST_WORDS, MOST_CHARS, MOST_LEAVES = 30, 300, 60  # per byline; a longer line is text
STORY = 2  # lines of text after the title, after which a lone name no longer counts
BEHIND_TITLE = 3  # lines after the title in which a lone name need not be a known name
MOST_LINES = 2000  # of a page that are searched for a byline far from the title
LONE_CHARS = 60  # of a line with a lone name, and of one with a date
INNER_CHARS = 120  # of a line with "by" inside
BESIDE = 2  # lines before and after a lone name in which a date or role confirms it
_SIGNS = re.compile(r"[|•·,/–—-]+|\b\d+\b|\d\d?:\d\d")
_MARKED = re.compile(  # "post-author", "author__name", "Author_author__4ceOm"; not "authority"
    r"(?:(?:(?<![a-z])a|A)uthors?|(?:(?<![a-z])b|B)yline|(?:(?<![a-z])c|C)ontributors?|(?:(?<![a-z])w|W)riters?|"
    r"(?:(?<![a-z])r|R)eporters?)(?![a-z])|author(?:name|link)"
)
_STEMS = ("author", "byline", "contributor", "writer", "reporter")  # one of them is in each match
_COMMENT = re.compile("comment|reply|replies", re.I)
_AUTHORS_PAGE = re.compile(
    r"/(?:authors?|by|people|profiles?|contributors?|staff|writers?|reporters?|journalists?)/", re.I
)
_SOURCES = frozenset({"source", "agency", "provider", "newswire"})  # class names of an article's source


class ShownName(NamedTuple):
    """A name in a line, with its weight."""

    name: str
    worth: float
    line: int


def shown_names(parts: Parts, title_line: int | None, publishers: Sequence[str] = ()) -> Iterator[ShownName]:
    """Yield each name in bylines near the title, with its weight and line; `parts` are the lines of a page.

    >>> from parcels.articles.fields.lines import lines_of
    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> page = read_page("<h1>Fire</h1><div>By <b>Ann Lee</b> <i>Rome</i><br>3 May 2004<br>It burnt.</div>")
    >>> list(shown_names(lines_of(parts_of(page)), 0))
    [ShownName(name='Ann Lee', worth=2.0, line=1)]
    """
    at = title_line if title_line is not None else 0
    near = [n for n in range(max(0, at - NEAR_BEFORE), min(len(parts), at + NEAR_BEHIND)) if parts.texts[n] and n != at]
    is_behind_by, lines_behind, long_lines, is_found = False, 0, 0, False
    for place, number in enumerate(near):
        line = parts.texts[number]
        lines_behind += number > at
        if len(line) > MOST_CHARS or line.count(" ") >= MOST_WORDS:
            is_behind_by = False
            long_lines += number > at
            continue
        is_by, text, worth = bool(BY.match(line)) or is_behind_by, "", MARKED
        if is_found and long_lines:
            break  # teasers in the story have bylines too
        if is_by:
            text, worth = _byline(parts, number, is_by=True), SHOWN
        elif inner := _inner_byline(line):
            is_by, text, worth = True, inner, SHOWN
        elif _is_marked(parts, number):
            text = _byline(parts, number, is_by=False)
        elif lines_behind and long_lines < STORY:
            beside = [
                parts.texts[n] for n in near[max(0, place - BESIDE) : place + BESIDE + 1] if n > at and n != number
            ]
            text = _lone_name(parts, number, beside, is_near=lines_behind <= BEHIND_TITLE and not long_lines)
        is_behind_by = bool(BY_ALONE.match(line))
        is_found |= worth == SHOWN and lines_behind > 0
        for name in split_names(text, publishers):
            if " " in name or is_by:
                yield ShownName(name, worth, number)


def far_names(parts: Parts, publishers: Sequence[str] = ()) -> list[str]:
    """Return the names of the first byline of the whole page that says who wrote the text, for pages without others.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> far_names(parts_of(read_page("<h1>Fire</h1><p>It burnt.<p>Written by Ann Lee, our reporter")))
    ['Ann Lee']
    """
    is_behind = False
    for line in parts.texts[:MOST_LINES]:
        if not line:
            continue
        m = WRITTEN_BY.match(line) if len(line) <= INNER_CHARS else None
        rest = line[m.end() :] if m else line if is_behind and len(line) <= INNER_CHARS else ""
        names = [name for name in split_names(rest, publishers) if " " in name or is_caseless(name)]
        if names:
            return names
        is_behind = bool(WRITTEN_BY.fullmatch(f"{line} "))
    return []


def _leaves(parts: Parts, number: int) -> range:
    end = int(parts.division.first[number + 1]) if number + 1 < len(parts) else parts.division.leaf_count
    return range(int(parts.division.first[number]), end)


def _byline(parts: Parts, number: int, *, is_by: bool) -> str:
    """Return the part of a line's text that names authors; a whole name ends with its element.

    A role, a place or a date may follow. Further names are joined by "and" or a comma, or are further links. A line
    that does not begin with "by" may be a sentence, which continues in lower case and is returned whole.
    """
    leaves, text = parts.page.leaves, ""
    for leaf in _leaves(parts, number)[:MOST_LEAVES]:
        own = leaves.text[leaf]
        if leaves.kind[leaf] != "text" or _is_source(parts, leaf):
            continue
        if not text or joins_names(own) or not ends_with_name(text):
            text += f" {own}" if text and leaves.is_spaced[leaf] else own
        elif leaves.is_link[leaf]:
            text += f", {own}"
        else:
            return text if is_by or not own[0].islower() else parts.texts[number]
    return text


def _is_source(parts: Parts, leaf: int) -> bool:
    """Return whether a class of a leaf's element marks it as the source of the text."""
    given = parts.page.nodes.attributes[int(parts.page.leaves.node[leaf])]
    return not _SOURCES.isdisjoint(name_tokens(given.get("class", "")))


def _inner_byline(line: str) -> str:
    """Return the names after a date and "by" inside a short line ("3 May 2021 by Ann Lee"), or ""."""
    m = INNER_BY.search(line) if len(line) <= INNER_CHARS else None
    return line[m.end() :] if m and m.end() < len(line) and not line[m.end()].islower() else ""


def _lone_name(parts: Parts, number: int, beside: Sequence[str], *, is_near: bool) -> str:
    """Return the name that a whole line or its last element is ("From our man in Rome, *Ann Lee*"), or "".

    A date follows it, or it is a known name and a date or a role is `beside` it. Headings such as "RELATED STORIES"
    look like names. So the name must be a known one, or directly after the title and not in capitals. In a line with a
    date, the rest of the line is the name.
    """
    line, leaves = parts.texts[number].strip(" |•·,–—-"), parts.page.leaves
    if len(line) > LONE_CHARS:
        return ""
    texts = [leaves.text[leaf] for leaf in _leaves(parts, number) if leaves.kind[leaf] == "text"]
    known = next((text for text in (line, texts[-1]) if is_known_name(text)), "")
    if not known and is_near and (days := find_days(line)):
        rest = _SIGNS.sub(" ", line[: days[0].start] + " " + line[days[-1].end :]).strip()
        return rest if is_known_name(rest) else ""
    following = parts.texts[number + 1] if number + 1 < len(parts) else ""
    if _is_date(following):
        return known or (line if is_near and is_bare_name(line) and not line.isupper() else "")
    is_confirmed = is_near and known and any(_is_date(text) or begins_with_role(text) for text in beside)
    return known if is_confirmed else ""


def _is_date(text: str) -> bool:
    return (
        len(text) < LONE_CHARS
        and any(map(str.isdigit, text))
        and (
            bool(find_days(text))
            or any(moment.kind == "date" and moment.value for moment in find_moments(text, in_words=False))
        )
    )


def _names_author(*values: str | None) -> bool:
    """Return whether class names or properties name an author, other than that of a comment."""
    for value in values:
        low = value.lower() if value else ""
        if any(stem in low for stem in _STEMS) and _MARKED.search(value or "") and not _COMMENT.search(low):
            return True
    return False


def _is_marked(parts: Parts, number: int) -> bool:
    """Return whether the line's element, an ancestor or a link in it is marked as an author's."""
    nodes = parts.page.nodes
    for leaf in _leaves(parts, number)[:3]:
        row = int(parts.page.leaves.node[leaf])
        link = int(nodes.link[row])
        if link >= 0 and _AUTHORS_PAGE.search(nodes.attributes[link].get("href", "")):
            return True
        for _ in range(4):
            given = nodes.attributes[row]
            if given.get("rel") == "author" or (given and _names_author(given.get("class"), given.get("itemprop"))):
                return True
            row = max(0, int(nodes.parent[row]))
    return False
