"""What lexical features look at: the blocks of a page with their tokens, tags, names, dates and links, as arrays."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from parcels.divide import Division, block_text
from parcels.features.words.patterns import Patterns, patterns
from parcels.html.page import Page
from parcels.text.analysis import Analyser, Analysis, shipped
from parcels.text.dates import Moment, find_moments
from parcels.text.names.recogniser import OUTSIDE
from parcels.text.names.runs import KINDS
from parcels.text.wordlists import Flag

Counts = NDArray[np.int64]
Bools = NDArray[np.bool_]

# The paper's classes of tags (QTAG's, similar ones together), by Penn tag; the rest comes from word lists.
CLASSES = (
    "nouns", "proper-nouns", "pronouns", "pronouns-indefinite", "pronouns-wh", "adjectives", "adverbs", "adverbs-wh",
    "verbs", "be's", "do's", "have's", "conjunctions", "determiners", "determiners-pre", "determiners-wh",
    "prepositions", "numbers", "symbols", "possessives", "negatives", "existential-there's", "foreign-words",
    "modal-auxiliaries", "adverbial-particles", "infinitive-markers", "interjections", "",
)  # fmt: skip
_BY_TAG = {
    "NN": "nouns", "NNS": "nouns", "NNP": "proper-nouns", "NNPS": "proper-nouns", "PRP": "pronouns",
    "WP": "pronouns-wh", "WP$": "pronouns-wh", "JJ": "adjectives", "JJR": "adjectives", "JJS": "adjectives",
    "RB": "adverbs", "RBR": "adverbs", "RBS": "adverbs", "WRB": "adverbs-wh", "VB": "verbs", "VBD": "verbs",
    "VBG": "verbs", "VBN": "verbs", "VBP": "verbs", "VBZ": "verbs", "CC": "conjunctions", "DT": "determiners",
    "PDT": "determiners-pre", "WDT": "determiners-wh", "IN": "prepositions", "CD": "numbers", "SYM": "symbols",
    "$": "symbols", "#": "symbols", "NFP": "symbols", "POS": "possessives", "PRP$": "possessives",
    "EX": "existential-there's", "FW": "foreign-words", "MD": "modal-auxiliaries", "RP": "adverbial-particles",
    "TO": "infinitive-markers", "UH": "interjections",
}  # fmt: skip
_NUMBER = {name: number for number, name in enumerate(CLASSES)}
# Flags that put a token into another class: the flag, classes of which one must be its own, and the new class.
_RULES: list[tuple[np.uint32, int, int, int]] = [
    (np.uint32(flag), _NUMBER.get(one, -1), _NUMBER.get(other, -1), _NUMBER[now])
    for flag, (one, other), now in (
        (Flag.SUBORDINATE, ("prepositions", "prepositions"), "conjunctions"),
        (Flag.INDEFINITE, ("nouns", "pronouns"), "pronouns-indefinite"),
        (Flag.BE, ("verbs", "verbs"), "be's"),
        (Flag.DO, ("verbs", "verbs"), "do's"),
        (Flag.HAVE, ("verbs", "verbs"), "have's"),
        (Flag.NEGATIVE, ("any", "any"), "negatives"),
    )
]
_RULED = np.bitwise_or.reduce([flag for flag, *_ in _RULES])
IMAGE_ENDS = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".svg", ".tif", ".tiff", ".avif")


@dataclass(frozen=True)
class Words:
    """The blocks of a page for the lexical view."""

    page: Page
    division: Division
    texts: Sequence[str]
    analysis: Analysis

    @classmethod
    def of(
        cls, page: Page, division: Division, *, texts: Sequence[str] | None = None, analyser: Analyser | None = None
    ) -> "Words":
        """Read the words of a divided page; `texts` are those of its blocks, where they are at hand."""
        if texts is None:
            texts = [block_text(page, first, end) for first, end in division.ranges()]
        return cls(page, division, texts, (analyser or shipped()).analyse(texts))

    def __len__(self) -> int:
        return len(self.texts)

    def has_any(self, is_counted: Bools) -> Bools:
        """Which blocks have such a token."""
        return self.analysis.count(is_counted) > 0

    def has(self, flag: int) -> Bools:
        """Return which blocks have a token with a flag."""
        found = np.zeros(len(self), np.bool_)
        found[self.analysis.text_of[self.analysis.has(flag)]] = True
        return found

    @cached_property
    def total(self) -> Counts:
        """Tokens of each block."""
        return np.diff(self.analysis.begin)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Share of each class of tags in each block's tokens: block x class."""
        of = self.analysis
        classes = _by_tag(of.tag_names)[of.tag]
        places = np.flatnonzero(of.flags & _RULED)
        flags, own = of.flags[places], classes[places]
        for flag, one, other, then in _RULES:
            is_then = (flags & flag) != 0
            classes[places[is_then if one == -1 else is_then & ((own == one) | (own == other))]] = then
        counts = np.bincount(of.text_of * len(CLASSES) + classes, minlength=len(self) * len(CLASSES))
        shares: NDArray[np.float64] = counts.reshape(len(self), len(CLASSES)) / np.maximum(self.total, 1)[:, None]
        return shares

    def share(self, name: str) -> NDArray[np.float64]:
        """The share of a class of tags in each block's tokens."""
        return self.shares[:, _NUMBER[name]]

    @cached_property
    def patterns(self) -> Patterns:
        """Which blocks have the paper's runs of tags."""
        return patterns(self.analysis)

    @cached_property
    def names(self) -> dict[str, Counts]:
        """How many names of each kind begin in each block."""
        label, count = self.analysis.label, len(KINDS)
        before = np.concatenate(([OUTSIDE], label[:-1])) if len(label) else label
        is_other = (before == OUTSIDE) | (before % count != label % count)
        begun = np.flatnonzero((label < count) | ((label != OUTSIDE) & is_other))  # B-, then I- of the kinds, then O
        places = label[begun] % count * len(self) + self.analysis.text_of[begun]
        counts = np.bincount(places, minlength=count * len(self)).reshape(count, len(self))
        return dict(zip(KINDS, counts, strict=True))

    @cached_property
    def moments(self) -> dict[int, list[Moment]]:
        """The dates and times of the blocks that have any."""
        in_words = self.has(Flag.SPOKEN)
        may_have = np.flatnonzero(in_words | self.has(Flag.NUMBER)).tolist()
        found = {block: find_moments(self.texts[block], in_words=bool(in_words[block])) for block in may_have}
        return {block: moments for block, moments in found.items() if moments}

    def count_moments(self, kind: Literal["date", "time"]) -> Counts:
        """How many dates, or times, each block has."""
        found = np.zeros(len(self), np.int64)
        for block, moments in self.moments.items():
            found[block] = [moment.kind for moment in moments].count(kind)
        return found

    @cached_property
    def links(self) -> "Links":
        """The links of the blocks."""
        return Links.of(self.page, self.division)


@cache
def _by_tag(tag_names: tuple[str, ...]) -> Counts:
    """The class of each tag."""
    return np.array([_NUMBER[_BY_TAG.get(tag, "")] for tag in tag_names], np.int64)


@lru_cache(maxsize=20_000)
def _leads_to(href: str) -> tuple[bool, bool]:
    """Return whether an address is one of mail, and whether it is an image's.

    >>> _leads_to("MAILTO:a@b.example"), _leads_to("/a.JPG?size=2"), _leads_to("/a?b=c.png")
    ((True, False), (False, True), (False, False))
    """
    low = href.lower()
    return "mailto:" in low, low.partition("?")[0].partition("#")[0].endswith(IMAGE_ENDS)


@dataclass(frozen=True, slots=True)
class Links:
    """Every link once for each block that holds a leaf of it."""

    block: NDArray[np.int64]
    is_email: Bools
    is_image: Bools  # it shows an image and no text
    to_image: Bools  # it points to an image
    count: int

    @classmethod
    def of(cls, page: Page, division: Division) -> "Links":
        """Return the links of a divided page."""
        kinds, rows = page.leaves.kind, page.nodes.link[page.leaves.node]
        block_of = np.repeat(np.arange(len(division)), np.diff(np.append(division.first, division.leaf_count)))
        linked = np.flatnonzero(rows >= 0)
        shown: dict[tuple[int, int], set[str]] = {}
        for leaf, block, row in zip(linked.tolist(), block_of[linked].tolist(), rows[linked].tolist(), strict=True):
            shown.setdefault((block, row), set()).add(kinds[leaf])
        is_image = [kinds_ >= {"img"} and "text" not in kinds_ for kinds_ in shown.values()]
        attributes = page.nodes.attributes
        leads_to = [_leads_to(attributes[row].get("href", "")) for _, row in shown]
        is_email, to_image = np.array(leads_to, np.bool_).reshape(-1, 2).T
        blocks = np.array([block for block, _ in shown], np.int64)
        return cls(blocks, is_email, np.array(is_image, np.bool_), to_image, len(division))

    def total(self, is_counted: Any = None) -> Counts:
        """How many links, or such links, each block has."""
        return np.bincount(self.block if is_counted is None else self.block[is_counted], minlength=self.count)
