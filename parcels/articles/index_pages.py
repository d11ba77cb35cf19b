"""Whether a page is an article or an index of others, as front pages, sections, tags and archives are.

A logistic regression over the page's structure, its address and what it states: how much running text stands together,
how much of the page is teasers, whether it has a title and a date. No word of any language is read.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

import numpy as np

from parcels.articles.body.choose import ARTICLE
from parcels.articles.body.parts import Floats, Parts
from parcels.errors import ModelMismatch
from parcels.html.structured import Claim
from parcels.html.tags import lookup

INDEX, LISTING = "index", "listing"  # the type that index pages have in training, and the one they are reported as
LISTS = (LISTING, "collection", INDEX)
SURE_OF_LIST = 0.1  # probability of an article below which the types alone decide: shops print text on their lists
LEAST_CHANCE = 0.4  # of an article: its text lost is worse than an index page kept
STRENGTH = 0.3  # C of the regression
WITHOUT_ADDRESS = 0.3  # weight of an example's copy that has no address
PARAGRAPH = 80  # letters from which a line is running text
TEASER = 25  # letters from which a linked line is a teaser
TEXT_LINKED, TEASER_LINKED = 0.4, 0.9  # shares of a line's words in links: at most for text, at least for a teaser
FIRST_PARAGRAPHS = 6
MOST_SLUG_WORDS = 8
NAMES = (
    "states_article", "states_site", "is_list_path", "text_letters", "teaser_letters", "longest_run",
    "letters_after_title", "paragraphs", "teasers", "linked_headlines", "share_of_text", "states_date", "no_address",
    "slug_words", "slug_has_digit", "no_title", "path_depth",
)  # fmt: skip
ADDRESS = tuple(NAMES.index(name) for name in ("is_list_path", "slug_words", "slug_has_digit", "path_depth"))
SITE_TYPES = frozenset(["website", "frontpage", "blog", "collectionpage", "object"])
_LIST_NAME = re.compile(
    r"(?:categor(?:y|ies)|tags?|topics?|authors?|people|sections?|archives?|search|page|(?:index|home|default)(?:\.\w+)?)",
    re.I,
)
_DATE_NAME = re.compile(r"(?:19|20)\d\d|\d{1,2}")
_IS_HEADLINE = lookup("h1 h2 h3 h4")


@dataclass(frozen=True)
class IndexModel:
    """Weights of the features; the constant is added."""

    weights: tuple[float, ...]
    constant: float

    @classmethod
    def fitted(cls, rows: Floats, is_article: Sequence[bool]) -> Self:
        """Fit on rows of features; articles and index pages weigh the same in all."""
        from sklearn.linear_model import LogisticRegression  # type: ignore[import-untyped]

        y = np.array(is_article)
        weight = np.where(y, 0.5 / max(y.mean(), 1e-9), 0.5 / max(1 - y.mean(), 1e-9))
        bare = rows.copy()
        bare[:, ADDRESS], bare[:, NAMES.index("no_address")] = 0.0, 1.0
        rows, y = np.concatenate([rows, bare]), np.concatenate([y, y])
        weight = np.concatenate([weight, WITHOUT_ADDRESS * weight])
        mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-6
        model = LogisticRegression(C=STRENGTH, max_iter=1000).fit((rows - mean) / spread, y, sample_weight=weight)
        weights = model.coef_[0] / spread
        return cls(tuple(weights.round(5).tolist()), round(float(model.intercept_[0] - weights @ mean), 5))

    @classmethod
    def of_plain(cls, plain: Any) -> Self:
        """Return the model of a model.json; raises ModelMismatch for weights of other features."""
        if plain["features"] != list(NAMES) or len(plain["weights"]) != len(NAMES):
            raise ModelMismatch("its index pages were learned from other features")
        return cls(tuple(float(weight) for weight in plain["weights"]), float(plain["constant"]))

    def to_plain(self) -> dict[str, Any]:
        """Return the model as plain data."""
        return {"features": list(NAMES), "weights": list(self.weights), "constant": self.constant}

    def article_chance(self, row: Sequence[float]) -> float:
        """Return how likely a page is an article and not an index.

        >>> IndexModel((0.0,) * len(NAMES), 0.0).article_chance([1.0] * len(NAMES))
        0.5
        """
        total = self.constant + sum(weight * value for weight, value in zip(self.weights, row, strict=True))
        return float(1 / (1 + np.exp(-np.clip(total, -30, 30))))


def settled_type(types: Mapping[str, float], article_chance: float) -> str:
    """Return the likeliest type of a page, where the chance of an article decides between article and list.

    Only of lists of products and the like (wcxb) are the types alone believed.

    >>> settled_type({"article": 0.9, "listing": 0.1}, 0.2), settled_type({"article": 0.4, "index": 0.6}, 0.8)
    ('listing', 'article')
    >>> settled_type({"article": 0.1, "forum": 0.9}, 0.8), settled_type({"article": 0.01, "collection": 0.9}, 0.8)
    ('forum', 'collection')
    """
    best = max(types, key=types.__getitem__)
    if best not in (ARTICLE, *LISTS):
        return best
    is_list = best in LISTS and best != INDEX and types.get(ARTICLE, 0.0) < SURE_OF_LIST
    if not is_list and article_chance >= LEAST_CHANCE:
        return ARTICLE
    likeliest = max((name for name in LISTS if name in types), key=types.__getitem__, default=LISTING)
    return LISTING if likeliest == INDEX else likeliest


def index_features(lines: Parts, title_line: int | None, claims: Sequence[Claim], url: str | None) -> list[float]:
    """Return the features of a page, in the order of NAMES."""
    kinds = [claim.value.lower() for claim in claims if claim.field == "type"]
    states_article = any("article" in kind or "posting" in kind for kind in kinds)
    letters = np.array([letter_count(text) for text in lines.texts], np.float64)
    linked = lines.link_words / np.maximum(1, lines.words)
    is_text = (linked < TEXT_LINKED) & (lines.words > 0) & (letters >= PARAGRAPH)
    is_teaser = (linked >= TEASER_LINKED) & (letters >= TEASER)
    is_headline = _IS_HEADLINE[lines.page.nodes.tag[lines.division.container]] if len(lines) else is_teaser
    text, teasers = float(letters[is_text].sum()), float(letters[is_teaser].sum())
    start = title_line or 0
    after_title = float(letters[start:][is_text[start:]][:FIRST_PARAGRAPHS].sum())
    return [
        float(states_article),
        float(not states_article and not SITE_TYPES.isdisjoint(kinds)),
        float(_is_list_path(url)),
        float(np.log1p(text)),
        float(np.log1p(teasers)),
        float(np.log1p(_longest_run(letters, is_text, is_teaser))),
        float(np.log1p(after_title)),
        float(np.log1p(is_text.sum())),
        float(np.log1p(is_teaser.sum())),
        float(np.log1p((is_teaser & is_headline).sum())),
        text / (1 + text + teasers),
        float(any(claim.field in ("published", "modified") for claim in claims)),
        float(not _path_names(url)),  # the address of a site alone says little: archives store articles under it
        *_of_slug(url),
        float(title_line is None),
        float(len(_path_names(url))),
    ]


def letter_count(text: str) -> int:
    """Return the letters of a text; a Chinese, Japanese or Korean character says as much as three."""
    return len(text) if text.isascii() else len(text) + 2 * sum(letter > "\u2e80" for letter in text)


def _longest_run(letters: Floats, is_text: Any, is_teaser: Any) -> float:
    """Return the most letters of running text without a teaser between."""
    run = np.cumsum(is_teaser)[is_text]
    return float(np.bincount(run, letters[is_text]).max()) if len(run) else 0.0


def _path_names(url: str | None) -> list[str]:
    try:
        return [name for name in urlsplit(url or "").path.split("/") if name]
    except ValueError:  # a bracket where no address has one
        return []


def _is_list_path(url: str | None) -> bool:
    """Return whether the path of an address names a list.

    >>> [_is_list_path(f"http://post.example/{path}") for path in ("", "tag/pier/", "2012/05/", "a.htm")]
    [False, True, True, False]
    """
    names = _path_names(url)
    return bool(names) and (any(map(_LIST_NAME.fullmatch, names)) or bool(_DATE_NAME.fullmatch(names[-1])))


def _of_slug(url: str | None) -> tuple[float, float]:
    """Return the words after the first in the last name of a path, and whether that has a digit.

    >>> _of_slug("http://post.example/2012/fire-at-the-pier-17.html"), _of_slug(None)
    ((4.0, 1.0), (0.0, 0.0))
    """
    slug = (_path_names(url) or [""])[-1]
    words = min(slug.count("-") + slug.count("_"), MOST_SLUG_WORDS)
    return float(words), float(any(letter.isdigit() for letter in slug))
