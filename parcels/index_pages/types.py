"""The type of a page, from the types by their words and the chances of article, index page or other."""

import math
from collections.abc import Mapping

from parcels.index_pages.examples import ANSWER_OF_TYPE, ANSWERS, ARTICLE, INDEX, OTHER
from parcels.index_pages.model import Chances

LISTING = "listing"  # the type that index pages of news sites are reported as
LEAST_SHARE = 1e-4  # of each type: stored shares are rounded to four digits
SURE = 0.9  # chance of an article from which no other type is believed, such as documentation


def settled_types(types: Mapping[str, float], chances: Chances) -> dict[str, float]:
    """Return the probability of each type, given those by the words of the page and the chances of its kind.

    The chances decide between article and the rest; on the rest both have the same say. Types without an article are
    returned as they are.

    >>> settled_types({"article": 0.9, "listing": 0.1}, Chances(0.2, 0.8, 0.0))
    {'article': 0.2, 'listing': 0.8}
    >>> best = settled_types({"article": 0.3, "forum": 0.7}, Chances(0.7, 0.1, 0.2))
    >>> max(best, key=best.__getitem__)
    'forum'
    """
    if ARTICLE not in types or len(types) == 1:
        return dict(types)
    shares = {name: share + LEAST_SHARE for name, share in types.items()}
    mass = dict.fromkeys(ANSWERS, 0.0)
    for name, share in shares.items():
        mass[_kind(name)] += share
    is_elsewhere = _kind(max(types, key=types.__getitem__)) == OTHER and chances.article < SURE
    article = min(chances.article, types[ARTICLE]) if is_elsewhere else chances.article
    both = {INDEX: math.sqrt(mass[INDEX] * chances.index_page), OTHER: math.sqrt(mass[OTHER] * chances.other)}
    rest = (1 - article) / max(sum(both.values()), LEAST_SHARE)
    settled = {name: share / mass[_kind(name)] * both.get(_kind(name), 0.0) * rest for name, share in shares.items()}
    return settled | {ARTICLE: article}


def best_type(types: Mapping[str, float]) -> str:
    """Return the most probable type; index pages are listings.

    >>> best_type({"article": 0.2, "index": 0.5, "forum": 0.3})
    'listing'
    """
    best = max(types, key=types.__getitem__)
    return LISTING if best == INDEX else best


def _kind(name: str) -> str:
    return ANSWER_OF_TYPE.get(name, OTHER)
