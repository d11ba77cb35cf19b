"""Smaller facts about an article: its source, the place it reports from, its language, its images."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urljoin

import numpy as np
from numpy.typing import NDArray

from parcels.articles.language import language_of
from parcels.articles.parts import Parts
from parcels.structured import Claim

AGENCIES = "AP|AFP|Reuters|dpa|UPI|PTI|ANI|IANS|Xinhua|CNN|Bloomberg|PA|KUNA|TASS|EFE|ANSA"
_DATELINE = re.compile(
    rf"^([A-Z][A-Z.'’-]+(?: [A-Z][A-Z.'’-]+){{0,3}}(?:, [A-Z][\w.]+(?: [A-Z][\w.]+)?)?)\s*"
    rf"(?:\(\s*((?:The )?(?:{AGENCIES}))\s*\))?\s*(?:—|–|--|-)\s"
)
_SIGNED = re.compile(rf"^[^(]{{0,60}}\((?:The )?({AGENCIES})\)\s*(?:—|–|--|-)")
_LANGUAGE = re.compile(r"^[A-Za-z]{2,3}(?![A-Za-z])")
SAME = {
    "nb": "no",
    "nn": "no",
    "iw": "he",
    "in": "id",
    "ms": "id",
    "be": "ru",
    "bg": "ru",
    "sr": "ru",
    "mk": "ru",
    "kk": "ru",
}
SMALLEST = 80  # pixels: a stated width or height below it is an icon's
MAX_IMAGES = 30


class Dateline(NamedTuple):
    """How a report begins: the place and the agency, each None where it is not said."""

    place: str | None
    agency: str | None


def find_dateline(text: str) -> Dateline:
    """The place and agency before the first dash of a text.

    >>> find_dateline("SPRINGFIELD, Ill. (AP) — It was the dog.")
    Dateline(place='Springfield, Ill.', agency='AP')
    >>> find_dateline("It was the dog - again.")
    Dateline(place=None, agency=None)
    """
    if found := _DATELINE.match(text[:120]):
        town, comma, rest = found[1].partition(",")
        if town not in AGENCIES.split("|"):
            return Dateline(town.title() + comma + rest, found[2])
    signed = _SIGNED.match(text[:120])
    return Dateline(None, signed[1] if signed else None)


def find_language(claims: Sequence[Claim], text: str) -> str | None:
    """The language as a short code: what the text shows where that is sure, else what most claims name.

    Templates claim English for whatever is written into them; a page of a few words can only claim.

    >>> find_language([Claim("language", "en-GB", "html")], "Home")
    'en'
    """
    votes: dict[str, float] = {}
    for claim in claims:
        if claim.field == "language" and (code := _LANGUAGE.match(claim.value)):
            worth = 1.0 if claim.origin == "html" else 0.8
            votes[code[0].lower()] = votes.get(code[0].lower(), 0.0) + worth
    seen = language_of(text)
    if seen and seen not in {SAME.get(code, code) for code in votes}:
        return seen
    return max(votes, key=votes.__getitem__) if votes else None


def find_publishers(claims: Sequence[Claim]) -> list[str]:
    """What the site calls itself, the likeliest first; accounts and addresses are no names."""
    order = {"json-ld": 0, "opengraph": 1, "microdata": 2, "meta": 3}
    names = [
        (order.get(claim.origin, 4), claim.value)
        for claim in claims
        if claim.field == "publisher" and not claim.value.startswith(("@", "http")) and 1 < len(claim.value) < 60
    ]
    return list(dict.fromkeys(name for _, name in sorted(names, key=lambda name: name[0]) if not name.startswith("©")))


def find_images(
    parts: Parts, taken: NDArray[np.bool_], claims: Sequence[Claim], base: str | None
) -> list[dict[str, Any]]:
    """The images that stand within the chosen text, with their captions; the claimed one where there are none."""
    found: dict[str, dict[str, Any]] = {}
    chosen = np.flatnonzero(taken)
    if len(chosen):
        leaves, first = parts.page.leaves, parts.division.first
        start = int(first[max(0, int(chosen[0]) - 3)])
        end = int(first[chosen[-1] + 1]) if chosen[-1] + 1 < len(parts) else len(leaves)
        for leaf in range(start, end):
            if leaves.kind[leaf] == "img" and len(found) < MAX_IMAGES:
                row = int(leaves.node[leaf])
                address = _source(parts, row, base)
                if address:
                    found.setdefault(
                        address, {"url": address, "caption": _caption(parts, row), "alt": leaves.text[leaf]}
                    )
    if not found:
        claimed = [claim.value for claim in claims if claim.field == "image" and claim.value.startswith("http")]
        return [{"url": claimed[0], "caption": None, "alt": ""}] if claimed else []
    return list(found.values())


def _source(parts: Parts, row: int, base: str | None) -> str | None:
    given = parts.page.nodes.attributes[row]
    for size in ("width", "height"):
        if given.get(size, "").isdigit() and int(given[size]) < SMALLEST:
            return None
    for name in ("src", "data-src", "data-original", "data-lazy-src", "srcset", "data-srcset"):
        words = given.get(name, "").split()
        if words and not words[0].startswith("data:"):
            try:
                return urljoin(base, words[0]) if base else words[0]
            except ValueError:  # a bracket where no address has one
                return None
    return None


def _caption(parts: Parts, row: int) -> str | None:
    """The text of the `figcaption` in the figure around an image."""
    nodes = parts.page.nodes
    for _ in range(6):
        row = int(nodes.parent[row])
        if row < 0:
            return None
        if nodes.tags[row] == "figure":
            break
    else:
        return None
    for inner in range(row, int(nodes.last[row]) + 1):
        if nodes.tags[inner] == "figcaption":
            texts = parts.page.leaves.text[int(nodes.first_leaf[inner]) : int(nodes.end_leaf[inner])]
            return " ".join(texts) or None
    return None
