"""Detect near-identical responses per host: endless calendars, soft 404s, consent walls.

A response is represented by the set of its words, its runs of words and the templates of its links, without days,
months and years, so that two months of an empty calendar give one set. Two responses are near-identical if their sets
differ in very few elements.

- A *copy* is near-identical to several earlier responses whose addresses have the same template. The frontier counts
  copies: if nearly all of the last responses of a template were copies without new links, it closes the template.
- A *repeat* is near-identical to several earlier responses of its host at any address, and has also the same dates and
  links: a "not found" with status 200, a consent wall. It is left out, and its links are not followed.
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

ENOUGH = 4  # earlier near-identical responses: pages with a variant or two are no trap
DIFFERENT_SHARE = 0.015  # of the words of near-identical responses may differ,
LEAST_DIFFERENT, OF_FEW = 4, 6  # or so many of short responses, but no more than a sixth
LONG_TEXT, WORDS_IN_A_ROW = 60, 8  # characters of a text whose order counts: so many words of it are one more
LEAST_WORDS = 8  # a response with fewer is not compared: frames, pictures, stubs
GROUPS_PER_HOST = 48  # the latest groups of a host are kept
MAX_BYTES = 32 << 20  # of all hosts
MAX_TEMPLATES = 32  # templates counted per group
_TEXTS = etree.XPath("//text()[not(parent::script or parent::style)]", smart_strings=False)
_DATE = re.compile(r"0?[1-9]|[12]\d|3[01]|(?:19|20|21)\d\d|\d{1,4}(?:[-/.:]\d{1,4}){1,2}")
_MARKS = ".,;:!?()[]|·»«\"'"

Numbers = npt.NDArray[np.int32]


@dataclass(slots=True, eq=False)
class _ResponseGroup:
    """A group of near-identical responses of one host."""

    words: Numbers
    exact: Numbers
    url: str
    count: int = 0
    templates: Counter[str] = field(default_factory=Counter)

    @property
    def size(self) -> int:
        return self.words.nbytes + self.exact.nbytes + 500


class Copies:
    """The responses of this process, by host; used by one thread and not stored."""

    def __init__(self, *, max_bytes: int = MAX_BYTES):
        self._hosts: OrderedDict[str, list[_ResponseGroup]] = OrderedDict()
        self._max_bytes, self._bytes = max_bytes, 0

    def compare(self, entry: Entry, page_links: PageLinks) -> str | None:
        """Compare a response with earlier ones and keep it; sets `entry.is_copy`.

        Returns the address of a stored page if this response is a repeat. Later visits are not compared: an unchanged
        page is no copy.
        """
        lease = entry.lease
        if page_links.root is None or lease.visit > 1:
            return None
        words, exact = numbers_of(page_links.root, page_links.known)
        if len(words) < LEAST_WORDS:
            return None
        template = template_of(lease.url)
        group = self._known(lease.host, words) or self._add(lease.host, _ResponseGroup(words, exact, lease.url))
        entry.is_copy = group.templates[template] >= ENOUGH
        if template in group.templates or len(group.templates) < MAX_TEMPLATES:
            group.templates[template] += 1
        is_repeat = group.count >= ENOUGH and are_near(group.exact, exact)
        group.count += 1
        return group.url if is_repeat else None

    def _known(self, host: str, words: Numbers) -> _ResponseGroup | None:
        known = self._hosts.get(host, [])
        for at in range(len(known) - 1, -1, -1):
            if are_near(known[at].words, words):
                known.append(known.pop(at))  # the last is the latest
                self._hosts.move_to_end(host)
                return known[-1]
        return None

    def _add(self, host: str, group: _ResponseGroup) -> _ResponseGroup:
        known = self._hosts.setdefault(host, [])
        self._hosts.move_to_end(host)
        known.append(group)
        self._bytes += group.size
        if len(known) > GROUPS_PER_HOST:
            self._bytes -= known.pop(0).size
        while self._bytes > self._max_bytes and len(self._hosts) > 1:
            self._bytes -= sum(one.size for one in self._hosts.popitem(last=False)[1])
        return group


def are_near(one: Numbers, other: Numbers) -> bool:
    """Return True for two sorted sets of numbers that differ in very few elements."""
    size = max(len(one), len(other))
    most = max(min(LEAST_DIFFERENT, size // OF_FEW), int(DIFFERENT_SHARE * size))
    if abs(len(one) - len(other)) > most:
        return False
    return len(np.setxor1d(one, other, assume_unique=True)) <= most


def numbers_of(root: etree._Element, hrefs: Iterable[str]) -> tuple[Numbers, Numbers]:
    """Return the words and templates of links of a page, and its dates and links as written, as sorted sets of numbers.

    The numbers are Python's own hashes, which are valid within this process only.
    """
    texts: Any = _TEXTS(root)
    words = {word.strip(_MARKS) for word in " ".join(texts).lower().split()}
    dates = {word for word in words if word[:1].isdigit() and _DATE.fullmatch(word)} | (words & DATE_WORDS)
    features = words - dates
    for text in texts:
        if len(text) >= LONG_TEXT:
            row = [word for one in text.lower().split() if (word := one.strip(_MARKS)) not in dates]
            features.update(" ".join(row[at : at + WORDS_IN_A_ROW]) for at in range(0, len(row), WORDS_IN_A_ROW))
    return _sorted(features.union(map(template_of, hrefs))), _sorted(dates.union(hrefs))


def _sorted(texts: set[str]) -> Numbers:
    return np.unique(np.fromiter(map(hash, texts), np.int64, len(texts)).astype(np.int32))
