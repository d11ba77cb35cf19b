"""Closed classes of English words that the Penn tags do not tell apart, as bits of a word's flags."""

from collections.abc import Collection
from functools import cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from parcels.nlp.dates import CLUES
from parcels.nlp.gazetteers import gazetteers
from parcels.nlp.stopwords import stopwords


class Flag:
    """What is known of a word form by itself, as bits of a number (an enum would be slow here)."""

    WORD = 1  # has a letter or digit, and is no clitic
    STOP = 2
    ENDS = 4  # ends a sentence
    CLOSES = 8  # a quotation mark or bracket that may follow the end of a sentence
    SMALL = 16  # begins with a small letter
    SPOKEN = 32  # may belong to a date that is said in words
    PHRASE = 64  # a listed name of several words may begin here
    LONG = 128
    BE = 1 << 8
    DO = 1 << 9
    HAVE = 1 << 10
    NEGATIVE = 1 << 11
    INDEFINITE = 1 << 12
    SUBORDINATE = 1 << 13  # a conjunction where Penn says preposition
    HYPHEN = 1 << 14
    COMMA = 1 << 15
    OPENS = 1 << 16  # an opening round bracket
    SHUTS = 1 << 17  # a closing one
    NUMBER = 1 << 18  # has a digit
    BY = 1 << 19
    NEWSLETTER = 1 << 20
    SIGN = 1 << 21
    UP = 1 << 22
    RELATED = 1 << 23
    ARTICLES = 1 << 24
    PHRASE_SECOND = 1 << 25  # may be the second word of such a name


# be, do, have: QTAG gives these verbs and their forms tags of their own.
_LISTS: dict[int, str] = {
    Flag.BE: "be am is are was were been being 'm 're 's ’m ’re ’s ain isn aren wasn weren",
    Flag.DO: "do does did done doing",
    Flag.HAVE: "have has had having 've 'd ’ve ’d",
    # QTAG's XNOT is for `not` and `n't` alone; never, no, none and nor deny as well and fit no better class here.
    Flag.NEGATIVE: "not n't n’t nt never no none nor neither nothing nobody nowhere cannot",
    Flag.INDEFINITE: (
        "someone somebody something anyone anybody anything everyone everybody everything nobody nothing none one "
        "oneself each either neither both all some any many few several most another others whoever whatever"
    ),
    Flag.SUBORDINATE: (
        "because although though if unless while whilst whereas whether since until till once that than lest as"
    ),
    Flag.CLOSES: "\" ' '' ” ’ ’’ ) ] } »",
    Flag.ENDS: ". ! ? … ...",
    Flag.HYPHEN: "- – — -- ― ‒",
    Flag.OPENS: "(",
    Flag.SHUTS: ")",
    Flag.COMMA: ",",
    Flag.BY: "by",
    # Synonyms as WordNet has them, and the forms that today's pages use.
    Flag.NEWSLETTER: (
        "newsletter newsletters newssheet e-newsletter e-newsletters subscribe subscribes subscribed subscribing "
        "subscriber subscribers subscription subscriptions signup sign-up"
    ),
    Flag.SIGN: "sign signing signed signs",
    Flag.UP: "up",
    Flag.RELATED: "related previous similar earlier prior preceding past former associated connected",
    Flag.ARTICLES: (
        "article articles story stories news report reports account accounts item items piece pieces coverage tale "
        "narrative headline headlines post posts"
    ),
}
_BY_WORD: dict[str, int] = {}
for _flag, _words in _LISTS.items():
    for _word in _words.split():
        _BY_WORD[_word] = _BY_WORD.get(_word, 0) | _flag
_CLITICS = frozenset(["'s", "’s", "n't", "n’t", "'m", "’m", "'re", "’re", "'ve", "’ve", "'ll", "’ll", "'d", "’d"])
_CLITIC = 1 << 26  # no flag of a word: what ends the look at one
LONG = 4  # letters of a word that a headline writes with a capital


def flags_of(word: str, phrase_starts: Collection[str], phrase_seconds: Collection[str]) -> int:
    """The flags of a word form; the collections are the first and second words of listed names, in lower case.

    >>> flags_of("Was", (), ()) == Flag.WORD | Flag.STOP | Flag.BE
    True
    """
    low = word.lower()
    found = _BY_WORD.get(low, 0) | (Flag.PHRASE_SECOND if low in phrase_seconds else 0)
    if low in _CLITICS:
        return found | Flag.STOP
    is_word = word.isalpha() or any(map(str.isalnum, word))
    if not is_word:
        if len(word) > 1 and word[0] in ".!?":
            found |= Flag.ENDS
        return found
    found |= Flag.WORD
    if low in stopwords():
        found |= Flag.STOP
    if word[0].islower():
        found |= Flag.SMALL
    if low in phrase_starts:
        found |= Flag.PHRASE
    if any(map(str.isdigit, word)):
        found |= Flag.NUMBER
    elif low in CLUES:
        found |= Flag.SPOKEN
    return found | (Flag.LONG if len(word) >= LONG else 0)


def flags(words: list[str]) -> NDArray[np.uint32]:
    """The flags of word forms, by the lists that come with the package."""
    phrases, seconds = gazetteers().phrases, gazetteers().seconds
    return np.array([flags_of(word, phrases, seconds) for word in words], np.uint32)


# What the compiled lexicon asks about.
ASKED = (
    _CLITIC, Flag.STOP, Flag.ENDS, Flag.WORD, Flag.SMALL, Flag.PHRASE, Flag.NUMBER, Flag.SPOKEN, Flag.LONG, LONG,
)  # fmt: skip


@cache
def by_small_word() -> dict[str, int]:
    """The flags that depend on a word in small letters alone, and one more for clitics: one look instead of six."""
    phrases, seconds = gazetteers().phrases, gazetteers().seconds
    found: dict[str, int] = {}
    for word in chain(_BY_WORD, seconds, _CLITICS, stopwords(), phrases, CLUES):
        found[word] = (
            _BY_WORD.get(word, 0)
            | (Flag.PHRASE_SECOND if word in seconds else 0)
            | (_CLITIC if word in _CLITICS else 0)
            | (Flag.STOP if word in stopwords() else 0)
            | (Flag.PHRASE if word in phrases else 0)
            | (Flag.SPOKEN if word in CLUES else 0)
        )
    return found
