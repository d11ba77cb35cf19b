"""The authors of a page: claimed names and visible bylines, cleaned and weighted.

Organisations count only where no person is named. An agency whose text another site publishes is the source, not an
author.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from parcels.articles.body.parts import Parts
from parcels.articles.fields.bylines import SHOWN, ShownName, far_names, shown_names
from parcels.articles.fields.facts import find_agency
from parcels.articles.fields.names import ORGANISATION, is_caseless, split_names
from parcels.articles.gold import words_of
from parcels.html.structured import Claim

WORTH = {"json-ld": 3.0, "meta": 2.0, "microdata": 1.5, "opengraph": 1.5}
AGREED = 1.5  # bonus for a name that is both claimed and visible
ENOUGH = 1.4
SHARE = 0.5  # share of the best name's weight that other names need
FULL = 6.0
MOST_NAMES, MOST_COMPANIONS = 12, 4
MOST_CHARS = 300  # of a claim with names
LIST = 4  # authors in microdata from which they are those of several articles
FAR, ODD = 0.3, 0.2  # confidence of a byline far from the title, and of a claim that does not look like a name
MOST_ODD = 40  # characters of such a claim
_ACCOUNT = re.compile(r"[@/<>{}=]|https?:|\.(?:com|org|net)\b", re.I)
OUTVOTED = 0.3  # share of the best weight that a person needs to count more than an organisation


class Authors(NamedTuple):
    """Names in page order, and their confidence."""

    names: tuple[str, ...]
    confidence: float


def find_authors(
    parts: Parts, claims: Sequence[Claim], title_block: int | None, publishers: Sequence[str] = ()
) -> Authors:
    """Return the names with enough evidence; `parts` are the lines of a page.

    >>> from parcels.articles.body.parts import parts_of
    >>> from parcels.html.page import read_page
    >>> page = read_page("<h1>Fire</h1><p>By Ann Lee and Bo Ek, senior reporter<p>The pier burnt.")
    >>> find_authors(parts_of(page), [], 0).names
    ('Ann Lee', 'Bo Ek')
    """
    sites = {" ".join(words_of(name)) for name in publishers}
    worth: dict[str, float] = {}
    spelt: dict[str, str] = {}
    sources: dict[str, set[str]] = {}
    shown = list(shown_names(parts, title_block, publishers))
    visible = [(one.name, "shown", one.worth) for one in shown]
    for name, source, value in (*_claimed(claims, publishers), *visible):
        key = " ".join(words_of(name))
        if not key:
            continue
        # A name followed by a role or an agency is the claimed name.
        key = next((known for known in worth if " " in known and key.startswith(known)), key)
        if source not in sources.setdefault(key, set()):
            worth[key] = worth.get(key, 0.0) + value
            sources[key].add(source)
        spelt.setdefault(key, name)
    for key, origins in sources.items():
        worth[key] += AGREED if len(origins) > 1 and "shown" in origins else 0.0
    worth.pop(" ".join(words_of(find_agency(claims, publishers) or "")), None)
    _raise_companions(worth, shown)
    persons = {key for key in worth if not ORGANISATION.search(key) and (" " in key or is_caseless(key))}
    # Persons, else organisations, else the site itself: a blog may be named after its author.
    most = max(worth.values(), default=0.0)
    kept = (
        {key for key in persons - sites if worth[key] >= OUTVOTED * most}
        or {key for key in worth if " " in key} - sites
        or set(worth)
    )
    best = max((worth[key] for key in kept), default=0.0)
    names = [key for key in worth if key in kept and worth[key] >= max(ENOUGH, SHARE * best)]
    if not names:
        return _last_resort(parts, claims, publishers)
    names = [key for key in names if not any(key != other and f" {key} " in f" {other} " for other in names)]
    return Authors(tuple(spelt[key] for key in names[:MOST_NAMES]), round(min(0.99, best / FULL), 3))


def _last_resort(parts: Parts, claims: Sequence[Claim], publishers: Sequence[str]) -> Authors:
    """Return the names of a byline far from the title, else a claimed name that has not the form of one."""
    if names := far_names(parts, publishers):
        return Authors(tuple(dict.fromkeys(names))[:MOST_NAMES], FAR)
    agency = find_agency(claims, publishers)
    stated = [claim.value for claim in claims if claim.field == "author" and claim.origin in ("json-ld", "meta")]
    names = [name for name in stated if 2 < len(name) < MOST_ODD and name != agency and not _ACCOUNT.search(name)]
    return Authors(tuple(names[:1]), ODD if names else 0.0)


def _raise_companions(worth: dict[str, float], shown: Sequence[ShownName]) -> None:
    """Raise the weight of names in one byline towards that of the best of them: all or none are authors."""
    for line in {one.line for one in shown if one.worth == SHOWN}:
        names = [" ".join(words_of(one.name)) for one in shown if one.line == line]
        best = max((worth.get(name, 0.0) for name in names), default=0.0)
        for name in names if len(names) <= MOST_COMPANIONS else ():
            if " " in name and name in worth:
                worth[name] = max(worth[name], SHARE * best)


def _claimed(claims: Sequence[Claim], publishers: Sequence[str]) -> Iterator[tuple[str, str, float]]:
    listed = sum(claim.field == "author" and claim.origin == "microdata" for claim in claims) >= LIST
    for claim in claims:
        if claim.field == "author" and len(claim.value) < MOST_CHARS:
            if listed and claim.origin == "microdata":
                continue  # the authors of teasers or readers' comments
            for name in split_names(claim.value, publishers):
                yield name, claim.origin, WORTH.get(claim.origin, 1.0)
