"""Closed classes of English words that Penn tags do not distinguish, as bits of a word's flags."""

from functools import cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from parcels.text.dates import CLUES
from parcels.text.names.gazetteers import gazetteers
from parcels.text.stopwords import stopwords


class Flag:
    """Properties of a word form, as bits of an integer (an enum would be slow here)."""

    WORD = 1  # has a letter or digit, and is no clitic
    STOP = 2
    ENDS = 4  # ends a sentence
    CLOSES = 8  # a quotation mark or bracket that may follow the end of a sentence
    SMALL = 16  # begins with a small letter
    SPOKEN = 32  # may belong to a date in words
    PHRASE = 64  # a listed name of several words may begin here
    LONG = 128
    BE = 1 << 8
    DO = 1 << 9
    HAVE = 1 << 10
    NEGATIVE = 1 << 11
    INDEFINITE = 1 << 12
    SUBORDINATE = 1 << 13  # a conjunction that Penn tags as a preposition
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
    PHRASE_SECOND = 1 << 25  # may be the second word of a listed name


# be, do, have: QTAG has separate tags for these verbs and their forms.
_LISTS: dict[int, str] = {
    Flag.BE: "be am is are was were been being 'm 're 's ’m ’re ’s ain isn aren wasn weren",
    Flag.DO: "do does did done doing",
    Flag.HAVE: "have has had having 've 'd ’ve ’d",
    # QTAG's XNOT is for `not` and `n't` only; the other negatives fit no better class.
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
    # Synonyms from WordNet, and forms that today's pages use.
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
_CLITIC = 1 << 26  # internal: marks clitics for flags_of
_OF_WORDS = _CLITIC | Flag.STOP | Flag.PHRASE | Flag.SPOKEN  # only for words with a letter or digit
LONG = 4  # letters; headlines capitalise words of this length


def flags_of(word: str, known: int) -> int:
    """Return the flags of a word form; `known` are those of the lower-case word (by_small_word).

    >>> flags_of("Was", by_small_word()["was"]) == Flag.WORD | Flag.STOP | Flag.BE
    True
    """
    result = known & ~_OF_WORDS
    if known & _CLITIC:
        return result | Flag.STOP
    has_letter = has_digit = False
    for at in range(len(word)):
        letter = word[at]
        has_letter = has_letter or letter.isalnum()
        has_digit = has_digit or letter.isdigit()
    if not has_letter:
        return result | Flag.ENDS if len(word) > 1 and word[0] in ".!?" else result
    result |= Flag.WORD | known & (Flag.STOP | Flag.PHRASE)
    if word[0].islower():
        result |= Flag.SMALL
    result |= Flag.NUMBER if has_digit else known & Flag.SPOKEN
    return result | Flag.LONG if len(word) >= LONG else result


def flags(words: list[str]) -> NDArray[np.uint32]:
    """Return the flags of word forms, by the lists that come with the package."""
    known = by_small_word()
    return np.array([flags_of(word, known.get(word.lower(), 0)) for word in words], np.uint32)


@cache
def by_small_word() -> dict[str, int]:
    """Return the flags that depend on the lower-case word alone, and one more for clitics."""
    phrases, seconds = gazetteers().phrases, gazetteers().seconds
    result: dict[str, int] = {}
    for word in chain(_BY_WORD, seconds, _CLITICS, stopwords(), phrases, CLUES):
        result[word] = (
            _BY_WORD.get(word, 0)
            | (Flag.PHRASE_SECOND if word in seconds else 0)
            | (_CLITIC if word in _CLITICS else 0)
            | (Flag.STOP if word in stopwords() else 0)
            | (Flag.PHRASE if word in phrases else 0)
            | (Flag.SPOKEN if word in CLUES else 0)
        )
    return result
