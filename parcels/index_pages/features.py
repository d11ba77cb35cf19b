"""Features of a page: running text, teasers, headings, dates, metadata and the shape of its address.

One number per name in NAMES. Numbers of what a page lacks are NOTHING.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p, sqrt
from typing import Any
from urllib.parse import SplitResult, urlsplit

import numpy as np
from numpy.typing import NDArray

from parcels.articles.body.parts import Floats, Ints, Parts
from parcels.articles.fields.facts import find_publishers
from parcels.articles.fields.lines import lines_of
from parcels.articles.fields.title import find_title
from parcels.html.structured import Claim
from parcels.html.tags import NUMBER, lookup

NOTHING = -1.0
PARAGRAPH = 80  # letters from which a line is running text
TEASER = 25  # letters from which a linked line is a teaser
TEXT_LINKED, TEASER_LINKED = 0.4, 0.9  # shares of a line's words in links: at most for text, at least for a teaser
SHORT_LINK = 15  # letters of a linked line that ends a tight run of text
LABEL = 40  # letters below which a line may be a date or a repeated label such as "Read more"
LEAST_DATE = 4  # letters of a date
FIRST_PARAGRAPHS = 6
AFTER_TEASER = 3  # lines after a teaser in which its text is looked for
NEAR_TITLE = (-6, 12)  # lines around the title in which an article's date is looked for
WIDE = 0x2E80  # from this character on, one says as much as three letters: Chinese, Japanese, Korean
MOST_SLUG_WORDS, MOST_SLUG, MOST_PATH, MOST_QUERY = 12, 80, 150, 40
SITE_TYPES = frozenset(["website", "frontpage", "blog", "collectionpage", "object", "profile"])
OTHER_TYPES = ("video", "music", "product", "audio")
_TAGS = ("article", "time", "img", "li", "p", "input", "table", "textarea", "figure")

_CLAIMS = (
    "og_article ld_article states_site states_other claims claims_published claims_modified claims_author "
    "claims_section claimed_title_letters"
)
_SIZES = (
    "lines letters short_lines medium_lines links linked_share text text_share share_of_all longest mean_paragraph "
    "spread teasers teaser_letters"
)
_RUNS = "run run_share run_paragraphs run_place tight_run"
_PARENTS = "parent parent_share parent_paragraphs parents grandparent p_share"
_HEADINGS = "headings linked_headings plain_h1 h1_letters"
_TEASERS = "teaser_group first_teaser mean_teaser teasers_with_text teasers_before_title"
_LABELS = "most_repeated repeated dates linked_dates dates_near_title linked_numbers"
_TITLE = "title_place title_linked title_letters to_text to_teaser after_title until_teaser"
_ADDRESS = (
    "is_root is_list_path path_depth path_letters path_digits slug_words slug_letters slug_digits has_date is_file "
    "ends_slash query_letters"
)
_CANONICAL = "canonical_depth canonical_words canonical_letters canonical_digits"
ADDRESS = tuple(_ADDRESS.split())
NAMES: tuple[str, ...] = (
    *_CLAIMS.split(), *_SIZES.split(), *_RUNS.split(), *_PARENTS.split(), *_HEADINGS.split(), *_TEASERS.split(),
    *_LABELS.split(), *(f"{tag}_elements" for tag in _TAGS), "linked_images", *_TITLE.split(), *ADDRESS,
    *_CANONICAL.split(),
)  # fmt: skip

_LIST_NAME = re.compile(
    r"(?:categor(?:y|ies)|tags?|topics?|authors?|people|sections?|archives?|search|page|(?:index|home|default)(?:\.\w+)?)",
    re.I,
)
_NUMBER_NAME = re.compile(r"(?:19|20)\d\d|\d{1,2}")
_DATE_IN_PATH = re.compile(r"/(?:19|20)\d\d[/-]?\d{1,2}(?:[/-]?\d{1,2})?/")
_FILE = re.compile(r"\.(?:html?|php|aspx?|shtml|epi|jsp)$", re.I)
_DATE = re.compile(  # 3.5.2004, 2004-05-03, 12:30 or a year; it begins with a set, which is searched fast
    "[0-9](?:[0-9]{0,3}[./-][0-9]{1,2}[./-][0-9]|[0-9]?:[0-9]{2}|(?:(?<=1)9|(?<=2)0)[0-9]{2}(?![0-9]))"
)
_IS_HEADLINE, _IS_H1 = lookup("h1 h2 h3 h4 h5 h6"), lookup("h1")

Bools = NDArray[np.bool_]


def page_features(parts: Parts, claims: Sequence[Claim], url: str | None) -> list[float]:
    """Return the features of a page whose lines and title are not known yet."""
    lines = lines_of(parts)
    title = find_title(lines, claims, find_publishers(claims))
    return index_features(lines, title.block if title else None, claims, url)


def index_features(lines: Parts, title_line: int | None, claims: Sequence[Claim], url: str | None) -> list[float]:
    """Return the features of a page, in the order of NAMES."""
    measured = _Lines.of(lines)
    dated = _dated_lines(lines.texts, measured.letters)
    own = _of_claims(claims)
    own += _sizes(measured)
    own += _runs(measured)
    own += _parents(measured)
    own += _headings(measured)
    own += _teasers(measured, title_line)
    own += _labels(measured, dated, title_line)
    own += _elements(lines)
    own += _of_title(measured, title_line)
    own += _of_address(url)
    own += _of_canonical(claims)
    return own


def without_address(rows: Floats) -> Floats:
    """Return rows of features as they would be without the address of the page."""
    bare = rows.copy()
    columns = [NAMES.index(name) for name in ADDRESS]
    bare[:, columns] = _of_address(None)
    return bare


@dataclass(frozen=True, eq=False)
class _Lines:
    """The lines of a page with their sizes, elements and roles."""

    parts: Parts
    letters: Floats
    linked: Floats  # share of the words that are in links
    has_words: Bools
    container: Ints
    parent: Ints
    is_heading: Bools
    is_text: Bools
    is_teaser: Bools

    @classmethod
    def of(cls, lines: Parts) -> "_Lines":
        """Measure the lines of a page."""
        nodes, container = lines.page.nodes, lines.division.container.astype(np.int64)
        letters = letter_counts(lines.texts)
        words = lines.words
        linked = lines.link_words / np.maximum(1, words)
        parent = np.maximum(nodes.parent[container], 0).astype(np.int64)
        has_words = words > 0
        return cls(
            lines, letters, linked, has_words, container, parent,
            _IS_HEADLINE[nodes.tag[container]] | _IS_HEADLINE[nodes.tag[parent]],
            (linked < TEXT_LINKED) & has_words & (letters >= PARAGRAPH),
            (linked >= TEASER_LINKED) & (letters >= TEASER),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.letters)


def letter_counts(texts: Sequence[str]) -> Floats:
    """Return the letters of each text; a Chinese, Japanese or Korean character says as much as three.

    >>> letter_counts(["pier", "", "港口 a"]).tolist()
    [4.0, 0.0, 8.0]
    """
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    joined = "".join(texts)
    if joined.isascii():
        return sizes.astype(np.float64)
    is_wide = np.frombuffer(joined.encode("utf-32-le", "replace"), np.uint32) > WIDE
    before = np.concatenate([[0], np.cumsum(is_wide)])
    ends = np.cumsum(sizes)
    counts: Floats = sizes + 2.0 * (before[ends] - before[ends - sizes])
    return counts


def _of_claims(claims: Sequence[Claim]) -> list[float]:
    types = [(claim.value.lower(), claim.origin == "opengraph") for claim in claims if claim.field == "type"]
    fields = {claim.field for claim in claims}
    title = next((claim.value for claim in claims if claim.field == "title"), "")
    return [
        float(any(is_open and "article" in kind for kind, is_open in types)),
        float(any(not is_open and ("article" in kind or "posting" in kind) for kind, is_open in types)),
        float(any(kind in SITE_TYPES for kind, _ in types)),
        float(any(kind.startswith(OTHER_TYPES) or "forum" in kind for kind, _ in types)),
        log1p(len(claims)),
        *(float(name in fields) for name in ("published", "modified", "author", "section")),
        float(len(title)),
    ]


def _sizes(lines: _Lines) -> list[float]:
    letters, linked, is_text, is_teaser = lines.letters, lines.linked, lines.is_text, lines.is_teaser
    paragraphs, teasers = letters[is_text], letters[is_teaser]
    every, text, teaser_letters = float(letters.sum()), float(paragraphs.sum()), float(teasers.sum())
    is_plain = (linked < TEXT_LINKED) & lines.has_words & ~is_text
    medium = int((is_plain & (letters >= 30)).sum())
    mean = text / max(1, len(paragraphs))
    return [
        log1p(lines.has_words.sum()),
        log1p(every),
        log1p(is_plain.sum() - medium),
        log1p(medium),
        log1p((linked >= TEASER_LINKED).sum()),
        float(letters @ linked) / (1 + every),
        log1p(text),
        text / (1 + text + teaser_letters),
        text / (1 + every),
        log1p(paragraphs.max(initial=0)),
        log1p(mean),
        _spread(paragraphs, mean),
        log1p(len(teasers)),
        log1p(teaser_letters),
    ]


def _spread(values: Floats, mean: float) -> float:
    """Return the standard deviation as a share of the mean."""
    if not mean:
        return NOTHING
    return sqrt(max(0.0, float(values @ values) / len(values) - mean**2)) / mean


def _runs(lines: _Lines) -> list[float]:
    """Return numbers of the longest run of text: between two teasers, and between any two linked lines."""
    is_text, letters = lines.is_text, lines.letters
    if not is_text.any():
        return [NOTHING] * len(_RUNS.split())
    paragraphs, run = letters[is_text], np.cumsum(lines.is_teaser)[is_text]
    sizes = np.bincount(run, paragraphs)
    longest = int(sizes.argmax())
    rows = np.flatnonzero(is_text)[run == longest]
    ends = np.cumsum((lines.linked >= TEASER_LINKED) & (letters >= SHORT_LINK))[is_text]
    return [
        log1p(sizes[longest]),
        float(sizes[longest] / paragraphs.sum()),
        log1p(len(rows)),
        float(rows[0] / len(lines)),
        log1p(np.bincount(ends, paragraphs).max()),
    ]


def _parents(lines: _Lines) -> list[float]:
    """Return numbers of the element with the most text in paragraphs of its own: teasers have one each."""
    is_text = lines.is_text
    if not is_text.any():
        return [NOTHING] * len(_PARENTS.split())
    nodes, paragraphs = lines.parts.page.nodes, lines.letters[is_text]
    is_p = nodes.tag[lines.container[is_text]] == NUMBER["p"]
    around = np.where(is_p, lines.parent[is_text], lines.container[is_text])
    counts, most = np.bincount(around), float(np.bincount(around, paragraphs).max())
    total = float(paragraphs.sum())
    above = np.maximum(nodes.parent[around], 0)
    return [
        log1p(most),
        most / total,
        log1p(counts.max()),
        log1p(np.count_nonzero(counts)),
        log1p(np.bincount(above, paragraphs).max()),
        float(paragraphs[is_p].sum()) / total,
    ]


def _headings(lines: _Lines) -> list[float]:
    nodes, linked, letters = lines.parts.page.nodes, lines.linked, lines.letters
    is_h1 = _IS_H1[nodes.tag[lines.container]] | _IS_H1[nodes.tag[lines.parent]]
    return [
        log1p(_IS_HEADLINE[nodes.tag].sum()),
        log1p((lines.is_heading & (linked >= TEASER_LINKED)).sum()),
        float((is_h1 & (linked < 1 - TEASER_LINKED) & (letters >= TEASER)).any()),
        log1p(letters[is_h1].max(initial=0)),
    ]


def _teasers(lines: _Lines, title_line: int | None) -> list[float]:
    rows = np.flatnonzero(lines.is_teaser)
    if not len(rows):
        return [NOTHING] * len(_TEASERS.split())
    nodes, tags = lines.parts.page.nodes, lines.parts.page.nodes.tags
    kinds = Counter(
        (tags[own], nodes.attributes[own].get("class"), tags[above], nodes.attributes[above].get("class"))
        for own, above in zip(lines.container[rows].tolist(), lines.parent[rows].tolist(), strict=True)
    )
    before = np.concatenate([[0], np.cumsum(lines.is_text)])
    has_text = before[np.minimum(rows + 1 + AFTER_TEASER, len(lines))] > before[rows + 1]
    return [
        log1p(max(kinds.values())),
        float(rows[0] / len(lines)),
        float(lines.letters[rows].mean()),
        log1p(has_text.sum()),
        float((rows < (title_line or 0)).mean()),
    ]


def _dated_lines(texts: Sequence[str], letters: Floats) -> Ints:
    """Return the numbers of the short lines that have a date or a time."""
    rows = np.flatnonzero((letters >= LEAST_DATE) & (letters < LABEL))
    if not len(rows):
        return rows
    short = [texts[row] for row in rows.tolist()]
    ends = np.cumsum([len(text) + 1 for text in short])
    starts = [match.start() for match in _DATE.finditer("\n".join(short))]
    places: Ints = rows[np.unique(np.searchsorted(ends, starts, side="right"))] if starts else rows[:0]
    return places


def _labels(lines: _Lines, dated: Ints, title_line: int | None) -> list[float]:
    """Return numbers of short lines: repeated ones such as "Read more", dates, and linked page numbers."""
    texts, is_link = lines.parts.texts, lines.linked >= TEASER_LINKED
    rows = np.flatnonzero((lines.letters > 0) & (lines.letters < LABEL)).tolist()
    counts = Counter(texts[row] for row in rows).values()
    near = NOTHING
    if title_line is not None:
        near = float(((dated >= title_line + NEAR_TITLE[0]) & (dated <= title_line + NEAR_TITLE[1])).sum())
    numbered = np.flatnonzero(is_link & (lines.letters > 0) & (lines.letters < LEAST_DATE)).tolist()
    return [
        log1p(max(counts, default=0)),
        log1p(sum(count >= 3 for count in counts)),
        log1p(len(dated)),
        log1p((lines.linked[dated] > 0.5).sum()),
        near,
        log1p(sum(texts[row].isdigit() for row in numbered)),
    ]


def _elements(lines: Parts) -> list[float]:
    nodes, leaves = lines.page.nodes, lines.page.leaves
    counts = np.bincount(nodes.tag, minlength=len(NUMBER))
    linked_images = int((nodes.tag[leaves.node[leaves.is_link]] == NUMBER["img"]).sum())
    return [*(log1p(counts[NUMBER[tag]]) for tag in _TAGS), log1p(linked_images)]


def _of_title(lines: _Lines, title_line: int | None) -> list[float]:
    if title_line is None:
        return [NOTHING] * len(_TITLE.split())
    letters, is_text = lines.letters[title_line:], lines.is_text[title_line:]
    paragraphs = np.flatnonzero(is_text)
    teasers = np.flatnonzero(lines.is_teaser[title_line + 1 :])
    end = int(teasers[0]) + 1 if len(teasers) else len(letters)
    return [
        title_line / len(lines),
        float(lines.linked[title_line]),
        float(letters[0]),
        log1p(paragraphs[0]) if len(paragraphs) else NOTHING,
        log1p(end - 1),
        log1p(letters[paragraphs[:FIRST_PARAGRAPHS]].sum()),
        log1p(letters[:end][is_text[:end]].sum()),
    ]


def _of_address(url: str | None) -> list[float]:
    """Return numbers of an address; an unknown one is like that of a site.

    >>> dict(zip(ADDRESS, _of_address("http://post.example/2012/05/fire-at-the-pier-17.html")))["slug_words"]
    4.0
    >>> _of_address(None) == _of_address("http://post.example")
    True
    """
    address = _split(url)
    names = _names(address)
    slug = names[-1] if names else ""
    is_list = any(map(_LIST_NAME.fullmatch, names)) or bool(names and _NUMBER_NAME.fullmatch(slug))
    return [
        float(not names),
        float(is_list),
        float(len(names)),
        float(min(MOST_PATH, len(address.path))) if names else 0.0,
        float(_digits(address.path)),
        *_of_slug(slug),
        float(bool(_DATE_IN_PATH.search(f"{address.path}/"))),
        float(bool(_FILE.search(slug))),
        float(bool(names) and address.path.endswith("/")),
        float(min(MOST_QUERY, len(address.query))),
    ]


def _of_canonical(claims: Sequence[Claim]) -> list[float]:
    stated = next((claim.value for claim in claims if claim.field == "url"), None)
    if stated is None:
        return [NOTHING] * len(_CANONICAL.split())
    names = _names(_split(stated))
    return [float(len(names)), *_of_slug(names[-1] if names else "")]


def _of_slug(slug: str) -> tuple[float, float, float]:
    words = min(MOST_SLUG_WORDS, slug.count("-") + slug.count("_"))
    return float(words), float(min(MOST_SLUG, len(slug))), float(_digits(slug))


def _split(url: str | None) -> SplitResult:
    try:
        return urlsplit(url or "")
    except ValueError:  # a bracket where no address has one
        return urlsplit("")


def _names(address: SplitResult) -> list[str]:
    return [name for name in address.path.split("/") if name]


def _digits(text: str) -> int:
    return sum(map(str.isdigit, text))


def as_rows(rows: Sequence[Sequence[float]]) -> NDArray[Any]:
    """Return rows of features as an array."""
    return np.array(rows, np.float64).reshape(len(rows), len(NAMES))
