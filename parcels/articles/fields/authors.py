"""Who wrote a page: claimed names and shown bylines, cleaned and weighed.

Organisations count only where no person is named, and an agency whose text another site publishes is its source, not
its author.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from parcels.articles.body.parts import Parts
from parcels.articles.fields.bylines import shown_names
from parcels.articles.fields.facts import find_agency
from parcels.articles.fields.names import ORGANISATION, split_names
from parcels.articles.gold import words_of
from parcels.html.structured import Claim

WORTH = {"json-ld": 3.0, "meta": 2.0, "microdata": 1.5, "opengraph": 1.5}
AGREED = 1.5  # what a name gains that is both claimed and shown
ENOUGH = 1.4
SHARE = 0.5  # of the best name's worth that others need
FULL = 6.0
MOST_NAMES = 12


class Authors(NamedTuple):
    """Names in the page's order, and how sure they are."""

    names: tuple[str, ...]
    confidence: float


def find_authors(
    parts: Parts, claims: Sequence[Claim], title_block: int | None, publishers: Sequence[str] = ()
) -> Authors:
    """Return the names with enough behind them, none where nobody is named; `parts` are a page's lines.

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
    for name, source, value in (*_claimed(claims, publishers), *shown_names(parts, title_block, publishers)):
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
    worth.pop(" ".join(words_of(find_agency(claims, publishers) or "")), None)
    persons = {key for key in worth if not ORGANISATION.search(key) and " " in key}
    # Persons, else organisations, else the site itself: a blog may be called after who writes it.
    kept = (persons - sites) or {key for key in worth if " " in key} - sites or set(worth)
    best = max((worth[key] for key in kept), default=0.0)
    names = [key for key in worth if key in kept and worth[key] >= max(ENOUGH, SHARE * best)]
    names = [key for key in names if not any(key != other and f" {key} " in f" {other} " for other in names)]
    return Authors(tuple(spelt[key] for key in names[:MOST_NAMES]), round(min(0.99, best / FULL), 3))


def _claimed(claims: Sequence[Claim], publishers: Sequence[str]) -> Iterator[tuple[str, str, float]]:
    for claim in claims:
        if claim.field == "author" and len(claim.value) < 300:
            for name in split_names(claim.value, publishers):
                yield name, claim.origin, WORTH.get(claim.origin, 1.0)
