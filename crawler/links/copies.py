"""Answers that say the same: calendars without end, soft 404s, walls. One process remembers what its hosts have said.

An answer is the set of its words, alone and in a row, and of the templates of its links, without what a calendar
counts (days, months, years), so that two months of an empty calendar are one set. Two answers are near-identical where
their sets differ by next to nothing.

- A *copy* has said what several answers before it under addresses of the same template have said. The frontier counts
  them: where nearly all of the last answers of a template were copies that led to nothing else, it closes the template.
- A *repeat* has said, with the same dates and the same links letter for letter, what several answers of its host have
  said, whatever their addresses: a "not found" with status 200, a consent wall. It is left out, and its links are not
  followed.
"""

import re
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from lxml import etree

from crawler.frontier.traps import DATE_WORDS, template_of
from crawler.links.extract import PageLinks
from crawler.sinks.entry import Entry

ENOUGH = 4  # answers that must have said the same before: pages with a variant or two are no trap
DIFFERENT_SHARE = 0.015  # of the words of near-identical answers may differ,
LEAST_DIFFERENT, OF_FEW = 4, 6  # or so many of short answers, but no more than a sixth
LONG_TEXT, WORDS_IN_A_ROW = 60, 8  # characters of a text whose order counts: so many words of it are one more
LEAST_WORDS = 8  # an answer with fewer is not compared: frames, pictures, stubs
ANSWERS_OF_HOST = 48  # answers of a host that are remembered, the latest
MAX_BYTES = 32 << 20  # of all hosts
MAX_TEMPLATES = 32  # of one answer whose addresses are counted
_TEXTS = etree.XPath("//text()[not(parent::script or parent::style)]", smart_strings=False)
_DATE = re.compile(r"0?[1-9]|[12]\d|3[01]|(?:19|20|21)\d\d|\d{1,4}(?:[-/.:]\d{1,4}){1,2}")
_MARKS = ".,;:!?()[]|·»«\"'"

Numbers = npt.NDArray[np.int32]


@dataclass(slots=True, eq=False)
class _Said:
    """Answers of one host that say the same."""

    words: Numbers
    exact: Numbers
    url: str
    count: int = 0
    templates: Counter[str] = field(default_factory=Counter)

    @property
    def size(self) -> int:
        return self.words.nbytes + self.exact.nbytes + 500


class Copies:
    """Used by one thread. What it has seen is lost with the process; what the frontier has counted is not."""

    def __init__(self, *, max_bytes: int = MAX_BYTES):
        self._hosts: OrderedDict[str, list[_Said]] = OrderedDict()
        self._max_bytes, self._bytes = max_bytes, 0

    def compare(self, entry: Entry, found: PageLinks) -> str | None:
        """Compare an answer with those before it, and remember it; sets `entry.is_copy`.

        Returns the address of a stored page where this answer is a repeat. Later visits are not compared: a page that
        has not changed says what it said.
        """
        lease = entry.lease
        if found.root is None or lease.visit > 1:
            return None
        words, exact = numbers_of(found.root, found.known)
        if len(words) < LEAST_WORDS:
            return None
        template = template_of(lease.url)
        said = self._known(lease.host, words) or self._add(lease.host, _Said(words, exact, lease.url))
        entry.is_copy = said.templates[template] >= ENOUGH
        if template in said.templates or len(said.templates) < MAX_TEMPLATES:
            said.templates[template] += 1
        is_repeat = said.count >= ENOUGH and are_near(said.exact, exact)
        said.count += 1
        return said.url if is_repeat else None

    def _known(self, host: str, words: Numbers) -> _Said | None:
        known = self._hosts.get(host, [])
        for at in range(len(known) - 1, -1, -1):
            if are_near(known[at].words, words):
                known.append(known.pop(at))  # the last is the latest
                self._hosts.move_to_end(host)
                return known[-1]
        return None

    def _add(self, host: str, said: _Said) -> _Said:
        known = self._hosts.setdefault(host, [])
        self._hosts.move_to_end(host)
        known.append(said)
        self._bytes += said.size
        if len(known) > ANSWERS_OF_HOST:
            self._bytes -= known.pop(0).size
        while self._bytes > self._max_bytes and len(self._hosts) > 1:
            self._bytes -= sum(one.size for one in self._hosts.popitem(last=False)[1])
        return said


def are_near(one: Numbers, other: Numbers) -> bool:
    """Return True for two sets of numbers, each sorted, that differ by next to nothing."""
    size = max(len(one), len(other))
    most = max(min(LEAST_DIFFERENT, size // OF_FEW), int(DIFFERENT_SHARE * size))
    if abs(len(one) - len(other)) > most:
        return False
    return len(np.setxor1d(one, other, assume_unique=True)) <= most


def numbers_of(root: etree._Element, hrefs: Iterable[str]) -> tuple[Numbers, Numbers]:
    """Return the words and templates of links of a page, and its dates and links as written, as sorted sets of numbers.

    The numbers are Python's own hashes: they mean something within this process only.
    """
    texts: Any = _TEXTS(root)
    words = {word.strip(_MARKS) for word in " ".join(texts).lower().split()}
    dates = {word for word in words if word[:1].isdigit() and _DATE.fullmatch(word)} | (words & DATE_WORDS)
    said = words - dates
    for text in texts:
        if len(text) >= LONG_TEXT:
            row = [word for one in text.lower().split() if (word := one.strip(_MARKS)) not in dates]
            said.update(" ".join(row[at : at + WORDS_IN_A_ROW]) for at in range(0, len(row), WORDS_IN_A_ROW))
    return _sorted(said.union(map(template_of, hrefs))), _sorted(dates.union(hrefs))


def _sorted(said: set[str]) -> Numbers:
    return np.unique(np.fromiter(map(hash, said), np.int64, len(said)).astype(np.int32))
