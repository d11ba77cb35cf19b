"""The 47 lexical features of PARCELS (Lai 2004, section 3.4) by name, and the second paper's links (section 5.3.2).

Each is a function from the words of a page to one number per block, declared in the order of the columns.
`top-keywords`, the one feature that is text, is a function of its own. docs/lexical-features.md says what was done
where the papers are silent.
"""

from itertools import compress, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.features.feature import feature, features_of
from parcels.features.words.counts import CLASSES, Words
from parcels.text.wordlists import Flag

MANY = float("inf")
KEYWORDS = 3  # Lai 2004: the three words with the highest scores


# TF*IDF


@feature(view="lexical", low=0, high=MANY)
def total_words(words: Words) -> NDArray[Any]:
    """Words of the block, stop words included; punctuation and clitics ('s, n't) are not words."""
    return words.analysis.count(words.analysis.has(Flag.WORD))


def top_keywords(words: Words) -> list[str]:
    """The three stems with the highest TF*IDF of each block, best first; stop words and numbers are left out."""
    of = words.analysis
    counted = of.has(Flag.WORD) & ~(of.has(Flag.STOP) | of.has(Flag.NUMBER))
    chosen = counted.tolist()
    stems, weights = list(compress(of.stems, chosen)), list(compress(of.idf.tolist(), chosen))
    begin = np.concatenate(([0], np.cumsum(counted)))[of.begin].tolist()
    return [_best(stems[first:end], weights[first:end]) for first, end in pairwise(begin)]


def _best(stems: list[str], weights: list[float]) -> str:
    """The stems with the highest sum of weights, the earlier one where two are equal."""
    if len(stems) == 1:
        return stems[0]
    scores = dict.fromkeys(stems, 0.0)
    for stem, weight in zip(stems, weights, strict=True):
        scores[stem] += weight
    return " ".join(sorted(scores, key=scores.__getitem__, reverse=True)[:KEYWORDS])


# Named entities


@feature(view="lexical", low=0, high=MANY)
def total_ne(words: Words) -> NDArray[Any]:
    """Named entities of all five kinds."""
    total: NDArray[Any] = person(words) + location(words) + organization(words) + date(words) + time(words)
    return total


@feature(view="lexical", low=0, high=MANY, name="Person")
def person(words: Words) -> NDArray[Any]:
    """Names of persons."""
    return words.names["PER"]


@feature(view="lexical", low=0, high=MANY, name="Location")
def location(words: Words) -> NDArray[Any]:
    """Names of places."""
    return words.names["LOC"]


@feature(view="lexical", low=0, high=MANY, name="Organization")
def organization(words: Words) -> NDArray[Any]:
    """Names of organisations."""
    return words.names["ORG"]


@feature(view="lexical", low=0, high=MANY, name="Date")
def date(words: Words) -> NDArray[Any]:
    """Dates, also years, weekdays and words like yesterday."""
    return words.count_moments("date")


@feature(view="lexical", low=0, high=MANY, name="Time")
def time(words: Words) -> NDArray[Any]:
    """Times of day, also "5 min ago"."""
    return words.count_moments("time")


# Parts of speech


@feature(view="lexical", low=0, high=MANY)
def total_tags(words: Words) -> NDArray[Any]:
    """Tags of the block: one a token, punctuation included."""
    return words.total


def share_of_tags(words: Words, name: str) -> NDArray[Any]:
    """The share of one class of tags in the block's tags; every token is in at most one class."""
    return words.share(name)


for _name in filter(None, CLASSES):
    feature(view="lexical", name=_name, low=0, high=1, parameter=_name)(share_of_tags)


@feature(view="lexical", low=0, high=1)
def sourcestation_string(words: Words) -> NDArray[Any]:
    """Whether a sentence ends with a hyphen and proper nouns: "- AFP."."""
    return words.patterns.source


@feature(view="lexical", low=0, high=1)
def country_string(words: Words) -> NDArray[Any]:
    """Whether a sentence begins with proper nouns and a hyphen: "Singapore -"."""
    return words.patterns.country


@feature(view="lexical", low=0, high=1)
def country_sourcestation_string(words: Words) -> NDArray[Any]:
    """Whether a sentence begins with proper nouns, others in brackets, and a hyphen: "Singapore (AFP) -"."""
    return words.patterns.country_source


@feature(view="lexical", low=0, high=1)
def sentence_begins_with_verb(words: Words) -> NDArray[Any]:
    """Whether a sentence begins with a verb in its base form: "Subscribe to our"."""
    return words.patterns.verb


# Links


@feature(view="lexical", low=0, high=MANY)
def anchors(words: Words) -> NDArray[Any]:
    """Links of the block: `a` elements that hold one of its leaves. (The second paper's total-links.)"""
    return words.links.total()


@feature(view="lexical", low=0, high=MANY)
def email_links(words: Words) -> NDArray[Any]:
    """Links with "mailto:" in their address. (The second paper's mailto-links.)"""
    return words.links.total(words.links.is_email)


@feature(view="lexical", low=0, high=MANY)
def image_links(words: Words) -> NDArray[Any]:
    """Links that are images (first paper): in the block they show an image and no text; no e-mail links."""
    links = words.links
    return links.total(links.is_image & ~links.is_email)


@feature(view="lexical", low=0, high=MANY)
def text_links(words: Words) -> NDArray[Any]:
    """The remaining links (first paper): neither e-mail links nor images."""
    links = words.links
    return links.total(~links.is_image & ~links.is_email)


# Contains


@feature(view="lexical", low=0, high=1)
def contains_by(words: Words) -> NDArray[Any]:
    """Whether the text has "by" (and so "reported by")."""
    return words.has(Flag.BY)


@feature(view="lexical", low=0, high=1)
def contains_newsletter(words: Words) -> NDArray[Any]:
    """Whether the text has "sign up", "subscribe", "subscription", "newsletter" or a synonym of these."""
    has_newsletter, of = words.has(Flag.NEWSLETTER), words.analysis
    if not (words.has(Flag.SIGN) & words.has(Flag.UP)).any():
        return has_newsletter
    sign_up = np.zeros(len(of.tokens), np.bool_)
    sign_up[1:] = of.has(Flag.SIGN)[:-1] & of.has(Flag.UP)[1:] & (of.text_of[1:] == of.text_of[:-1])
    return has_newsletter | words.has_any(sign_up)


@feature(view="lexical", low=0, high=1)
def contains_related(words: Words) -> NDArray[Any]:
    """Whether the text has "related", "previous" or "similar" and "articles" or "stories", or synonyms of these."""
    return words.has(Flag.RELATED) & words.has(Flag.ARTICLES)


# The second paper's links


@feature(view="lexical", low=0, high=MANY)
def links_to_images(words: Words) -> NDArray[Any]:
    """Links that point to images (the second paper's image-links), by the end of their address; no e-mail links."""
    links = words.links
    return links.total(links.to_image & ~links.is_email)


@feature(view="lexical", low=0, high=MANY)
def links_to_pages(words: Words) -> NDArray[Any]:
    """The remaining links (the second paper's text-links): they point neither to mail nor to images."""
    links = words.links
    return links.total(~links.to_image & ~links.is_email)


FEATURES = features_of("lexical", __name__)
