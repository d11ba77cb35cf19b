"""Article or index? A news crawl keeps the one and follows the other.

The address alone says much (`url_score`, before anything is fetched); the page itself says more: how much of its text
is in links, how many long paragraphs it has, what it says of itself to machines. The weights are those of a logistic
regression, fitted and measured by `python -m benchmarks page_kind`.
"""

import math
import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import unquote

from parcels.page import Page
from parcels.structured import Claim, claims
from parcels.urls import canonical

LONG_TEXT = 120  # characters of a text leaf outside links that only prose has
_DATE = re.compile(r"/(?:19|20)\d\d(?:[/_-]?(?:0?[1-9]|1[0-2]|[a-z]{3})(?:[/_-]?[0-3]?\d)?)?(?=[/_-])", re.I)
_NUMBER = re.compile(r"\d{5,}")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_INDEX_PART = re.compile(
    r"(?:index|home|default|categor(?:y|ies)|tags?|topics?|sections?|authors?|people|archives?|search|pages?|p|collections?"
    r"|shop|store|products?|latest|all|list(?:ing)?s?|browse|directory|events?|jobs?|forums?|rubrique|thema|themen|seccion"
    r"|news|blog|stories|articles|posts|press|publications|resources|category|videos?|photos?|galler(?:y|ies))",
    re.I,
)
_ARTICLE_PART = re.compile(r"(?:article|story|post|entry|artikel|articolo|noticia|nachricht|press-?release)s?\b", re.I)
_FILE = re.compile(r"\.(?:s?html?|aspx?|php\d?|jsp|cfm)$", re.I)
_ARTICLE_TYPE = re.compile(r"article|posting|report(?!age)|blog$|opinion|review", re.I)
# Fitted on the corpora wcxb (article against listing and collection), news-fields and news17.
PAGE_WEIGHTS: Mapping[str, float] = {
    "intercept": -3.99, "url_depth": 1.33, "url_has_date": 1.76, "url_slug_words": 5.30, "url_has_number": 0.34,
    "url_last_is_index": -0.68, "url_has_article_part": 2.16, "says_article": 1.01, "says_published": 0.94,
    "says_author": 0.60, "says_section": 0.75, "link_share": -1.85, "log_plain_text": -0.32, "log_long_texts":
    1.35, "long_text_a_link": 2.06, "log_links": -1.31, "has_one_h1": 0.52, "log_article_tags": -0.31,
}  # fmt: skip
URL_WEIGHTS: Mapping[str, float] = {
    "intercept": -3.32, "url_depth": 0.13, "url_has_date": 2.44, "url_slug_words": 7.44, "url_has_number": 0.93,
    "url_last_is_index": -0.02, "url_has_article_part": 3.02,
}  # fmt: skip


class Guess(NamedTuple):
    """`score` is the chance, from 0 to 1, that the page is an article."""

    is_article: bool
    score: float


def article_or_index(url: str, page: Page) -> Guess:
    """Is this page an article, or a page that lists others (home, section, category, search results)?

    >>> from parcels.page import read_page
    >>> links = "".join(f"<li><a href=/{n}>Something that happened</a>" for n in range(40))
    >>> article_or_index("http://a.example/politics/", read_page(f"<h1>Politics</h1><ul>{links}")).is_article
    False
    >>> story = "<h1>A fire</h1>" + "".join(f"<p>{'It burned for days. ' * 12}" for _ in range(9))
    >>> article_or_index("http://a.example/2024/05/07/a-fire-in-the-old-town", read_page(story)).is_article
    True
    """
    score = _chance(page_features(url, page), PAGE_WEIGHTS)
    return Guess(score >= 0.5, score)


def url_score(url: str) -> float:
    """The chance that an address leads to an article, from the address alone: for the order of a queue.

    >>> url_score("http://a.example/2024/05/07/a-fire-in-the-old-town") > 0.9 > 0.3 > url_score("http://a.example/news/")
    True
    """
    return _chance(url_features(url), URL_WEIGHTS)


def _chance(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    total = weights["intercept"] + sum(weights[name] * value for name, value in features.items())
    return 1 / (1 + math.exp(-total))


def url_features(url: str) -> dict[str, float]:
    """What an address says of the page behind it."""
    path, _, query = (canonical(url) or url).partition("://")[2].partition("/")[2].partition("?")
    parts = [unquote(part) for part in path.split("/") if part]
    last = _FILE.sub("", parts[-1]) if parts else ""
    words = max((len(_WORDS.findall(_FILE.sub("", part))) for part in parts[-2:]), default=0)
    return {
        "url_depth": min(len(parts), 6) / 6,
        "url_has_date": float(bool(_DATE.search(f"/{path}/"))),
        "url_slug_words": min(words, 8) / 8,
        "url_has_number": float(bool(_NUMBER.search(path) or _NUMBER.search(query))),
        "url_last_is_index": float(bool(_INDEX_PART.fullmatch(last)) or (last.isdigit() and len(last) < 4)),
        "url_has_article_part": float(any(_ARTICLE_PART.match(part) for part in parts)),
    }


def page_features(url: str, page: Page) -> dict[str, float]:
    """What the page shows and says of itself, beside its address; all from 0 to 1 or a little above."""
    leaves, nodes = page.leaves, page.nodes
    in_link = (nodes.link[leaves.node] >= 0).tolist()
    plain = linked = links = long = 0
    for kind, text, is_linked in zip(leaves.kind, leaves.text, in_link, strict=True):
        if kind != "text":
            continue
        if is_linked:
            linked += len(text)
            links += 1
        else:
            plain += len(text)
            long += len(text) >= LONG_TEXT
    said = claims(page)
    headings = sum(1 for _ in page.root.iter("h1"))
    teasers = sum(1 for _ in page.root.iter("article"))
    return url_features(url) | _said_features(said) | {
        "link_share": linked / max(plain + linked, 1),
        "log_plain_text": math.log1p(plain) / 10,
        "log_long_texts": math.log1p(long) / 4,
        "long_text_a_link": math.log1p(20 * long / (links + 10)) / 3,
        "log_links": math.log1p(links) / 6,
        "has_one_h1": float(headings == 1),
        "log_article_tags": math.log1p(teasers) / 3,
    }  # fmt: skip


def _said_features(said: list[Claim]) -> dict[str, float]:
    types = [claim for claim in said if claim.field == "type"]
    fields = {claim.field for claim in said}
    return {
        "says_article": float(any(_ARTICLE_TYPE.search(claim.value) for claim in types)),
        "says_published": float("published" in fields),
        "says_author": float("author" in fields),
        "says_section": float("section" in fields),
    }
