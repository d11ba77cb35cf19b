"""Predict from an address alone whether it leads to an article or to an index.

The weights are those of a logistic regression, fitted and measured by `python -m benchmarks article_urls`. What a page
is, once it is fetched, the page type model predicts (`crawler/links/page_types.py`).
"""

import math
import re
from collections.abc import Mapping
from urllib.parse import unquote

from parcels.urls import canonical

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
# Fitted on the corpora wcxb (article against listing and collection), news-fields and news17.
URL_WEIGHTS: Mapping[str, float] = {
    "intercept": -3.32, "url_depth": 0.13, "url_has_date": 2.44, "url_slug_words": 7.44, "url_has_number": 0.93,
    "url_last_is_index": -0.02, "url_has_article_part": 3.02,
}  # fmt: skip


def url_score(url: str) -> float:
    """Return the probability that an address leads to an article, from the address alone.

    >>> url_score("http://a.example/2024/05/07/a-fire-in-the-old-town") > 0.9 > 0.3 > url_score("http://a.example/news/")
    True
    """
    total = URL_WEIGHTS["intercept"] + sum(URL_WEIGHTS[name] * value for name, value in url_features(url).items())
    return 1 / (1 + math.exp(-total))


def url_features(url: str) -> dict[str, float]:
    """Return the features of an address."""
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
