"""Text cleaning: from what a page says to the terms that tell topics apart.

Words are folded to lower case without accents, stop words dropped, the rest stemmed. A number is not a word but says
that there is one: years, times and telephone numbers stand on other pages than plain numbers do.

Pages share most of their words, so what was cleaned once is remembered, as much as `MOST_KNOWN` runs of characters.
"""

import re
import unicodedata
from collections.abc import Iterable
from threading import Lock

from parcels.maps import StringMap
from parcels.text.stems import find_stem
from parcels.text.stopwords import stopwords

LEAST_LETTERS, MOST_LETTERS = 2, 30  # of a word; what is longer is an address or a dump
MAX_CHUNK = 200  # characters without white space; what is longer is data, not text
MOST_KNOWN, MOST_CHARACTERS = 1 << 16, 1 << 20  # that are remembered before all are forgotten
_PIECE = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d[\d:./,-]*\d|\d")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_ADDRESS = re.compile(r"(?:https?|ftp)://\S+|www\.\S+", re.I)
_TIME = re.compile(r"\d{1,2}[:.]\d\d(?:-\d{1,2}[:.]\d\d)?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PHONE = re.compile(r"(?:\d{3}[-./])?\d{3}[-./]\d{4}")
_LONG = re.compile(r"[^\W\d_]{4,30}")
_CLITIC = re.compile(r"(?:n't|'(?:s|m|re|ve|ll|d|t)?)$")
_EDGES = ".,;:!?()[]{}<>*\"'-/"  # that stand around a word
_SCHEMES = ("www", "http", "https", "ftp")  # where they begin an address it is told by what follows
_known_common: dict[str, tuple[str, ...]] = {}
_terms: dict[str, tuple[str, ...]] = {}  # a stem, alone: one object however many words have it


class KnownRuns:
    """The terms of runs of characters that were met, found by their letters wherever they stand in a text."""

    def __init__(self) -> None:
        self.runs = StringMap()
        self.terms: list[tuple[str, ...]] = []  # by the number of the run
        self.characters = 0
        self.lock = Lock()

    def of(self, text: str, first: int, end: int) -> tuple[str, ...]:
        """Return the terms of the run between two places of a text."""
        number = self.runs.find(text, first, end)
        return self.terms[number] if number >= 0 else self._met(text[first:end])

    def _met(self, chunk: str) -> tuple[str, ...]:
        """Return the terms of a run that is new, and remember them."""
        found = _of_chunk(chunk)
        with self.lock:  # a number is given once its terms are there
            if self.runs.count < MOST_KNOWN and self.characters < MOST_CHARACTERS:
                del self.terms[self.runs.count :]
                self.terms.append(found)
                if self.runs.put(chunk, 0, len(chunk)) < len(self.terms) - 1:
                    self.terms.pop()  # another thread was faster
                self.characters += len(chunk)
            else:
                forget()
        return found


_known = KnownRuns()


def forget() -> None:
    """Forget all runs of characters, so that memory is bounded; those who read in them now keep theirs."""
    global _known
    _known = KnownRuns()


def known_count() -> int:
    """Return how many runs of characters are remembered."""
    return len(_known.terms)


def chunk_terms(chunk: str) -> tuple[str, ...]:
    """Return the terms of a run of characters without white space.

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
    if is_ascii:  # most are one word or number, and a point or comma
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
    found: list[str] = []
    for piece in _PIECE.findall(plain):
        if piece[0].isdigit():
            found += _of_number(piece)
        else:
            found += _of_word(_CLITIC.sub("", piece).replace("'", "") if "'" in piece else piece)
    return tuple(found)


def _plain(text: str) -> str:
    """Lower case, ligatures and accents resolved."""
    if text.isascii():
        return text.lower()
    lower = unicodedata.normalize("NFKD", text.lower()).replace("’", "'")
    return lower if lower.isascii() else "".join(char for char in lower if not unicodedata.combining(char))


def _of_word(word: str) -> tuple[str, ...]:
    if not LEAST_LETTERS <= len(word) <= MOST_LETTERS or word in stopwords():
        return ()
    term = find_stem(word)
    found = _terms.get(term)
    if found is None:
        if len(_terms) >= MOST_KNOWN:
            _terms.clear()
        found = _terms[term] = (term,)
    return found


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
    found: list[str] = []
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
                found.append(term)
    return found


def terms_of(texts: Iterable[str]) -> list[str]:
    """The terms of several texts, in order."""
    return [term for text in texts for chunk in text.split() for term in chunk_terms(chunk)]


def label_terms(text: str) -> list[str]:
    """The terms of an anchor or a heading, in order: in so few words even a common one names something.

    >>> label_terms("The People"), terms("The People")
    (['peopl'], [])
    """
    return [term for chunk in text.split() for term in chunk_terms(chunk) or _common_terms(chunk)]


def _common_terms(chunk: str) -> tuple[str, ...]:
    """The common words of four letters and more: shorter ones (the, of, and) hold a sentence together."""
    found = _known_common.get(chunk)
    if found is None:
        if len(_known_common) >= MOST_KNOWN:
            _known_common.clear()
        found = () if len(chunk) > MAX_CHUNK else tuple([find_stem(word) for word in _LONG.findall(_plain(chunk))])
        _known_common[chunk] = found
    return found


class LeafTerms:
    """The terms of a page's leaves, each leaf cleaned once however often it is asked for.

    >>> leaves = LeafTerms(["The People", "of the lab"])
    >>> leaves.of(1), leaves.labels(0, 2, 5), leaves.around(0, 0, 1, 2, 5)
    (['lab'], ['peopl', 'lab'], ['lab'])
    """

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self._terms: list[list[str] | None] = [None] * len(texts)

    def of(self, leaf: int) -> list[str]:
        """The terms of one leaf, in order; not to be changed."""
        found = self._terms[leaf]
        if found is None:
            found = self._terms[leaf] = terms(self.texts[leaf])
        return found

    def all(self) -> list[str]:
        """The terms of all leaves, in order."""
        found: list[str] = []
        for leaf in range(len(self.texts)):
            found += self.of(leaf)
        return found

    def labels(self, first: int, end: int, most: int) -> list[str]:
        """The first terms of an anchor or heading that goes from one leaf to the one before `end`."""
        found: list[str] = []
        for leaf in range(first, end):
            found += label_terms(self.texts[leaf])
            if len(found) >= most:
                return found[:most]
        return found

    def around(self, start: int, first: int, end: int, stop: int, most: int) -> list[str]:
        """The first terms of the leaves from `start` to before `first` and from `end` to before `stop`."""
        found: list[str] = []
        for leaf in range(start, first):
            found += self.of(leaf)
        for leaf in range(end, stop):
            if len(found) >= most:
                break
            found += self.of(leaf)
        return found[:most]
