"""The title of a page, from claims and headings.

The weight of a candidate is the sum of all claims by similarity, plus a bonus for a heading on the page. So a visible
headline that no claim repeats exactly wins over a `title` written for search engines, while the name of the site in an
`h1` does not.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from parcels.articles.body.parts import Parts
from parcels.articles.gold import words_of
from parcels.html.structured import Claim

WORTH = {"json-ld": 1.0, "opengraph": 1.2, "meta": 0.6, "microdata": 0.8, "title": 0.8}  # weight of a claim by origin
SHOWN = {"h1": 2.0, "h2": 1.0, "h3": 0.5}  # bonus of a heading
ONLY_ONE = 4.0  # bonus of a page's only h1, where its length is that of a title
LEAST_WORDS = 3
LIKE_NOTHING = 0.35  # a heading less similar than this to every claim is rarely the title
MOST_WORDS, MOST_HEADINGS = 40, 12
MOST_CLAIMS, MOST_CHARS = 20, 500  # claimed titles, and characters read per title
MOST_LEAVES = 6  # of a heading that are searched for the end of a kicker
LONGEST = 400  # characters up to which a text may be the title
_SEPARATOR = re.compile(r"\s+[|–—•·»:-]+\s+|\s*[|»]\s*")


class Titled(NamedTuple):
    """A title, the number of its block (or None) and its confidence."""

    text: str
    block: int | None
    confidence: float


class _Candidate(NamedTuple):
    text: str
    block: int | None
    bonus: float


def find_title(parts: Parts, claims: Sequence[Claim], publishers: Sequence[str] = ()) -> Titled | None:
    """Return the title, or None where the page neither claims nor shows one.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> from parcels.html.structured import claims
    >>> page = read_page("<title>Old pier burns - Post</title><h1>Post</h1><h1>The old pier burns down</h1><p>x")
    >>> find_title(parts_of(page), claims(page)).text
    'The old pier burns down'
    >>> page = read_page("<title>Post: Old pier burns</title><font size=5>Old pier burns</font><p>x")
    >>> find_title(parts_of(page), claims(page)).text
    'Old pier burns'
    """
    stated = [claim for claim in claims if claim.field == "title"][:MOST_CLAIMS]
    title_claims = [
        (variant, WORTH.get(claim.origin, 0.5))
        for claim in stated
        for variant in [without_site(claim.value[:MOST_CHARS], publishers)]
        if variant
    ]
    sites = {" ".join(words_of(name)) for name in publishers}
    bags = [(frozenset(words_of(text)), worth) for text, worth in title_claims]
    total = sum(worth for _, worth in title_claims) or 1.0
    best, best_score = None, 0.0
    claimed = [text for text, _ in title_claims]
    shown = list(_shown(parts))
    others = (*_without_kicker(parts, shown, claimed), *_tails(parts, claimed))
    for candidate in (*shown, *others, *(_Candidate(text, None, 0.0) for text in claimed)):
        words = words_of(candidate.text)
        if not words or " ".join(words) in sites:
            continue
        likeness = [_alike(frozenset(words), bag) for bag, _ in bags]
        score = candidate.bonus + sum(alike * worth for alike, (_, worth) in zip(likeness, bags, strict=True))
        if 0 < candidate.bonus < ONLY_ONE and bags and max(likeness) < LIKE_NOTHING:
            score *= 0.3
        if score > best_score:
            best, best_score = candidate, score
    if best is None:
        return None
    block = best.block if best.bonus >= SHOWN["h1"] else _where(parts, best.text)
    return Titled(best.text, block, round(min(0.99, best_score / (total + SHOWN["h1"])), 3))


def without_site(title: str, publishers: Sequence[str]) -> str:
    """Return a claimed title without the site's name at its start or end.

    >>> without_site("Pier burns down at night | The Post", []), without_site("Q&A - a guide", [])
    ('Pier burns down at night', 'Q&A - a guide')
    """
    names = {" ".join(words_of(name)) for name in publishers} - {""}
    parts, marks = _SEPARATOR.split(title), list(_SEPARATOR.finditer(title))
    while len(parts) > 1:
        last, first = words_of(parts[-1]), words_of(parts[0])
        rest = sum(len(words_of(part)) for part in parts[:-1])
        if " ".join(last) in names or (len(last) <= 4 and rest >= 3 and marks[-1][0].strip() != ":"):
            title = title[: marks[-1].start()]
        elif " ".join(first) in names:
            title = title[marks[0].end() :]
        else:
            break
        parts, marks = _SEPARATOR.split(title), list(_SEPARATOR.finditer(title))
    return title.strip()


def _shown(parts: Parts) -> Iterator[_Candidate]:
    tags, container = parts.page.nodes.tags, parts.division.container.tolist()
    parent = parts.page.nodes.parent.tolist()
    headings, others = [], []
    for number, row in enumerate(container):
        text = parts.texts[number]
        if not text or text.count(" ") >= MOST_WORDS:
            continue
        tag = tags[row] if tags[row] in SHOWN else tags[parent[row]] if row else ""
        if tag in SHOWN:
            headings.append((tag, text, number))
        elif parts.page.nodes.attributes[row].get("itemprop") == "headline":
            others.append(_Candidate(text, number, SHOWN["h2"]))
    first = [text for tag, text, _ in headings if tag == "h1"]
    is_only_one = len(set(first)) == 1 and len(words_of(first[0])) >= LEAST_WORDS
    ordered = sorted(headings, key=lambda heading: heading[0])  # stable: h1 first, then as they stand
    for tag, text, number in ordered[:MOST_HEADINGS]:
        yield _Candidate(text, number, ONLY_ONE if tag == "h1" and is_only_one else SHOWN[tag])
    yield from others


def _without_kicker(parts: Parts, headings: Sequence[_Candidate], claimed: Sequence[str]) -> Iterator[_Candidate]:
    """Yield the end of a heading, from an element on, that equals a claimed title: a kicker may come before it."""
    first, leaves = parts.division.first, parts.page.leaves
    wanted = {" ".join(words_of(text)): text for text in claimed}
    for heading in headings:
        if heading.block is None:
            continue
        end = int(first[heading.block + 1]) if heading.block + 1 < len(parts) else parts.division.leaf_count
        for leaf in range(int(first[heading.block]) + 1, min(end, int(first[heading.block]) + MOST_LEAVES)):
            tail = " ".join(words_of(" ".join(leaves.text[leaf:end])))
            if tail in wanted and tail.count(" ") + 1 >= LEAST_WORDS:
                yield heading._replace(text=wanted[tail])
                break


def _tails(parts: Parts, claimed: Sequence[str]) -> Iterator[_Candidate]:
    """Yield the part after the colon of a claimed title ("The Post: Pier burns down") if the page shows it."""
    for text in dict.fromkeys(claimed):
        tail = text.partition(": ")[2].strip()
        if len(words_of(tail)) >= LEAST_WORDS and (block := _where(parts, tail)) is not None:
            yield _Candidate(tail, block, SHOWN["h3"])


def _where(parts: Parts, title: str) -> int | None:
    """Return the first block with the title, as its text or as an element; teasers may repeat it further below."""
    words = words_of(title)
    block = _first(parts.texts, words)
    leaf = _first(parts.page.leaves.text, words) if block is None else None  # an element of its own, inside a line
    return block if leaf is None else int(np.searchsorted(parts.division.first, leaf, side="right")) - 1


def _first(texts: Sequence[str], words: list[str]) -> int | None:
    """Return the number of the first text with exactly these words."""
    if not words:
        return None
    near = (n for n, text in enumerate(texts) if len(text) < LONGEST and words[0] in text.lower())
    return next((n for n in near if words_of(texts[n]) == words), None)


def _alike(one: frozenset[str], two: frozenset[str]) -> float:
    return 2 * len(one & two) / max(1, len(one) + len(two))
