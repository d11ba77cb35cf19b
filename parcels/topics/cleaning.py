"""Text cleaning: from the text of a page to the terms that topics are learned from.

Words are folded to lower case without accents, stop words are dropped, the rest is stemmed. A number becomes a term for
its kind (year, time, telephone number, other), since kinds of numbers occur on different kinds of pages.

Pages share most of their words, so results are cached for up to `MOST_KNOWN` chunks (runs without white space).
"""

import re
import unicodedata
from threading import Lock

from parcels.maps import StringMap
from parcels.text.stems import find_stem
from parcels.text.stopwords import stopwords

LEAST_LETTERS, MOST_LETTERS = 2, 30  # per word; longer ones are addresses or data
MAX_CHUNK = 200  # characters; longer chunks are data, not text
MOST_KNOWN, MOST_CHARACTERS = 1 << 16, 1 << 20  # chunks and characters in the cache before it is cleared
_PIECE = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d[\d:./,-]*\d|\d")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ADDRESS = re.compile(r"(?:https?|ftp)://\S+|www\.\S+", re.I)
_TIME = re.compile(r"\d{1,2}[:.]\d\d(?:-\d{1,2}[:.]\d\d)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PHONE = re.compile(r"(?:\d{3}[-./])?\d{3}[-./]\d{4}")
_LONG = re.compile(r"[^\W\d_]{4,30}")
_CLITIC = re.compile(r"(?:n't|'(?:s|m|re|ve|ll|d|t)?)$")
_EDGES = ".,;:!?()[]{}<>*\"'-/"  # punctuation stripped from a word
_SCHEMES = ("www", "http", "https", "ftp")  # not words: the start of an address
_known_common: dict[str, tuple[str, ...]] = {}
_terms: dict[str, tuple[str, ...]] = {}  # stem -> (stem,), so that equal terms are one object


class KnownRuns:
    """A cache of chunks and their terms, looked up in a text without copying the chunk."""

    def __init__(self) -> None:
        self.runs = StringMap()
        self.terms: list[tuple[str, ...]] = []  # by the number of the chunk
        self.characters = 0
        self.lock = Lock()

    def of(self, text: str, first: int, end: int) -> tuple[str, ...]:
        """Return the terms of the chunk between two positions of a text."""
        number = self.runs.find(text, first, end)
        return self.terms[number] if number >= 0 else self._met(text[first:end])

    def _met(self, chunk: str) -> tuple[str, ...]:
        """Return the terms of a new chunk and cache them."""
        terms = _of_chunk(chunk)
        with self.lock:  # a chunk gets its number only once its terms are stored
            if self.runs.count < MOST_KNOWN and self.characters < MOST_CHARACTERS:
                del self.terms[self.runs.count :]
                self.terms.append(terms)
                if self.runs.put(chunk, 0, len(chunk)) < len(self.terms) - 1:
                    self.terms.pop()  # another thread was faster
                self.characters += len(chunk)
            else:
                forget()
        return terms


_known = KnownRuns()


def forget() -> None:
    """Clear the cache, so that memory is bounded; readers in other threads keep the one they hold."""
    global _known
    _known = KnownRuns()


def known_count() -> int:
    """Return the number of cached chunks."""
    return len(_known.terms)


def chunk_terms(chunk: str) -> tuple[str, ...]:
    """Return the terms of a chunk: a run of characters without white space.

    >>> chunk_terms("Résumés,"), chunk_terms("The"), chunk_terms("CS/ECE-412:"), chunk_terms("10:30-11:20")
    (('resum',), (), ('cs', 'ece', '#number'), ('#time',))
    >>> chunk_terms("ann@cs.example.edu"), chunk_terms("607-255-7316"), chunk_terms("1996.")
    (('#mail',), ('#phone',), ('#year',))
    """
    return () if len(chunk) > MAX_CHUNK else _known.of(chunk, 0, len(chunk))


def _of_chunk(chunk: str) -> tuple[str, ...]:
    is_ascii = chunk.isascii()
    if is_ascii and chunk.isalpha():
        return _of_word(chunk.lower())
    if len(chunk) > MAX_CHUNK:
        return ()
    if is_ascii:  # most chunks are one word or number and perhaps a full stop or comma
        core = chunk.strip(_EDGES).lower()
        if core.isalpha() and core not in _SCHEMES:
            return _of_word(core)
        if core.isdigit():
            return ("#year",) if len(core) == 4 and core[:2] in ("19", "20") else ("#number",)
    if "@" in chunk and _MAIL.search(chunk):
        return ("#mail",)
    plain = _plain(chunk)
    if ("://" in plain or "www." in plain) and _ADDRESS.search(chunk):
        return ("#address",)
    terms: list[str] = []
    for piece in _PIECE.findall(plain):
        if piece[0].isdigit():
            terms += _of_number(piece)
        else:
            terms += _of_word(_CLITIC.sub("", piece).replace("'", "") if "'" in piece else piece)
    return tuple(terms)


def _plain(text: str) -> str:
    """Return a text in lower case with ligatures and accents resolved."""
    if text.isascii():
        return text.lower()
    lower = unicodedata.normalize("NFKD", text.lower()).replace("’", "'")
    return lower if lower.isascii() else "".join(char for char in lower if not unicodedata.combining(char))


def _of_word(word: str) -> tuple[str, ...]:
    if not LEAST_LETTERS <= len(word) <= MOST_LETTERS or word in stopwords():
        return ()
    term = find_stem(word)
    single = _terms.get(term)
    if single is None:
        if len(_terms) >= MOST_KNOWN:
            _terms.clear()
        single = _terms[term] = (term,)
    return single


def _of_number(number: str) -> tuple[str, ...]:
    number = number.rstrip(".,:/-")
    for pattern, term in ((_YEAR, "#year"), (_TIME, "#time"), (_PHONE, "#phone")):
        if pattern.fullmatch(number):
            return (term,)
    return ("#number",)


def terms(text: str) -> list[str]:
    """Return the terms of a text, in order.

    >>> terms("Office hours: Mon 2:30, or by e-mail (lee@cs.example.edu)")
    ['offic', 'hour', 'mon', '#time', 'mail', '#mail']
    """
    collected: list[str] = []
    known, at, size = _known, 0, len(text)
    while at < size:
        if text[at].isspace():
            at += 1
            continue
        first = at
        while at < size and not text[at].isspace():
            at += 1
        if at - first <= MAX_CHUNK:
            for term in known.of(text, first, at):
                collected.append(term)
    return collected


def label_terms(text: str) -> list[str]:
    """Return the terms of an anchor or a heading, in order; in such short texts common words count too.

    >>> label_terms("The People"), terms("The People")
    (['peopl'], [])
    """
    return [term for chunk in text.split() for term in chunk_terms(chunk) or _common_terms(chunk)]


def _common_terms(chunk: str) -> tuple[str, ...]:
    """Return the stop words of four letters or more in a chunk, stemmed."""
    common = _known_common.get(chunk)
    if common is None:
        if len(_known_common) >= MOST_KNOWN:
            _known_common.clear()
        common = () if len(chunk) > MAX_CHUNK else tuple([find_stem(word) for word in _LONG.findall(_plain(chunk))])
        _known_common[chunk] = common
    return common


class LeafTerms:
    """The terms of a page's leaves; each leaf is cleaned once.

    >>> leaves = LeafTerms(["The People", "of the lab"])
    >>> leaves.of(1), leaves.labels(0, 2, 5), leaves.around(0, 0, 1, 2, 5)
    (['lab'], ['peopl', 'lab'], ['lab'])
    """

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self._terms: list[list[str] | None] = [None] * len(texts)

    def of(self, leaf: int) -> list[str]:
        """Return the terms of one leaf, in order; callers must not change the list."""
        known = self._terms[leaf]
        if known is None:
            known = self._terms[leaf] = terms(self.texts[leaf])
        return known

    def all(self) -> list[str]:
        """Return the terms of all leaves, in order."""
        collected: list[str] = []
        for leaf in range(len(self.texts)):
            collected += self.of(leaf)
        return collected

    def labels(self, first: int, end: int, most: int) -> list[str]:
        """Return the first `most` terms of an anchor or heading in the leaves from `first` to before `end`."""
        collected: list[str] = []
        for leaf in range(first, end):
            collected += label_terms(self.texts[leaf])
            if len(collected) >= most:
                return collected[:most]
        return collected

    def around(self, start: int, first: int, end: int, stop: int, most: int) -> list[str]:
        """Return the first `most` terms of the leaves from `start` to before `first` and `end` to before `stop`."""
        collected: list[str] = []
        for leaf in range(start, first):
            collected += self.of(leaf)
        for leaf in range(end, stop):
            if len(collected) >= most:
                break
            collected += self.of(leaf)
        return collected[:most]
