"""Who wrote a page: claimed names and shown bylines, cleaned and weighed; organisations where no person is named."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from parcels.articles.gold import words_of
from parcels.articles.parts import Parts
from parcels.nlp.dates import find_moments
from parcels.structured import Claim

WORTH = {"json-ld": 3.0, "meta": 2.0, "microdata": 1.5, "opengraph": 1.5}
SHOWN = 2.0  # a byline: "By Ann Lee", or what is marked as the author
AGREED = 1.5  # what a name gains that is both claimed and shown
ENOUGH = 1.4
SHARE = 0.5  # of the best name's worth that others need
FULL = 6.0
NEAR_BEFORE, NEAR_BEHIND = 6, 16  # blocks around the title in which a byline is looked for
MOST_WORDS = 30
MOST_NAME_WORDS, MOST_NAMES = 6, 12
_BY = re.compile(
    r"^\W*(?:(?:written|posted|story|words|reported|analysis|review(?:ed)?|photos|and|on|published|[\d:.,/-]+|"
    r"[A-Z]{3}) ){0,8}"
    r"(?:(?:by|von|par|por|door)\b:?\s+|By(?=[A-Z]))",
    re.I,
)
_BY_ALONE = re.compile(r"^(?:written |posted )?(?:by|author|von|par|por):?$", re.I)
_MARKED = re.compile(r"\b(?:author|byline|contributor|writer|reporter)s?\b|author[-_]?(?:name|link)|byline", re.I)
_AUTHORS_PAGE = re.compile(
    r"/(?:authors?|by|people|profiles?|contributors?|staff|writers?|reporters?|journalists?)/", re.I
)
_CUT = re.compile(
    r"\s*(?:\||•|·|–|—| - |\bfor\b|\bin\b|\bat\b|\bon\b|published|updated|posted\b|\d|@|\(|\bfollow\b|\babout the\b|"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s*\d)",
    re.I,
)
_GLUED_DATE = re.compile(r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?\s*\d.*")
_SPLIT = re.compile(r"\s*(?:;|,|/|&|\band\b|\bund\b|\bet\b|\by\b|\bwith\b|\n)\s*", re.I)
_ROLE = re.compile(
    r"\s*\b(?:(?:senior|staff|special|deputy|managing|executive|associate|assistant|contributing|city|political|chief|"
    r"health(?:care)?|business|sports|technology|science|news|showbiz|features?|content|guest|lead|foreign) )*"
    r"(?:editors?|reporter|correspondent|writer|journalist|columnist|producer|contributor|author|photograph\w*|ph\.?d|"
    r"professor|manager|director|analyst|critic|chief|head of .*|officer)\b.*",
    re.I,
)
_AGENCY = re.compile(r"\s+(?:the )?(?:associated press|reuters|usa today|afp|ap)$", re.I)
_LETTERS = re.compile(r"(?<=[a-z.]{2})(?:\s+(?:[A-Z]{2,4}|[A-Z]\.[A-Z]\.))+$")  # degrees
_NOT_A_NAME = re.compile(
    r"https?:|www\.|@|\b(?:image|photo|picture|getty|share|facebook|twitter|email|read|comments?|updated|"
    r"subscribe|sign|minutes?|min|hours?|ago|article|view|more|posts?|by|contributions|click|follow|"
    r"published|on|guide|this)\b|[<>{}=_#]",
    re.I,
)
_ORGANISATION = re.compile(
    r"\b(?:news|press|agency|reuters|staff|editors?|editorial|team|desk|media|magazine|times|post|inc|ltd|university|"
    r"journal|network|institute|group|newsroom|bbc|cnn|afp|online|daily|guardian|company|contributors?)\b|\.(?:com|org|net)",
    re.I,
)


class Authors(NamedTuple):
    """Names in the page's order, and how sure they are."""

    names: tuple[str, ...]
    confidence: float


def find_authors(
    parts: Parts, claims: Sequence[Claim], title_block: int | None, publishers: Sequence[str] = ()
) -> Authors:
    """The names with enough behind them; none where nobody is named.

    >>> from parcels.articles.parts import parts_of
    >>> from parcels.page import read_page
    >>> page = read_page("<h1>Fire</h1><p>By Ann Lee and Bo Ek, senior reporter<p>The pier burnt.")
    >>> find_authors(parts_of(page), [], 0).names
    ('Ann Lee', 'Bo Ek')
    """
    sites = {" ".join(words_of(name)) for name in publishers}
    worth: dict[str, float] = {}
    spelt: dict[str, str] = {}
    sources: dict[str, set[str]] = {}
    for name, source, value in (*_claimed(claims, publishers), *_shown(parts, title_block, publishers)):
        key = " ".join(words_of(name))
        if not key:
            continue
        # A name with a role grown onto it, or an agency behind it, is the name that was claimed.
        key = next((known for known in worth if " " in known and key.startswith(known)), key)
        if source not in sources.setdefault(key, set()):
            worth[key] = worth.get(key, 0.0) + value
            sources[key].add(source)
        spelt.setdefault(key, name)
    for key, found in sources.items():
        worth[key] += AGREED if len(found) > 1 and "shown" in found else 0.0
    persons = {key for key in worth if not _ORGANISATION.search(key) and " " in key}
    # Persons, else organisations, else the site itself: a blog may be called after who writes it.
    kept = (persons - sites) or {key for key in worth if " " in key} - sites or set(worth)
    best = max((worth[key] for key in kept), default=0.0)
    names = [key for key in worth if key in kept and worth[key] >= max(ENOUGH, SHARE * best)]
    names = [key for key in names if not any(key != other and f" {key} " in f" {other} " for other in names)]
    return Authors(tuple(spelt[key] for key in names[:MOST_NAMES]), round(min(0.99, best / FULL), 3))


def split_names(text: str, publishers: Sequence[str] = ()) -> list[str]:
    """The names of a byline.

    >>> split_names("By Ann Lee, senior reporter, and Bo Ek | 3 May 2021"), split_names("By Di LowDec. 2, 2021")
    (['Ann Lee', 'Bo Ek'], ['Di Low'])
    """
    text = _GLUED_DATE.sub("", _BY.sub("", text.strip()))
    cut = _CUT.search(text)
    text = text[: cut.start()] if cut and cut.start() else text
    found = []
    for part in _SPLIT.split(text):
        name = _AGENCY.sub("", _BY.sub("", part).strip(" ,:;-–—|•·\"'“”"))
        without_role = _ROLE.sub("", name)
        name = _LETTERS.sub("", without_role if " " in without_role or not _ORGANISATION.search(name) else name)
        for publisher in publishers:
            name = name.removesuffix(publisher).strip()
        name = name if name.endswith(("Jr.", "Sr.")) or name[-2:-1].isupper() else name.rstrip(".")
        if _is_name(name):
            found.append(name)
    return found


def is_byline(text: str) -> bool:
    """True where a short text begins as bylines do and names somebody.

    >>> is_byline("By Ann Lee"), is_byline("By then it was late")
    (True, False)
    """
    return bool(_BY.match(text)) and any(" " in name for name in split_names(text))


def _is_name(text: str) -> bool:
    words = text.split()
    if not 1 <= len(words) <= MOST_NAME_WORDS or not 3 <= len(text) <= 60 or _NOT_A_NAME.search(text):
        return False
    if len(words) == 1 and text.isupper() and len(text) <= 4:
        return False  # a degree
    return text[0].isalpha() and sum(word[:1].isupper() for word in words) >= max(1, len(words) - 2)


def _claimed(claims: Sequence[Claim], publishers: Sequence[str]) -> Iterator[tuple[str, str, float]]:
    for claim in claims:
        if claim.field == "author" and len(claim.value) < 300:
            for name in split_names(claim.value, publishers):
                yield name, claim.origin, WORTH.get(claim.origin, 1.0)


def _shown(parts: Parts, title_block: int | None, publishers: Sequence[str]) -> Iterator[tuple[str, str, float]]:
    at = title_block if title_block is not None else 0
    near = [n for n in range(max(0, at - NEAR_BEFORE), min(len(parts), at + NEAR_BEHIND)) if parts.texts[n] and n != at]
    is_behind_by = False
    for place, number in enumerate(near):
        text = parts.texts[number]
        if text.count(" ") >= MOST_WORDS:
            is_behind_by = False
            continue
        worth = 0.0
        if _BY.match(text) or is_behind_by:
            worth = SHOWN
        elif _is_marked(parts, number) or (
            number > at and place + 1 < len(near) and _is_bare_name(text) and _is_date(parts.texts[near[place + 1]])
        ):
            worth = 0.75 * SHOWN
        is_behind_by = bool(_BY_ALONE.match(text))
        if worth:
            for name in split_names(text, publishers):
                if " " in name or worth == SHOWN:
                    yield name, "shown", worth


def _is_bare_name(text: str) -> bool:
    """True for two to four capitalised words and nothing else."""
    words = text.split()
    return 2 <= len(words) <= 4 and all(word[0].isupper() and word.isalpha() for word in words)


def _is_date(text: str) -> bool:
    return len(text) < 60 and any(
        moment.kind == "date" and moment.value for moment in find_moments(text, in_words=False)
    )


def _is_marked(parts: Parts, number: int) -> bool:
    """True where the block's element, one around it or a link in it is called an author's."""
    nodes, first = parts.page.nodes, int(parts.division.first[number])
    end = int(parts.division.first[number + 1]) if number + 1 < len(parts) else parts.division.leaf_count
    for leaf in range(first, min(end, first + 3)):
        row = int(parts.page.leaves.node[leaf])
        link = int(nodes.link[row])
        if link >= 0 and _AUTHORS_PAGE.search(nodes.attributes[link].get("href", "")):
            return True
        for _ in range(4):
            given = nodes.attributes[row]
            if given.get("rel") == "author" or _MARKED.search(f"{given.get('class', '')} {given.get('itemprop', '')}"):
                return True
            row = max(0, int(nodes.parent[row]))
    return False
