"""The 47 lexical features of PARCELS (Lai 2004, section 3.4), and the link features of the second paper (5.3.2).

Each is a function from the words of a page to one number per block, declared in the order of the columns.
`top-keywords` is text and therefore a function of its own. docs/lexical-features.md lists the choices made where the
papers leave a definition open.
"""

from itertools import compress, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parcels.features.feature import feature, features_of
from parcels.features.words.counts import CLASSES, BlockWords
from parcels.text.wordlists import Flag

MANY = float("inf")
KEYWORDS = 3  # Lai 2004: the three words with the highest scores


# TF*IDF


@feature(view="lexical", low=0, high=MANY)
def total_words(words: BlockWords) -> NDArray[Any]:
    """Number of words, stop words included; punctuation and clitics ('s, n't) do not count."""
    return words.analysis.count(words.analysis.has(Flag.WORD))


def top_keywords(words: BlockWords) -> list[str]:
    """Return the three stems with the highest TF*IDF of each block, best first, without stop words and numbers."""
    of = words.analysis
    counted = of.has(Flag.WORD) & ~(of.has(Flag.STOP) | of.has(Flag.NUMBER))
    chosen = counted.tolist()
    stems, weights = list(compress(of.stems, chosen)), list(compress(of.idf.tolist(), chosen))
    begin = np.concatenate(([0], np.cumsum(counted)))[of.begin].tolist()
    return [_best(stems[first:end], weights[first:end]) for first, end in pairwise(begin)]


def _best(stems: list[str], weights: list[float]) -> str:
    """Return the stems with the highest sums of weights; ties keep their order in the text."""
    if len(stems) == 1:
        return stems[0]
    scores = dict.fromkeys(stems, 0.0)
    for stem, weight in zip(stems, weights, strict=True):
        scores[stem] += weight
    return " ".join(sorted(scores, key=scores.__getitem__, reverse=True)[:KEYWORDS])


# Named entities


@feature(view="lexical", low=0, high=MANY)
def total_ne(words: BlockWords) -> NDArray[Any]:
    """Number of named entities of all five kinds."""
    total: NDArray[Any] = person(words) + location(words) + organization(words) + date(words) + time(words)
    return total


@feature(view="lexical", low=0, high=MANY, name="Person")
def person(words: BlockWords) -> NDArray[Any]:
    """Number of names of persons."""
    return words.names["PER"]


@feature(view="lexical", low=0, high=MANY, name="Location")
def location(words: BlockWords) -> NDArray[Any]:
    """Number of names of places."""
    return words.names["LOC"]


@feature(view="lexical", low=0, high=MANY, name="Organization")
def organization(words: BlockWords) -> NDArray[Any]:
    """Number of names of organisations."""
    return words.names["ORG"]


@feature(view="lexical", low=0, high=MANY, name="Date")
def date(words: BlockWords) -> NDArray[Any]:
    """Number of dates, including years, weekdays and words such as yesterday."""
    return words.count_moments("date")


@feature(view="lexical", low=0, high=MANY, name="Time")
def time(words: BlockWords) -> NDArray[Any]:
    """Number of times of day, including "5 min ago"."""
    return words.count_moments("time")


# Parts of speech


@feature(view="lexical", low=0, high=MANY)
def total_tags(words: BlockWords) -> NDArray[Any]:
    """Number of part-of-speech tags: one per token, punctuation included."""
    return words.total


def share_of_tags(words: BlockWords, name: str) -> NDArray[Any]:
    """Share of the block's tokens whose tag is in this class; every token is in at most one class."""
    return words.share(name)


for _name in filter(None, CLASSES):
    feature(view="lexical", name=_name, low=0, high=1, parameter=_name)(share_of_tags)


@feature(view="lexical", low=0, high=1)
def sourcestation_string(words: BlockWords) -> NDArray[Any]:
    """1 if a sentence ends with a hyphen and proper nouns: "- AFP."."""
    return words.patterns.source


@feature(view="lexical", low=0, high=1)
def country_string(words: BlockWords) -> NDArray[Any]:
    """1 if a sentence begins with proper nouns and a hyphen: "Singapore -"."""
    return words.patterns.country


@feature(view="lexical", low=0, high=1)
def country_sourcestation_string(words: BlockWords) -> NDArray[Any]:
    """1 if a sentence begins with proper nouns, others in brackets and a hyphen: "Singapore (AFP) -"."""
    return words.patterns.country_source


@feature(view="lexical", low=0, high=1)
def sentence_begins_with_verb(words: BlockWords) -> NDArray[Any]:
    """1 if a sentence begins with a verb in its base form: "Subscribe to our"."""
    return words.patterns.verb


# Links


@feature(view="lexical", low=0, high=MANY)
def anchors(words: BlockWords) -> NDArray[Any]:
    """Number of links: `a` elements that contain a leaf of the block (the second paper's total-links)."""
    return words.links.total()


@feature(view="lexical", low=0, high=MANY)
def email_links(words: BlockWords) -> NDArray[Any]:
    """Number of links with "mailto:" in their address (the second paper's mailto-links)."""
    return words.links.total(words.links.is_email)


@feature(view="lexical", low=0, high=MANY)
def image_links(words: BlockWords) -> NDArray[Any]:
    """Number of links that show an image and no text in the block, without e-mail links (first paper)."""
    links = words.links
    return links.total(links.is_image & ~links.is_email)


@feature(view="lexical", low=0, high=MANY)
def text_links(words: BlockWords) -> NDArray[Any]:
    """Number of links that are neither e-mail links nor images (first paper)."""
    links = words.links
    return links.total(~links.is_image & ~links.is_email)


# Contains


@feature(view="lexical", low=0, high=1)
def contains_by(words: BlockWords) -> NDArray[Any]:
    """1 if the text contains "by", as in "reported by"."""
    return words.has(Flag.BY)


@feature(view="lexical", low=0, high=1)
def contains_newsletter(words: BlockWords) -> NDArray[Any]:
    """1 if the text contains "sign up", "subscribe", "subscription", "newsletter" or a synonym."""
    has_newsletter, of = words.has(Flag.NEWSLETTER), words.analysis
    if not (words.has(Flag.SIGN) & words.has(Flag.UP)).any():
        return has_newsletter
    sign_up = np.zeros(len(of.words), np.bool_)
    sign_up[1:] = of.has(Flag.SIGN)[:-1] & of.has(Flag.UP)[1:] & (of.text_of[1:] == of.text_of[:-1])
    return has_newsletter | words.has_any(sign_up)


@feature(view="lexical", low=0, high=1)
def contains_related(words: BlockWords) -> NDArray[Any]:
    """1 if the text contains "related", "previous" or "similar" and "articles" or "stories", or synonyms."""
    return words.has(Flag.RELATED) & words.has(Flag.ARTICLES)


# The second paper's links


@feature(view="lexical", low=0, high=MANY)
def links_to_images(words: BlockWords) -> NDArray[Any]:
    """Number of links to image addresses, without e-mail links (the second paper's image-links)."""
    links = words.links
    return links.total(links.to_image & ~links.is_email)


@feature(view="lexical", low=0, high=MANY)
def links_to_pages(words: BlockWords) -> NDArray[Any]:
    """Number of links that point neither to e-mail nor to images (the second paper's text-links)."""
    links = words.links
    return links.total(~links.to_image & ~links.is_email)


FEATURES = features_of("lexical", __name__)
