"""Further fields of an article: source, place, language and images."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urljoin

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.parts import Parts
from parcels.articles.fields.language import language_of
from parcels.articles.fields.names import ORGANISATION
from parcels.html.page import Page
from parcels.html.structured import Claim
from parcels.html.tags import NUMBER

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
SMALLEST = 80  # pixels; an image with a smaller width or height attribute is an icon
MAX_IMAGES = 30


class Dateline(NamedTuple):
    """The place and the agency at the start of a report, each None where it is missing."""

    place: str | None
    agency: str | None


def find_dateline(text: str) -> Dateline:
    """Return the place and the agency before the first dash of a text.

    >>> find_dateline("SPRINGFIELD, Ill. (AP) — It was the dog.")
    Dateline(place='Springfield, Ill.', agency='AP')
    >>> find_dateline("It was the dog - again.")
    Dateline(place=None, agency=None)
    """
    if match := _DATELINE.match(text[:120]):
        town, comma, rest = match[1].partition(",")
        if town not in AGENCIES.split("|"):
            return Dateline(town.title() + comma + rest, match[2])
    signed = _SIGNED.match(text[:120])
    return Dateline(None, signed[1] if signed else None)


def find_language(claims: Sequence[Claim], text: str) -> str | None:
    """Return the language code: that of the text if it is certain, else the most frequent claim.

    The text comes first because templates often claim English for pages in other languages.

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
    """Return the claimed names of the site, the most reliable first, without accounts and addresses."""
    order = {"json-ld": 0, "opengraph": 1, "microdata": 2, "meta": 3}
    names = [
        (order.get(claim.origin, 4), claim.value)
        for claim in claims
        if claim.field == "publisher" and not claim.value.startswith(("@", "http")) and 1 < len(claim.value) < 60
    ]
    return list(dict.fromkeys(name for _, name in sorted(names, key=lambda name: name[0]) if not name.startswith("©")))


def find_agency(claims: Sequence[Claim], publishers: Sequence[str]) -> str | None:
    """Return the organisation that a page claims as author although another publishes it: an agency.

    A team of the publisher, whose name contains the publisher's, is none.

    >>> stated = [Claim("organisation", "Polaris Wire", "json-ld")]
    >>> find_agency(stated, ["Lumen"]), find_agency(stated, ["Polaris Wire"]), find_agency(stated, [])
    ('Polaris Wire', None, None)
    """
    stated = [claim.value for claim in claims if claim.field == "organisation"]
    known = [name.lower() for name in publishers]
    agencies = [name for name in stated if not any(own in name.lower() for own in known) and ORGANISATION.search(name)]
    return agencies[0] if agencies and publishers else None


def find_base(page: Page, claims: Sequence[Claim]) -> str | None:
    """Return the address that the page's links are relative to: its `base`, its own, or the one it claims.

    >>> from parcels.html.page import read_page
    >>> find_base(read_page("<base href=/news/><p>x", "https://post.example/a"), [])
    'https://post.example/news/'
    """
    stated = [claim.value for claim in claims if claim.field == "url" and claim.value.startswith(("http:", "https:"))]
    own = page.url or (stated[0] if stated else None)
    given = next(
        (given["href"].strip() for tag, given, _ in page.nodes.iter_metadata() if tag == "base" and given.get("href")),
        "",
    )
    try:
        return urljoin(own or "", given) or None
    except ValueError:  # a bracket where no address has one
        return own


@dataclass(frozen=True, slots=True)
class Image:
    """An image within the chosen text."""

    leaf: int
    row: int  # of the image's element
    url: str
    alt: str
    caption: str | None
    caption_first: int = 0  # first leaf of its caption
    caption_end: int = 0


def shown_images(parts: Parts, taken: NDArray[np.bool_], base: str | None) -> list[Image]:
    """Return the images from shortly before the chosen text to its end, each address once."""
    chosen = np.flatnonzero(taken)
    if not len(chosen):
        return []
    nodes, leaves, first = parts.page.nodes, parts.page.leaves, parts.division.first
    start = int(first[max(0, int(chosen[0]) - 3)])
    end = int(first[chosen[-1] + 1]) if chosen[-1] + 1 < len(parts) else len(leaves)
    by_address: dict[str, Image] = {}
    for leaf in range(start, end):
        if leaves.kind[leaf] != "img":
            continue
        if len(by_address) >= MAX_IMAGES:
            break
        row = int(leaves.node[leaf])
        address = _source(parts, row, base)
        if address and address not in by_address:
            caption = _caption_row(parts, row)
            inside = (int(nodes.first_leaf[caption]), int(nodes.end_leaf[caption])) if caption >= 0 else (0, 0)
            text = " ".join(leaves.text[inside[0] : inside[1]]) or None
            by_address[address] = Image(leaf, row, address, leaves.text[leaf], text, *inside)
    return list(by_address.values())


def find_images(shown: Sequence[Image], claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """Return the images of the chosen text with their captions, or the claimed image where there are none."""
    if not shown:
        claimed = [claim.value for claim in claims if claim.field == "image" and claim.value.startswith("http")]
        return [{"url": claimed[0], "caption": None, "alt": ""}] if claimed else []
    return [{"url": image.url, "caption": image.caption, "alt": image.alt} for image in shown]


def _source(parts: Parts, row: int, base: str | None) -> str | None:
    given = parts.page.nodes.attributes[row]
    for size in ("width", "height"):
        pixels = given.get(size, "")
        if pixels.isdecimal() and len(pixels) < 5 and int(pixels) < SMALLEST:  # `²` is a digit that int() refuses
            return None
    for name in ("src", "data-src", "data-original", "data-lazy-src", "srcset", "data-srcset"):
        words = given.get(name, "").split()
        if words and not words[0].startswith("data:"):
            try:
                return urljoin(base, words[0]) if base else words[0]
            except ValueError:  # a bracket where no address has one
                return None
    return None


def _caption_row(parts: Parts, row: int) -> int:
    """Return the row of the `figcaption` in the figure around an image, -1 where there is none."""
    nodes = parts.page.nodes
    for _ in range(6):
        row = int(nodes.parent[row])
        if row < 0:
            return -1
        if nodes.tags[row] == "figure":
            break
    else:
        return -1
    inside = nodes.tag[row : int(nodes.last[row]) + 1] == NUMBER["figcaption"]
    return row + int(inside.argmax()) if inside.any() else -1
