"""Text cleaning: from what a page says to the terms that tell topics apart.

Words are folded to lower case without accents, stop words dropped, the rest stemmed. A number is not a word but says
that there is one: years, times and telephone numbers stand on other pages than plain numbers do.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from parcels.nlp.stems import stem
from parcels.nlp.stopwords import stopwords

LEAST_LETTERS, MOST_LETTERS = 2, 30  # of a word; what is longer is an address or a dump
MAX_CHUNK = 200  # characters without white space; what is longer is data, not text
_PIECE = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d[\d:./,-]*\d|\d")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ADDRESS = re.compile(r"(?:https?|ftp)://\S+|www\.\S+", re.I)
_TIME = re.compile(r"\d{1,2}[:.]\d\d(?:-\d{1,2}[:.]\d\d)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PHONE = re.compile(r"(?:\d{3}[-./])?\d{3}[-./]\d{4}")
_LONG = re.compile(r"[^\W\d_]{4,30}")
_CLITIC = re.compile(r"(?:n't|'(?:s|m|re|ve|ll|d|t)?)$")


@lru_cache(maxsize=1 << 16)
def chunk_terms(chunk: str) -> tuple[str, ...]:
    """The terms of a run of characters without white space; pages share most of them, so they are remembered.

    >>> chunk_terms("Résumés,"), chunk_terms("The"), chunk_terms("CS/ECE-412:"), chunk_terms("10:30-11:20")
    (('resum',), (), ('cs', 'ece', '#number'), ('#time',))
    >>> chunk_terms("ann@cs.example.edu"), chunk_terms("607-255-7316"), chunk_terms("1996.")
    (('#mail',), ('#phone',), ('#year',))
    """
    if chunk.isascii() and chunk.isalpha():
        return _of_word(chunk.lower())
    if len(chunk) > MAX_CHUNK:
        return ()
    if "@" in chunk and _MAIL.search(chunk):
        return ("#mail",)
    if _ADDRESS.search(chunk):
        return ("#address",)
    found: list[str] = []
    for piece in _PIECE.findall(_plain(chunk)):
        found += _of_number(piece) if piece[0].isdigit() else _of_word(_CLITIC.sub("", piece).replace("'", ""))
    return tuple(found)


def _plain(text: str) -> str:
    """Lower case, ligatures and accents resolved."""
    lower = unicodedata.normalize("NFKD", text.lower()).replace("’", "'")
    return lower if lower.isascii() else "".join(char for char in lower if not unicodedata.combining(char))


def _of_word(word: str) -> tuple[str, ...]:
    if not LEAST_LETTERS <= len(word) <= MOST_LETTERS or word in stopwords():
        return ()
    return (stem(word),)


def _of_number(number: str) -> tuple[str, ...]:
    number = number.rstrip(".,:/-")
    for pattern, term in ((_YEAR, "#year"), (_TIME, "#time"), (_PHONE, "#phone")):
        if pattern.fullmatch(number):
            return (term,)
    return ("#number",)


def terms(text: str) -> list[str]:
    """The terms of a text, in order.

    >>> terms("Office hours: Mon 2:30, or by e-mail (lee@cs.example.edu)")
    ['offic', 'hour', 'mon', '#time', 'mail', '#mail']
    """
    return [term for chunk in text.split() for term in chunk_terms(chunk)]


def terms_of(texts: Iterable[str]) -> list[str]:
    """The terms of several texts, in order."""
    return [term for text in texts for chunk in text.split() for term in chunk_terms(chunk)]


def label_terms(text: str) -> list[str]:
    """The terms of an anchor or a heading, in order: in so few words even a common one names something.

    >>> label_terms("The People"), terms("The People")
    (['peopl'], [])
    """
    return [term for chunk in text.split() for term in chunk_terms(chunk) or _common_terms(chunk)]


@lru_cache(maxsize=1 << 14)
def _common_terms(chunk: str) -> tuple[str, ...]:
    """The common words of four letters and more: shorter ones (the, of, and) hold a sentence together."""
    return () if len(chunk) > MAX_CHUNK else tuple(stem(word) for word in _LONG.findall(_plain(chunk)))
